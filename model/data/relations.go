package data

import (
	"cmp"
	"slices"
	"strings"

	"github.com/dynmodel/dynmodel/model"
)

// link is a reference: attributes of an entity that hold what attributes of one
// item of the target hold.
type link struct {
	target   *model.Entity
	pairs    []pair
	optional bool // it may be absent
}

// pair is an attribute that refers, and what it refers to.
type pair struct {
	own, target *model.Attribute
}

// linksOf are the references of an entity, those of the most attributes first:
// a smaller one that shares an attribute then follows it. What separates whose
// data is whose is the same on both ends.
func linksOf(m *model.Model, e *model.Entity) []*link {
	var out []*link
	for _, a := range e.Attributes {
		if a.Ref == nil {
			continue
		}
		l := &link{target: a.Ref.Entity, optional: a.Optional, pairs: []pair{{a, a.Ref.Attribute}}}
		for _, w := range a.Ref.With {
			l.join(w.Own, w.Target)
		}
		if by := m.Table.IsolateBy; by != nil {
			l.join(e.Attribute(by.Text), l.target.Attribute(by.Text))
		}
		if same := slices.IndexFunc(out, l.like); same >= 0 {
			out[same].optional = out[same].optional || l.optional
			continue
		}
		out = append(out, l)
	}
	slices.SortStableFunc(out, func(k, l *link) int { return cmp.Compare(len(l.pairs), len(k.pairs)) })
	return out
}

// join makes two more attributes part of the reference, if both are there.
func (l *link) join(own, target *model.Attribute) {
	if own == nil || target == nil || slices.Contains(l.pairs, pair{own, target}) {
		return
	}
	for _, p := range l.pairs {
		if p.own == own {
			return
		}
	}
	l.pairs = append(l.pairs, pair{own, target})
}

// like tells whether another reference is the same one: each of the attributes
// that refer together says so.
func (l *link) like(other *link) bool {
	return l.target == other.target && len(l.pairs) == len(other.pairs) &&
		!slices.ContainsFunc(l.pairs, func(p pair) bool { return !slices.Contains(other.pairs, p) })
}

// has tells whether an attribute is part of the reference.
func (l *link) has(a *model.Attribute) bool {
	return slices.ContainsFunc(l.pairs, func(p pair) bool { return p.own == a })
}

// Ranks of the entities in a world: the lower, the more of its items matter.
type rank int

const (
	rankFocus     rank = iota // what the pattern is about
	rankParent                // what those refer to, or are counted under
	rankChild                 // what refers to those or copies from them
	rankNeighbour             // what may stand in one partition with them
	rankSupport               // what the children and neighbours refer to
)

// member is an entity of a world with its rank.
type member struct {
	entity *model.Entity
	rank   rank
}

// cast is who takes part in a pattern's world, in an order in which targets of
// references come first where there is such an order.
func (g *Generator) cast(p *model.Pattern) []member {
	ranks := map[*model.Entity]rank{}
	add := func(e *model.Entity, r rank) {
		if _, there := ranks[e]; !there {
			ranks[e] = r
		}
	}
	focus := entitiesOf(g.model, p)
	for _, e := range focus {
		add(e, rankFocus)
	}
	if p.Then != nil {
		add(p.Then.Entity, rankParent)
	}
	for _, e := range focus {
		g.parents(e, func(t *model.Entity) { add(t, rankParent) })
	}
	var others []*model.Entity
	for _, e := range g.model.Entities {
		if _, there := ranks[e]; there {
			continue
		}
		switch {
		case slices.ContainsFunc(focus, func(f *model.Entity) bool { return g.dependsOn(e, f) }):
			add(e, rankChild)
		case slices.ContainsFunc(focus, func(f *model.Entity) bool { return g.mayMeet(e, f, p) }):
			add(e, rankNeighbour)
		default:
			continue
		}
		others = append(others, e)
	}
	for _, e := range others {
		g.parents(e, func(t *model.Entity) { add(t, rankSupport) })
	}
	return g.inOrder(ranks)
}

// parents visits everything an entity refers to, directly and beyond.
func (g *Generator) parents(e *model.Entity, visit func(*model.Entity)) {
	seen := map[*model.Entity]bool{e: true}
	var walk func(e *model.Entity)
	walk = func(e *model.Entity) {
		for _, t := range g.targets(e) {
			if !seen[t] {
				seen[t] = true
				visit(t)
				walk(t)
			}
		}
	}
	walk(e)
}

// targets are the entities that one refers to, copies from or is counted under.
func (g *Generator) targets(e *model.Entity) []*model.Entity {
	var out []*model.Entity
	for _, l := range g.links[e] {
		out = append(out, l.target)
	}
	for _, a := range e.Attributes {
		for _, ref := range a.Refs {
			out = append(out, ref.Entity)
		}
		if a.CopyOf != nil {
			out = append(out, a.CopyOf.Entity)
		}
	}
	for _, v := range e.Volumes {
		if v.PerEntity != nil {
			out = append(out, v.PerEntity)
		}
	}
	return out
}

func (g *Generator) dependsOn(e, f *model.Entity) bool { return slices.Contains(g.targets(e), f) }

// mayMeet tells whether items of two entities may stand in one partition of
// the table, or of an index that the pattern may read: what their partition key
// templates begin with does not rule it out.
func (g *Generator) mayMeet(e, f *model.Entity, p *model.Pattern) bool {
	t := g.model.Table
	if meet(e, f, t.PartitionKey.Name) {
		return true
	}
	for _, x := range t.Indexes {
		if p.IndexPinned && p.Index != x {
			continue
		}
		together := true
		for _, k := range x.PartitionKey {
			together = together && meet(e, f, k.Name)
		}
		if together {
			return true
		}
	}
	return false
}

func meet(e, f *model.Entity, key string) bool {
	k, l := e.Key(key), f.Key(key)
	if k == nil || l == nil {
		return false
	}
	a, afree := leading(k.Template)
	b, bfree := leading(l.Template)
	switch {
	case afree == nil && bfree == nil:
		return a == b
	case afree == nil:
		return strings.HasPrefix(a, b)
	case bfree == nil:
		return strings.HasPrefix(b, a)
	}
	return strings.HasPrefix(a, b) || strings.HasPrefix(b, a)
}

// inOrder puts the entities of a world in order, targets before those that
// refer to them; where references go round, in the model's order.
func (g *Generator) inOrder(ranks map[*model.Entity]rank) []member {
	var out []member
	seen := map[*model.Entity]bool{}
	var place func(e *model.Entity)
	place = func(e *model.Entity) {
		r, there := ranks[e]
		if seen[e] || !there {
			return
		}
		seen[e] = true
		for _, t := range g.targets(e) {
			place(t)
		}
		out = append(out, member{e, r})
	}
	for _, e := range g.model.Entities {
		place(e)
	}
	return out
}
