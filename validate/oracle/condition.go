package oracle

import (
	"slices"
	"strings"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/expr"
	"github.com/dynmodel/dynmodel/model/value"
)

// holds evaluates a condition with DynamoDB's semantics: an attribute that is
// not there is never equal to anything and always unequal, and a comparison
// between types is false. A nil condition holds.
func (s scope) holds(c expr.Cond) bool {
	switch c := c.(type) {
	case nil:
		return true
	case *expr.And:
		return !slices.ContainsFunc(c.Terms, func(t expr.Cond) bool { return !s.holds(t) })
	case *expr.Or:
		return slices.ContainsFunc(c.Terms, s.holds)
	case *expr.Not:
		return !s.holds(c.Term)
	case *expr.Compare:
		return s.compare(c.Op, c.Left, c.Right)
	case *expr.Between:
		return s.compare(expr.Ge, c.X, c.Low) && s.compare(expr.Le, c.X, c.High)
	case *expr.In:
		return s.isIn(c)
	case *expr.Test:
		return s.test(c)
	}
	return false
}

// compare evaluates `left op right`.
func (s scope) compare(op expr.Op, left, right expr.Operand) bool {
	return ordered(op, s.beside(left, right), s.beside(right, left), s.like(left, right), s.like(right, left))
}

// beside is the value of an operand as it is compared with the other one: a
// time in the other's form, a text in the letter case the other is stored in.
func (s scope) beside(o, other expr.Operand) value.Value {
	v := s.value(o, s.like(o, other))
	if attr, ok := other.(*expr.Attr); ok {
		v = storedForm(v, s.defined(attr.Path))
	}
	return v
}

// ordered compares two values, of which either may be absent. Their
// definitions tell whether they are times whose text does not sort.
func ordered(op expr.Op, left, right value.Value, leftLike, rightLike *model.Attribute) bool {
	equal := left.Exists() && right.Exists() && value.Equal(left, right)
	switch op {
	case expr.Eq:
		return equal
	case expr.Ne:
		return !equal
	}
	c, ok := inOrder(left, right, leftLike, rightLike)
	if !ok {
		return false
	}
	switch op {
	case expr.Lt:
		return c < 0
	case expr.Le:
		return c <= 0
	case expr.Gt:
		return c > 0
	}
	return c >= 0
}

// inOrder orders two values of one type; false when they have no order.
func inOrder(left, right value.Value, leftLike, rightLike *model.Attribute) (int, bool) {
	if left.Kind() == value.String && right.Kind() == value.String && !sortAsText(leftLike, rightLike) {
		a, aok := parseTime(left, leftLike)
		b, bok := parseTime(right, rightLike)
		if aok && bok {
			return a.Compare(b), true
		}
	}
	return value.Compare(left, right)
}

func (s scope) isIn(c *expr.In) bool {
	if c.FromList && len(c.List) == 1 {
		list := s.value(c.List[0], nil)
		attr, _ := c.X.(*expr.Attr)
		x := s.value(c.X, nil)
		return x.Exists() && slices.ContainsFunc(list.Items(), func(m value.Value) bool {
			if attr != nil {
				m = storedForm(m, s.defined(attr.Path))
			}
			return value.Equal(x, m)
		})
	}
	return slices.ContainsFunc(c.List, func(o expr.Operand) bool { return s.compare(expr.Eq, c.X, o) })
}

func (s scope) test(c *expr.Test) bool {
	x := s.value(c.X, nil)
	switch c.Name {
	case expr.AttributeExists:
		return x.Exists()
	case expr.AttributeNotExists:
		return !x.Exists()
	case expr.AttributeType:
		name := s.value(c.Arg, nil)
		return x.Exists() && name.Kind() == value.String && x.Kind().String() == name.Text()
	}
	arg := s.beside(c.Arg, c.X)
	if !x.Exists() || !arg.Exists() {
		return false
	}
	switch c.Name {
	case expr.BeginsWith:
		return x.Kind() == arg.Kind() && (x.Kind() == value.String || x.Kind() == value.Binary) &&
			strings.HasPrefix(x.Text(), arg.Text())
	case expr.Contains:
		return contains(x, arg)
	}
	return false
}

