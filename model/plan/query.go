package plan

import (
	"fmt"
	"slices"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/expr"
)

// query is a query pattern with certain optional parameters left out.
type query struct {
	model   *model.Model
	pattern *model.Pattern
	absent  []string
	terms   []*terms // of each entity
	needed  []string // attributes, where the pattern does not get to see the items; nil: those it selects
}

func newQuery(m *model.Model, p *model.Pattern, absent []string) *query {
	q := &query{model: m, pattern: p, absent: absent}
	for _, e := range p.Entities {
		t := termsOf(e, q.where(e))
		t.narrowed = narrowed(p, t.equal)
		q.terms = append(q.terms, t)
	}
	return q
}

// left tells whether an optional parameter is left out.
func (q *query) left(name string) bool { return slices.Contains(q.absent, name) }

// where is the pattern's condition as it is read for an entity, and what makes
// the entity's items live.
func (q *query) where(e *model.Entity) expr.Cond {
	var where expr.Cond
	if q.pattern.Where != nil {
		where = expr.ForEntity(expr.WithoutParams(q.pattern.Where.Cond, q.left), e.Name.Text)
	}
	return expr.All(where, q.live(e))
}

// live is what the entity's items must fulfil to be seen, nil for nothing. A scan
// of all entities asks that of each apart from what its one `where` says.
func (q *query) live(e *model.Entity) expr.Cond {
	if q.pattern.All {
		return nil
	}
	return condOf(q.pattern.LiveOf(e))
}

func condOf(c *model.Condition) expr.Cond {
	if c == nil {
		return nil
	}
	return c.Cond
}

// filter is the pattern's own filter.
func (q *query) filter() expr.Cond {
	if q.pattern.Filter == nil {
		return nil
	}
	return expr.WithoutParams(q.pattern.Filter.Cond, q.left)
}

// candidate is what the query would be on a keyspace, and what speaks against it.
func (q *query) candidate(s keyspace) *Candidate {
	c := collection{query: q, space: s}
	for _, t := range q.terms {
		c.fits = append(c.fits, newFit(s, t))
	}
	out := &Candidate{Index: s.index}
	if c.formed() {
		out.Read = c.read()
	}
	for _, f := range c.fits {
		out.Reasons = append(out.Reasons, f.reasons...)
	}
	out.Reasons = append(out.Reasons, c.reasons...)
	return out
}

// collection is a query of one keyspace for the items of one or more entities.
type collection struct {
	query   *query
	space   keyspace
	fits    []*fit // one for each entity
	reasons []Reason
}

func (c *collection) against(kind ReasonKind, format string, args ...any) {
	c.add(Reason{Kind: kind, Text: fmt.Sprintf(format, args...)})
}

// add adds a reason that is not there yet.
func (c *collection) add(r Reason) {
	if !slices.ContainsFunc(c.reasons, func(other Reason) bool { return other.Text == r.Text }) {
		c.reasons = append(c.reasons, r)
	}
}

// formed tells whether there is one partition to query.
func (c *collection) formed() bool {
	for _, f := range c.fits {
		if len(f.partition.conditions) < len(c.space.partition) || slices.ContainsFunc(f.reasons, Reason.blocks) {
			return false
		}
	}
	first := c.fits[0]
	for _, f := range c.fits[1:] {
		if conditionsText(f.partition.conditions) != conditionsText(first.partition.conditions) {
			c.against(NotOnePartition, "%s is under %s, %s under %s", first.entity.Name.Text,
				conditionsText(first.partition.conditions), f.entity.Name.Text, conditionsText(f.partition.conditions))
			return false
		}
	}
	return true
}

// blocks tells whether there is no request at all because of the reason.
func (r Reason) blocks() bool { return r.Kind == NotInIndex || r.Kind == NotFixed }

// read makes the query.
func (c *collection) read() *Read {
	r := c.plain(Query)
	r.Key = slices.Clone(c.fits[0].partition.conditions)
	r.Fan = slices.Clone(c.fits[0].partition.fans)
	r.fixed = slices.Clone(c.fits[0].partition.fixed)
	c.narrow(r)
	c.filter(r)
	c.deliver(r)
	c.project(r)
	c.checkConsistent()
	r.boundFans(c.query.pattern)
	r.limitRequests()
	return r
}

// plain is a read with what the pattern says of it, without key and filter.
func (c *collection) plain(api API) *Read {
	p := c.query.pattern
	return &Read{API: api, Entities: p.Entities, Index: c.space.index, Order: p.Order, Merge: MergeNone,
		Limit: p.Limit, Page: p.Page, One: p.One, Count: p.Count, Consistent: p.Consistent,
		typeAttribute: c.query.model.Table.EntityType}
}

func (c *collection) checkConsistent() {
	if c.query.pattern.Consistent && c.space.global() {
		c.against(NotConsistent, "it is a global index, which has no consistent reads")
	}
}

// narrow adds the condition on the sort key, and the filter on the entity type.
func (c *collection) narrow(r *Read) {
	first := c.fits[0]
	if c.sameSort() {
		r.Key = append(r.Key, first.sort.conditions...)
		r.Fan = append(r.Fan, first.sort.fans...)
		r.fixed = distinct(append(r.fixed, first.sort.fixed...))
		r.ranged = first.sort.ranged
	} else {
		for _, f := range c.fits {
			f.sort = keyPart{}
		}
		if len(c.others(r.Key)) > 0 {
			r.Key = append(r.Key, c.hull()...)
		}
	}
	if len(c.fits) == 1 && !c.query.pattern.AllowFilter || len(c.others(r.Key)) == 0 {
		return
	}
	if c.canTell(r) {
		r.Types = c.query.pattern.Entities
	}
}

