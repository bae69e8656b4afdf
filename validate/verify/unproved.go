package verify

import (
	"github.com/dynmodel/dynmodel/model"
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
