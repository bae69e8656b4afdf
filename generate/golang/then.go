package golang

import (
	"fmt"
	"strings"
)

// then writes a query whose items lead to others, which are read in batches.
func (q *querier) then() error {
	m, p, w := q.methods, q.pattern, q.methods.w
	target := q.of(p.Then.Entity)
	found := "Found"
	row := q.names.take(p.method + "Row")
	if q.out.typ != "Entity" {
		found = q.out.typ
	}
	if found == target.name {
		found = "Found"
	}
	w.line("// %s is an item that %s finds, and what it refers to; nil when that is not there.", row, p.method)
	w.line("type %s struct {", row)
	w.line("%s %s", found, q.out.typ)
	w.line("%s *%s", target.name, target.name)
	w.line("}\n")
	m.open(p.method, p.about("are the items of the access pattern "+p.Name.Text+", and what they refer to, which is read in batches."), q.signature("iter.Seq2["+row+", error]"))
	w.line("o := %s", q.options())
	w.line("refer := func(item stored) (stored, error) { return t.then%s(item) }", p.method)
	w.line("row := func(item, other stored) (%s, error) {", row)
	w.line("var out %s", row)
	w.line("var err error")
	w.line("if out.%s, err = %s(item); err != nil || other == nil {", found, q.out.reader)
	w.line("return out, err")
	w.line("}")
	if err := q.keepsThen(); err != nil {
		return err
	}
	w.line("o, err := Unmarshal%s(other)", target.name)
	w.line("out.%s = &o", target.name)
	w.line("return out, err")
	w.line("}")
	w.line("return joined(ctx, t, o, %s, []string{%s}, %t, refer, row)", q.build(), quotedList(keyNames(q.table)), p.plan.Variants[0].Then.Consistent)
	w.line("}\n")
	return q.thenKey()
}

// keepsThen passes over what is referred to and not live.
func (q *querier) keepsThen() error {
	then := q.pattern.plan.Variants[0].Then
	cond := then.KeptByReader(q.pattern.Then.Entity)
	if cond == nil {
		return nil
	}
	code, err := q.frame(q.pattern).reading(q.pattern.Then.Entity, "other").holds(cond)
	if err != nil {
		return err
	}
	w := q.methods.w
	failed := "nil"
	if needs(w, code) {
		failed = "f.err"
	}
	w.line("if %s {", negated(code))
	w.line("return out, %s", failed)
	w.line("}")
	return nil
}

// thenKey writes the function that makes the key of what an item refers to; nil
// when it refers to nothing.
func (q *querier) thenKey() error {
	p, w := q.pattern, q.methods.w
	w.line("func (t *Table) then%s(item stored) (stored, error) {", p.method)
	w.line("f := &fault{}")
	var absent []string
	for _, part := range p.Then.Keys {
		absent = append(absent, fmt.Sprintf("item[%q] == nil", part.Own.Name.Text))
	}
	if len(absent) > 0 {
		w.line("if %s {", strings.Join(absent, " || "))
		w.line("return nil, nil")
		w.line("}")
	}
	key, err := q.frame(p).reading(p.Entities[0], "item").keyItem(p.plan.Variants[0].Then.Gets[0].Key)
	if err != nil {
		return err
	}
	w.line("return f.item(%s)", key)
	w.line("}\n")
	return nil
}
