package golang

import (
	"fmt"
	"go/ast"
	"go/parser"
	"slices"
	"strings"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/expr"
)

// holds is a condition on the stored item of the frame, as a Go expression.
func (fr *frame) holds(c expr.Cond) (string, error) {
	switch c := c.(type) {
	case *expr.And:
		return fr.allHold(c.Terms, " && ")
	case *expr.Or:
		return fr.allHold(c.Terms, " || ")
	case *expr.Not:
		inner, err := fr.holds(c.Term)
		return negated(inner), err
	case *expr.Compare:
		return fr.compares(c.Op, c.Left, c.Right)
	case *expr.Between:
		low, err := fr.compares(expr.Ge, c.X, c.Low)
		if err != nil {
			return "", err
		}
		high, err := fr.compares(expr.Le, c.X, c.High)
		return low + " && " + high, err
	case *expr.In:
		return fr.isAmong(c)
	case *expr.Test:
		return fr.tests(c)
	}
	return "", fault("no condition: %T", c)
}

// negated is the opposite of a condition in Go.
func negated(code string) string {
	if inner, ok := strings.CutPrefix(code, "!"); ok && isCall(inner) {
		return inner
	}
	if isCall(code) {
		return "!" + code
	}
	return "!(" + code + ")"
}

// isCall tells whether code is one call of a function, and nothing behind it.
func isCall(code string) bool {
	e, err := parser.ParseExpr(code)
	if err != nil {
		return false
	}
	_, call := e.(*ast.CallExpr)
	return call
}

// mentions tells whether code speaks of a name.
func mentions(code, name string) bool {
	e, err := parser.ParseExpr(code)
	if err != nil {
		return true
	}
	found := false
	ast.Inspect(e, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		found = found || ok && id.Name == name
		return !found
	})
	return found
}

// needs writes the declarations of what conditions speak of: a fault, the time. It
// tells whether there is a fault.
func needs(w *writer, codes ...string) (faulty bool) {
	speaks := func(name string) bool {
		return slices.ContainsFunc(codes, func(code string) bool { return mentions(code, name) })
	}
	if faulty = speaks("f"); faulty {
		w.line("f := &fault{}")
	}
	if speaks("now") {
		w.line("now := t.clock().UTC()")
	}
	return faulty
}

func (fr *frame) allHold(terms []expr.Cond, by string) (string, error) {
	var out []string
	for _, t := range terms {
		text, err := fr.holds(t)
		if err != nil {
			return "", err
		}
		switch t.(type) {
		case *expr.And, *expr.Or, *expr.Between:
			text = "(" + text + ")"
		}
		out = append(out, text)
	}
	return strings.Join(out, by), nil
}

// comparisons are the functions of the fixed part that compare.
var comparisons = map[expr.Op]string{
	expr.Eq: "equal", expr.Ne: "!equal", expr.Lt: "less", expr.Le: "atMost", expr.Gt: "greater", expr.Ge: "atLeast",
}

func (fr *frame) compares(op expr.Op, left, right expr.Operand) (string, error) {
	a, err := fr.side(left, right)
	if err != nil {
		return "", err
	}
	b, err := fr.side(right, left)
	return fmt.Sprintf("%s(%s, %s)", comparisons[op], a, b), err
}

func (fr *frame) isAmong(c *expr.In) (string, error) {
	out, err := fr.side(c.X, c.List[0])
	if err != nil {
		return "", err
	}
	if c.FromList {
		list, err := fr.operand(c.List[0], fr.definition(c.X))
		if err != nil {
			return "", err
		}
		member := val{code: "v", name: list.name, typ: list.typ.elem}.folded(fr.definition(c.X))
		return fmt.Sprintf("among(%s, each(%s, func(v %s) types.AttributeValue { return %s })...)", out, list.code, list.typ.elem.name, member.written()), nil
	}
	for _, o := range c.List {
		text, err := fr.side(o, c.X)
		if err != nil {
			return "", err
		}
		out += ", " + text
	}
	return "among(" + out + ")", nil
}

func (fr *frame) tests(t *expr.Test) (string, error) {
	x, err := fr.side(t.X, t.Arg)
	if err != nil {
		return "", err
	}
	switch t.Name {
	case expr.AttributeExists:
		return x + " != nil", nil
	case expr.AttributeNotExists:
		return x + " == nil", nil
	}
	arg, err := fr.side(t.Arg, t.X)
	switch t.Name {
	case expr.AttributeType:
		return fmt.Sprintf("equal(typeOf(%s), %s)", x, arg), err
	case expr.BeginsWith:
		return fmt.Sprintf("beginsWith(%s, %s)", x, arg), err
	}
	return fmt.Sprintf("contains(%s, %s)", x, arg), err
}

// definition is the attribute that an operand is, nil when it is none.
func (fr *frame) definition(o expr.Operand) *model.Attribute {
	a, ok := o.(*expr.Attr)
	if !ok || fr.entity == nil {
		return nil
	}
	return fr.entity.AttributeAt(a.Path)
}

// side is an operand as an attribute value, nil when it is absent; what is
// compared with an attribute is folded as that is stored.
func (fr *frame) side(o, beside expr.Operand) (string, error) {
	like := fr.definition(beside)
	if call, ok := o.(*expr.Call); ok && !expr.Constant(o) {
		return fr.calls(call)
	}
	if sum, ok := o.(*expr.Arith); ok && !expr.Constant(o) {
		if like == nil {
			like = fr.definition(sum.Left)
		}
	}
	v, err := fr.operand(o, like)
	if err != nil {
		return "", err
	}
	if expr.Constant(o) {
		v = v.folded(like)
	}
	return v.written(), nil
}

// calls is a function of an attribute, which gives nothing where that is absent.
func (fr *frame) calls(c *expr.Call) (string, error) {
	x, err := fr.side(c.Args[0], nil)
	if err != nil {
		return "", err
	}
	if c.Func.Name == expr.Size {
		return "size(" + x + ")", nil
	}
	if !c.Func.Name.IsTemplate() {
		v, err := fr.operand(c, nil)
		return v.written(), err
	}
	v := rawVal("v", "the condition", fr.definition(c.Args[0])).apply(c.Func, false)
	return fmt.Sprintf("through(%s, func(v types.AttributeValue) types.AttributeValue { return %s })", x, v.written()), nil
}
