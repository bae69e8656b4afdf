package expr

import "github.com/dynmodel/dynmodel/model/value"

// Type is what is known of the values of an operand. The zero Type is nothing.
type Type struct {
	Kind  value.Kind // None: not known
	Whole bool       // whole numbers
	// Time is the smallest unit of time that can be read out of the value.
	Time Unit
	// Moment tells that the value is a time itself, and not an identifier that
	// begins with one: it compares with $now, and moves by a duration.
	Moment bool
}

// Unit is a unit of time in keys.
type Unit uint8

// The units, larger ones first. NoUnit is that of what holds no time.
const (
	NoUnit Unit = iota
	Years
	Months
	Days
	Hours
)

// unitOf is the unit a template function cuts a time to.
func unitOf(f FuncName) Unit {
	switch f {
	case Year:
		return Years
	case Month:
		return Months
	case Day:
		return Days
	case Hour:
		return Hours
	}
	return NoUnit
}

// After is the type of what a template function makes of a value of type t;
// false when it does not apply to such values. What is not known is let pass.
func (t Type) After(f FuncName) (Type, bool) {
	switch f {
	case Lower, Upper:
		return t, t.Kind == value.String || t.Kind == value.None
	case Prefix:
		return Type{Kind: value.String}, t.Kind == value.String || t.Kind == value.None
	case Pad, Invert:
		return Type{Kind: value.String}, t.Kind == value.Number && t.Whole || t.Kind == value.None
	case Shard:
		return Type{Kind: value.Number, Whole: true}, t.Kind == value.None || t.Kind == value.String || t.Kind == value.Number || t.Kind == value.Bool
	case Year, Month, Day, Hour:
		unit := unitOf(f)
		return Type{Kind: value.String, Time: unit}, t == Type{} || t.Time >= unit
	}
	return Type{}, false
}

// AfterAll is After of functions in order; false with the first that does not
// apply.
func (t Type) AfterAll(funcs []Func) (Type, Func, bool) {
	for _, f := range funcs {
		after, ok := t.After(f.Name)
		if !ok {
			return Type{}, f, false
		}
		t = after
	}
	return t, Func{}, true
}

// Types tells the types of what an expression names: the zero Type for what is
// not known. Neither function is nil.
type Types struct {
	Attr  func(*Attr) Type
	Param func(*Param) Type
}

// Of is the type of an operand.
func (t Types) Of(o Operand) Type {
	switch o := o.(type) {
	case *Attr:
		return t.Attr(o)
	case *Param:
		return t.Param(o)
	case *Now:
		return Type{Time: Hours, Moment: true}
	case *Literal:
		return literalType(o.Value)
	case *Call:
		return t.ofCall(o)
	case *Arith:
		if left := t.Of(o.Left); isDuration(o.Right) {
			return left
		}
		if right := t.Of(o.Right); isDuration(o.Left) {
			return right
		}
		return Type{Kind: value.Number}
	}
	return Type{}
}

func literalType(v value.Value) Type {
	_, whole := v.Int()
	return Type{Kind: v.Kind(), Whole: whole}
}

func (t Types) ofCall(c *Call) Type {
	switch c.Func.Name {
	case Size:
		return Type{Kind: value.Number, Whole: true}
	case ListAppend:
		return Type{Kind: value.List}
	case IfNotExists:
		if first := t.Of(c.Args[0]); first.Kind != value.None {
			return first
		}
		return t.Of(c.Args[1])
	}
	after, _ := t.Of(c.Args[0]).After(c.Func.Name)
	return after
}
