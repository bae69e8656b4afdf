package oracle

import (
	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/expr"
)

// Sensible tells whether the call is one that the pattern promises to answer: the
// two ends of every range in its `where` are in order, and within its span; what
// it requires of its parameters holds; items that are brought keep their invariants.
func (c Call) Sensible() bool { return c.keepsPromises() && c.rangesInOrder() }

func (c Call) rangesInOrder() bool {
	if c.Pattern.Where == nil {
		return true
	}
	s := c.scope(model.Instance{})
	for _, e := range c.Pattern.Entities {
		s := s.on(e, nil)
		ends := map[string]*rangeEnds{}
		for _, term := range conjuncts(s.forEntity(c.Pattern.Where.Cond)) {
			noteEnds(ends, term)
		}
		for _, r := range ends {
			if !s.sensible(r, c.Pattern) {
				return false
			}
		}
	}
	return true
}

// rangeEnds are the ends of the range that a `where` gives an attribute, or what
// a function makes of one.
type rangeEnds struct {
	of        expr.Operand
	low, high expr.Operand
}

func noteEnds(ends map[string]*rangeEnds, c expr.Cond) {
	of := func(o expr.Operand) *rangeEnds {
		switch o.(type) {
		case *expr.Attr, *expr.Call:
		default:
			return &rangeEnds{}
		}
		name := expr.String(o)
		if ends[name] == nil {
			ends[name] = &rangeEnds{of: o}
		}
		return ends[name]
	}
	switch c := c.(type) {
	case *expr.Between:
		r := of(c.X)
		r.low, r.high = c.Low, c.High
	case *expr.Compare:
		switch c.Op {
		case expr.Gt, expr.Ge:
			of(c.Left).low, of(c.Right).high = c.Right, c.Left
		case expr.Lt, expr.Le:
			of(c.Left).high, of(c.Right).low = c.Right, c.Left
		}
	}
}

func (s scope) sensible(r *rangeEnds, p *model.Pattern) bool {
	if r.of == nil || r.low == nil || r.high == nil {
		return true
	}
	var like *model.Attribute
	if a, ok := r.of.(*expr.Attr); ok {
		like = s.defined(a.Path)
	}
	low, high := s.beside(r.low, r.of), s.beside(r.high, r.of)
	if c, ok := inOrder(low, high, like, like); !ok || c > 0 {
		return false
	}
	from, fromOK := parseTime(low, like)
	to, toOK := parseTime(high, like)
	return p.Span == 0 || !fromOK || !toOK || to.Sub(from) <= p.Span
}
