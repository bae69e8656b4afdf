// Package ddbexpr writes conditions and changes of the language in the syntax of
// DynamoDB's expressions. What a request has behind placeholders stays open: a
// plan fills it in for a call, generators with code that does.
package ddbexpr

import (
	"fmt"
	"strconv"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/expr"
	"github.com/dynmodel/dynmodel/model/value"
)

// Text is an expression, piece by piece.
type Text []Piece

// Piece is a piece of a Text: a Word, Name, NameOf, Value or List.
type Piece interface{ piece() }

type (
	// Word is what stands in the expression as it is.
	Word string
	// Name is the name of an attribute, or of a member of a map.
	Name string
	// NameOf is the name of a member of a map that a parameter gives.
	NameOf string
	// Value is an operand that has its value before anything is read. It has the
	// form of the attribute Like, which may be nil.
	Value struct {
		Operand expr.Operand
		Like    *model.Attribute
	}
	// List are the members of a list that the call gives, parted by commas.
	List struct {
		Operand expr.Operand
		Like    *model.Attribute
	}
)

func (Word) piece()   {}
func (Name) piece()   {}
func (NameOf) piece() {}
func (Value) piece()  {}
func (List) piece()   {}

// Writer writes the expressions of one request.
type Writer struct {
	// Entities are those whose attributes give form to what stands beside them.
	Entities []*model.Entity
	// Parameter is the definition of what a parameter holds, nil for none.
	Parameter func(*expr.Param) *model.Attribute
}

// Condition writes a condition; nothing for nil. The error says what DynamoDB
// cannot work out.
func (w Writer) Condition(c expr.Cond) (Text, error) {
	switch c := c.(type) {
	case nil:
		return nil, nil
	case *expr.And:
		return w.joined(c.Terms, " AND ")
	case *expr.Or:
		return w.joined(c.Terms, " OR ")
	case *expr.Not:
		inner, err := w.nested(c.Term)
		return append(Text{Word("NOT ")}, inner...), err
	case *expr.Compare:
		return w.sides([]Word{"", Word(" " + string(c.Op) + " "), ""}, side{c.Left, c.Right}, side{c.Right, c.Left})
	case *expr.Between:
		return w.sides([]Word{"", " BETWEEN ", " AND ", ""}, side{c.X, c.Low}, side{c.Low, c.X}, side{c.High, c.X})
	case *expr.In:
		return w.in(c)
	case *expr.Test:
		name := Word(string(c.Name) + "(")
		if c.Arg == nil {
			return w.sides([]Word{name, ")"}, side{c.X, c.X})
		}
		return w.sides([]Word{name, ", ", ")"}, side{c.X, c.Arg}, side{c.Arg, c.X})
	}
	return nil, fmt.Errorf("no condition: %T", c)
}

func (w Writer) joined(terms []expr.Cond, by Word) (Text, error) {
	var out Text
	for i, t := range terms {
		if i > 0 {
			out = append(out, by)
		}
		text, err := w.nested(t)
		if err != nil {
			return nil, err
		}
		out = append(out, text...)
	}
	return out, nil
}

// nested writes a condition inside another one.
func (w Writer) nested(c expr.Cond) (Text, error) {
	text, err := w.Condition(c)
	switch c.(type) {
	case *expr.And, *expr.Or, *expr.Not:
		text = append(append(Text{Word("(")}, text...), Word(")"))
	}
	return text, err
}

// side is an operand and the one it stands beside, whose form it takes.
type side struct{ operand, beside expr.Operand }

// sides writes operands between words.
func (w Writer) sides(words []Word, sides ...side) (Text, error) {
	var out Text
	for i, s := range sides {
		text, err := w.operand(s.operand, w.like(s.operand, s.beside))
		if err != nil {
			return nil, err
		}
		out = append(append(out, words[i]), text...)
	}
	return append(out, words[len(sides)]), nil
}

