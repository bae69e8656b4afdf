package plan

import (
	"slices"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/expr"
	"github.com/dynmodel/dynmodel/model/value"
)

func (e *estimator) read(r *Read) Cost {
	if len(r.Gets) > 0 {
		return e.gets(r)
	}
	items, bytes := e.reached(r)
	c := Cost{Known: items.known, ItemsRead: items.n, Bytes: bytes, Requests: float64(r.fanOut())}
	wanted := e.wanted(r)
	c.Known = c.Known && wanted.known
	c.Items = min(wanted.n, c.ItemsRead)
	kept := e.kept(r, estimate{c.Items / max(c.ItemsRead, 1e-9), c.Known})
	c.Kept, c.KeptKnown = kept.n, kept.known
	e.cut(r, &c)
	c.Pages = max(c.Requests, ceil(c.Bytes/pageBytes))
	c.charge(Charge{Index: r.Index, Entity: only(r.Entities), Read: r, RCU: c.Requests * ReadUnits(c.Bytes/c.Requests, r.Consistent)})
	if len(r.Fetches) > 0 { // the table's items, each on its own
		for _, entity := range r.Entities {
			each := c.ItemsRead / float64(len(r.Entities)) * ReadUnits(e.sizes.item(entity), r.Consistent)
			c.charge(Charge{Entity: entity, Read: r, RCU: each})
		}
	}
	return c
}

// only is the one entity there is, nil of several.
func only(entities []*model.Entity) *model.Entity {
	if len(entities) != 1 {
		return nil
	}
	return entities[0]
}

// kept is the part of what is read that filters keep: what they say of the only
// entity there, else what the numbers of items say.
func (e *estimator) kept(r *Read, byNumbers estimate) estimate {
	switch {
	case r.Filter() == nil:
		return estimate{1, true}
	case len(r.Entities) > 1 || r.Types != nil:
		return byNumbers
	}
	return e.census.meeting(r.Entities[0], expr.Conjuncts(expr.All(r.Residual, r.UserFilter)))
}

// cut stops reading at the limit: what is read then is as much as it takes to
// find that many, in every request.
func (e *estimator) cut(r *Read, c *Cost) {
	if r.Limit == 0 || c.Items <= float64(r.Limit) {
		return
	}
	most := float64(r.Limit) * c.ItemsRead / c.Items
	if r.Merge == MergeSort {
		most *= c.Requests
	}
	if most < c.ItemsRead {
		c.Bytes *= most / c.ItemsRead
		c.ItemsRead = most
	}
	c.Items = float64(r.Limit)
}

// reached are the items that the key condition reads, before filters, and their bytes.
func (e *estimator) reached(r *Read) (estimate, float64) {
	m := e.variant.planner.model
	space := spaceOf(m.Table, r.Index)
	total, bytes := estimate{0, true}, 0.0
	for _, entity := range r.Entities {
		fixed, values := e.keyFacts(r, entity)
		n := e.census.matches(entity, fixed).times(values).times(e.inIndex(space, entity, nil)).times(e.spanned(r, entity))
		total = total.plus(n)
		bytes += n.n * e.sizes.entry(entity, space)
	}
	c := collection{query: &query{model: m, pattern: e.variant.Pattern}, space: space}
	for _, other := range c.space.residents(m, r.Entities) {
		if other.guard != nil || !c.canLieIn(other, r.Key) {
			continue
		}
		fixed := facts{}
		for _, k := range space.partition {
			t, _ := other.template(m.Table, k.Name)
			for _, p := range t.Parts {
				if p.Attribute != nil && r.API == Query {
					fixed[p.Path.Name] = value.Value{}
				}
			}
		}
		n := e.census.matches(other.entity, fixed).times(e.inIndex(space, other.entity, nil))
		total = total.plus(n)
		bytes += n.n * e.sizes.entry(other.entity, space)
	}
	return total, bytes
}

// keyFacts are the attributes that a key condition fixes for an entity, and by
// what that multiplies: the number of values that a fan gives them, and the part
// that remains where functions show less than the value.
func (e *estimator) keyFacts(r *Read, entity *model.Entity) (facts, estimate) {
	fixed, seen, values := facts{}, glimpses{}, estimate{1, true}
	for _, k := range r.Key {
		for _, p := range fixedParts(k) {
			name := ""
			switch {
			case p.Attribute == nil:
			case p.Fan != nil && p.Fan.Kind == FanIn:
				name = p.Fan.Name
				if _, done := fixed[name]; !done {
					values = values.times(estimate{float64(max(1, p.Fan.Max)), p.Fan.Max > 0})
				}
			case p.Source == nil:
			case telling(p.chain):
				name = p.Attribute.Name.Text
			default:
				seen.add(p.Attribute.Name.Text, e.census.seen(entity, p.chain))
			}
			if entity.Attribute(name) != nil {
				fixed[name] = literalValue(p.Source)
			}
		}
	}
	return fixed, values.times(seen.part(fixed))
}

