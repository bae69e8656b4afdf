package verify

import (
	"slices"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/expr"
	"github.com/dynmodel/dynmodel/model/value"
)

// sensible tells whether a call is one that an application makes: the pattern
// promises to answer it, and what it says of an item fits together.
func (t *trial) sensible(sc scene) bool {
	return sc.call(t.pattern).Sensible() && !slices.ContainsFunc(t.pattern.AllSteps(), func(s *model.Step) bool { return t.strays(sc, s) })
}

// strays tells whether a step names an item by its minted id and, beside it, a
// value that is not the item's and of which the key holds only a part, such as
// the day of a time: who has the id has that value from the item.
func (t *trial) strays(sc scene, s *model.Step) bool {
	if !minted(s.Entity) {
		return false
	}
	named := model.Item{}
	for _, in := range s.Inputs {
		if p, ok := in.Value.(*expr.Param); ok {
			named[in.Attribute.Name.Text] = sc.args[p.Name]
		}
	}
	return slices.ContainsFunc(sc.world.items(s.Entity), func(r *record) bool {
		return shareMinted(r.in, model.Instance{Entity: s.Entity, Item: named}) &&
			slices.ContainsFunc(s.Entity.Identity, func(p model.IdentityPart) bool {
				a := p.Attribute
				v := named[a.Name.Text]
				return v.Exists() && !value.Equal(v, r.in.Item[a.Name.Text]) && !t.wholeInTableKey(s.Entity, a)
			})
	})
}
