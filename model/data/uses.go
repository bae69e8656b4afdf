package data

import (
	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/encode"
	"github.com/dynmodel/dynmodel/model/expr"
	"github.com/dynmodel/dynmodel/model/value"
)

// role is what a parameter does with an attribute.
type role int

const (
	roleEqual  role = iota // is compared with it for equality, or addresses an item by it
	roleOther              // must differ from it
	roleLow                // is the lower end of a range
	roleHigh               // is the upper end of a range
	rolePrefix             // is what it begins with
	roleInside             // is what it contains
	roleNew                // is assigned to it
	roleChange             // is part of what it becomes
	roleSum                // is added to a number or taken from it
	roleAdd                // is added to a number or a set
	roleDelete             // is taken out of a set
	roleAppend             // is a list that is joined to another
)

// takes tells whether DynamoDB takes a value of a kind there.
func (r role) takes(k value.Kind) bool {
	switch r {
	case roleLow, roleHigh:
		return k.IsKey()
	case rolePrefix:
		return k == value.String || k == value.Binary
	case roleSum:
		return k == value.Number
	case roleAdd:
		return k == value.Number || k.IsSet()
	case roleDelete:
		return k.IsSet()
	case roleAppend:
		return k == value.List
	}
	return true
}

// changes tells whether a parameter in the role is part of what an attribute becomes,
// and need not be one of its values.
func (r role) changes() bool { return r >= roleChange }

// use is one place where a parameter meets an attribute.
type use struct {
	entity *model.Entity
	path   expr.Path
	attr   *model.Attribute
	funcs  []expr.Func // applied to the attribute
	role   role
	strict bool        // the end of a range does not belong to it
	step   *model.Step // whose item it is; nil when it is of no step
}

// of is what an item has in the place: the value the parameter must have to hit it.
func (u use) of(item model.Item) value.Value {
	v := encode.Lookup(item, u.path)
	if !v.Exists() || len(u.funcs) == 0 {
		return v
	}
	funcs := u.funcs
	if u.sized() {
		funcs = funcs[:len(funcs)-1]
	}
	out, err := encode.Apply(funcs, v, u.attr.Type)
	switch {
	case err != nil:
		return value.Value{}
	case u.sized():
		return out.Size()
	}
	return out
}

// sized tells whether the parameter meets the size of the attribute.
func (u use) sized() bool { return len(u.funcs) > 0 && u.funcs[len(u.funcs)-1].Name == expr.Size }

// ends are the two ends of a range over an attribute, of which one at least is
// a parameter.
type ends struct {
	use
	low, high expr.Operand
}

// uses are what the parameters of a pattern do, by name, and the ranges with
// two ends.
type uses struct {
	of     map[string][]use
	ranges []ends
	now    bool        // the pattern speaks of $now
	step   *model.Step // being looked at
}

func (u *uses) add(name string, x use) {
	x.step = u.step
	u.of[name] = append(u.of[name], x)
}

// usesOf gathers what the parameters of a pattern do.
func usesOf(m *model.Model, p *model.Pattern) *uses {
	u := &uses{of: map[string][]use{}}
	for _, e := range entitiesOf(m, p) {
		for _, c := range p.Selects(e) {
			u.conditions(e, c)
		}
	}
	for _, s := range p.AllSteps() {
		u.step = s
		u.conditions(s.Entity, s.If)
		for _, a := range s.Old {
			u.assignment(s.Entity, a, roleEqual)
		}
		for _, a := range s.Inputs {
			u.assignment(s.Entity, a, inputRole(s))
		}
		if s.Change != nil && s.Change.Update != nil {
			u.change(s.Entity, s.Change.Update)
		}
	}
	return u
}

// inputRole is what an input of a step does: it is the item's new value, or
// part of the key of one that is there.
func inputRole(s *model.Step) role {
	if s.Operation == model.Create || s.Operation == model.Put {
		return roleNew
	}
	return roleEqual
}

func (u *uses) assignment(e *model.Entity, a *model.Assignment, r role) {
	if a.Value == nil {
		return
	}
	name, now := operandNames(a.Value)
	u.now = u.now || now
	if name != "" {
		u.add(name, use{entity: e, path: expr.Path{Name: a.Attribute.Name.Text}, attr: a.Attribute, role: r})
	}
}

func (u *uses) conditions(e *model.Entity, cond *model.Condition) {
	all := comparisons(cond)
	for i, c := range all {
		a := c.of(e)
		if a == nil {
			a = undeclared(e, c.attr)
		}
		if a == nil || c.op == string(expr.AttributeType) { // whose parameter is a word, and no value of the attribute
			continue
		}
		x := use{entity: e, path: c.attr.Path, attr: a, funcs: c.funcs}
		for j, o := range c.with {
			name, now := operandNames(o)
			u.now = u.now || now
			if name != "" {
				x.role = roleOf(c.op, j)
				x.strict = c.op == string(expr.Gt) || c.op == string(expr.Lt)
				u.add(name, x)
			}
		}
		u.pair(x, c, all[i+1:])
	}
}

