package data

import (
	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/value"
)

// variants are the values that an attribute takes: those worth trying; of one
// that refers to any of several entities, what items of each of them have there.
func (b *builder) variants(a *model.Attribute) []value.Value {
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
	if len(out) == 0 {
		return b.values(a)
	}
	return out
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
