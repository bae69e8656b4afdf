package verify

import (
	"slices"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/diag"
	"github.com/dynmodel/dynmodel/model/expr"
	"github.com/dynmodel/dynmodel/model/plan"
)

// counterexample shows a failure: the requests, the call, the items.
func (t *trial) counterexample(f *failure, items ...diag.CounterItem) *diag.Counterexample {
	c := &diag.Counterexample{With: t.bindings(f), Items: items}
	if f.variant != nil {
		c.Request = []string{f.variant.Text()}
	}
	return c
}

// bindings are the parameters of the call, and $now where the pattern uses it.
func (t *trial) bindings(f *failure) []diag.Binding {
	var out []diag.Binding
	for _, q := range t.pattern.Parameters {
		if v := f.scene.args[q.Name]; v.Exists() {
			out = append(out, diag.Binding{Name: q.Name, Value: v.String()})
		}
	}
	if t.usesNow() {
		out = append(out, diag.Binding{Name: "$now", Value: f.scene.now.Format("2006-01-02T15:04:05Z07:00")})
	}
	return out
}

func (t *trial) usesNow() bool {
	is := func(n expr.Node) bool {
		_, now := n.(*expr.Now)
		return now
	}
	if slices.ContainsFunc(t.model.Entities, func(e *model.Entity) bool {
		return t.about(e) && slices.ContainsFunc(t.pattern.Selects(e), func(c *model.Condition) bool { return within(c.Cond, is) })
	}) {
		return true
	}
	return slices.ContainsFunc(t.pattern.AllSteps(), func(s *model.Step) bool {
		return s.If != nil && within(s.If.Cond, is) || s.Change != nil && within(s.Change.Update, is) ||
			slices.ContainsFunc(s.Inputs, func(in *model.Assignment) bool { return in.Value != nil && within(in.Value, is) })
	})
}

// within tells whether some part of an expression is so.
func within(n expr.Node, is func(expr.Node) bool) bool {
	found := false
	expr.Walk(n, func(part expr.Node) { found = found || is(part) })
	return found
}

// shown is an item with the attributes that matter, and its keys in the table
// or in the index read.
func (t *trial) shown(f *failure, role string, in model.Instance) diag.CounterItem {
	item := diag.CounterItem{Role: role, Entity: in.Entity.Name.Text}
	for _, a := range in.Entity.Attributes {
		if v := in.Item[a.Name.Text]; t.matters(f, in.Entity, a) {
			item.Attributes = append(item.Attributes, diag.Binding{Name: a.Name.Text, Value: v.String()})
		}
	}
	if r := f.recordOf(in); r != nil {
		item.Keys = t.keysShown(f, r.item)
	}
	return item
}

// recordOf is the record of an item of the failing world, nil when it is not stored.
func (f *failure) recordOf(in model.Instance) *record {
	for i := range f.records {
		if r := f.records[i]; r.is(in) {
			return r
		}
	}
	return nil
}

// matters tells whether an attribute is needed to follow the counterexample:
// what identifies the item, and what the pattern speaks of.
func (t *trial) matters(f *failure, e *model.Entity, a *model.Attribute) bool {
	if identifies(e, a) || a.Name.Text == f.attribute {
		return true
	}
	named := func(n expr.Node) bool {
		attr, ok := n.(*expr.Attr)
		return ok && attr.Path.Name == a.Name.Text && (attr.Entity == "" || attr.Entity == e.Name.Text)
	}
	conditions := t.pattern.Selects(e)
	if f.invariant != nil {
		conditions = append(conditions, f.invariant)
	}
	if slices.ContainsFunc(conditions, func(c *model.Condition) bool { return within(c.Cond, named) }) {
		return true
	}
	if slices.ContainsFunc(t.pattern.Order, func(o model.OrderBy) bool { return o.Attribute == a.Name.Text }) {
		return true
	}
	return slices.ContainsFunc(t.pattern.AllSteps(), func(s *model.Step) bool {
		return s.Entity == e && (s.If != nil && within(s.If.Cond, named) || s.Change != nil && within(s.Change.Update, named) ||
			slices.ContainsFunc(s.Old, func(o *model.Assignment) bool { return o.Attribute == a }))
	})
}

// keysShown are the key attributes of a stored item in the index that was
// read, or in the table.
func (t *trial) keysShown(f *failure, item plan.Stored) []diag.Binding {
	keys := t.model.Table.Keys()
	if x := f.index(); x != nil {
		keys = x.Keys()
	}
	var out []diag.Binding
	for _, k := range keys {
		shown := "(absent)"
		if v := item[k.Name]; v.Exists() {
			shown = v.Text()
			if !v.Kind().IsKey() || v.Kind() == 0 {
				shown = v.String()
			}
		}
		out = append(out, diag.Binding{Name: k.Name, Value: shown})
	}
	return out
}

// index is the index that was read, nil for the table.
func (f *failure) index() *model.Index {
	if f.variant == nil || f.variant.Read == nil {
		return nil
	}
	return f.variant.Read.Index
}

func (f *failure) indexName() string {
	if x := f.index(); x != nil {
		return x.Name.Text
	}
	return ""
}
