package verify

import (
	"context"
	"fmt"
	"os"
	"testing"
	"time"

	"github.com/dynmodel/dynmodel/engine"
	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/parse"
	"github.com/dynmodel/dynmodel/model/plan"
	"github.com/dynmodel/dynmodel/model/source"
)

// load reads a model that must be without errors.
func load(t testing.TB, path string) (*model.Model, []*plan.Plan) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	m, found := parse.File(source.NewFile(path, string(text)), os.DirFS("."))
	for _, f := range found.All() {
		t.Logf("%v: %s: %s", f.Span.From(), f.Rule, f.Message)
	}
	if m == nil {
		t.Fatal("no model")
	}
	planner := plan.New(m)
	plans := planner.All()
	return m, plans
}

// embedded is an endpoint in this process.
func embedded() Endpoint {
	n := 0
	return Endpoint{Client: engine.New().Client(), Table: func() string { n++; return fmt.Sprintf("proof-%d", n) }}
}

func TestShop(t *testing.T) {
	m, plans := load(t, "../../examples/shop/access-patterns.yaml")
	start := time.Now()
	r, err := Run(context.Background(), Config{Model: m, Plans: plans, Endpoint: embedded()})
	t.Log(time.Since(start))
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range r.Patterns {
		t.Logf("%-28s %-7s cases %3d requests %.1f items %.1f read %.1f rcu %.1f wcu %.1f %s", p.Pattern.Name.Text, p.Verdict, p.Cases, p.Requests, p.Items, p.ItemsRead, p.RCU, p.WCU, p.Reason)
	}
	for _, f := range r.Findings {
		t.Errorf("%s", f.Message)
		t.Logf("%+v\n%+v\nwhy %s\nfix %s", f.Rule, f.Counterexample, f.Why, f.Fix)
	}
}

func BenchmarkShop(b *testing.B) {
	m, plans := load(b, "../../examples/shop/access-patterns.yaml")
	endpoint := embedded()
	for b.Loop() {
		if _, err := Run(context.Background(), Config{Model: m, Plans: plans, Endpoint: endpoint}); err != nil {
			b.Fatal(err)
		}
	}
}
