package verify

import (
	"context"
	"testing"

	"github.com/dynmodel/dynmodel/model/diag"
	"github.com/dynmodel/dynmodel/model/expr"
	"github.com/dynmodel/dynmodel/model/plan"
)

// TestThenIsJudged makes the keys of the reads after a query of another attribute
// than the one that refers, and expects that to be found.
func TestThenIsJudged(t *testing.T) {
	m, plans := load(t, "testdata/sound/then.yaml")
	of := plans[0]
	parts := of.Variants[0].Then.Gets[0].Key[0].Value.Parts
	for i := range parts {
		if parts[i].Source != nil {
			parts[i].Source = &expr.Attr{Path: expr.Path{Name: "teamId"}}
		}
	}
	r, err := Run(context.Background(), Config{Model: m, Plans: []*plan.Plan{of}, Endpoint: embedded()})
	if err != nil {
		t.Fatal(err)
	}
	if r.Patterns[0].Verdict != Fail || len(r.Findings) == 0 || r.Findings[0].Rule != diag.WrongResult || r.Findings[0].Why == "" {
		t.Errorf("%s, %+v", r.Patterns[0].Verdict, r.Findings)
	}
}
