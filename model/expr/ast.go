// Package expr is the model language's expressions: what `where`, `if`,
// `filter`, `when` and `change` say, as syntax trees with a place on every
// node, and what can be known of them without running anything.
//
// The grammar is DynamoDB's with the comforts of the language: attributes
// named as they are, literals in place, `$name` parameters, template functions.
package expr

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/dynmodel/dynmodel/model/source"
	"github.com/dynmodel/dynmodel/model/value"
)

// Node is a part of an expression: a Cond, an Operand or an *Update.
type Node interface {
	Span() source.Span
}

// Operand is something that has a value: an attribute, a parameter, a
// literal, the current time, a function of one, a sum.
type Operand interface {
	Node
	operand()
}

// Path is an attribute, and the way into it: `status`, `address.city`, `tags[0]`,
// `reactions[$emoji]`.
type Path struct {
	Name string // the attribute of the entity
	Rest []Step // into maps and lists
}

// Step goes into a map by a name that is written or given by the caller, or into
// a list by index.
type Step struct {
	Name  string // a map's member; "" otherwise
	Param string // the parameter that names a map's member; "" otherwise
	Index int    // a list's position, when Name and Param are ""
}

// InMap tells whether the step goes into a map.
func (s Step) InMap() bool { return s.Name != "" || s.Param != "" }

// String writes the path as in the language, without backquotes.
func (p Path) String() string {
	var b strings.Builder
	b.WriteString(p.Name)
	for _, s := range p.Rest {
		switch {
		case s.Name != "":
			b.WriteString("." + s.Name)
		case s.Param != "":
			b.WriteString("[$" + s.Param + "]")
		default:
			b.WriteString("[" + strconv.Itoa(s.Index) + "]")
		}
	}
	return b.String()
}

// Resolve is the path with the members that parameters name written out; the
// name of a parameter's value is given by a function.
func (p Path) Resolve(member func(param string) string) Path {
	if !slices.ContainsFunc(p.Rest, func(s Step) bool { return s.Param != "" }) {
		return p
	}
	rest := slices.Clone(p.Rest)
	for i, s := range rest {
		if s.Param != "" {
			rest[i] = Step{Name: member(s.Param)}
		}
	}
	return Path{Name: p.Name, Rest: rest}
}

// Top tells whether the path is a top-level attribute.
func (p Path) Top() bool { return len(p.Rest) == 0 }

type (
	// Attr is an attribute. Entity is set when it was written `Order.status`.
	Attr struct {
		At     source.Span
		Entity string
		Path   Path
	}
	// Param is `$name`, or `$name?` when the caller may leave it out.
	Param struct {
		At       source.Span
		Name     string
		Optional bool
	}
	// Now is `$now`, the current time.
	Now struct{ At source.Span }
	// Literal is a value written in place: 'paid', 10, true, null, and lists,
	// maps and sets of such: [1, 2], {a: 1}, <<'x', 'y'>>.
	Literal struct {
		At    source.Span
		Value value.Value
	}
	// Duration is a length of time such as 5m or 7d, only beside + or -.
	Duration struct {
		At     source.Span
		Length time.Duration
	}
	// Call is a function of operands: a template function, size, if_not_exists
	// or list_append. What is {line|pad(3)} in a template is pad(line, 3) here.
	Call struct {
		At   source.Span
		Func Func
		Args []Operand
	}
	// Arith is Left + Right or Left - Right.
	Arith struct {
		At          source.Span
		Minus       bool
		Left, Right Operand
	}
)

// FuncName names a function of an operand.
type FuncName string

// The functions of templates, and DynamoDB's functions that have a value.
const (
	Lower  FuncName = "lower"
	Upper  FuncName = "upper"
	Pad    FuncName = "pad"    // Pad(n): zero-padded integer of n digits
	Invert FuncName = "invert" // Invert(n): n digits, in descending order
	Year   FuncName = "year"
	Month  FuncName = "month"
	Day    FuncName = "day"
	Week   FuncName = "week" // of ISO 8601
	Hour   FuncName = "hour"
	Minute FuncName = "minute"
	Bucket FuncName = "bucket" // Bucket(n): the beginning of one of the periods of n minutes since 1970
	Prefix FuncName = "prefix" // Prefix(n): the first n characters
	Shard  FuncName = "shard"  // Shard(n): FNV-1a 32 of the value's text, modulo n

	Size        FuncName = "size"
	IfNotExists FuncName = "if_not_exists"
	ListAppend  FuncName = "list_append"
)

