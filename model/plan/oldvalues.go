package plan

import (
	"slices"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/expr"
)

// reads are the attributes of the item read first that the action depends on,
// its version (nil for none) among them.
func (a *Action) reads(version *model.Attribute) []*model.Attribute {
	var out []*model.Attribute
	if version != nil {
		out = append(out, version)
	}
	add := func(o expr.Operand) {
		if o == nil {
			return
		}
		for _, attr := range expr.Attrs(o) {
			if def := a.Entity.Attribute(attr.Path.Name); def != nil && !slices.Contains(out, def) {
				out = append(out, def)
			}
		}
	}
	addAll := func(assigned []*model.Assignment) {
		for _, as := range assigned {
			add(as.Value)
		}
	}
	for _, k := range a.IndexKeys {
		for _, p := range k.Value.Parts {
			add(p.Source)
		}
		for _, m := range k.Members {
			addAll(m.Known)
		}
	}
	for _, g := range a.Guards {
		addAll(g.Old)
		addAll(g.New)
	}
	return out
}

// unchanged is the condition that the attributes are still as they were read;
// that there is still no item when there was none.
func (a *Action) unchanged(old Stored, partitionKey string) expr.Cond {
	if old == nil {
		if a.API == UpdateItem {
			return nil // its own condition says whether there must be one
		}
		return notExists(partitionKey)
	}
	var terms []expr.Cond
	for _, attr := range a.Unchanged {
		name := attr.Name.Text
		if v, ok := old[name]; ok {
			terms = append(terms, compare(attribute(name), expr.Eq, &expr.Literal{Value: v}))
		} else {
			terms = append(terms, notExists(name))
		}
	}
	return expr.All(terms...)
}
