package encode

import (
	"slices"
	"strings"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/expr"
	"github.com/dynmodel/dynmodel/model/value"
)

// Holds tells whether a `when` holds for an entity's item, which is normalised.
// A `when` speaks of attributes and literals only: parameters and $now are
// absent. As in DynamoDB, an absent attribute is equal to nothing, and unequal
// to everything.
func Holds(c expr.Cond, e *model.Entity, item model.Item) bool {
	w := when{entity: e, item: item}
	return w.holds(c)
}

// when evaluates conditions over one item.
type when struct {
	entity *model.Entity
	item   model.Item
}

func (w when) holds(c expr.Cond) bool {
	switch c := c.(type) {
	case *expr.And:
		return !slices.ContainsFunc(c.Terms, func(t expr.Cond) bool { return !w.holds(t) })
	case *expr.Or:
		return slices.ContainsFunc(c.Terms, w.holds)
	case *expr.Not:
		return !w.holds(c.Term)
	case *expr.Compare:
		return compare(c.Op, w.beside(c.Left, c.Right), w.beside(c.Right, c.Left))
	case *expr.Between:
		x := w.value(c.X)
		return compare(expr.Ge, x, w.beside(c.Low, c.X)) && compare(expr.Le, x, w.beside(c.High, c.X))
	case *expr.In:
		x := w.value(c.X)
		return slices.ContainsFunc(members(c), func(o expr.Operand) bool { return compare(expr.Eq, x, w.beside(o, c.X)) })
	case *expr.Test:
		return w.test(c)
	}
	return false
}

// members are the operands of an IN, those of a list that has become a literal one
// by one.
func members(c *expr.In) []expr.Operand {
	list, given := c.List[0].(*expr.Literal)
	if !c.FromList || !given {
		return c.List
	}
	var out []expr.Operand
	for _, v := range list.Value.Items() {
		out = append(out, &expr.Literal{Value: v})
	}
	return out
}

// compare compares two values; values of different types are only unequal.
func compare(op expr.Op, a, b value.Value) bool {
	equal := a.Exists() && value.Equal(a, b)
	switch op {
	case expr.Eq:
		return equal
	case expr.Ne:
		return !equal
	}
	c, ok := value.Compare(a, b)
	switch op {
	case expr.Lt:
		return ok && c < 0
	case expr.Le:
		return ok && c <= 0
	case expr.Gt:
		return ok && c > 0
	}
	return ok && c >= 0
}

func (w when) test(t *expr.Test) bool {
	x := w.value(t.X)
	switch t.Name {
	case expr.AttributeExists:
		return x.Exists()
	case expr.AttributeNotExists:
		return !x.Exists()
	case expr.AttributeType:
		return x.Exists() && x.Kind().String() == w.value(t.Arg).Text()
	}
	arg := w.beside(t.Arg, t.X)
	switch t.Name {
	case expr.BeginsWith:
		return x.Kind() == arg.Kind() && (x.Kind() == value.String || x.Kind() == value.Binary) && strings.HasPrefix(x.Text(), arg.Text())
	case expr.Contains:
		return contains(x, arg)
	}
	return false
}

// contains tells whether a text contains another, or a list or set a member.
func contains(x, arg value.Value) bool {
	if x.Kind() == value.String || x.Kind() == value.Binary {
		return x.Kind() == arg.Kind() && strings.Contains(x.Text(), arg.Text())
	}
	return slices.ContainsFunc(x.Items(), func(m value.Value) bool { return value.Equal(m, arg) })
}

// beside is the value of an operand that is compared with another one: a
// literal is normalised as the attribute it meets.
func (w when) beside(o, other expr.Operand) value.Value {
	lit, ok := o.(*expr.Literal)
	attr, isAttr := other.(*expr.Attr)
	if !ok || !isAttr {
		return w.value(o)
	}
	if a := w.attribute(attr); a != nil {
		return Stored(a, lit.Value)
	}
	return lit.Value
}

// attribute is the definition of what an operand names, or nil.
func (w when) attribute(attr *expr.Attr) *model.Attribute {
	return w.entity.AttributeAt(attr.Path)
}

// value is the value of an operand; absent when it has none.
func (w when) value(o expr.Operand) value.Value {
	switch o := o.(type) {
	case *expr.Attr:
		return Lookup(w.item, o.Path)
	case *expr.Literal:
		return o.Value
	case *expr.Call:
		return w.call(o)
	}
	return value.Value{}
}

// call is the value of a template function, or of size.
func (w when) call(c *expr.Call) value.Value {
	x := w.value(c.Args[0])
	if !x.Exists() {
		return value.Value{}
	}
	if c.Func.Name == expr.Size {
		return x.Size()
	}
	t := model.TypeAny
	if attr, ok := c.Args[0].(*expr.Attr); ok && w.attribute(attr) != nil {
		t = w.attribute(attr).Type
	}
	v, err := Apply([]expr.Func{c.Func}, x, t)
	if err != nil {
		return value.Value{}
	}
	return v
}
