package plan

import (
	"github.com/dynmodel/dynmodel/model/diag"
	"github.com/dynmodel/dynmodel/model/expr"
)

// scan plans a deliberate scan of the table or of the index it names.
func (b *builder) scan() {
	q := newQuery(b.model, b.pattern, b.variant.Absent)
	space := spaceOf(b.model.Table, b.pattern.Index)
	c := collection{query: q, space: space}
	for _, t := range q.terms {
		c.fits = append(c.fits, newScanFit(space, t))
	}
	r := c.plain(Scan)
	if b.pattern.All {
		r.Entities = b.model.Entities
	}
	c.filterScan(r)
	if len(r.Order) > 0 && !b.pattern.One {
		c.against(NotOrdered, "a scan has no order")
	}
	c.project(r)
	c.checkConsistent()
	r.limitRequests()
	candidate := &Candidate{Index: b.pattern.Index, Read: r, Chosen: true}
	for _, f := range c.fits {
		candidate.Reasons = append(candidate.Reasons, f.reasons...)
	}
	candidate.Reasons = append(candidate.Reasons, c.reasons...)
	b.variant.Candidates = []*Candidate{candidate}
	b.variant.Read = r
	b.checkQueryLimits(r)
	for _, reason := range candidate.Reasons {
		b.reportScan(candidate, reason)
	}
}

// newScanFit is a fit of which only membership counts: a scan reads everything.
func newScanFit(s keyspace, t *terms) *fit {
	f := &fit{space: s, entity: t.entity, terms: t}
	keys, missing := s.templates(t.entity)
	if len(missing) > 0 {
		f.against(NotInIndex, "%s has no %s", t.entity.Name.Text, missing[0])
		return f
	}
	f.keys = keys
	f.checkMembership()
	return f
}

// filterScan adds the filters of a scan, which may also name key attributes.
func (c *collection) filterScan(r *Read) {
	for _, f := range c.fits {
		for _, term := range f.terms.all {
			if what := uncomputable(term); what != "" {
				f.against(IllegalFilter, "`%s` cannot be a filter: DynamoDB has no %s", expr.String(term), what)
			}
		}
	}
	if user := c.query.filter(); user != nil {
		r.UserFilter = normalised(r.Entities[0], user)
	}
	switch {
	case len(c.fits) > 0:
		r.Residual = normalised(c.fits[0].entity, expr.All(c.fits[0].residual()...))
	case c.query.pattern.Where != nil:
		r.Residual = expr.WithoutParams(c.query.pattern.Where.Cond, c.query.left)
	}
	if c.query.pattern.All {
		r.Residual = expr.All(r.Residual, c.liveOfAll(r))
	}
	if len(c.space.residents(c.query.model, r.Entities)) > 0 && c.space.holds(r.typeAttribute) && r.typeAttribute != "" {
		r.Types = r.Entities
	}
}

// liveOfAll drops items that are not live, of a scan of all entities.
func (c *collection) liveOfAll(r *Read) expr.Cond {
	var each []expr.Cond
	for _, e := range r.Entities {
		live := condOf(c.query.pattern.LiveOf(e))
		if live == nil {
			continue
		}
		if name := r.typeAttribute; name == "" || !c.space.holds(name) {
			c.against(IllegalFilter, "only items of %s have to be live, and there is no entity type attribute to tell them apart", e.Name.Text)
			return nil
		}
		other := compare(attribute(r.typeAttribute), expr.Ne, textLiteral(e.Type))
		each = append(each, &expr.Or{Terms: []expr.Cond{other, normalised(e, live)}})
	}
	return expr.All(each...)
}

func (b *builder) reportScan(c *Candidate, reason Reason) {
	rule := diag.NoIndex
	switch reason.Kind {
	case NotProjected:
		rule = diag.MissingProjection
	case NotOrdered:
		rule = diag.WrongOrder
	case NotConsistent:
		rule = diag.InconsistentIndexRead
	}
	if rule == diag.MissingProjection || rule == diag.InconsistentIndexRead {
		b.report(b.lacking(rule, c))
		return
	}
	f := diag.Finding{Rule: rule, Entity: reason.Entity, Index: c.Name(), Message: "a scan of " + placeOf(c.Index) + " does not serve the pattern: " + reason.Text}
	if rule == diag.WrongOrder {
		f.Fix = "use a query on an index that sorts, or sort what is read"
	} else {
		f.Fix = "scan the table instead, or restrict `where` to what the index holds"
	}
	b.report(f)
}
