package rules

import (
	"slices"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/diag"
	"github.com/dynmodel/dynmodel/model/expr"
)

// sorters are the patterns that order an entity's items by an attribute or ask
// for a range of it.
func sorters(m *model.Model, e *model.Entity, path expr.Path) (out []*model.Pattern) {
	for _, p := range m.Patterns {
		if returns(p, e) && sortsBy(p, path) {
			out = append(out, p)
		}
	}
	return out
}

// related points to patterns from the second on; a finding names the first.
func related(patterns []*model.Pattern) (out []diag.Related) {
	for _, p := range patterns[1:] {
		out = append(out, diag.Related{Span: p.Name.At, Text: p.Name.Text + " goes by it too"})
	}
	return out
}

// returns tells whether a pattern reads a set of an entity's items.
func returns(p *model.Pattern, e *model.Entity) bool {
	return p.Operation == model.Query && slices.Contains(p.Entities, e) ||
		p.Operation == model.Scan && (p.All || slices.Contains(p.Entities, e))
}

func sortsBy(p *model.Pattern, path expr.Path) bool {
	name := path.String()
	if slices.ContainsFunc(p.Order, func(o model.OrderBy) bool { return o.Attribute == name }) {
		return true
	}
	return p.Where != nil && slices.ContainsFunc(ranges(p.Where.Cond), func(r expr.Path) bool { return r.String() == name })
}

// ranges are the attributes of which a condition asks for a range.
func ranges(c expr.Cond) (out []expr.Path) {
	add := func(operands ...expr.Operand) {
		for _, o := range operands {
			if a, ok := o.(*expr.Attr); ok {
				out = append(out, a.Path)
			}
		}
	}
	switch c := c.(type) {
	case *expr.And:
		for _, t := range c.Terms {
			out = append(out, ranges(t)...)
		}
	case *expr.Or:
		for _, t := range c.Terms {
			out = append(out, ranges(t)...)
		}
	case *expr.Not:
		return ranges(c.Term)
	case *expr.Between:
		add(c.X)
	case *expr.Compare:
		if c.Op != expr.Eq && c.Op != expr.Ne {
			add(c.Left, c.Right)
		}
	}
	return out
}
