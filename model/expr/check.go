package expr

import (
	"fmt"
	"slices"

	"github.com/dynmodel/dynmodel/model/source"
	"github.com/dynmodel/dynmodel/model/value"
)

// Check finds what cannot work in a condition: operands whose types never meet,
// functions of what they do not take, sums that DynamoDB has no place for, an
// attribute compared with itself.
func (t Types) Check(c Cond) []*Problem {
	k := checker{types: t}
	Walk(c, k.node)
	return k.problems
}

// CheckOperand is Check of an operand that the tool computes, as in `derive`.
func (t Types) CheckOperand(o Operand) []*Problem {
	k := checker{types: t}
	Walk(o, k.node)
	return k.problems
}

// CheckUpdate is Check of an update expression; it also finds actions on paths
// that overlap.
func (t Types) CheckUpdate(u *Update) []*Problem {
	k := checker{types: t, update: true}
	Walk(u, k.node)
	for _, a := range u.Set {
		k.set(a)
	}
	for _, a := range u.Add {
		k.target(a, "ADD", value.Number, value.StringSet, value.NumberSet, value.BinarySet)
	}
	for _, a := range u.Delete {
		k.target(a, "DELETE", value.StringSet, value.NumberSet, value.BinarySet)
	}
	k.overlaps(u.Targets())
	return k.problems
}

// checker gathers problems.
type checker struct {
	types    Types
	update   bool // sums over attributes have a place
	problems []*Problem
}

func (k *checker) report(at source.Span, fix, format string, args ...any) {
	k.problems = append(k.problems, &Problem{At: at, Message: fmt.Sprintf(format, args...), Fix: fix})
}

// node checks a node by itself; those inside it are visited on their own.
func (k *checker) node(n Node) {
	switch n := n.(type) {
	case *Compare:
		k.compare(n)
	case *Between:
		k.comparable(n.X, n.Low, true)
		k.comparable(n.X, n.High, true)
		k.ends(n)
	case *In:
		for _, o := range n.List {
			if !n.FromList {
				k.comparable(n.X, o, false)
			}
		}
	case *Test:
		k.test(n)
	case *Call:
		k.call(n)
	case *Arith:
		k.sum(n)
	}
}

func (k *checker) compare(c *Compare) {
	if attr, ok := c.Left.(*Attr); ok && EqualOperands(c.Left, c.Right) {
		k.report(c.At, "a parameter is written $"+attr.Path.Name, "%s is compared with itself", String(attr))
		return
	}
	k.comparable(c.Left, c.Right, c.Op != Eq && c.Op != Ne)
}

// comparable checks that two operands can be compared, in order if it has to be.
func (k *checker) comparable(a, b Operand, ordered bool) {
	left, right := k.types.Of(a), k.types.Of(b)
	if k.null(a) || k.null(b) {
		return
	}
	if left.Kind != value.None && right.Kind != value.None && left.Kind != right.Kind {
		k.report(b.Span(), "", "%s is a %s and %s a %s: they are never equal, and have no order", String(a), KindWord(left.Kind), String(b), KindWord(right.Kind))
		return
	}
	for _, o := range []Operand{a, b} {
		if kind := k.types.Of(o).Kind; ordered && kind != value.None && !kind.IsKey() {
			k.report(o.Span(), "", "%s is a %s, and DynamoDB orders strings, numbers and binaries only", String(o), KindWord(kind))
			return
		}
	}
	k.now(a, right)
	k.now(b, left)
}

// null reports a comparison with null, which is never written.
func (k *checker) null(o Operand) bool {
	lit, ok := o.(*Literal)
	if !ok || lit.Value.Kind() != value.Null {
		return false
	}
	k.report(o.Span(), "use attribute_exists(name) or attribute_not_exists(name)", "an attribute without a value is not null but absent")
	return true
}

// now reports the current time beside what is no time.
func (k *checker) now(o Operand, other Type) {
	if mentionsNow(o) && !other.Moment && other.Kind != value.None {
		k.report(o.Span(), "", "%s is a time, and is compared with a %s that is none", String(o), KindWord(other.Kind))
	}
}

