package engine

import (
	"github.com/dynmodel/dynmodel/engine/api"
	"github.com/dynmodel/dynmodel/engine/attr"
	"github.com/dynmodel/dynmodel/engine/expr"
	"github.com/dynmodel/dynmodel/engine/partiql"
)

// PartiQL's conditions and assignments are carried out as the expressions that
// mean the same.

// conditionOf returns the condition that holds if all parts do, or nil if
// there are none.
func conditionOf(parts []partiql.Expr) (expr.Condition, error) {
	var all expr.Condition
	for _, p := range parts {
		c, err := oneCondition(p)
		if err != nil {
			return nil, err
		}
		if all == nil {
			all = c
		} else {
			all = expr.And{Left: all, Right: c}
		}
	}
	return all, nil
}

func oneCondition(e partiql.Expr) (expr.Condition, error) {
	switch e := e.(type) {
	case *partiql.Binary:
		return binaryCondition(e)
	case *partiql.Not:
		c, err := oneCondition(e.Condition)
		return expr.Not{Condition: c}, err
	case *partiql.Between:
		o, err := operandsOf(e.Operand, e.Low, e.High)
		if err != nil {
			return nil, err
		}
		return refusedCondition(expr.NewBetween(o[0], o[1], o[2]))
	case *partiql.In:
		o, err := operandsOf(append([]partiql.Expr{e.Operand}, e.List...)...)
		if err != nil {
			return nil, err
		}
		return refusedCondition(expr.NewIn(o[0], o[1:]))
	case *partiql.Is:
		return isCondition(e)
	case *partiql.Call:
		if c, _, err := call(e); c != nil || err != nil {
			return c, err
		}
	}
	return nil, errUnsupported
}

var errUnsupported = api.Invalid("Unsupported expression in the statement")

func refusedCondition(c expr.Condition, err error) (expr.Condition, error) {
	return c, asRefusal(err)
}

func binaryCondition(e *partiql.Binary) (expr.Condition, error) {
	if e.Op == "AND" || e.Op == "OR" {
		left, err := oneCondition(e.Left)
		if err != nil {
			return nil, err
		}
		right, err := oneCondition(e.Right)
		if e.Op == "AND" {
			return expr.And{Left: left, Right: right}, err
		}
		return expr.Or{Left: left, Right: right}, err
	}
	o, err := operandsOf(e.Left, e.Right)
	if err != nil {
		return nil, err
	}
	return refusedCondition(expr.NewCompare(expr.Comparator(e.Op), o[0], o[1]))
}

func isCondition(e *partiql.Is) (expr.Condition, error) {
	o, err := operandsOf(e.Operand)
	if err != nil {
		return nil, err
	}
	path, ok := o[0].(expr.Path)
	switch {
	case ok && e.Missing:
		return expr.Exists{Path: path, Not: true}, nil
	case e.Missing:
		return nil, errUnsupported
	}
	return expr.HasType{Operand: o[0], Type: attr.NULL}, nil
}

// call returns what a function call is: a condition, or for size an operand.
func call(e *partiql.Call) (expr.Condition, expr.Operand, error) {
	args, err := operandsOf(e.Args...)
	if err != nil {
		return nil, nil, err
	}
	c, o, err := expr.NewCall(e.Function, args)
	return c, o, asRefusal(err)
}

// operandsOf returns what a condition is about.
func operandsOf(list ...partiql.Expr) ([]expr.Operand, error) {
	operands := make([]expr.Operand, len(list))
	for i, e := range list {
		switch e := e.(type) {
		case partiql.Path:
			operands[i] = pathOf(e)
		case partiql.Literal:
			operands[i] = expr.Literal(e.Value)
		case *partiql.Call:
			_, o, err := call(e)
			if err != nil {
				return nil, err
			}
			operands[i] = o
		}
		if operands[i] == nil {
			return nil, errUnsupported
		}
	}
	return operands, nil
}

func pathOf(p partiql.Path) expr.Path {
	path := make(expr.Path, len(p))
	for i, e := range p {
		path[i] = expr.Element(e)
	}
	return path
}

// updateOfActions returns the update that an UPDATE's assignments mean.
func updateOfActions(actions []partiql.Action) (*expr.Update, error) {
	list := make([]expr.Action, len(actions))
	for i, a := range actions {
		var err error
		if list[i], err = actionOf(a); err != nil {
			return nil, err
		}
	}
	u, err := expr.NewUpdate(list)
	return u, asRefusal(err)
}

func actionOf(a partiql.Action) (expr.Action, error) {
	path := pathOf(a.Path)
	if a.Value == nil {
		return expr.Action{Verb: expr.Remove, Path: path}, nil
	}
	if call, ok := a.Value.(*partiql.Call); ok && (call.Function == "set_add" || call.Function == "set_delete") {
		members, ok := call.Args[1].(partiql.Literal)
		if !ok {
			return expr.Action{}, errUnsupported
		}
		verb := expr.Add
		if call.Function == "set_delete" {
			verb = expr.Delete
		}
		return expr.Action{Verb: verb, Path: path, Value: expr.Literal(members.Value)}, nil
	}
	value, err := assigned(a.Value)
	return expr.Action{Verb: expr.Set, Path: path, Value: value}, err
}

// assigned returns the right-hand side of an assignment.
func assigned(e partiql.Expr) (expr.Expression, error) {
	switch e := e.(type) {
	case partiql.Path:
		return pathOf(e), nil
	case partiql.Literal:
		return expr.Literal(e.Value), nil
	case *partiql.Binary:
		left, err := assigned(e.Left)
		if err != nil {
			return nil, err
		}
		right, err := assigned(e.Right)
		if err != nil {
			return nil, err
		}
		return refusedExpression(expr.NewArithmetic(left, right, e.Op == "-"))
	case *partiql.Call:
		args := make([]expr.Expression, len(e.Args))
		for i, a := range e.Args {
			var err error
			if args[i], err = assigned(a); err != nil {
				return nil, err
			}
		}
		return refusedExpression(expr.NewUpdateCall(e.Function, args))
	}
	return nil, errUnsupported
}

func refusedExpression(e expr.Expression, err error) (expr.Expression, error) {
	return e, asRefusal(err)
}
