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
		return expr.Between{Operand: o[0], Low: o[1], High: o[2]}, nil
	case *partiql.In:
		o, err := operandsOf(append([]partiql.Expr{e.Operand}, e.List...)...)
		if err != nil {
			return nil, err
		}
		return expr.In{Operand: o[0], List: o[1:]}, nil
	case *partiql.Is:
		return isCondition(e)
	case *partiql.Call:
		return callCondition(e)
	}
	return nil, errUnsupported
}

var errUnsupported = api.Invalid("Unsupported expression in the statement")

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
	for _, operand := range o {
		if l, ok := operand.(expr.Literal); ok && e.Op != "=" && e.Op != "<>" && !attr.Value(l).Type().IsKey() {
			return nil, api.Invalid("Incorrect operand type for operator or function; operator or function: %s, operand type: %s", e.Op, attr.Value(l).Type())
		}
	}
	return expr.Compare{Op: expr.Comparator(e.Op), Left: o[0], Right: o[1]}, nil
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

func callCondition(e *partiql.Call) (expr.Condition, error) {
	o, err := operandsOf(e.Args...)
	if err != nil {
		return nil, err
	}
	switch path, isPath := o[0].(expr.Path); e.Function {
	case "begins_with":
		return expr.BeginsWith{Operand: o[0], Prefix: o[1]}, nil
	case "contains":
		return expr.Contains{Operand: o[0], Element: o[1]}, nil
	case "attribute_type":
		name, _ := o[1].(expr.Literal)
		if t, ok := attr.ParseType(attr.Value(name).Text()); ok {
			return expr.HasType{Operand: o[0], Type: t}, nil
		}
	case "attribute_exists", "attribute_not_exists":
		if isPath {
			return expr.Exists{Path: path, Not: e.Function == "attribute_not_exists"}, nil
		}
	}
	return nil, errUnsupported
}

// operandsOf returns what a condition is about. There is at least one operand.
func operandsOf(list ...partiql.Expr) ([]expr.Operand, error) {
	operands := make([]expr.Operand, len(list))
	for i, e := range list {
		switch e := e.(type) {
		case partiql.Path:
			operands[i] = pathOf(e)
		case partiql.Literal:
			operands[i] = expr.Literal(e.Value)
		case *partiql.Call:
			if e.Function != "size" {
				return nil, errUnsupported
			}
			of, err := operandsOf(e.Args...)
			if err != nil {
				return nil, err
			}
			operands[i] = expr.Size{Of: of[0]}
		default:
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
		return expr.Arithmetic{Left: left, Right: right, Minus: e.Op == "-"}, err
	case *partiql.Call:
		return assignedCall(e)
	}
	return nil, errUnsupported
}

func assignedCall(e *partiql.Call) (expr.Expression, error) {
	if len(e.Args) != 2 {
		return nil, errUnsupported
	}
	second, err := assigned(e.Args[1])
	if err != nil {
		return nil, err
	}
	if path, ok := e.Args[0].(partiql.Path); ok && e.Function == "if_not_exists" {
		return expr.IfNotExists{Path: pathOf(path), Default: second}, nil
	}
	if e.Function != "list_append" {
		return nil, errUnsupported
	}
	first, err := assigned(e.Args[0])
	return expr.ListAppend{First: first, Second: second}, err
}
