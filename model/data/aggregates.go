package data

import (
	"slices"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/encode"
	"github.com/dynmodel/dynmodel/model/expr"
	"github.com/dynmodel/dynmodel/model/value"
)

// tally makes the counts and sums of the items placed what they are. Where that
// breaks an invariant, what it is compared with gives way: to every other item
// so that there is room for one more.
func (b *builder) tally() {
	tallied := map[*model.Entity]int{}
	for _, i := range b.all {
		pins := model.Item{}
		for _, a := range i.Entity.Attributes {
			if a.Aggregate == nil {
				continue
			}
			pins[a.Name.Text] = total(a.Aggregate, i.Item, b.placed[a.Aggregate.Source])
			i.Item[a.Name.Text] = pins[a.Name.Text]
		}
		if len(pins) == 0 {
			continue
		}
		b.mend(i.Entity, i.Item, pins)
		if tallied[i.Entity]%2 == 0 {
			b.makeRoom(i.Entity, i.Item, pins)
		}
		tallied[i.Entity]++
	}
}

// makeRoom moves what equals a count or sum that it bounds by a step, away from it.
func (b *builder) makeRoom(e *model.Entity, item, pins model.Item) {
	for _, invariant := range e.Invariants {
		for _, term := range expr.Conjuncts(invariant.Cond) {
			c, ok := term.(*expr.Compare)
			if !ok {
				continue
			}
			for _, c := range []*expr.Compare{c, {Op: c.Op.Flip(), Left: c.Right, Right: c.Left}} {
				bound := b.loose(e, pins, c.Right)
				if bound == nil || bound.Type.Kind() != value.Number || !value.Equal(valueOf(item, c.Left), valueOf(item, c.Right)) {
					continue
				}
				was, step := item[bound.Name.Text], Step(bound)
				if c.Op == expr.Ge {
					step = step.Neg()
				}
				if v := add(was, step); Valid(bound, v) {
					item[bound.Name.Text] = v
				}
				if !keeps(e, item) {
					item[bound.Name.Text] = was
				}
			}
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
