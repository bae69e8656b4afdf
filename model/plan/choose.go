package plan

import (
	"cmp"
	"slices"
	"strings"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/diag"
)

// query plans a query: it looks at every index and takes the best.
func (b *builder) query() {
	if b.pattern.Key != nil {
		b.pinned()
		return
	}
	q := newQuery(b.model, b.pattern, b.variant.Absent)
	q.needed = b.neededOfFound()
	for _, s := range b.spaces {
		b.variant.Candidates = append(b.variant.Candidates, q.candidate(s))
	}
	allowed := b.allowed()
	if best := choose(allowed, (*Candidate).Eligible); best != nil {
		b.take(best)
		return
	}
	b.unserved(q, allowed)
}

// allowed are the candidates the pattern leaves open: all, or the pinned one.
func (b *builder) allowed() []*Candidate {
	if !b.pattern.IndexPinned {
		return b.variant.Candidates
	}
	return slices.DeleteFunc(slices.Clone(b.variant.Candidates), func(c *Candidate) bool { return c.Index != b.pattern.Index })
}

func (b *builder) take(c *Candidate) {
	c.Chosen = true
	b.variant.Read = c.Read
	b.checkQueryLimits(c.Read)
}

// choose is the best of the candidates that qualify, nil when none does.
func choose(candidates []*Candidate, qualifies func(*Candidate) bool) *Candidate {
	var best *Candidate
	for _, c := range candidates {
		if c.Read != nil && qualifies(c) && (best == nil || c.compare(best) < 0) {
			best = c
		}
	}
	return best
}

// nearest is choose among candidates that do not deliver the order: first the
// one that delivers most of it.
func nearest(candidates []*Candidate, qualifies func(*Candidate) bool) *Candidate {
	most := 0
	for _, c := range candidates {
		if c.Read != nil && qualifies(c) {
			most = max(most, c.Read.delivered)
		}
	}
	return choose(candidates, func(c *Candidate) bool { return qualifies(c) && c.Read.delivered == most })
}

// compare orders candidates: no filter first, then fewest requests, most fixed
// parts, no range but a range before none, the table, and the name.
func (c *Candidate) compare(d *Candidate) int {
	return cmp.Or(
		compareBool(c.Read.Filtered(), d.Read.Filtered()),
		cmp.Compare(c.Read.fanOut(), d.Read.fanOut()),
		cmp.Compare(len(d.Read.fixed), len(c.Read.fixed)),
		compareBool(!c.Read.ranged, !d.Read.ranged),
		compareBool(c.Index != nil, d.Index != nil),
		strings.Compare(c.Name(), d.Name()),
	)
}

// compareBool orders false before true.
func compareBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}

// unserved reports that no candidate is eligible, and takes the one that comes
// closest: it can be run, and shows what goes wrong.
func (b *builder) unserved(q *query, candidates []*Candidate) {
	for _, rule := range []struct {
		name  string
		kinds []ReasonKind
	}{
		{diag.InconsistentIndexRead, []ReasonKind{NotConsistent}},
		{diag.MissingProjection, []ReasonKind{NotProjected}},
		{diag.WrongOrder, []ReasonKind{NotOrdered}},
		{diag.MissingProjection, []ReasonKind{NotProjected, NotOrdered}},
		{diag.InconsistentIndexRead, []ReasonKind{NotConsistent, NotProjected, NotOrdered}},
	} {
		near := nearest(candidates, func(c *Candidate) bool { return c.lacksOnly(rule.kinds...) })
		if near != nil {
			b.report(b.lacking(rule.name, near))
			b.take(near)
			return
		}
	}
	b.report(b.noIndex(q, candidates))
	lossy := choose(candidates, func(c *Candidate) bool {
		return c.lacksOnly(NotMember, NotConsistent, NotProjected, NotOrdered)
	})
	if lossy == nil && b.pattern.IndexPinned {
		lossy = choose(candidates, func(*Candidate) bool { return true })
	}
	if lossy != nil {
		b.take(lossy)
	}
}

// lacksOnly tells whether every reason against the candidate is of the given kinds.
func (c *Candidate) lacksOnly(kinds ...ReasonKind) bool {
	return !slices.ContainsFunc(c.Reasons, func(r Reason) bool { return !slices.Contains(kinds, r.Kind) })
}

// lacking reports an index that serves the pattern but for one thing.
func (b *builder) lacking(rule string, c *Candidate) diag.Finding {
	f := diag.Finding{Rule: rule, Entity: b.entityName(), Index: c.Name(), Why: b.reasons()}
	place := placeOf(c.Index)
	switch rule {
	case diag.InconsistentIndexRead:
		f.Message = "`consistent` cannot be had from " + place + ", a global index"
		f.Fix = "drop `consistent: true`, or let the table's own key serve the pattern"
	case diag.MissingProjection:
		lacks := strings.Join(c.lacks(), ", ")
		f.Message = place + " does not project " + lacks
		f.Fix = "add " + lacks + " to the projection of " + c.Name() + ", or `select` only what it holds"
	case diag.WrongOrder:
		f.Message = "no index delivers the order by " + orderText(b.pattern.Order) + "; " + place + ": " + strings.TrimPrefix(c.Reasons[0].Text, notOrdered)
		f.Fix = c.Reasons[0].Fix
	}
	return f
}

// lacks are the attributes that the candidate does not project.
func (c *Candidate) lacks() []string {
	var names []string
	for _, r := range c.Reasons {
		if r.Kind == NotProjected {
			names = append(names, r.Lacks...)
		}
	}
	return distinct(names)
}

func placeOf(x *model.Index) string {
	if x == nil {
		return "the table"
	}
	return "index " + x.Name.Text
}

func orderText(by []model.OrderBy) string {
	var out []string
	for _, o := range by {
		if o.Desc {
			out = append(out, o.Subject()+" desc")
		} else {
			out = append(out, o.Subject())
		}
	}
	return strings.Join(out, ", ")
}

// reasonText are the reasons against the candidate on one line.
func (c *Candidate) reasonText() string {
	var texts []string
	for _, r := range c.Reasons {
		texts = append(texts, r.Text)
	}
	return strings.Join(distinct(texts), "; ")
}

// reasons are what speaks against each candidate, one a line.
func (b *builder) reasons() string {
	var lines []string
	for _, c := range b.variant.Candidates {
		lines = append(lines, c.Name()+": "+c.reasonText())
	}
	return strings.Join(lines, "\n")
}
