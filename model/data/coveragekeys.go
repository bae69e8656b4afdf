package data

import (
	"slices"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/value"
)

// keys are the goals of the parts of an entity's keys.
func (c *coverage) keys(e *model.Entity) {
	for _, p := range c.places(e) {
		var in []*model.Attribute
		for _, k := range p.attributes {
			for _, part := range e.Key(k.Name).Template.Parts {
				if part.Attribute != nil && !slices.Contains(in, part.Attribute) {
					in = append(in, part.Attribute)
				}
			}
		}
		for _, a := range in {
			if c.varies(e, a) && c.free(e, a, in) {
				c.goal(TemplateParts, c.alone(e, a, in), func() { c.differ(e, a, in) }, e.Name.Text, ".", a.Name.Text, " alone in the key of ", p.name)
			}
		}
	}
}

// varies tells whether an attribute can have two values in this world: those of
// references have as many as there are items referred to.
func (c *coverage) varies(e *model.Entity, a *model.Attribute) bool {
	if a.CopyOf != nil || a.Derive != nil {
		return false
	}
	if l := c.linkOf(e, a); l != nil {
		return len(c.placed[l.target]) > 1
	}
	return a.Minted || len(c.values(a)) > 1
}

// alone tells whether two items differ in one attribute of a key and in no other
// that is free to stay as it is.
func (c *coverage) alone(e *model.Entity, a *model.Attribute, in []*model.Attribute) bool {
	seen := map[string]value.Value{}
	rest := c.others(e, a, in)
	for _, item := range c.placed[e] {
		v := item[a.Name.Text]
		if !v.Exists() {
			continue
		}
		var others []byte
		for _, b := range rest {
			others = append(appendBrief(others, item[b.Name.Text]), ' ')
		}
		was, there := seen[string(others)]
		if there && !value.Equal(was, v) {
			return true
		}
		seen[string(others)] = v
	}
	return false
}

// differTries bounds the search for an item that differs from another one in
// one attribute of a key.
const differTries = 12

// differ adds an item that has all of another one's key but one attribute: one
// of its values, or a new one.
func (c *coverage) differ(e *model.Entity, a *model.Attribute, in []*model.Attribute) {
	rest := c.others(e, a, in)
	tries := 0
	like := func(item, pins model.Item) bool {
		for _, b := range rest {
			pins[b.Name.Text] = item[b.Name.Text]
		}
		return c.addSomewhere(e, pins)
	}
	items := c.placed[e]
	for _, item := range items {
		for _, pins := range c.instead(e, a, item) {
			if tries++; tries > differTries {
				break
			}
			if like(item, pins) {
				return
			}
		}
	}
	for _, item := range items[:min(len(items), 2)] {
		if pins, ok := c.unused(e, []*model.Attribute{a}); ok && like(item, pins) {
			return
		}
	}
}

// instead are other values of an item's attribute, with what refers together with it.
func (c *coverage) instead(e *model.Entity, a *model.Attribute, item model.Item) []model.Item {
	var out []model.Item
	if l := c.linkOf(e, a); l != nil {
		for _, target := range c.placed[l.target] {
			pins := model.Item{}
			l.assign(pins, target)
			if !value.Equal(pins[a.Name.Text], item[a.Name.Text]) {
				out = append(out, pins)
			}
		}
		return out
	}
	for _, v := range c.values(a) {
		if v.Exists() && !value.Equal(v, item[a.Name.Text]) {
			out = append(out, model.Item{a.Name.Text: v})
		}
	}
	return out
}

// linkOf is the reference that an attribute is part of, if any.
func (b *builder) linkOf(e *model.Entity, a *model.Attribute) *link {
	if n := slices.IndexFunc(b.g.links[e], func(l *link) bool { return l.has(a) }); n >= 0 {
		return b.g.links[e][n]
	}
	return nil
}

// others are the attributes of a key that may stay as they are when one changes.
func (c *coverage) others(e *model.Entity, a *model.Attribute, in []*model.Attribute) []*model.Attribute {
	return slices.DeleteFunc(slices.Clone(in), func(b *model.Attribute) bool {
		return b == a || b.Minted || c.derived(b) || c.together(e, a, b)
	})
}

// free tells whether two items may differ in one attribute of a key alone: not
// where the others identify an item, are unique, or have at most one.
func (c *coverage) free(e *model.Entity, a *model.Attribute, in []*model.Attribute) bool {
	rest := c.others(e, a, in)
	fixed := func(b *model.Attribute) bool { return slices.Contains(rest, b) }
	all := func(of []*model.Attribute) bool {
		return !slices.ContainsFunc(of, func(b *model.Attribute) bool { return !fixed(b) })
	}
	if all(identityAttributes(e)) || slices.ContainsFunc(e.Unique, func(u *model.Unique) bool { return all(u.Of) }) {
		return false
	}
	for _, v := range e.Volumes {
		if v.Rate != nil || v.Count.Max != 1 {
			continue
		}
		if v.PerAttribute != nil && fixed(v.PerAttribute) {
			return false
		}
		if slices.ContainsFunc(c.g.links[e], func(l *link) bool { return l.target == v.PerEntity && fixed(l.pairs[0].own) }) {
			return false
		}
	}
	return true
}

// together tells whether two attributes refer together.
func (c *coverage) together(e *model.Entity, a, b *model.Attribute) bool {
	return slices.ContainsFunc(c.g.links[e], func(l *link) bool { return l.has(a) && l.has(b) })
}
