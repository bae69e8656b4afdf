package expr

import (
	"iter"
	"slices"
	"strings"

	"github.com/dynmodel/dynmodel/engine/attr"
)

// Condition is a boolean expression about an item: one of [And], [Or], [Not],
// [Compare], [Between], [In], [Exists], [HasType], [BeginsWith], [Contains].
type Condition interface {
	// Holds reports whether the item fulfils the condition. An item that is
	// not there is the empty item.
	Holds(item attr.Item) bool
	operands(yield func(Operand) bool) bool
}

// Operand is what conditions are about: a [Path], a [Literal] or a [Size].
type Operand interface {
	// In returns the operand's value for an item, the zero Value if the item
	// has none.
	In(item attr.Item) attr.Value
}

// Literal is a value given in the request.
type Literal attr.Value

// In returns the value itself.
func (l Literal) In(attr.Item) attr.Value { return attr.Value(l) }

// Size is the size function, [attr.Value.Len] of strings, binaries, sets, lists
// and maps. Other values have no size.
type Size struct{ Of Operand }

// In returns the size as a number.
func (s Size) In(item attr.Item) attr.Value {
	v := s.Of.In(item)
	switch v.Type() {
	case attr.S, attr.B, attr.L, attr.M, attr.SS, attr.NS, attr.BS:
		return attr.Int(int64(v.Len()))
	}
	return attr.Value{}
}

// And holds if both conditions do.
type And struct{ Left, Right Condition }

// Or holds if one of the conditions does.
type Or struct{ Left, Right Condition }

// Not holds if the condition does not.
type Not struct{ Condition Condition }

// Comparator is one of the six comparison operators.
type Comparator string

// The comparators.
const (
	Equal          Comparator = "="
	NotEqual       Comparator = "<>"
	Less           Comparator = "<"
	LessOrEqual    Comparator = "<="
	Greater        Comparator = ">"
	GreaterOrEqual Comparator = ">="
)

// Compare compares two operands. A value that is not there is unequal to
// everything, even to another that is not there; values of two types are
// unequal and have no order.
type Compare struct {
	Op          Comparator
	Left, Right Operand
}

// Between holds for a value from Low to High, both included.
type Between struct{ Operand, Low, High Operand }

// In holds for a value that is equal to one of the list.
type In struct {
	Operand Operand
	List    []Operand
}

// Exists is attribute_exists, or attribute_not_exists if Not is set.
type Exists struct {
	Path Path
	Not  bool
}

// HasType is attribute_type.
type HasType struct {
	Operand Operand
	Type    attr.Type
}

// BeginsWith holds if both are strings or both are binaries, and the operand
// begins with the prefix.
type BeginsWith struct{ Operand, Prefix Operand }

// Contains holds for a part of a string or binary, a member of a set, an
// element of a list.
type Contains struct{ Operand, Element Operand }

// Holds implements [Condition].
func (c And) Holds(item attr.Item) bool { return c.Left.Holds(item) && c.Right.Holds(item) }

// Holds implements [Condition].
func (c Or) Holds(item attr.Item) bool { return c.Left.Holds(item) || c.Right.Holds(item) }

// Holds implements [Condition].
func (c Not) Holds(item attr.Item) bool { return !c.Condition.Holds(item) }

// Holds implements [Condition].
func (c Compare) Holds(item attr.Item) bool {
	return c.Op.holds(c.Left.In(item), c.Right.In(item))
}

func (op Comparator) holds(a, b attr.Value) bool {
	equal := a.Exists() && a == b
	switch op {
	case Equal:
		return equal
	case NotEqual:
		return !equal
	}
	order, ok := attr.Compare(a, b)
	switch op {
	case Less:
		return ok && order < 0
	case LessOrEqual:
		return ok && order <= 0
	case Greater:
		return ok && order > 0
	case GreaterOrEqual:
		return ok && order >= 0
	}
	return false
}

// Holds implements [Condition].
func (c Between) Holds(item attr.Item) bool {
	v := c.Operand.In(item)
	return GreaterOrEqual.holds(v, c.Low.In(item)) && LessOrEqual.holds(v, c.High.In(item))
}

// Holds implements [Condition].
func (c In) Holds(item attr.Item) bool {
	v := c.Operand.In(item)
	return v.Exists() && slices.ContainsFunc(c.List, func(o Operand) bool { return o.In(item) == v })
}

// Holds implements [Condition].
func (c Exists) Holds(item attr.Item) bool { return c.Path.In(item).Exists() != c.Not }

// Holds implements [Condition].
func (c HasType) Holds(item attr.Item) bool {
	v := c.Operand.In(item)
	return v.Exists() && v.Type() == c.Type
}

// Holds implements [Condition].
func (c BeginsWith) Holds(item attr.Item) bool {
	v, prefix := c.Operand.In(item), c.Prefix.In(item)
	return bothText(v, prefix) && strings.HasPrefix(v.Text(), prefix.Text())
}

func bothText(v, w attr.Value) bool {
	return v.Type() == w.Type() && (v.Type() == attr.S || v.Type() == attr.B)
}

// Holds implements [Condition].
func (c Contains) Holds(item attr.Item) bool {
	v, e := c.Operand.In(item), c.Element.In(item)
	if bothText(v, e) {
		return strings.Contains(v.Text(), e.Text())
	}
	return e.Exists() && v.Has(e)
}

func (c And) operands(yield func(Operand) bool) bool {
	return c.Left.operands(yield) && c.Right.operands(yield)
}

func (c Or) operands(yield func(Operand) bool) bool {
	return c.Left.operands(yield) && c.Right.operands(yield)
}

func (c Not) operands(yield func(Operand) bool) bool { return c.Condition.operands(yield) }

func (c Compare) operands(yield func(Operand) bool) bool { return yield(c.Left) && yield(c.Right) }

func (c Between) operands(yield func(Operand) bool) bool {
	return yield(c.Operand) && yield(c.Low) && yield(c.High)
}

func (c In) operands(yield func(Operand) bool) bool {
	return yield(c.Operand) && !slices.ContainsFunc(c.List, func(o Operand) bool { return !yield(o) })
}

func (c Exists) operands(yield func(Operand) bool) bool  { return yield(c.Path) }
func (c HasType) operands(yield func(Operand) bool) bool { return yield(c.Operand) }

func (c BeginsWith) operands(yield func(Operand) bool) bool {
	return yield(c.Operand) && yield(c.Prefix)
}

func (c Contains) operands(yield func(Operand) bool) bool {
	return yield(c.Operand) && yield(c.Element)
}

// Paths yields the paths that a condition looks at, in the order of its text.
func Paths(c Condition) iter.Seq[Path] {
	return func(yield func(Path) bool) {
		c.operands(func(o Operand) bool {
			for {
				size, ok := o.(Size)
				if !ok {
					break
				}
				o = size.Of
			}
			path, ok := o.(Path)
			return !ok || yield(path)
		})
	}
}
