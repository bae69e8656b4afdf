package cost_test

import (
	"os"
	"testing"

	"github.com/dynmodel/dynmodel/model/cost"
	"github.com/dynmodel/dynmodel/model/diag"
	"github.com/dynmodel/dynmodel/model/parse"
	"github.com/dynmodel/dynmodel/model/source"
)

// An estimate is part of every check, so that it has to be quick.
func BenchmarkEstimate(b *testing.B) {
	text, err := os.ReadFile("../../examples/shop/access-patterns.yaml")
	if err != nil {
		b.Fatal(err)
	}
	m, found := parse.File(source.NewFile("shop.yaml", string(text)), nil)
	if found.Has(diag.Error) {
		b.Fatal(found.All()[0].Message)
	}
	for b.Loop() {
		if _, err := cost.Of(m, cost.Options{}); err != nil {
			b.Fatal(err)
		}
	}
}