// like is the definition an operand takes its form from: the attribute that it or
// what it stands beside is made of, else the parameter.
func (w Writer) like(o, beside expr.Operand) *model.Attribute {
	for _, p := range []expr.Operand{beside, o} {
		for _, a := range expr.Attrs(p) {
			if found := w.attribute(a.Path); found != nil {
				return found
			}
		}
	}
	for _, p := range []expr.Operand{beside, o} {
		for _, q := range expr.Params(p) {
			if found := w.Parameter(q); found != nil {
				return found
			}
		}
	}
	return nil
}

// attribute is the definition of an attribute in the first entity that has it.
func (w Writer) attribute(p expr.Path) *model.Attribute {
	for _, e := range w.Entities {
		if a := e.AttributeAt(p); a != nil {
			return a
		}
	}
	return nil
}

func (w Writer) in(c *expr.In) (Text, error) {
	out, err := w.operand(c.X, nil)
	if err != nil {
		return nil, err
	}
	out = append(out, Word(" IN ("))
	like := w.like(c.List[0], c.X)
	if c.FromList {
		return append(out, List{c.List[0], like}, Word(")")), nil
	}
	members, err := w.operands(c.List, like)
	return append(append(out, members...), Word(")")), err
}

// operands writes operands, parted by commas.
func (w Writer) operands(all []expr.Operand, like *model.Attribute) (Text, error) {
	var out Text
	for i, o := range all {
		if i > 0 {
			out = append(out, Word(", "))
		}
		text, err := w.operand(o, like)
		if err != nil {
			return nil, err
		}
		out = append(out, text...)
	}
	return out, nil
}

// operand writes an operand: what is constant as a value, the rest with
// DynamoDB's functions and sums.
func (w Writer) operand(o expr.Operand, like *model.Attribute) (Text, error) {
	constant := expr.Constant(o)
	switch o := o.(type) {
	case *expr.Attr:
		return path(o.Path), nil
	case *expr.Call:
		if !o.Func.Name.IsTemplate() {
			args, err := w.operands(o.Args, like)
			return append(append(Text{Word(string(o.Func.Name) + "(")}, args...), Word(")")), err
		}
	case *expr.Arith:
		if !constant {
			return w.sum(o, like)
		}
	}
	if !constant {
		return nil, fmt.Errorf("DynamoDB cannot work out %s", expr.String(o))
	}
	return Text{Value{o, like}}, nil
}

// path writes the way to an attribute.
func path(p expr.Path) Text {
	out := Text{Name(p.Name)}
	for _, step := range p.Rest {
		switch {
		case step.Param != "":
			out = append(out, Word("."), NameOf(step.Param))
		case step.Name != "":
			out = append(out, Word("."), Name(step.Name))
		default:
			out = append(out, Word("["+strconv.Itoa(step.Index)+"]"))
		}
	}
	return out
}

func (w Writer) sum(o *expr.Arith, like *model.Attribute) (Text, error) {
	left, err := w.addend(o.Left, like)
	if err != nil {
		return nil, err
	}
	right, err := w.addend(o.Right, like)
	sign := Word(" + ")
	if o.Minus {
		sign = " - "
	}
	return append(append(left, sign), right...), err
}

// addend is an operand of a sum with an attribute. A duration is a number of the
// attribute's units, which only the epochs have.
func (w Writer) addend(o expr.Operand, like *model.Attribute) (Text, error) {
	d, ok := o.(*expr.Duration)
	if !ok {
		return w.operand(o, like)
	}
	number := func(n int64) (Text, error) {
		return Text{Value{&expr.Literal{At: d.At, Value: value.OfInt(n)}, nil}}, nil
	}
	switch {
	case like != nil && like.Type == model.TypeEpoch:
		return number(int64(d.Length.Seconds()))
	case like != nil && like.Type == model.TypeEpochMS:
		return number(d.Length.Milliseconds())
	}
	return nil, fmt.Errorf("DynamoDB cannot add %s to a text", expr.String(o))
}