// pair notes a range with two ends: BETWEEN, or a lower and an upper bound that
// hold together.
func (u *uses) pair(x use, c comparison, rest []comparison) {
	if x.sized() {
		return // its ends are no values of the attribute
	}
	if c.op == opBetween {
		u.ranges = append(u.ranges, ends{x, c.with[0], c.with[1]})
		return
	}
	first := roleOf(c.op, 0)
	if !c.top || first != roleLow && first != roleHigh || len(c.with) != 1 {
		return
	}
	for _, other := range rest {
		second := roleOf(other.op, 0)
		if other.attr.Path.String() != c.attr.Path.String() || other.attr.Entity != c.attr.Entity || !other.top || other.op == opBetween || len(other.funcs) != len(c.funcs) {
			continue
		}
		switch {
		case first == roleLow && second == roleHigh:
			u.ranges = append(u.ranges, ends{x, c.with[0], other.with[0]})
		case first == roleHigh && second == roleLow:
			u.ranges = append(u.ranges, ends{x, other.with[0], c.with[0]})
		}
	}
}

func roleOf(op string, n int) role {
	switch op {
	case string(expr.Gt), string(expr.Ge):
		return roleLow
	case string(expr.Lt), string(expr.Le):
		return roleHigh
	case opBetween:
		return roleLow + role(n)
	case string(expr.Ne):
		return roleOther
	case string(expr.BeginsWith):
		return rolePrefix
	case string(expr.Contains):
		return roleInside
	}
	return roleEqual
}

// change notes what an update does with its parameters.
func (u *uses) change(e *model.Entity, c *expr.Update) {
	note := func(target *expr.Attr, o expr.Operand, r role) {
		a := e.AttributeAt(target.Path)
		if a == nil {
			a = undeclared(e, target)
		}
		if a == nil {
			return
		}
		if _, direct := o.(*expr.Param); !direct && r == roleNew {
			r = roleChange
		}
		_, now := allNames(o)
		u.now = u.now || now
		parts(o, r, func(name string, r role) { u.add(name, use{entity: e, path: target.Path, attr: a, role: r}) })
	}
	for _, x := range c.Set {
		note(x.Target, x.Value, roleNew)
	}
	for _, x := range c.Add {
		note(x.Target, x.Value, roleAdd)
	}
	for _, x := range c.Delete {
		note(x.Target, x.Value, roleDelete)
	}
}

// parts tells of each parameter in an operand what it does there.
func parts(o expr.Operand, r role, tell func(name string, r role)) {
	switch o := o.(type) {
	case *expr.Param:
		tell(o.Name, r)
	case *expr.Call:
		if o.Func.Name == expr.ListAppend {
			r = roleAppend
		}
		for _, arg := range o.Args {
			parts(arg, r, tell)
		}
	case *expr.Arith:
		_, left := o.Left.(*expr.Duration)
		_, right := o.Right.(*expr.Duration)
		if !left && !right {
			r = roleSum
		}
		parts(o.Left, r, tell)
		parts(o.Right, r, tell)
	}
}

// undeclared is what stands in for a member of which nothing is declared, of an
// attribute of any type or of a map or list without declared members: it is of any
// type. Nil where the path begins at no attribute of the entity.
func undeclared(e *model.Entity, x *expr.Attr) *model.Attribute {
	a := e.Attribute(x.Path.Name)
	if a == nil || x.Entity != "" && x.Entity != e.Name.Text {
		return nil
	}
	return &model.Attribute{At: a.At, Name: a.Name, Type: model.TypeAny, Optional: true}
}

// operandNames are the first parameter in an operand, "" if none, and whether
// it speaks of $now.
func operandNames(o expr.Operand) (string, bool) {
	names, now := allNames(o)
	if len(names) == 0 {
		return "", now
	}
	return names[0], now
}

func allNames(o expr.Operand) (names []string, now bool) {
	switch o := o.(type) {
	case *expr.Param:
		return []string{o.Name}, false
	case *expr.Now:
		return nil, true
	case *expr.Call:
		for _, arg := range o.Args {
			more, also := allNames(arg)
			names, now = append(names, more...), now || also
		}
	case *expr.Arith:
		left, leftNow := allNames(o.Left)
		right, rightNow := allNames(o.Right)
		return append(left, right...), leftNow || rightNow
	}
	return names, now
}
