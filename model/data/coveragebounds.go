package data

import (
	"slices"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/expr"
	"github.com/dynmodel/dynmodel/model/value"
)

// bound is one side of a bound in a condition: items just below it, at it, or
// just above.
type bound struct {
	entity  *model.Entity
	attr    *model.Attribute
	path    expr.Path
	operand expr.Operand
	side    int // -1 just below, 0 at it, 1 just above
	name    string
}

// boundsMax is how many sides of bounds of one pattern are looked at.
const boundsMax = 60

// bounds are those in the conditions of the pattern on attributes that are free
// to have any value, the first of them.
func (c *coverage) bounds() []bound {
	var out []bound
	add := func(e *model.Entity, cond *model.Condition) {
		for _, x := range comparisons(cond) {
			a := x.of(e)
			if a == nil || len(x.funcs) > 0 || !isBound(x.op) || c.derived(a) {
				continue
			}
			for n, o := range x.with {
				if _, isAttr := o.(*expr.Attr); isAttr {
					continue
				}
				for side, word := range []string{"just below", "at", "just above"} {
					name := e.Name.Text + "." + x.attr.Path.String() + " " + word + " " + boundName(x.op, n, o)
					out = append(out, bound{e, a, x.attr.Path, o, side - 1, name})
				}
			}
		}
	}
	for _, e := range entitiesOf(c.g.model, c.pattern) {
		for _, cond := range c.pattern.Selects(e) {
			add(e, cond)
		}
	}
	for _, s := range c.pattern.AllSteps() {
		add(s.Entity, s.If)
	}
	return out[:min(len(out), boundsMax)]
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

// met are the goals of the bounds: that some call meets an item on each side.
// Beyond the domain there is none, nor next to a text.
func (c *coverage) met() {
	for _, b := range c.bounds() {
		possible, reached := false, false
		by := c.fixedIn(b.entity)
		for _, call := range c.calls {
			want := b.beside(c.boundIn(b.attr, b.operand, call), b.side)
			if Valid(b.attr, want) {
				possible = true
				reached = slices.ContainsFunc(c.placed[b.entity], func(item model.Item) bool {
					return value.Equal(b.of(item), want) && c.meant(by, item, call)
				})
			}
			if reached {
				break
			}
		}
		if possible {
			c.goal(Bounds, reached, func() { c.aim(b) }, b.name)
		}
	}
}

// of is an item's value where the bound is.
func (b bound) of(item model.Item) value.Value {
	return use{entity: b.entity, path: b.path, attr: b.attr}.of(item)
}

// beside is what lies next to a value on a side, or itself; absent next to a text.
func (b bound) beside(v value.Value, side int) value.Value {
	if side == 0 || !v.Exists() {
		return v
	}
	if next := around(b.attr, v); len(next) == 2 {
		return next[(side+1)/2]
	}
	return value.Value{}
}

// derived tells whether an attribute is not free to have any value.
func (c *coverage) derived(a *model.Attribute) bool {
	return a.Derive != nil || a.CopyOf != nil || a.Aggregate != nil
}

// boundIn is the value of a bound in a call.
func (c *coverage) boundIn(a *model.Attribute, o expr.Operand, call Binding) value.Value {
	if p, ok := o.(*expr.Param); ok {
		return call.Args[p.Name]
	}
	return constant(a, o, call.Now)
}

// fixed is an attribute to which a call gives a value.
type fixed struct {
	attr    *model.Attribute
	operand expr.Operand
}

// fixedIn are the attributes of an entity that calls of the pattern give by equality.
func (c *coverage) fixedIn(e *model.Entity) []fixed {
	var out []fixed
	for _, x := range comparisons(c.pattern.Where) {
		if a := x.of(e); a != nil && x.top && x.op == string(expr.Eq) && len(x.funcs) == 0 && x.attr.Path.Top() && a.Stored == "" {
			out = append(out, fixed{a, x.with[0]})
		}
	}
	for _, s := range c.pattern.AllSteps() {
		if s.Entity != e || s.If == nil {
			continue
		}
		for _, in := range s.Inputs {
			if in.Value != nil {
				out = append(out, fixed{in.Attribute, in.Value})
			}
		}
	}
	return out
}

// meant tells whether an item has the values that a call gives.
func (c *coverage) meant(by []fixed, item model.Item, call Binding) bool {
	return !slices.ContainsFunc(by, func(f fixed) bool {
		v := c.boundIn(f.attr, f.operand, call)
		return v.Exists() && v.Kind() != value.List && !value.Equal(v, item[f.attr.Name.Text])
	})
}

// witness is the number of an item that some call could meet on a bound's side,
// and the bound in that call; -1 when there is none.
func (c *coverage) witness(b bound, now Binding) (int, value.Value) {
	p, isParam := b.operand.(*expr.Param)
	for n, item := range c.placed[b.entity] {
		at := b.beside(b.of(item), -b.side)
		switch {
		case !at.Exists():
		case !isParam && value.Equal(at, constant(b.attr, b.operand, now.Now)):
			return n, at
		case isParam && c.allowed(p.Name, b.attr, at):
			return n, at
		}
	}
	return -1, value.Value{}
}

// allowed tells whether a parameter may have a value that bounds an attribute.
func (c *coverage) allowed(name string, a *model.Attribute, v value.Value) bool {
	p := c.pattern.Parameter(name)
	if p == nil {
		return false // a field of a list
	}
	if d := p.Domain(); d != nil {
		a = d
	}
	return c.ordinary(a, v)
}

// witnesses adds items that calls can meet on each side of each bound.
func (c *coverage) witnesses() {
	now := Binding{Now: c.now}
	for _, b := range c.bounds() {
		if at, _ := c.witness(b, now); at >= 0 || !b.path.Top() || c.full() {
			continue
		}
		ends := []value.Value{constant(b.attr, b.operand, c.now)}
		if p, ok := b.operand.(*expr.Param); ok {
			ends = nil
			for _, v := range c.values(b.attr) {
				if c.allowed(p.Name, b.attr, v) {
					ends = append(ends, v)
				}
			}
		}
		for _, end := range ends {
			if want := b.beside(end, b.side); Valid(b.attr, want) && c.addWithParents(b.entity, model.Item{b.path.Name: want}) {
				break
			}
		}
	}
}
