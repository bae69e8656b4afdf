package data

import (
	"fmt"
	"maps"
	"slices"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/encode"
	"github.com/dynmodel/dynmodel/model/expr"
	"github.com/dynmodel/dynmodel/model/value"
)

// Samples is the world of the model's samples alone, as they are, with what a
// create would have added to each.
func (g *Generator) Samples() *World {
	w := &World{Now: g.options.Now}
	ranks := map[*model.Entity]rank{}
	for _, e := range g.model.Entities {
		ranks[e] = rankFocus
	}
	for _, m := range g.inOrder(ranks) {
		for _, sample := range g.model.Samples {
			if sample.Entity == m.entity {
				w.Instances = append(w.Instances, model.Instance{Entity: m.entity, Item: asStored(sample)})
			}
		}
	}
	return w
}

// reserveSamples are the model's samples that belong into the world, as they
// are; what they take is taken from the start. Samples that refer to one that
// is not among them are left out.
func (b *builder) reserveSamples(members []member) []model.Instance {
	var out []model.Instance
	byEntity := map[*model.Entity][]model.Item{}
	for _, m := range members {
		for _, sample := range b.g.model.Samples {
			if sample.Entity != m.entity || len(byEntity[m.entity]) == sampleItems {
				continue
			}
			item := asStored(sample)
			if !b.room(m.entity, item) || !b.whole(m.entity, item) || !b.refers(m.entity, item, byEntity) {
				continue
			}
			for _, c := range claims(m.entity, item) {
				b.taken[c] = true
			}
			byEntity[m.entity] = append(byEntity[m.entity], item)
			out = append(out, model.Instance{Entity: m.entity, Item: item})
		}
	}
	return out
}

// refers tells whether all references of an item lead to items given; those of
// an entity to itself may lead anywhere.
func (b *builder) refers(e *model.Entity, item model.Item, there map[*model.Entity][]model.Item) bool {
	for _, l := range b.g.links[e] {
		if l.target == e || !l.complete(item) {
			continue
		}
		if l.find(item, there[l.target]) < 0 {
			return false
		}
	}
	return true
}

// asStored is a sample with what a create would have added to it.
func asStored(sample *model.Sample) model.Item {
	item := maps.Clone(sample.Item)
	for _, a := range sample.Entity.Attributes {
		if _, there := item[a.Name.Text]; there {
			continue
		}
		switch {
		case a.Version:
			set(item, a, value.OfInt(1))
		case a.Derive != nil:
			set(item, a, derive(sample.Entity, item, a, a.Derive.Expr))
		default:
			set(item, a, a.Default)
		}
	}
	return encode.Normalise(sample.Entity, item)
}

// Misfit is a sample that cannot be there as the model is declared, so that no
// world has it.
type Misfit struct {
	Sample *model.Sample
	Other  *model.Sample // the sample it contradicts, if it is one
	Why    string
	Fix    string
}

// Misfits are the samples that break an invariant, that are there twice, or that
// refer to another one with attributes it does not have.
func Misfits(m *model.Model) []Misfit {
	var out []Misfit
	identities := map[string]*model.Sample{}
	for _, sample := range m.Samples {
		e, item := sample.Entity, asStored(sample)
		id := identityOf(e, item)
		if other := identities[id]; other != nil {
			out = append(out, Misfit{sample, other, "it is the same " + e.Name.Text + " as another sample", "give one of them an identity of its own, or leave it out"})
		}
		identities[id] = sample
		for _, invariant := range e.Invariants {
			if slices.ContainsFunc(expr.Conjuncts(invariant.Cond), func(term expr.Cond) bool { return broken(e, item, term) }) {
				out = append(out, Misfit{Sample: sample, Why: "it breaks the invariant `" + expr.String(invariant.Cond) + "`", Fix: "correct the sample, or the invariant"})
			}
		}
		for _, l := range linksOf(m, e) {
			if other, p := l.misses(item, m.Samples); other != nil {
				out = append(out, disagreement(sample, other, l, p))
			}
		}
	}
	return out
}

// misses is a sample that an item refers to by an identifier of which there is
// one, and an attribute that refers together with that and differs; nil where
// there is no such sample, or another one that agrees in all.
func (l *link) misses(item model.Item, samples []*model.Sample) (near *model.Sample, differs pair) {
	if !l.complete(item) || !l.pairs[0].target.Minted {
		return nil, pair{}
	}
	id := &link{target: l.target, pairs: l.pairs[:1]}
	for _, s := range samples {
		if s.Entity != l.target || !id.agrees(item, asStored(s)) {
			continue
		}
		for _, p := range l.pairs[1:] {
			if v := item[p.own.Name.Text]; v.Exists() && !value.Equal(v, asStored(s)[p.target.Name.Text]) {
				return s, p
			}
		}
	}
	return nil, pair{}
}

// disagreement says in which attribute a sample differs from what it refers to.
func disagreement(sample, other *model.Sample, l *link, p pair) Misfit {
	ref, own := l.pairs[0].own.Name.Text, p.own.Name.Text
	why := fmt.Sprintf("%s and %s refer together to the %s with %s %s, and that has %s %s, not %s", ref, own, l.target.Name.Text,
		l.pairs[0].target.Name.Text, sample.Item[ref], p.target.Name.Text, other.Item[p.target.Name.Text], sample.Item[own])
	return Misfit{Sample: sample, Other: other, Why: why,
		Fix: "correct the sample; or give " + own + " of " + sample.Entity.Name.Text + " a name of its own where it means something else"}
}
