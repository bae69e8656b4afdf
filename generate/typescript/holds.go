package typescript

import (
	"fmt"
	"strings"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/expr"
)

// holds is a condition on the item in view as TypeScript decides it.
func (s scope) holds(c expr.Cond) (string, error) {
	switch c := c.(type) {
	case *expr.And:
		return s.allHold(c.Terms, " && ")
	case *expr.Or:
		return s.allHold(c.Terms, " || ")
	case *expr.Not:
		inner, err := s.holds(c.Term)
		return "!(" + inner + ")", err
	case *expr.Compare:
		return s.compared(c.Left, c.Op, c.Right)
	case *expr.Between:
		low, err := s.compared(c.X, expr.Ge, c.Low)
		if err != nil {
			return "", err
		}
		high, err := s.compared(c.X, expr.Le, c.High)
		return low + " && " + high, err
	case *expr.In:
		return s.isIn(c)
	case *expr.Test:
		return s.test(c)
	}
	return "", fmt.Errorf("no condition: %T", c)
}

func (s scope) allHold(terms []expr.Cond, by string) (string, error) {
	var out []string
	for _, t := range terms {
		text, err := s.holds(t)
		if err != nil {
			return "", err
		}
		switch t.(type) {
		case *expr.And, *expr.Or, *expr.Between, *expr.In:
			text = "(" + text + ")"
		}
		out = append(out, text)
	}
	return strings.Join(out, by), nil
}

func (s scope) compared(left expr.Operand, op expr.Op, right expr.Operand) (string, error) {
	a, err := s.beside(left, right)
	if err != nil {
		return "", err
	}
	b, err := s.beside(right, left)
	return fmt.Sprintf("rt.holds(%s, %s, %s)", a, quote(string(op)), b), err
}

func (s scope) isIn(c *expr.In) (string, error) {
	if c.FromList {
		x, err := s.beside(c.X, c.List[0])
		if err != nil {
			return "", err
		}
		list, err := s.beside(c.List[0], c.X)
		return fmt.Sprintf("%s.some((m) => rt.equal(%s, m))", list, x), err
	}
	var out []string
	for _, o := range c.List {
		text, err := s.compared(c.X, expr.Eq, o)
		if err != nil {
			return "", err
		}
		out = append(out, text)
	}
	return strings.Join(out, " || "), nil
}

func (s scope) test(c *expr.Test) (string, error) {
	x, err := s.beside(c.X, c.Arg)
	if err != nil || c.Arg == nil {
		if c.Name == expr.AttributeNotExists {
			return "!rt.exists(" + x + ")", err
		}
		return "rt.exists(" + x + ")", err
	}
	arg, err := s.beside(c.Arg, c.X)
	switch c.Name {
	case expr.AttributeType:
		return fmt.Sprintf("rt.typeOf(%s) === %s", x, arg), err
	case expr.BeginsWith:
		return fmt.Sprintf("rt.beginsWith(%s, %s)", x, arg), err
	}
	return fmt.Sprintf("rt.contains(%s, %s)", x, arg), err
}

// beside is an operand in the form of what it stands beside.
func (s scope) beside(o, other expr.Operand) (string, error) {
	var like *model.Attribute
	if other != nil {
		like = s.domain(other)
	}
	if c, ok := o.(*expr.Call); ok && c.Func.Name == expr.Size {
		v, err := s.value(c.Args[0], nil)
		return "rt.size(" + v + ")", err
	}
	v, err := s.value(o, like)
	if _, ok := o.(*expr.Literal); ok && like != nil && like.Stored != "" {
		v = fmt.Sprintf("rt.%s(%s)", like.Stored, v)
	}
	return v, err
}