// IsPeriod tells the functions that give the period a time falls in.
func (n FuncName) IsPeriod() bool {
	switch n {
	case Year, Month, Week, Day, Hour, Minute, Bucket:
		return true
	}
	return false
}

// Func is a function and its number, where it takes one (0 otherwise).
type Func struct {
	Name FuncName
	N    int
}

// String writes the function as in a template: lower, pad(3), bucket(15m).
func (f Func) String() string {
	if f.N == 0 {
		return string(f.Name)
	}
	return string(f.Name) + "(" + f.number() + ")"
}

// number writes the number that the function takes: of a bucket a length of time.
func (f Func) number() string {
	if f.Name == Bucket {
		return durationText(time.Duration(f.N) * time.Minute)
	}
	return strconv.Itoa(f.N)
}

func (o *Attr) Span() source.Span     { return o.At }
func (o *Param) Span() source.Span    { return o.At }
func (o *Now) Span() source.Span      { return o.At }
func (o *Literal) Span() source.Span  { return o.At }
func (o *Duration) Span() source.Span { return o.At }
func (o *Call) Span() source.Span     { return o.At }
func (o *Arith) Span() source.Span    { return o.At }

func (*Attr) operand()     {}
func (*Param) operand()    {}
func (*Now) operand()      {}
func (*Literal) operand()  {}
func (*Duration) operand() {}
func (*Call) operand()     {}
func (*Arith) operand()    {}

// Cond is a condition: it holds or does not.
type Cond interface {
	Node
	cond()
}

// Op is a comparison.
type Op string

// The comparisons.
const (
	Eq Op = "="
	Ne Op = "<>"
	Lt Op = "<"
	Le Op = "<="
	Gt Op = ">"
	Ge Op = ">="
)

// Flip is the comparison with its sides exchanged.
func (op Op) Flip() Op {
	switch op {
	case Lt:
		return Gt
	case Le:
		return Ge
	case Gt:
		return Lt
	case Ge:
		return Le
	}
	return op
}

// TestName names a condition function.
type TestName string

// DynamoDB's condition functions.
const (
	AttributeExists    TestName = "attribute_exists"
	AttributeNotExists TestName = "attribute_not_exists"
	AttributeType      TestName = "attribute_type"
	BeginsWith         TestName = "begins_with"
	Contains           TestName = "contains"
)

type (
	// And holds when every term does; it has two or more, none of them an And.
	And struct {
		At    source.Span
		Terms []Cond
	}
	// Or holds when some term does; it has two or more, none of them an Or.
	Or struct {
		At    source.Span
		Terms []Cond
	}
	// Not holds when its term does not.
	Not struct {
		At   source.Span
		Term Cond
	}
	// Compare is a comparison of two operands.
	Compare struct {
		At          source.Span
		Op          Op
		Left, Right Operand
	}
	// Between is X BETWEEN Low AND High, both included.
	Between struct {
		At           source.Span
		X, Low, High Operand
	}
	// In is X IN (a, b, …), or X IN $list with a single Param in List and
	// FromList set.
	In struct {
		At       source.Span
		X        Operand
		List     []Operand
		FromList bool
	}
	// Test is a condition function; the second argument is nil for
	// attribute_exists and attribute_not_exists.
	Test struct {
		At   source.Span
		Name TestName
		X    Operand
		Arg  Operand
	}
)

func (c *And) Span() source.Span     { return c.At }
func (c *Or) Span() source.Span      { return c.At }
func (c *Not) Span() source.Span     { return c.At }
func (c *Compare) Span() source.Span { return c.At }
func (c *Between) Span() source.Span { return c.At }
func (c *In) Span() source.Span      { return c.At }
func (c *Test) Span() source.Span    { return c.At }

func (*And) cond()     {}
func (*Or) cond()      {}
func (*Not) cond()     {}
func (*Compare) cond() {}
func (*Between) cond() {}
func (*In) cond()      {}
func (*Test) cond()    {}

// Update is an update expression: what `change` says. DELETE takes members out
// of a set as ADD puts them in.
type Update struct {
	At     source.Span
	Set    []SetAction
	Remove []*Attr
	Add    []AddAction
	Delete []AddAction
}

// Span is where the expression stands.
func (u *Update) Span() source.Span { return u.At }

// SetAction assigns Value to Target.
type SetAction struct {
	At     source.Span
	Target *Attr
	Value  Operand
}

// AddAction adds Value to a number or set, or deletes it from a set.
type AddAction struct {
	At     source.Span
	Target *Attr
	Value  Operand
}