// contains tells whether a text has a part, or a list or set a member.
func contains(x, part value.Value) bool {
	switch x.Kind() {
	case value.String, value.Binary:
		return x.Kind() == part.Kind() && strings.Contains(x.Text(), part.Text())
	case value.List, value.StringSet, value.NumberSet, value.BinarySet:
		return slices.ContainsFunc(x.Items(), func(m value.Value) bool { return value.Equal(m, part) })
	}
	return false
}

// meetsAll tells whether a `where` holds as it is read for one entity: see
// forEntity, without making a condition of it for every item.
func (s scope) meetsAll(c expr.Cond) bool {
	return !slices.ContainsFunc(conjuncts(c), func(term expr.Cond) bool {
		return !s.namesAnother(term) && !s.leftOut(term) && !s.holds(term)
	})
}

// forEntity reads a `where` for one entity: a top-level condition that names
// another entity does not restrict this one. Conditions that hold an optional
// parameter the caller left out fall away too.
func (s scope) forEntity(c expr.Cond) expr.Cond {
	var kept []expr.Cond
	for _, term := range conjuncts(c) {
		if s.namesAnother(term) || s.leftOut(term) {
			continue
		}
		kept = append(kept, term)
	}
	switch len(kept) {
	case 0:
		return nil
	case 1:
		return kept[0]
	}
	return &expr.And{At: c.Span(), Terms: kept}
}

// conjuncts are the conditions that a condition joins by AND at the top.
func conjuncts(c expr.Cond) []expr.Cond {
	switch c := c.(type) {
	case nil:
		return nil
	case *expr.And:
		return c.Terms
	}
	return []expr.Cond{c}
}

// namesAnother tells whether the condition is about an attribute of another
// entity, written `Order.status`.
func (s scope) namesAnother(c expr.Cond) bool {
	return anyOperand(c, func(o expr.Operand) bool {
		attr, ok := o.(*expr.Attr)
		return ok && attr.Entity != "" && attr.Entity != s.entity.Name.Text
	})
}

// leftOut tells whether the condition holds an optional parameter without a value.
func (s scope) leftOut(c expr.Cond) bool { return anyOperand(c, s.missingOptional) }

func (s scope) missingOptional(o expr.Operand) bool {
	p, ok := o.(*expr.Param)
	if !ok || !p.Optional {
		return false
	}
	v, _ := s.args.lookup(p.Name)
	return !v.Exists()
}

// anyOperand tells whether some operand in the condition, however deep, is so.
func anyOperand(c expr.Cond, is func(expr.Operand) bool) bool {
	within := func(operands ...expr.Operand) bool {
		return slices.ContainsFunc(operands, func(o expr.Operand) bool { return o != nil && anyWithin(o, is) })
	}
	nested := func(c expr.Cond) bool { return anyOperand(c, is) }
	switch c := c.(type) {
	case *expr.And:
		return slices.ContainsFunc(c.Terms, nested)
	case *expr.Or:
		return slices.ContainsFunc(c.Terms, nested)
	case *expr.Not:
		return nested(c.Term)
	case *expr.Compare:
		return within(c.Left, c.Right)
	case *expr.Between:
		return within(c.X, c.Low, c.High)
	case *expr.In:
		return within(c.X) || within(c.List...)
	case *expr.Test:
		return within(c.X, c.Arg)
	}
	return false
}

// anyWithin tells whether the operand or one inside it is so.
func anyWithin(o expr.Operand, is func(expr.Operand) bool) bool {
	if is(o) {
		return true
	}
	nested := func(o expr.Operand) bool { return anyWithin(o, is) }
	switch o := o.(type) {
	case *expr.Call:
		return slices.ContainsFunc(o.Args, nested)
	case *expr.Arith:
		return nested(o.Left) || nested(o.Right)
	}
	return false
}