// fixedParts are the parts of a key condition that hold one value.
func fixedParts(k KeyCondition) []Part {
	switch k.Op {
	case model.KeyEq, model.KeyBeginsWith:
		return k.Values[0].Parts
	case model.KeyBetween:
		return commonHead([]run{{parts: k.Values[0].Parts}, {parts: k.Values[1].Parts}})
	}
	return nil
}

// inIndex is the part of an entity's items that is in the keyspace, of those for
// which holds what is certain (nil: of all).
func (e *estimator) inIndex(space keyspace, entity *model.Entity, certain expr.Cond) estimate {
	keys, missing := space.templates(entity)
	if len(missing) > 0 {
		return estimate{0, true}
	}
	f := fit{space: space, entity: entity, keys: keys}
	n := estimate{1, true}
	for _, w := range f.whens() {
		switch {
		case expr.Implies(certain, w.Cond, domains(entity)):
		case expr.Impossible(expr.All(certain, w.Cond), domains(entity)):
			return estimate{0, true}
		default:
			n = n.times(e.census.meeting(entity, expr.Conjuncts(w.Cond)))
		}
	}
	return n
}

// spanned is the part of an entity's items within the pattern's span of time,
// where the entity comes in at a rate; everything where nothing says.
func (e *estimator) spanned(r *Read, entity *model.Entity) estimate {
	p := e.variant.Pattern
	for _, v := range entity.Volumes {
		if p.Span > 0 && v.Keep > 0 && (r.ranged || len(r.Fan) > 0) {
			return estimate{min(1, float64(p.Span)/float64(v.Keep)), true}
		}
	}
	bucketed := slices.ContainsFunc(r.Fan, func(f *Fan) bool { return f.Kind == FanBucket })
	return estimate{1, !bucketed}
}

// wanted are the items that the pattern asks for, without a limit.
func (e *estimator) wanted(r *Read) estimate {
	total := estimate{0, true}
	if r.One {
		return estimate{1, true}
	}
	for _, n := range e.wantedOfEach(r) {
		total = total.plus(n)
	}
	if e.variant.Pattern.All {
		for _, entity := range r.Entities {
			total = total.plus(e.census.total(entity))
		}
	}
	return total
}

// wantedOfEach are the items that the pattern asks for of each of its entities,
// in their order.
func (e *estimator) wantedOfEach(r *Read) (each []estimate) {
	q := newQuery(e.variant.planner.model, e.variant.Pattern, e.variant.Absent)
	for i, entity := range q.pattern.Entities {
		fixed, values, rest := e.whereFacts(q.terms[i], q.pattern)
		n := e.census.matches(entity, fixed).times(values).times(e.spanned(r, entity))
		each = append(each, n.times(e.census.meeting(entity, rest)))
	}
	return each
}

// whereFacts are the attributes that where fixes, by what that multiplies as in
// keyFacts, and the terms that are neither that nor a range.
func (e *estimator) whereFacts(t *terms, p *model.Pattern) (fixed facts, values estimate, rest []expr.Cond) {
	seen := glimpses{}
	fixed, values = facts{}, estimate{1, true}
	settled := map[expr.Cond]bool{}
	for _, eq := range t.equal {
		if !eq.path.Top() {
			continue
		}
		settled[eq.term] = true
		if eq.in {
			n := eq.most(p)
			values = values.times(estimate{float64(max(1, n)), n > 0})
		}
		switch {
		case !telling(eq.chain):
			seen.add(eq.path.Name, e.census.seen(t.entity, eq.chain))
		case eq.in:
			fixed[eq.path.Name] = value.Value{}
		default:
			fixed[eq.path.Name] = literalValue(eq.values[0])
		}
	}
	for _, r := range t.ranges {
		for _, term := range r.terms() {
			settled[term] = true
		}
	}
	for _, term := range t.all {
		if !settled[term] {
			rest = append(rest, term)
		}
	}
	return fixed, values.times(seen.part(fixed)), rest
}

// gets are the costs of reads by key, each item rounded up by itself.
func (e *estimator) gets(r *Read) Cost {
	c := Cost{Known: true, Kept: 1, KeptKnown: true}
	double := 1.0
	if r.API == TransactGetItems {
		double = 2
	}
	for _, g := range r.Gets {
		n := 1.0
		if q := e.variant.Pattern.Parameter(g.List); q != nil {
			n = float64(max(1, q.Max))
			c.Known = c.Known && q.Max > 0
		}
		size := e.sizes.item(g.Entity)
		c.Items += n
		c.Bytes += n * size
		c.charge(Charge{Entity: g.Entity, Read: r, RCU: n * double * ReadUnits(size, r.Consistent || r.API == TransactGetItems)})
	}
	c.ItemsRead, c.Requests = c.Items, 1
	if r.API == BatchGetItem {
		c.Requests = ceil(c.Items / MaxBatchGet)
	}
	c.Pages = c.Requests
	return c
}