func mentionsNow(o Operand) bool {
	switch o := o.(type) {
	case *Now:
		return true
	case *Arith:
		return mentionsNow(o.Left) || mentionsNow(o.Right)
	}
	return false
}

// ends reports the ends of a BETWEEN that are the wrong way round.
func (k *checker) ends(b *Between) {
	low, lok := b.Low.(*Literal)
	high, hok := b.High.(*Literal)
	if lok && hok && between(low.Value, high.Value) == greater {
		k.report(b.At, "exchange them", "the lower end %s is above the upper end %s", String(low), String(high))
	}
}

func (k *checker) test(t *Test) {
	x := k.types.Of(t.X)
	switch t.Name {
	case BeginsWith:
		if x.Kind != value.None && x.Kind != value.String && x.Kind != value.Binary {
			k.report(t.X.Span(), "", "begins_with takes a string or binary, and %s is a %s", String(t.X), KindWord(x.Kind))
			return
		}
		k.comparable(t.X, t.Arg, false)
	case Contains:
		k.contains(t, x)
	case AttributeType:
		if arg := k.types.Of(t.Arg); arg.Kind != value.String && arg.Kind != value.None {
			k.report(t.Arg.Span(), "", "attribute_type compares with the name of a type, a string")
		}
	}
}

func (k *checker) contains(t *Test, x Type) {
	member, ok := memberKind(x.Kind)
	arg := k.types.Of(t.Arg)
	switch {
	case !ok:
		k.report(t.X.Span(), "", "contains takes a string, a set or a list, and %s is a %s", String(t.X), KindWord(x.Kind))
	case member != value.None && arg.Kind != value.None && arg.Kind != member:
		k.report(t.Arg.Span(), "", "a %s never contains a %s", KindWord(x.Kind), KindWord(arg.Kind))
	}
}

// memberKind is the type of what a value of a type contains, None when it may
// be any; false when such a value contains nothing.
func memberKind(k value.Kind) (value.Kind, bool) {
	switch k {
	case value.String, value.Binary:
		return k, true
	case value.StringSet:
		return value.String, true
	case value.NumberSet:
		return value.Number, true
	case value.BinarySet:
		return value.Binary, true
	}
	return value.None, k == value.List || k == value.None
}

func (k *checker) call(c *Call) {
	arg := k.types.Of(c.Args[0])
	switch c.Func.Name {
	case Size:
		if arg.Kind == value.Number || arg.Kind == value.Bool || arg.Kind == value.Null {
			k.report(c.Args[0].Span(), "", "a %s has no size", KindWord(arg.Kind))
		}
	case IfNotExists:
		if !k.update {
			k.report(c.At, "", "if_not_exists stands in SET only")
			return
		}
		k.comparable(c.Args[0], c.Args[1], false)
	case ListAppend:
		k.listAppend(c)
	default:
		if _, ok := arg.After(c.Func.Name); !ok {
			k.report(c.At, "", "%s", Misapplied(c.Func, String(c.Args[0])))
		}
	}
}

func (k *checker) listAppend(c *Call) {
	if !k.update {
		k.report(c.At, "", "list_append stands in SET only")
		return
	}
	for _, o := range c.Args {
		if kind := k.types.Of(o).Kind; kind != value.None && kind != value.List {
			k.report(o.Span(), "write one member as a list: [x]", "list_append joins two lists, and %s is a %s", String(o), KindWord(kind))
		}
	}
}

// Misapplied says what a template function needs, of something that it does
// not apply to.
func Misapplied(f Func, subject string) string {
	needs := "a time, or an identifier that begins with one"
	switch f.Name {
	case Lower, Upper, Prefix:
		needs = "a string"
	case Pad, Invert:
		needs = "an integer"
	case Shard:
		needs = "a string, a number or a boolean"
	case Day, Hour:
		needs = "a time that says the " + string(f.Name)
	}
	return fmt.Sprintf("%s needs %s, and %s is none", f, needs, subject)
}

