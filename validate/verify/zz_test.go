package verify

import (
	"context"
	"testing"
	"time"
)

func TestBig(t *testing.T) {
	t0 := time.Now()
	m, plans := load(t, "/tmp/pb/big.yaml")
	t.Log(len(m.Entities), len(m.Patterns), time.Since(t0))
	start := time.Now()
	r, err := Run(context.Background(), Config{Model: m, Plans: plans, Endpoint: embedded()})
	t.Log(time.Since(start))
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range r.Patterns {
		if p.Verdict != Pass {
			t.Log(p.Pattern.Name.Text, p.Verdict, p.Reason)
		}
	}
	for _, f := range r.Findings[:min(5, len(r.Findings))] {
		t.Log(f.Message, f.Why)
	}
}
