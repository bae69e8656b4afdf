package oracle

import (
	"slices"

	"github.com/dynmodel/dynmodel/model"
)

// Then answers what is read after a query: the items, live ones unless the pattern
// says otherwise, that those found refer to.
func (w *World) Then(c Call, found []model.Instance) Answer {
	then := c.Pattern.Then
	s := c.scope(model.Instance{})
	var a Answer
	for _, in := range w.instances {
		if in.Entity != then.Entity || !s.on(in.Entity, in.Item).meets(c.Pattern.LiveOf(in.Entity)) {
			continue
		}
		refersHere := func(f model.Instance) bool {
			return !slices.ContainsFunc(then.Keys, func(part model.RefPart) bool {
				return !same(then.Entity, part.Target, in.Item[part.Target.Name.Text], f.Item[part.Own.Name.Text])
			})
		}
		if slices.ContainsFunc(found, refersHere) {
			a.Matches = append(a.Matches, in)
			a.Identities = append(a.Identities, Identity(in))
		}
	}
	a.Want = len(a.Matches)
	return a
}