// sum checks an addition or subtraction.
func (k *checker) sum(s *Arith) {
	left, right := k.types.Of(s.Left), k.types.Of(s.Right)
	if isDuration(s.Left) || isDuration(s.Right) {
		k.shift(s, left, right)
		return
	}
	for _, o := range []Operand{s.Left, s.Right} {
		if kind := k.types.Of(o).Kind; kind != value.None && kind != value.Number {
			k.report(o.Span(), "", "DynamoDB adds numbers, and %s is a %s", String(o), KindWord(kind))
			return
		}
	}
	nested := slices.ContainsFunc([]Operand{s.Left, s.Right}, func(o Operand) bool { _, ok := o.(*Arith); return ok })
	switch attrs := Attrs(s); {
	case len(attrs) > 0 && !k.update:
		k.report(s.At, "", "DynamoDB has no sums of attributes in conditions")
	case len(attrs) > 0 && nested:
		k.report(s.At, "", "DynamoDB adds two operands at a time")
	}
}

// shift checks a time moved by a duration.
func (k *checker) shift(s *Arith, left, right Type) {
	moved, t := s.Left, left
	if isDuration(s.Left) {
		moved, t = s.Right, right
	}
	switch {
	case !t.Moment && t != Type{}:
		k.report(moved.Span(), "", "a duration moves a time, and %s is none", String(moved))
	case len(Attrs(moved)) > 0 && k.update && t.Kind == value.String:
		k.report(s.At, "move $now or a parameter", "DynamoDB cannot move %s by a duration: it is stored as a string", String(moved))
	}
}

func (k *checker) set(a SetAction) {
	target, v := k.types.Of(a.Target), k.types.Of(a.Value)
	if lit, ok := a.Value.(*Literal); ok && lit.Value.Kind() == value.Null {
		k.report(a.Value.Span(), "write REMOVE "+String(a.Target), "null is never written")
		return
	}
	if target.Kind != value.None && v.Kind != value.None && target.Kind != v.Kind {
		k.report(a.Value.Span(), "", "%s is a %s and cannot become a %s", String(a.Target), KindWord(target.Kind), KindWord(v.Kind))
	}
	k.now(a.Value, target)
}

// target checks the attribute of ADD and DELETE, and that the value fits it.
func (k *checker) target(a AddAction, clause string, kinds ...value.Kind) {
	target, v := k.types.Of(a.Target).Kind, k.types.Of(a.Value).Kind
	switch {
	case target != value.None && !slices.Contains(kinds, target):
		k.report(a.Target.At, "", "%s does not work on a %s such as %s", clause, KindWord(target), String(a.Target))
	case v != value.None && !slices.Contains(kinds, v):
		k.report(a.Value.Span(), "write a set: <<'x'>>", "%s takes a set here, and %s is a %s", clause, String(a.Value), KindWord(v))
	case target != value.None && v != value.None && target != v:
		k.report(a.Value.Span(), "", "%s is a %s, and %s a %s", String(a.Target), KindWord(target), String(a.Value), KindWord(v))
	}
	switch a.Value.(type) {
	case *Literal, *Param:
	default:
		k.report(a.Value.Span(), "", "%s takes a value or a parameter", clause)
	}
}

// overlaps reports targets of which one lies within another.
func (k *checker) overlaps(targets []*Attr) {
	for i, a := range targets {
		for _, b := range targets[:i] {
			if a.Path.within(b.Path) || b.Path.within(a.Path) {
				k.report(a.At, "", "%s is changed twice in one update, here and as %s", String(a), String(b))
				break
			}
		}
	}
}

// within tells whether p leads into what q leads to, or to the same place.
func (p Path) within(q Path) bool {
	return p.Name == q.Name && len(p.Rest) >= len(q.Rest) && slices.Equal(p.Rest[:len(q.Rest)], q.Rest)
}

// KindWord is what a DynamoDB type is called in messages.
func KindWord(k value.Kind) string {
	return [...]string{value.None: "value", value.String: "string", value.Number: "number", value.Binary: "binary",
		value.Bool: "boolean", value.Null: "null", value.List: "list", value.Map: "map",
		value.StringSet: "string set", value.NumberSet: "number set", value.BinarySet: "binary set"}[k]
}
