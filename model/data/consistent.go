package data

import (
	"fmt"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/value"
)

// Consistent tells whether items agree with each other and with the model, as
// a World's do: the error says what is wrong with which item first. A world
// that is made smaller must stay so.
func (g *Generator) Consistent(instances []model.Instance) error {
	items := map[*model.Entity][]model.Item{}
	for _, i := range instances {
		items[i.Entity] = append(items[i.Entity], i.Item)
	}
	taken := map[string]bool{}
	counts := map[string]int64{}
	for _, i := range instances {
		if err := g.agrees(i.Entity, i.Item, items); err != nil {
			return fmt.Errorf("%s %v: %w", i.Entity.Name.Text, i.Item, err)
		}
		for _, c := range claims(i.Entity, i.Item) {
			if taken[c] {
				return fmt.Errorf("%s %v: %s is taken twice", i.Entity.Name.Text, i.Item, c)
			}
			taken[c] = true
		}
		for _, h := range g.holders(i.Entity, i.Item) {
			if counts[h.key]++; counts[h.key] > h.most {
				return fmt.Errorf("%s %v: more than %d of %s", i.Entity.Name.Text, i.Item, h.most, h.key)
			}
		}
	}
	return nil
}

// agrees tells what is wrong with one item among all.
func (g *Generator) agrees(e *model.Entity, item model.Item, items map[*model.Entity][]model.Item) error {
	for _, a := range e.Attributes {
		v, there := item[a.Name.Text]
		switch {
		case !there && !a.Optional && !a.HasDefault():
			return fmt.Errorf("%s is missing", a.Name.Text)
		case there && !Valid(a, v):
			return fmt.Errorf("%s is outside its domain", a.Name.Text)
		}
		if a.PresentWith != nil && there != item[a.PresentWith.Name.Text].Exists() {
			return fmt.Errorf("%s and %s are not there together", a.Name.Text, a.PresentWith.Name.Text)
		}
		if there && !leadsAnywhere(a, v, items) {
			return fmt.Errorf("%s refers to nothing", a.Name.Text)
		}
		if a.Derive != nil && !value.Equal(v, derive(e, item, a, a.Derive.Expr)) {
			return fmt.Errorf("%s is not what it is derived from", a.Name.Text)
		}
		if a.CopyOf != nil {
			source, ok := g.sourceOf(e, item, a.CopyOf.Entity, items[a.CopyOf.Entity])
			if ok && !value.Equal(v, source[a.CopyOf.Attribute.Name.Text]) {
				return fmt.Errorf("%s is not what it is a copy of", a.Name.Text)
			}
		}
	}
	for _, a := range e.Attributes {
		if a.Aggregate != nil && !value.Equal(item[a.Name.Text], total(a.Aggregate, item, items[a.Aggregate.Source])) {
			return fmt.Errorf("%s is not what it counts or sums up", a.Name.Text)
		}
	}
	if !keeps(e, item) {
		return fmt.Errorf("it breaks an invariant")
	}
	for _, l := range g.links[e] {
		if l.complete(item) && l.find(item, items[l.target]) < 0 {
			return fmt.Errorf("no %s is what %s refers to", l.target.Name.Text, l.pairs[0].own.Name.Text)
		}
	}
	return nil
}
