package data

import (
	"slices"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/encode"
)

// How many items of an entity a world has at most, by rank, and how many the
// focus has in all. The rest of the room is for items that are made to be
// mistaken for others.
const (
	focusItems     = 34
	focusEach      = 30
	parentItems    = 4
	manyParents    = 10 // of a parent that has few children each
	childItems     = 4
	neighbourItems = 3
	supportItems   = 2
	twinItems      = 10
	sampleItems    = 6 // of one entity
)

// World makes the world of a pattern.
func (g *Generator) World(p *model.Pattern) *World {
	b := g.newBuilder(p)
	members := g.cast(p)
	samples := b.reserveSamples(members)
	b.most = g.options.Items - len(samples)
	quota := b.quotas(members, b.most)
	for _, m := range members {
		b.populate(m.entity, quota[m.entity])
	}
	for _, m := range members {
		b.keepPromises(m.entity)
	}
	b.twins(members)
	b.most += g.options.Items / 2
	b.reach(members)
	for _, i := range samples {
		b.placed[i.Entity] = append(b.placed[i.Entity], i.Item)
		b.all = append(b.all, i)
	}
	b.tally()
	return &World{Instances: b.all, Now: b.now}
}

// populate places the items of an entity: first those that others refer to already.
func (b *builder) populate(e *model.Entity, most int) {
	s := b.shapeOf(e)
	b.keepPromises(e)
	failed := 0
	for _, r := range b.rows(s, 2*most) {
		if len(b.placed[e]) >= most || b.full() || failed == failuresMax {
			return
		}
		if b.add(s, r, nil) {
			failed = 0
		} else {
			failed++
		}
	}
}

// failuresMax is how many rows may find no place, one after the other, before
// there is taken to be none.
const failuresMax = 6

// keepPromises places the items that were referred to before there were any:
// where references go round.
func (b *builder) keepPromises(e *model.Entity) {
	s := b.shapeOf(e)
	for len(b.promised[e]) > 0 {
		pins := b.promised[e][0]
		b.promised[e] = b.promised[e][1:]
		b.add(s, make(row, len(s.dims)), pins)
	}
}

// promisesMax is how many items of an entity are promised before there are any.
const promisesMax = 4

// promise is the n-th of the items of an entity that has none yet, to be placed
// later; made up when it is new.
func (b *builder) promise(l *link, item model.Item, n int) model.Item {
	if all := b.promised[l.target]; len(all) > n%promisesMax && l.agrees(item, all[n%promisesMax]) {
		return all[n%promisesMax]
	}
	promised := model.Item{}
	for _, p := range l.pairs {
		v := item[p.own.Name.Text]
		switch {
		case v.Exists():
		case p.target.Minted:
			v = b.mint(p.target)
		default:
			v = encode.Stored(p.target, first(b.values(p.target)))
		}
		set(promised, p.target, v)
	}
	b.promised[l.target] = append(b.promised[l.target], promised)
	return promised
}

// quotas share out the room.
func (b *builder) quotas(members []member, room int) map[*model.Entity]int {
	focus := 0
	for _, m := range members {
		if m.rank == rankFocus {
			focus++
		}
	}
	each := min(focusEach, max(2, focusItems/max(focus, 1)))
	quota := map[*model.Entity]int{}
	for _, m := range members {
		n := map[rank]int{rankFocus: each, rankParent: parentItems, rankChild: childItems, rankNeighbour: neighbourItems, rankSupport: supportItems}[m.rank]
		for _, v := range m.entity.Volumes {
			if most := v.Count.Max; v.Rate == nil && v.PerEntity == nil && v.PerAttribute == nil && most > 0 {
				n = int(min(int64(n), most))
			}
		}
		quota[m.entity] = n
	}
	for _, m := range members {
		if m.rank != rankFocus {
			continue
		}
		if t := b.onlyParent(m.entity); t != nil {
			quota[t] = max(quota[t], min(manyParents, each))
		}
		for _, v := range m.entity.Volumes {
			if most := int(v.Count.Max); v.PerEntity != nil && v.Rate == nil && most > 0 {
				quota[v.PerEntity] = max(quota[v.PerEntity], min(manyParents, each/most+2))
			}
		}
	}
	shrinkTo(members, quota, room-min(twinItems, room/6))
	for _, m := range members { // one parent is left without children
		for _, v := range m.entity.Volumes {
			if most := int(min(v.Count.Max, focusEach)); v.PerEntity != nil && v.Rate == nil && most > 0 && quota[v.PerEntity] > 1 {
				quota[m.entity] = min(quota[m.entity], most*(quota[v.PerEntity]-1))
			}
		}
	}
	return quota
}

// onlyParent is the entity to which all of an entity's identity refers: there is
// one item for each of its items.
func (b *builder) onlyParent(e *model.Entity) *model.Entity {
	for _, l := range b.g.links[e] {
		if !slices.ContainsFunc(e.Identity, func(p model.IdentityPart) bool { return !l.has(p.Attribute) }) {
			return l.target
		}
	}
	return nil
}

// shrinkTo lowers quotas until they fit the room: the least important first,
// each to two, then all but the focus to one.
func shrinkTo(members []member, quota map[*model.Entity]int, room int) {
	total := 0
	for _, m := range members {
		total += quota[m.entity]
	}
	for least := 2; least >= 1; least-- {
		for r := rankSupport; r >= rankFocus; r-- {
			for again := true; again && total > room; {
				again = false
				for _, m := range members {
					if m.rank == r && (least > 1 || r != rankFocus) && quota[m.entity] > least && total > room {
						quota[m.entity]--
						total--
						again = true
					}
				}
			}
		}
	}
}
