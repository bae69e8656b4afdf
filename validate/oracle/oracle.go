// Package oracle says what an access pattern must give: it filters, sorts and
// cuts the entities in memory, and applies writes to its own copy of the world.
//
// It knows entities and attributes, conditions and DynamoDB's semantics of
// missing attributes. It does not know how items are keyed: keys, templates,
// indexes, plans and encoding are what the proof puts to the test, so nothing
// here may look at them. Its evaluator is its own for the same reason.
package oracle

import (
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/expr"
	"github.com/dynmodel/dynmodel/model/value"
)

// World is a set of items. It is not changed: a write gives a new World.
type World struct {
	instances  []model.Instance
	identities []string // of the instances
}

// NewWorld makes a world of the given items, in which attributes that are
// stored in one letter case are in that case.
func NewWorld(instances []model.Instance) *World {
	w := &World{instances: make([]model.Instance, len(instances)), identities: make([]string, len(instances))}
	for i, in := range instances {
		w.instances[i] = model.Instance{Entity: in.Entity, Item: normalised(in.Entity, in.Item)}
		w.identities[i] = Identity(w.instances[i])
	}
	return w
}

// Instances are the items of the world. Not to be changed.
func (w *World) Instances() []model.Instance { return w.instances }

// Without is the world less one item.
func (w *World) Without(in model.Instance) *World {
	rest := &World{instances: slices.Clone(w.instances), identities: slices.Clone(w.identities)}
	rest.replace(Identity(in), nil)
	return rest
}

// With is the world and one item more.
func (w *World) With(in model.Instance) *World {
	in.Item = normalised(in.Entity, in.Item)
	more := &World{instances: slices.Clone(w.instances), identities: slices.Clone(w.identities)}
	more.replace(Identity(in), &in)
	return more
}

// Call is one call of a pattern.
type Call struct {
	Pattern *model.Pattern
	Args    model.Args
	Now     time.Time // the value of $now
}

// normalised is the item with every attribute in the letter case it is stored in.
func normalised(e *model.Entity, item model.Item) model.Item {
	out, own := item, false
	for _, a := range e.Attributes {
		v := item[a.Name.Text]
		stored := storedForm(v, a)
		if value.Equal(v, stored) {
			continue
		}
		if !own {
			out, own = maps.Clone(item), true
		}
		out[a.Name.Text] = stored
	}
	return out
}

// storedForm is the value in the letter case the attribute keeps its values in.
func storedForm(v value.Value, a *model.Attribute) value.Value {
	if a == nil || a.Stored == "" || v.Kind() != value.String {
		return v
	}
	return cased(v, a.Stored)
}

// cased is a string in lower or upper case.
func cased(v value.Value, f expr.FuncName) value.Value {
	if f == expr.Upper {
		return value.OfString(strings.ToUpper(v.Text()))
	}
	return value.OfString(strings.ToLower(v.Text()))
}

// Identity is what tells an item from the others of its entity: two items with
// equal identities are the same item.
func Identity(in model.Instance) string {
	id := append(make([]byte, 0, 128), in.Entity.Name.Text...) // most are shorter
	for _, part := range in.Entity.Identity {
		v := in.Item[part.Attribute.Name.Text]
		for _, f := range part.Funcs {
			v = apply(f, v, part.Attribute)
		}
		id = append(append(id, 0), v.Kind().String()...)
		if v.Kind().IsKey() {
			id = append(id, v.Text()...)
		} else {
			id = v.Append(id)
		}
	}
	return string(id)
}

// find is the position of the item with that identity, or -1.
func (w *World) find(identity string) int {
	return slices.Index(w.identities, identity)
}
