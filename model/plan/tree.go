package plan

import (
	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/expr"
	"github.com/dynmodel/dynmodel/model/value"
)

// anyOf is the condition that holds when some term does.
func anyOf(terms []expr.Cond) expr.Cond {
	if len(terms) == 1 {
		return terms[0]
	}
	return &expr.Or{At: terms[0].Span(), Terms: terms}
}

// attribute names an attribute in a condition the planner makes.
func attribute(name string) *expr.Attr { return &expr.Attr{Path: expr.Path{Name: name}} }

func textLiteral(s string) *expr.Literal { return &expr.Literal{Value: value.OfString(s)} }

func compare(left expr.Operand, op expr.Op, right expr.Operand) expr.Cond {
	return &expr.Compare{At: right.Span(), Op: op, Left: left, Right: right}
}

func exists(name string) expr.Cond { return existsAt(expr.Path{Name: name}) }

func existsAt(p expr.Path) expr.Cond {
	return &expr.Test{Name: expr.AttributeExists, X: &expr.Attr{Path: p}}
}

func notExists(name string) expr.Cond {
	return &expr.Test{Name: expr.AttributeNotExists, X: attribute(name)}
}

// replaced is an operand with its attributes replaced; with gives nil for one
// that cannot be, and then so is the whole.
func replaced(o expr.Operand, with func(*expr.Attr) expr.Operand) expr.Operand {
	switch o := o.(type) {
	case *expr.Attr:
		return with(o)
	case *expr.Call:
		args := make([]expr.Operand, len(o.Args))
		for i, arg := range o.Args {
			if args[i] = replaced(arg, with); args[i] == nil {
				return nil
			}
		}
		return &expr.Call{At: o.At, Func: o.Func, Args: args}
	case *expr.Arith:
		left, right := replaced(o.Left, with), replaced(o.Right, with)
		if left == nil || right == nil {
			return nil
		}
		return &expr.Arith{At: o.At, Minus: o.Minus, Left: left, Right: right}
	}
	return o
}

// domains are what the entity declares of its attributes, as far as
// implication cares.
func domains(e *model.Entity) expr.Domains {
	return func(attr *expr.Attr) expr.Domain {
		a := e.AttributeAt(attr.Path)
		if a == nil {
			return expr.Domain{}
		}
		d := expr.Domain{Kind: a.Type.Kind(), Whole: a.Type == model.TypeInteger, Stored: a.Stored,
			Required: isRequired(e, attr.Path), Min: a.Domain.Min, Max: a.Domain.Max}
		for _, choice := range a.Domain.Values {
			d.Values = append(d.Values, choice.Value)
		}
		return d
	}
}
