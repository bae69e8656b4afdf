package rules

import (
	"slices"
	"strings"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/plan"
	"github.com/dynmodel/dynmodel/validate"
)

// users are the patterns that read an index, in the model's order.
func users(p *validate.Pass, x *model.Index) (out []*plan.Plan) {
	for _, pl := range p.Plans {
		if slices.ContainsFunc(pl.Variants, func(v *plan.Variant) bool { return v.Read != nil && v.Read.Index == x }) || mentions(pl.Pattern, x) {
			out = append(out, pl)
		}
	}
	return out
}

// mentions tells whether a pattern names an index itself: pinned, or in a
// PartiQL statement.
func mentions(p *model.Pattern, x *model.Index) bool {
	return p.Index == x || p.Statement != nil && strings.Contains(p.Statement.Text, x.Name.Text)
}

// residents are the entities of which items can be in an index.
func residents(m *model.Model, x *model.Index) (out []*model.Entity) {
	for _, e := range m.Entities {
		if lives(m.Table, e, x) {
			out = append(out, e)
		}
	}
	return out
}

// consistentUse tells whether a pattern reads an index consistently.
func consistentUse(p *validate.Pass, x *model.Index) bool {
	return slices.ContainsFunc(users(p, x), func(pl *plan.Plan) bool { return pl.Pattern.Consistent })
}
