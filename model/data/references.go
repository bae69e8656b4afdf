package data

import (
	"slices"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/value"
)

// variant is the n-th value of an attribute: of those worth trying, or, where it
// refers to any of several entities, of those that their items have.
func (b *builder) variant(d dim, n int) value.Value {
	v := d.value(n)
	if !v.Exists() || len(d.attr.Refs) == 0 {
		return v
	}
	if there := b.referable(d.attr); len(there) > 0 {
		return there[n%len(there)]
	}
	return v
}

// referable are the values by which items of any of the entities that an
// attribute refers to are referred to, those of the entities in turn.
func (b *builder) referable(a *model.Attribute) []value.Value {
	var out []value.Value
	for n, more := 0, len(a.Refs) > 0; more; n++ {
		more = false
		for _, ref := range a.Refs {
			if items := b.placed[ref.Entity]; n < len(items) {
				more = true
				if v := items[n][ref.Attribute.Name.Text]; Valid(a, v) && !contains(out, v) {
					out = append(out, v)
				}
			}
		}
	}
	return out
}

// addReferred places what attributes that are given refer to, of those that may
// refer to several entities, unless it is there.
func (b *builder) addReferred(e *model.Entity, pins model.Item) bool {
	for _, a := range e.Attributes {
		v := pins[a.Name.Text]
		if !v.Exists() || leadsAnywhere(a, v, b.placed) {
			continue
		}
		if !slices.ContainsFunc(a.Refs, func(ref *model.Ref) bool {
			return Valid(ref.Attribute, v) && b.addWithParents(ref.Entity, model.Item{ref.Attribute.Name.Text: v})
		}) {
			return false
		}
	}
	return true
}

// leadsAnywhere tells whether an attribute that refers to any of several entities
// does so.
func leadsAnywhere(a *model.Attribute, v value.Value, items map[*model.Entity][]model.Item) bool {
	for _, ref := range a.Refs {
		for _, item := range items[ref.Entity] {
			if value.Equal(v, item[ref.Attribute.Name.Text]) {
				return true
			}
		}
	}
	return len(a.Refs) == 0
}
