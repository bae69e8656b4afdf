package data

import (
	"maps"
	"slices"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/encode"
	"github.com/dynmodel/dynmodel/model/value"
)

// adjacent are the goals of the pattern's entities and others that may share a
// partition with them.
func (c *coverage) adjacent() {
	done := map[string]bool{}
	for _, m := range c.members {
		if m.rank != rankFocus {
			continue
		}
		e := m.entity
		for _, p := range c.places(e) {
			for _, n := range c.members {
				f := n.entity
				if f == e || !p.has(f) || done[f.Name.Text+e.Name.Text+p.name] || !c.share(p, e, f) {
					continue
				}
				done[e.Name.Text+f.Name.Text+p.name] = true
				c.goal(AdjacentEntities, nextTo(c.stored(p), e, f), func() { c.bring(p, e, f) },
					e.Name.Text, " next to ", f.Name.Text, " in ", p.name)
			}
		}
	}
}

// share tells whether items of two entities may be in one partition: some
// partition key of the one can be read as one of the other.
func (c *coverage) share(p place, e, f *model.Entity) bool {
	readable := func(e, f *model.Entity) bool {
		return slices.ContainsFunc(c.placed[e], func(item model.Item) bool { return len(c.readAs(p, e, item, f)) > 0 })
	}
	apart := slices.ContainsFunc(p.partition, func(k model.KeyAttribute) bool { return !meet(e, f, k.Name) })
	return len(p.attributes) > len(p.partition) && !apart && (readable(e, f) || readable(f, e))
}

// readAs are the ways in which the partition key of an item can be one of
// another entity's.
func (c *coverage) readAs(p place, e *model.Entity, item model.Item, f *model.Entity) []model.Item {
	readings := []model.Item{{}}
	for _, k := range p.partition {
		text, err := encode.Render(e.Key(k.Name).Template, item, noShard)
		if err != nil || len(readings) == 0 {
			return nil
		}
		readings = read(f.Key(k.Name).Template, text, readings[0])
	}
	return readings
}

// nextTo tells whether items of two entities follow each other in a partition.
func nextTo(rows []stored, e, f *model.Entity) bool {
	for i := 1; i < len(rows); i++ {
		a, b := rows[i-1], rows[i]
		if a.partition == b.partition && (a.entity == e && b.entity == f || a.entity == f && b.entity == e) {
			return true
		}
	}
	return false
}

// bring puts items of two entities into a partition in which nothing else is
// but what they refer to.
func (c *coverage) bring(p place, e, f *model.Entity) {
	for _, way := range [][2]*model.Entity{{e, f}, {f, e}} {
		item, ok := c.fresh(way[0], p.partitionOf(way[0]))
		if !ok {
			continue
		}
		for _, pins := range c.readAs(p, way[0], item, way[1]) {
			if c.addWithParents(way[1], pins) {
				return
			}
		}
	}
}

// fresh adds an item that no other one has in common with some attributes: it
// is alone in a partition made of them, and nothing refers to it.
func (c *coverage) fresh(e *model.Entity, attributes []*model.Attribute) (model.Item, bool) {
	pins, ok := c.unused(e, attributes)
	if !ok || !c.addWithParents(e, pins) {
		return nil, false
	}
	return c.placed[e][len(c.placed[e])-1], true
}

// addSomewhere adds an item with attributes given: to what is there, or where that
// has no room to new items that it refers to otherwise.
func (c *coverage) addSomewhere(e *model.Entity, pins model.Item) bool {
	if c.addWithParents(e, pins) {
		return true
	}
	pins = maps.Clone(pins)
	for _, l := range c.g.links[e] {
		if l.given(pins) || l.optional || l.target == e {
			continue
		}
		if target, ok := c.fresh(l.target, identityAttributes(l.target)); ok {
			l.assign(pins, target)
		}
	}
	return c.addWithParents(e, pins)
}

// unused are values that no item of the entity has together: a minted one, a
// new one of an attribute's domain, or those of a new item referred to.
func (c *coverage) unused(e *model.Entity, attributes []*model.Attribute) (model.Item, bool) {
	if slices.ContainsFunc(attributes, func(a *model.Attribute) bool { return a.Minted }) {
		return model.Item{}, true
	}
	for _, a := range attributes {
		if c.linkOf(e, a) != nil || c.derived(a) {
			continue
		}
		if v := c.newTo(e, a); v.Exists() {
			return model.Item{a.Name.Text: v}, true
		}
	}
	for _, a := range attributes {
		l := c.linkOf(e, a)
		if l == nil || l.target == e {
			continue
		}
		var theirs []*model.Attribute
		for _, p := range l.pairs {
			if slices.Contains(attributes, p.own) {
				theirs = append(theirs, p.target)
			}
		}
		if target, ok := c.fresh(l.target, theirs); ok {
			pins := model.Item{}
			l.assign(pins, target)
			return pins, true
		}
	}
	return nil, false
}

// newTo is a value of an attribute that no item has, absent where there is none.
func (c *coverage) newTo(e *model.Entity, a *model.Attribute) value.Value {
	had := func(v value.Value) bool {
		return slices.ContainsFunc(c.placed[e], func(item model.Item) bool { return value.Equal(v, item[a.Name.Text]) })
	}
	for _, v := range c.values(a) {
		if v = encode.Stored(a, v); v.Exists() && c.ordinary(a, v) && !had(v) {
			return v
		}
	}
	for n := range len(c.placed[e]) + 1 {
		if v := another(a, n+1); v.Exists() && !had(v) {
			return v
		}
	}
	return value.Value{}
}
