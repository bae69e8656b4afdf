package data

import (
	"slices"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/expr"
	"github.com/dynmodel/dynmodel/model/value"
)

// bounds are the goals of the bounds in the pattern's conditions: that some
// call meets an item just at, just below and just above each.
func (c *coverage) bounds() {
	for _, e := range c.focus {
		c.boundsOf(e, c.pattern.Where)
		c.boundsOf(e, c.pattern.Filter)
	}
	for _, s := range c.pattern.AllSteps() {
		c.boundsOf(s.Entity, s.If)
	}
}

func (c *coverage) boundsOf(e *model.Entity, cond *model.Condition) {
	for _, x := range comparisons(cond) {
		a := x.of(e)
		if a == nil || len(x.funcs) > 0 || !isBound(x.op) {
			continue
		}
		for n, o := range x.with {
			if _, isAttr := o.(*expr.Attr); isAttr {
				continue
			}
			for side, word := range []string{"just below", "at", "just above"} {
				reached, possible := c.meets(e, x, a, o, side-1)
				if possible {
					c.goal(Bounds, reached, e.Name.Text, ".", x.attr.Path.String(), " ", word, " ", boundName(x.op, n, o))
				}
			}
		}
	}
}

func isBound(op string) bool {
	switch op {
	case string(expr.Lt), string(expr.Le), string(expr.Gt), string(expr.Ge), opBetween:
		return true
	}
	return false
}

// boundName is a bound in words: `>= $since`, `the upper $to`.
func boundName(op string, n int, o expr.Operand) string {
	if op == opBetween {
		return []string{"the lower ", "the upper "}[n] + expr.String(o)
	}
	return op + " " + expr.String(o)
}

// meets tells whether a call's bound has an item that it could mean at a
// distance: -1 just below, 0 at it, 1 just above; and whether that can be, which
// it cannot for texts without a neighbour and beyond the domain.
func (c *coverage) meets(e *model.Entity, x comparison, a *model.Attribute, o expr.Operand, side int) (reached, possible bool) {
	for _, call := range c.calls {
		bound := c.bound(a, o, call)
		if !bound.Exists() {
			continue
		}
		want := bound
		if side != 0 {
			next := around(a, bound)
			if len(next) != 2 {
				continue // a text
			}
			want = next[(side+1)/2]
		}
		if !Valid(a, want) || c.derived(a) {
			continue
		}
		possible = true
		u := use{entity: e, path: x.attr.Path, attr: a}
		if slices.ContainsFunc(c.items[e], func(item model.Item) bool { return value.Equal(u.of(item), want) && c.meant(e, item, call) }) {
			return true, true
		}
	}
	return false, possible
}

// derived tells whether an attribute is not free to have any value.
func (c *coverage) derived(a *model.Attribute) bool { return a.Derive != nil || a.CopyOf != nil }

// bound is the value of a bound in a call.
func (c *coverage) bound(a *model.Attribute, o expr.Operand, call Binding) value.Value {
	if p, ok := o.(*expr.Param); ok {
		return call.Args[p.Name]
	}
	return constant(a, o, call.Now)
}

// meant tells whether an item has the values that a call gives by equality.
func (c *coverage) meant(e *model.Entity, item model.Item, call Binding) bool {
	equal := func(a *model.Attribute, o expr.Operand) bool {
		v := c.bound(a, o, call)
		return !v.Exists() || v.Kind() == value.List || value.Equal(v, item[a.Name.Text])
	}
	for _, x := range comparisons(c.pattern.Where) {
		if a := x.of(e); a != nil && x.top && x.op == string(expr.Eq) && len(x.funcs) == 0 && x.attr.Path.Top() && a.Stored == "" && !equal(a, x.with[0]) {
			return false
		}
	}
	for _, s := range c.pattern.AllSteps() {
		if s.Entity != e || s.If == nil {
			continue
		}
		for _, in := range s.Inputs {
			if in.Value != nil && !equal(in.Attribute, in.Value) {
				return false
			}
		}
	}
	return true
}
