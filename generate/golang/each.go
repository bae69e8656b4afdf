package golang

import (
	"fmt"

	"github.com/dynmodel/dynmodel/model/expr"
	"github.com/dynmodel/dynmodel/model/plan"
)

// writeEach writes the methods of a delete_each or update_each: a query, and what is
// done to each item that it finds.
func (g *generator) writeEach(m *methods, p *pattern) error {
	w := m.w
	v := p.plan.Variants[0]
	if len(p.plan.Variants) > 1 {
		return fault("optional parameters of %s are not supported: make a pattern of each", p.Operation)
	}
	if v.Read == nil || v.Each == nil {
		return fault("it %s", unserved(v))
	}
	option := "QueryOption"
	if v.Read.Index != nil && !v.Read.Index.Local {
		option = "IndexOption"
	}
	q := &querier{generator: g, methods: m, pattern: p, option: option, out: g.rowsOf(p, p.Entities), input: g.auxiliary(p, "Input")}
	q.requests()
	if err := q.variant(0, v); err != nil {
		return err
	}
	m.open(p.method, p.about("finds items and then writes each of them, one after the other and not as a whole. It returns how many it has written; an item that has changed in between, or is not as the write requires it, is passed over."),
		fmt.Sprintf("(%s) (int, error)", list("ctx context.Context", p.argument(), "opts ...WriteOption")))
	w.line("o := writeOptions(opts)")
	w.line("write := func(old stored, now time.Time) (transaction, error) { return t.each%s(%s) }", p.method, list(p.passed(), "old", "now"))
	w.line("return t.writeEach(ctx, o, %s, write)", q.build())
	w.line("}\n")
	return g.eachItem(m, p, v)
}

// eachItem writes the function that makes the writes of one item found.
func (g *generator) eachItem(m *methods, p *pattern, v *plan.Variant) error {
	w := m.w
	x := &mutator{generator: g, methods: m, pattern: p, api: plan.TransactWriteItems}
	w.line("func (t *Table) each%s(%s) (transaction, error) {", p.method, list(p.argument(), "old stored", "now time.Time"))
	w.line("f := &fault{}")
	w.line("var tx transaction")
	several := len(v.Each.Actions) > 1
	if several {
		w.line("e, err := UnmarshalAny(old)")
		w.line("if err != nil {")
		w.line("return tx, err")
		w.line("}")
		w.line("switch e.(type) {")
	}
	for i, a := range v.Each.Actions {
		if several {
			w.line("case %s:", g.of(a.Entity).name)
		} else {
			w.line("{")
		}
		at := *a
		at.ReadFirst = true
		if err := x.eachAction(&at, i); err != nil {
			return err
		}
		x.passesOver(a, v.Decides(a))
		if !several {
			w.line("}")
		}
	}
	if several {
		w.line("}")
	}
	w.line("return tx, f.err")
	w.line("}\n")
	return nil
}

// eachAction writes what is done to one item found.
func (x *mutator) eachAction(a *plan.Action, step int) error {
	w := x.methods.w
	fr := x.frame(x.pattern).reading(a.Entity, "old")
	plain := a.API == plan.DeleteItem && a.Condition == nil && len(a.Unchanged) == 0
	if plain {
		a.ReadFirst = false
	}
	body, about, err := x.action(fr, a)
	if err != nil {
		return err
	}
	w.line("about := %s", about)
	w.line("tx.add(types.TransactWriteItem{%s: &types.%s{", members[a.API], members[a.API])
	w.WriteString(body)
	w.line("}}, about)")
	return x.guards(fr, a)
}

// passesOver writes that an item of which no write can be made, such as one whose new
// key has no room for a number, is passed over where it is not as the write requires
// it. A condition that only DynamoDB can evaluate decides nothing here.
func (x *mutator) passesOver(a *plan.Action, cond expr.Cond) {
	if cond == nil {
		return
	}
	code, err := x.frame(x.pattern).reading(a.Entity, "old").holds(cond)
	if err != nil {
		return
	}
	w := x.methods.w
	w.line("if f.err != nil && %s {", negated(code))
	w.line("return transaction{}, nil")
	w.line("}")
}
