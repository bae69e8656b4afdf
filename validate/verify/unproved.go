package verify

import (
	"slices"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/expr"
)

// unproved is what a pattern says that no trial looks at, so that it cannot be
// called proved; "" when there is nothing of that kind.
func unproved(m *model.Model, p *model.Pattern) string {
	switch {
	case p.Operation == model.External:
		return "served by " + p.Service
	case p.Operation.WritesEach():
		return "finding items and writing each is not run yet"
	case p.Then != nil:
		return "`then` is not run yet"
	case namesMember(p):
		return "members of maps that a parameter names are not run yet"
	}
	for _, s := range p.AllSteps() {
		if reason := unprovedWrite(m, s.Entity); reason != "" && !s.Operation.IsRead() {
			return reason
		}
	}
	return ""
}

// unprovedWrite is what a write of an entity has to keep that no trial looks at.
func unprovedWrite(m *model.Model, e *model.Entity) string {
	for _, other := range m.Entities {
		for _, a := range other.Attributes {
			if a.Aggregate != nil && (a.Aggregate.Source == e || other == e) {
				return "`" + a.Name.Text + "` of " + other.Name.Text + " is not judged yet"
			}
		}
	}
	return ""
}

// namesMember tells whether a parameter names a member of a map in the pattern.
func namesMember(p *model.Pattern) bool {
	var nodes []expr.Node
	conditions := []*model.Condition{p.Where, p.Filter}
	for _, s := range p.AllSteps() {
		conditions = append(conditions, s.If)
		if s.Change != nil {
			nodes = append(nodes, s.Change.Update)
		}
	}
	for _, c := range conditions {
		if c != nil {
			nodes = append(nodes, c.Cond)
		}
	}
	return slices.ContainsFunc(nodes, func(n expr.Node) bool {
		return slices.ContainsFunc(expr.Attrs(n), func(a *expr.Attr) bool {
			return slices.ContainsFunc(a.Path.Rest, func(s expr.Step) bool { return s.Param != "" })
		})
	})
}
