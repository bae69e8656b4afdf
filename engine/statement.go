package engine

import (
	"math"
	"slices"
	"unicode/utf8"

	"github.com/dynmodel/dynmodel/engine/api"
	"github.com/dynmodel/dynmodel/engine/attr"
	"github.com/dynmodel/dynmodel/engine/expr"
	"github.com/dynmodel/dynmodel/engine/partiql"
)

// A statement is one of PartiQL that has been read.
type statement struct {
	parsed     partiql.Statement
	consistent bool
	returnOld  bool
}

func checkStatement(at string, text *string, parameters []attr.Value, returnOnFailure string) error {
	var statement, list error
	if text == nil {
		statement = api.Required(at + "statement")
	} else {
		statement = checkLength(at+"statement", *text, utf8.RuneCountInString(*text), 1, partiql.MaxBytes)
	}
	if parameters != nil {
		list = checkLength(at+"parameters", "[]", len(parameters), 1, math.MaxInt)
	}
	return api.First(
		statement,
		list,
		checkReturnOnFailure(at+"returnValuesOnConditionCheckFailure", returnOnFailure))
}

func readStatement(p api.ParameterizedStatement) (*statement, error) {
	parsed, err := partiql.Parse(*p.Statement, p.Parameters)
	if err != nil {
		return nil, asRefusal(err)
	}
	st := &statement{
		parsed:     parsed,
		consistent: p.ConsistentRead,
		returnOld:  p.ReturnValuesOnConditionCheckFailure == returnAllOld,
	}
	table := st.table()
	return st, tableName("tableName", &table)
}

// reads reports whether the statement is a SELECT.
func (st *statement) reads() bool {
	_, ok := st.parsed.(*partiql.Select)
	return ok
}

// table returns the table that the statement is about.
func (st *statement) table() string {
	switch p := st.parsed.(type) {
	case *partiql.Select:
		return p.From.Table
	case *partiql.Insert:
		return p.Table
	case *partiql.Update:
		return p.Table
	case *partiql.Delete:
		return p.Table
	case *partiql.Exists:
		return p.Select.From.Table
	}
	return ""
}

// action returns the action that a writing statement means.
func (st *statement) action(s *schema) (*action, error) {
	there := expr.Exists{Path: expr.Attribute(s.key.all[0].Name)}
	switch p := st.parsed.(type) {
	case *partiql.Insert:
		notThere := there
		notThere.Not = true
		return &action{kind: actionPut, item: p.Item, condition: notThere, insert: true, returnOld: st.returnOld}, nil
	case *partiql.Update:
		a, err := st.keyed(s, actionUpdate, p.Where)
		if err != nil {
			return nil, err
		}
		a.condition = and(there, a.condition)
		a.update, err = updateOfActions(p.Actions)
		return a, err
	case *partiql.Delete:
		return st.keyed(s, actionDelete, p.Where)
	case *partiql.Exists:
		return st.keyed(s, actionCheck, p.Select.Where)
	}
	return nil, errUnsupported
}

func and(a, b expr.Condition) expr.Condition {
	if b == nil {
		return a
	}
	return expr.And{Left: a, Right: b}
}

// keyed returns an action on the item whose key the condition fixes; the rest
// of the condition is the action's own.
func (st *statement) keyed(s *schema, kind actionKind, where partiql.Expr) (*action, error) {
	key, rest, ok := splitKey(s.key, where)
	if !ok {
		return nil, api.Invalid("Where clause does not contain a mandatory equality on all key attributes")
	}
	condition, err := conditionOf(rest)
	return &action{kind: kind, item: key, condition: condition, returnOld: st.returnOld}, err
}

// returning returns what the statement wants to have of the item.
func (st *statement) returning(a *action, c change) attr.Item {
	want := partiql.ReturnNone
	switch p := st.parsed.(type) {
	case *partiql.Update:
		want = p.Returning
	case *partiql.Delete:
		want = p.Returning
	}
	switch want {
	case partiql.ReturnAllOld:
		return c.old
	case partiql.ReturnAllNew:
		return c.new
	case partiql.ReturnModifiedOld:
		return a.update.Touched().Of(c.old)
	case partiql.ReturnModifiedNew:
		return a.update.Touched().Of(c.new)
	}
	return attr.Item{}
}

// splitKey takes the equalities with all attributes of a key out of a
// condition; ok is false if one of them is not there.
func splitKey(k keySchema, where partiql.Expr) (key attr.Item, rest []partiql.Expr, ok bool) {
	var entries []attr.Entry
	for _, part := range partiql.Conjuncts(where) {
		name, op, values := comparisonWith(part)
		taken := slices.ContainsFunc(entries, func(e attr.Entry) bool { return e.Name == name })
		if op == "=" && k.has(name) && !taken {
			entries = append(entries, attr.Entry{Name: name, Value: values[0]})
		} else {
			rest = append(rest, part)
		}
	}
	return attr.NewItem(entries...), rest, len(entries) == len(k.all)
}

// comparisonWith takes apart a comparison of a top-level attribute with
// literals. op is a comparator, IN, BETWEEN or begins_with; it is empty for
// anything else.
func comparisonWith(e partiql.Expr) (name, op string, values []attr.Value) {
	switch e := e.(type) {
	case *partiql.Binary:
		if name, values = attributeAndLiterals(e.Left, e.Right); name != "" {
			return name, e.Op, values
		}
		if name, values = attributeAndLiterals(e.Right, e.Left); name != "" {
			return name, mirrored(e.Op), values
		}
	case *partiql.In:
		name, values = attributeAndLiterals(e.Operand, e.List...)
		op = "IN"
	case *partiql.Between:
		name, values = attributeAndLiterals(e.Operand, e.Low, e.High)
		op = "BETWEEN"
	case *partiql.Call:
		if e.Function == "begins_with" && len(e.Args) == 2 {
			name, values = attributeAndLiterals(e.Args[0], e.Args[1])
			op = e.Function
		}
	}
	if name == "" {
		return "", "", nil
	}
	return name, op, values
}

// mirrored returns the comparator for sides that have changed places.
func mirrored(op string) string {
	switch op {
	case "<":
		return ">"
	case "<=":
		return ">="
	case ">":
		return "<"
	case ">=":
		return "<="
	}
	return op
}

func attributeAndLiterals(e partiql.Expr, literals ...partiql.Expr) (name string, values []attr.Value) {
	path, ok := e.(partiql.Path)
	if !ok || len(path) != 1 {
		return "", nil
	}
	for _, l := range literals {
		literal, ok := l.(partiql.Literal)
		if !ok {
			return "", nil
		}
		values = append(values, literal.Value)
	}
	return path[0].Name, values
}