// canTell tells whether a filter can tell entities apart, and says why not.
func (c *collection) canTell(r *Read) bool {
	switch name := r.typeAttribute; {
	case name == "":
		c.against(IllegalFilter, "items of other entities lie between, and there is no entity type attribute to tell them apart")
	case c.space.isKey(name):
		c.against(IllegalFilter, "items of other entities lie between, and %s is part of its key, which no filter may name", name)
	case !c.space.holds(name) && c.space.global():
		c.lacking("items of other entities lie between, and it does not project "+name+" to tell them apart", name)
	default:
		return true
	}
	return false
}

// sameSort tells whether all entities' sort key conditions are the same.
func (c *collection) sameSort() bool {
	first := conditionsText(c.fits[0].sort.conditions)
	return !slices.ContainsFunc(c.fits[1:], func(f *fit) bool { return conditionsText(f.sort.conditions) != first })
}

// filter adds what where says beyond the key condition.
func (c *collection) filter(r *Read) {
	if user := c.query.filter(); user != nil {
		r.UserFilter = normalised(c.fits[0].entity, user)
		c.fits[0].checkFilter(expr.Conjuncts(user))
	}
	var rests []expr.Cond
	r.OnlyLive = r.Types == nil
	for _, f := range c.fits {
		rest := f.residual()
		f.checkFilter(rest)
		r.OnlyLive = r.OnlyLive && c.query.onlyLive(f.entity, rest)
		rests = append(rests, normalised(f.entity, expr.All(rest...)))
	}
	r.Boundary = normalised(c.fits[0].entity, expr.All(c.fits[0].sort.boundary...))
	if !slices.ContainsFunc(rests, func(rest expr.Cond) bool { return expr.String(rest) != expr.String(rests[0]) }) {
		r.Residual = rests[0]
		return
	}
	c.filterEach(r, rests)
}

// onlyLive tells whether terms say no more than what makes an entity's items live.
func (q *query) onlyLive(e *model.Entity, terms []expr.Cond) bool {
	return expr.Implies(q.live(e), expr.All(terms...), domains(e))
}

// filterEach filters each entity's items by a condition of its own.
func (c *collection) filterEach(r *Read, rests []expr.Cond) {
	if r.Types == nil && !c.canTell(r) {
		return
	}
	r.Types = nil
	var each []expr.Cond
	for i, f := range c.fits {
		is := compare(attribute(r.typeAttribute), expr.Eq, textLiteral(f.entity.Type))
		each = append(each, expr.All(is, rests[i]))
	}
	r.Residual = anyOf(each)
}

// deliver decides direction and merging, so that results come in the order asked for.
func (c *collection) deliver(r *Read) {
	if len(r.Order) == 0 {
		return
	}
	if model.OverTypes(r.Order) {
		c.deliverTypes(r)
		return
	}
	if len(r.Fan) > 0 {
		r.Merge = MergeSort
		if r.walked = c.walked(r); r.walked != nil {
			r.Merge = MergeWalk
		}
	}
	if c.atMostOne() {
		return
	}
	first := c.fits[0].order(r.Order)
	for _, f := range c.fits[1:] {
		if o := f.order(r.Order); o != first || o.failure == "" && partsText(f.prefix) != partsText(c.fits[0].prefix) {
			first.failure = "its items are sorted entity by entity"
			first.fix = "let the sort keys of all of them begin alike, with {" + r.Order[0].Attribute + "} next"
		}
	}
	r.Descending, r.delivered = first.descending, first.delivered
	if first.failure != "" {
		c.add(Reason{Kind: NotOrdered, Text: notOrdered + first.failure, Fix: first.fix})
	}
}

// notOrdered begins what is said of an index that does not deliver the order.
const notOrdered = "it does not deliver the order: "

// walked is the fan over buckets of the attribute that is first in the order,
// apart from those that have one value in all requests; nil for none.
func (c *collection) walked(r *Read) *Fan {
	for _, by := range r.Order {
		if c.fits[0].hasOneValue(by.Attribute) {
			continue
		}
		i := slices.IndexFunc(r.Fan, func(f *Fan) bool { return f.Kind == FanBucket && f.Attribute.Name.Text == by.Attribute })
		if i < 0 {
			return nil
		}
		r.backwards = by.Desc
		return r.Fan[i]
	}
	return nil
}

// hasOneValue tells whether where fixes an attribute to one value.
func (f *fit) hasOneValue(attribute string) bool {
	return slices.ContainsFunc(f.terms.equal, func(e *equality) bool {
		return e.path.String() == attribute && !e.in && len(e.chain) == len(e.stored)
	})
}

// atMostOne tells whether one request returns at most one item: by the
// pattern's word, or because where fixes an identity or a unique value.
func (c *collection) atMostOne() bool {
	if c.query.pattern.One {
		return true
	}
	if len(c.fits) > 1 {
		return false
	}
	f := c.fits[0]
	var identity []*model.Attribute
	for _, part := range f.entity.Identity {
		identity = append(identity, part.Attribute)
	}
	sets := [][]*model.Attribute{identity}
	for _, u := range f.entity.Unique {
		sets = append(sets, u.Of)
	}
	return slices.ContainsFunc(sets, func(set []*model.Attribute) bool {
		return len(set) > 0 && !slices.ContainsFunc(set, func(a *model.Attribute) bool {
			return !f.isConstant(expr.Path{Name: a.Name.Text})
		})
	})
}
