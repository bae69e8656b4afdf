package data

import (
	"slices"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/value"
)

// attributes are the goals of an entity's optional attributes and enumerations.
func (c *coverage) attributes(e *model.Entity) {
	for _, a := range e.Attributes {
		name := e.Name.Text + "." + a.Name.Text
		has := func(is func(value.Value) bool) bool {
			return slices.ContainsFunc(c.placed[e], func(item model.Item) bool { return is(item[a.Name.Text]) })
		}
		with := func(v value.Value) func() {
			return func() { c.addSomewhere(e, model.Item{a.Name.Text: v}) }
		}
		if a.Optional && a.Derive == nil && a.CopyOf == nil {
			c.goal(OptionalAttributes, has(value.Value.Exists), with(first(c.values(a))), name, " is there")
			c.goal(OptionalAttributes, has(func(v value.Value) bool { return !v.Exists() }), with(value.Value{}), name, " is absent")
		}
		for _, v := range c.choices(a) {
			c.goal(EnumerationValues, has(func(w value.Value) bool { return value.Equal(v, w) }), with(v), name, " is ", v.String())
		}
	}
}

// choicesMax is the most values of an enumeration that a world is to have all of.
const choicesMax = 12

// choices are the values of an enumeration or boolean that is free to have any.
func (c *coverage) choices(a *model.Attribute) []value.Value {
	if a.CopyOf != nil || a.Derive != nil || a.Type != model.TypeBoolean && len(a.Domain.Values) == 0 || len(a.Domain.Values) > choicesMax {
		return nil
	}
	return c.g.Values(a)
}

// several is how many children are several.
const several = 2

// children are the goals of how many items refer to one of an entity's.
func (c *coverage) children(e *model.Entity) {
	for _, m := range c.members {
		for _, l := range c.g.links[m.entity] {
			if l.target != e || m.entity == e || l.optional {
				continue
			}
			low, high := c.declaredChildren(m.entity, e)
			counts := c.childCounts(m.entity, l)
			for n, word := range []string{"no", "one", "several"} {
				if n > high || n < low {
					continue
				}
				c.goal(Children, slices.Contains(counts, n), func() { c.family(m.entity, l, n) },
					e.Name.Text, " with ", word, " ", m.entity.Name.Text, " by ", l.pairs[0].own.Name.Text)
			}
		}
	}
}

// childCounts are how many items of an entity refer to each of a link's targets,
// at most several.
func (c *coverage) childCounts(child *model.Entity, l *link) []int {
	var out []int
	for _, parent := range c.placed[l.target] {
		n := 0
		for _, item := range c.placed[child] {
			if l.complete(item) && l.agrees(item, parent) {
				n++
			}
		}
		out = append(out, min(n, several))
	}
	return out
}

// family adds an item to which so many items of an entity refer, or what is
// missing to one that has some already where several are wanted.
func (c *coverage) family(child *model.Entity, l *link, n int) {
	counts := c.childCounts(child, l)
	at := -1
	if n == several {
		at = slices.Index(counts, 1)
	}
	if at < 0 && n > 0 {
		at = slices.Index(counts, 0)
	}
	have := 0
	if at >= 0 {
		have = counts[at]
	} else if _, ok := c.fresh(l.target, identityAttributes(l.target)); ok {
		at = len(c.placed[l.target]) - 1
	} else {
		return
	}
	for ; have < n; have++ {
		pins := model.Item{}
		for _, p := range l.pairs {
			set(pins, p.own, c.placed[l.target][at][p.target.Name.Text])
		}
		if !c.addSomewhere(child, pins) {
			return
		}
	}
}

// declaredChildren are how few and how many items of an entity there are per
// parent, at most several: one where nothing else than the reference identifies
// them.
func (c *coverage) declaredChildren(e, parent *model.Entity) (low, high int) {
	high = several
	if c.onlyParent(e) == parent {
		high = 1
	}
	for _, v := range e.Volumes {
		if v.PerEntity == parent && v.Rate == nil && v.Count.Max > 0 {
			high = int(min(int64(high), v.Count.Max))
		}
	}
	return low, high
}

// identityAttributes are the attributes that identify an entity's items.
func identityAttributes(e *model.Entity) []*model.Attribute {
	var out []*model.Attribute
	for _, p := range e.Identity {
		out = append(out, p.Attribute)
	}
	return out
}
