package cost_test

import (
	"testing"

	"github.com/dynmodel/dynmodel/model/cost"
	"github.com/dynmodel/dynmodel/model/modeltest"
)

// An estimate is part of every check, so that it has to be quick.
func BenchmarkEstimate(b *testing.B) {
	m := modeltest.File(b, "../../examples/shop/access-patterns.yaml")
	for b.Loop() {
		if _, err := cost.Of(m, cost.Options{}); err != nil {
			b.Fatal(err)
		}
	}
}
