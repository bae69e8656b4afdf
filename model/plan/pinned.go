package plan

import (
	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/expr"
	"github.com/dynmodel/dynmodel/model/value"
)

// pinned plans a request that the pattern writes out. It is sent as written;
// only the direction, the projection and the fate of the results are planned.
func (b *builder) pinned() {
	q := newQuery(b.model, b.pattern, b.variant.Absent)
	q.needed = b.neededOfFound()
	space := spaceOf(b.model.Table, b.pattern.Index)
	c := collection{query: q, space: space}
	for _, t := range q.terms {
		c.fits = append(c.fits, newFit(space, t))
	}
	r := c.plain(Query)
	r.Pinned = true
	for _, k := range b.pattern.Key {
		r.Key = append(r.Key, pinnedCondition(k))
		r.ranged = r.ranged || k.Op != model.KeyEq
	}
	r.UserFilter = normalised(b.pattern.Entities[0], q.filter())
	c.reasons = nil
	r.Descending = c.pinnedDirection(r.Order)
	c.project(r)
	c.checkConsistent()
	r.limitRequests()
	candidate := &Candidate{Index: b.pattern.Index, Read: r, Reasons: c.reasons}
	b.variant.Candidates = []*Candidate{candidate}
	if candidate.Eligible() {
		b.take(candidate)
		return
	}
	b.unserved(q, b.variant.Candidates)
}

// pinnedDirection is the direction in which the index would deliver the order.
func (c *collection) pinnedDirection(by []model.OrderBy) bool {
	if len(by) == 0 {
		return false
	}
	if model.OverTypes(by) {
		var r Read
		r.Order = by
		c.deliverTypes(&r)
		c.reasons = nil
		return r.Descending
	}
	if f := c.fits[0]; len(f.rest) > 0 {
		if o := f.order(by); o.failure == "" {
			return o.descending
		}
	}
	return by[0].Desc
}

func pinnedCondition(k *model.KeyCondition) KeyCondition {
	out := KeyCondition{Attribute: k.Attribute, Op: k.Op}
	for _, v := range k.Values {
		out.Values = append(out.Values, pinnedRecipe(k.Attribute, v))
	}
	return out
}

func pinnedRecipe(k model.KeyAttribute, t model.ParamTemplate) Recipe {
	r := Recipe{Kind: value.String}
	if len(t.Parts) == 1 && k.Kind != value.None {
		r.Kind = k.Kind
	}
	for _, p := range t.Parts {
		if p.Param == nil {
			r.Parts = append(r.Parts, Part{Literal: p.Literal})
			continue
		}
		part := Part{Source: &expr.Param{At: p.At, Name: p.Param.Name}, Attribute: p.Param.Domain(), Funcs: p.Funcs}
		if part.Attribute != nil {
			part.Funcs = chain(part.Attribute, p.Funcs)
			part.chain = part.Funcs
		}
		r.Parts = append(r.Parts, part)
	}
	return r
}
