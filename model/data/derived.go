package data

import (
	"maps"

	"github.com/dynmodel/dynmodel/model"
)

// Derived is an item in which the attributes that derive from others are worked out.
func Derived(in model.Instance) model.Instance {
	out := model.Instance{Entity: in.Entity, Item: maps.Clone(in.Item)}
	for _, a := range in.Entity.Attributes {
		if a.Derive != nil {
			delete(out.Item, a.Name.Text)
			set(out.Item, a, derive(in.Entity, out.Item, a, a.Derive.Expr))
		}
	}
	return out
}
