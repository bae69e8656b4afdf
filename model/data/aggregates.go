package data

import (
	"slices"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/encode"
	"github.com/dynmodel/dynmodel/model/value"
)

// tally makes the counts and sums of the items placed what they are. Where that
// breaks an invariant, what it is compared with gives way.
func (b *builder) tally() {
	for _, i := range b.all {
		pins := model.Item{}
		for _, a := range i.Entity.Attributes {
			if a.Aggregate == nil {
				continue
			}
			pins[a.Name.Text] = total(a.Aggregate, i.Item, b.placed[a.Aggregate.Source])
			i.Item[a.Name.Text] = pins[a.Name.Text]
		}
		if len(pins) > 0 {
			b.mend(i.Entity, i.Item, pins)
		}
	}
}

// total is a count or sum of an item over the items of its source.
func total(a *model.Aggregate, item model.Item, sources []model.Item) value.Value {
	sum := value.OfInt(0)
	for _, source := range sources {
		if slices.ContainsFunc(a.By, func(by model.RefPart) bool {
			v := source[by.Own.Name.Text]
			return !v.Exists() || !value.Equal(v, item[by.Target.Name.Text])
		}) || a.Where != nil && !encode.Holds(a.Where.Cond, a.Source, source) {
			continue
		}
		n := value.OfInt(1)
		if a.Sum != nil {
			n = source[a.Sum.Name.Text]
		}
		if n.Exists() {
			sum = add(sum, n)
		}
	}
	return sum
}
