package expr

import (
	"slices"

	"github.com/dynmodel/dynmodel/model/value"
)

// Equal tells whether two conditions are the same tree, wherever they stand.
func Equal(a, b Cond) bool {
	switch a := a.(type) {
	case nil:
		return b == nil
	case *And:
		b, ok := b.(*And)
		return ok && slices.EqualFunc(a.Terms, b.Terms, Equal)
	case *Or:
		b, ok := b.(*Or)
		return ok && slices.EqualFunc(a.Terms, b.Terms, Equal)
	case *Not:
		b, ok := b.(*Not)
		return ok && Equal(a.Term, b.Term)
	case *Compare:
		b, ok := b.(*Compare)
		return ok && a.Op == b.Op && EqualOperands(a.Left, b.Left) && EqualOperands(a.Right, b.Right)
	case *Between:
		b, ok := b.(*Between)
		return ok && EqualOperands(a.X, b.X) && EqualOperands(a.Low, b.Low) && EqualOperands(a.High, b.High)
	case *In:
		b, ok := b.(*In)
		return ok && a.FromList == b.FromList && EqualOperands(a.X, b.X) && slices.EqualFunc(a.List, b.List, EqualOperands)
	case *Test:
		b, ok := b.(*Test)
		return ok && a.Name == b.Name && EqualOperands(a.X, b.X) && EqualOperands(a.Arg, b.Arg)
	}
	return false
}

// EqualOperands tells whether two operands are the same tree, wherever they stand.
func EqualOperands(a, b Operand) bool {
	switch a := a.(type) {
	case nil:
		return b == nil
	case *Attr:
		b, ok := b.(*Attr)
		return ok && a.Entity == b.Entity && a.Path.Equal(b.Path)
	case *Param:
		b, ok := b.(*Param)
		return ok && a.Name == b.Name && a.Optional == b.Optional
	case *Now:
		_, ok := b.(*Now)
		return ok
	case *Literal:
		b, ok := b.(*Literal)
		return ok && value.Equal(a.Value, b.Value)
	case *Duration:
		b, ok := b.(*Duration)
		return ok && a.Length == b.Length
	case *Call:
		b, ok := b.(*Call)
		return ok && a.Func == b.Func && slices.EqualFunc(a.Args, b.Args, EqualOperands)
	case *Arith:
		b, ok := b.(*Arith)
		return ok && a.Minus == b.Minus && EqualOperands(a.Left, b.Left) && EqualOperands(a.Right, b.Right)
	}
	return false
}

// Equal tells whether two paths lead to the same place.
func (p Path) Equal(q Path) bool { return p.Name == q.Name && slices.Equal(p.Rest, q.Rest) }

// EqualUpdates tells whether two update expressions are the same tree.
func EqualUpdates(a, b *Update) bool {
	add := func(x, y AddAction) bool {
		return EqualOperands(x.Target, y.Target) && EqualOperands(x.Value, y.Value)
	}
	return slices.EqualFunc(a.Set, b.Set, func(x, y SetAction) bool {
		return EqualOperands(x.Target, y.Target) && EqualOperands(x.Value, y.Value)
	}) && slices.EqualFunc(a.Remove, b.Remove, func(x, y *Attr) bool {
		return EqualOperands(x, y)
	}) && slices.EqualFunc(a.Add, b.Add, add) && slices.EqualFunc(a.Delete, b.Delete, add)
}
