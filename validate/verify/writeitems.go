package verify

import (
	"slices"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/diag"
	"github.com/dynmodel/dynmodel/model/value"
	"github.com/dynmodel/dynmodel/validate/oracle"
)

// writeItems are the items of a counterexample of a write.
func (t *trial) writeItems(f *failure) []diag.CounterItem {
	var items []diag.CounterItem
	add := func(role string, in *model.Instance) {
		if in != nil && in.Entity != nil {
			items = append(items, t.shown(f, role, *in))
		}
	}
	switch f.kind {
	case unlike, unstored, leftover:
		for _, c := range f.outcome.Changes {
			if f.record.in.Entity == nil || c.Before != nil && oracle.Identity(*c.Before) == f.record.id {
				add("before", c.Before)
			}
		}
		return append(items, t.compared(f)...)
	case partial, outside, broken, answered:
		for _, c := range f.outcome.Changes {
			if c.Step != f.step && f.step != nil {
				continue
			}
			add("before", c.Before)
			if c.After != nil {
				after := t.shown(f, "after", *c.After)
				after.Keys = nil
				items = append(items, after)
			}
		}
		return items
	}
	role := "stored"
	if f.kind == unstorable {
		role = "item"
	}
	for i := range f.culprits {
		add(role, &f.culprits[i])
	}
	return items
}

// compared are what is stored and what has to be, of the item that differs.
func (t *trial) compared(f *failure) []diag.CounterItem {
	var items []diag.CounterItem
	for _, side := range []struct {
		role string
		item map[string]value.Value
	}{{"stored", f.stored}, {"expected", f.expected}} {
		if side.item == nil {
			continue
		}
		item := diag.CounterItem{Role: side.role, Keys: t.keysShown(&failure{}, side.item)}
		if f.attribute != "" && !slices.ContainsFunc(item.Keys, func(b diag.Binding) bool { return b.Name == f.attribute }) {
			shown := "(absent)"
			if v := side.item[f.attribute]; v.Exists() {
				shown = v.Text()
				if !v.Kind().IsKey() {
					shown = v.String()
				}
			}
			item.Keys = append(item.Keys, diag.Binding{Name: f.attribute, Value: shown})
		}
		if f.record.in.Entity != nil && f.record.guard == nil {
			item.Entity = f.record.in.Entity.Name.Text
			for _, a := range f.record.in.Entity.Attributes {
				if v := side.item[a.Name.Text]; v.Exists() && t.matters(f, f.record.in.Entity, a) {
					item.Attributes = append(item.Attributes, diag.Binding{Name: a.Name.Text, Value: v.String()})
				}
			}
		}
		if f.record.guard != nil {
			item.Role = "guard " + side.role
		}
		items = append(items, item)
	}
	return items
}
