package parse_test

import (
	"testing"

	"github.com/dynmodel/dynmodel/model/modeltest"
	"github.com/dynmodel/dynmodel/model/parse"
	"github.com/dynmodel/dynmodel/model/source"
)

func TestShopHasNoFindings(t *testing.T) {
	m, list := parse.File(source.NewFile("shop.yaml", modeltest.Shop()), nil)
	for _, f := range list.All() {
		t.Errorf("%d:%d %s: %s %s (%s)", f.Span.From().Line, f.Span.From().Column, f.Rule, f.Message, f.Fix, f.Span.Text())
	}
	if m == nil {
		t.Fatal("no model")
	}
	for _, p := range m.Patterns {
		t.Logf("%s %s", p.Name.Text, p.Operation)
		for _, q := range p.Parameters {
			t.Logf("    $%s like %v list=%v fields=%d", q.Name, q.Like, q.List, len(q.Fields))
		}
	}
}

func BenchmarkShop(b *testing.B) {
	file := source.NewFile("shop.yaml", modeltest.Shop())
	for b.Loop() {
		parse.File(file, nil)
	}
}
