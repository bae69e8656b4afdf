package infer

import (
	"slices"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/importer/draft"
	"github.com/dynmodel/dynmodel/model/value"
)

// references finds attributes that refer to the item of another entity: they have
// the name of the one attribute that identifies it, and where there are items,
// every value leads to one.
func (in *inference) references() {
	for _, target := range in.Entities {
		id := in.soleIdentity(target)
		if id == nil {
			continue
		}
		for _, e := range in.Entities {
			a := e.Attribute(id.Name)
			if e == target || a == nil || a.Ref != "" || in.soleIdentity(e) == a || !in.refersTo(e, target, id) {
				continue
			}
			a.Ref, a.Guess = target.Name, "named as what identifies "+target.Name
		}
	}
}

// soleIdentity is the attribute that alone identifies an entity's items, which
// has a name that says so; nil when there is none.
func (in *inference) soleIdentity(e *draft.Entity) *draft.Attribute {
	var names []string
	for _, key := range in.keys {
		k := e.Key(key)
		own := []string{key}
		if k != nil && k.Parts != nil {
			own = draft.AttributesIn(k.Parts)
		}
		for _, name := range own {
			if !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	if len(names) != 1 || len(splitWords(names[0])) < 2 && fold(names[0]) != fold(e.Name) || isGenericKey(names[0]) {
		return nil
	}
	a := e.Attribute(names[0])
	if a == nil || a.Type == model.TypeAny || a.Type.IsTime() || a.Ref != "" {
		return nil
	}
	return a
}

func (in *inference) refersTo(e, target *draft.Entity, id *draft.Attribute) bool {
	a := e.Attribute(id.Name)
	if a.Type.Kind() != id.Type.Kind() {
		return false
	}
	for _, s := range in.found[e] {
		v, ok := s.item.Values[a.Name]
		if ok && !slices.ContainsFunc(in.found[target], func(t *subject) bool { return value.Equal(t.item.Values[id.Name], v) }) {
			return false
		}
	}
	return true
}
