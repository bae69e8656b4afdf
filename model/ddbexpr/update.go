package ddbexpr

import (
	"strings"

	"github.com/dynmodel/dynmodel/model/expr"
)

// Clauses are the clauses of an update expression, each with its actions.
type Clauses[T any] struct{ Set, Remove, Add, Delete []T }

// Clause is one of the clauses.
type Clause[T any] struct {
	Word    string // SET, …
	Actions []T
}

// All are the clauses in the order in which DynamoDB's documentation has them,
// those without actions too.
func (c Clauses[T]) All() []Clause[T] {
	return []Clause[T]{{"SET", c.Set}, {"REMOVE", c.Remove}, {"ADD", c.Add}, {"DELETE", c.Delete}}
}

// Joined is the update expression: the clauses that are not empty.
func Joined(c Clauses[string]) string {
	var out []string
	for _, clause := range c.All() {
		if len(clause.Actions) > 0 {
			out = append(out, clause.Word+" "+strings.Join(clause.Actions, ", "))
		}
	}
	return strings.Join(out, " ")
}

// Update writes a change; nothing for nil. The error says what DynamoDB cannot
// work out.
func (w Writer) Update(u *expr.Update) (Clauses[Text], error) {
	var out Clauses[Text]
	if u == nil {
		return out, nil
	}
	for _, a := range u.Set {
		text, err := w.action(a.Target, " = ", a.Value)
		if err != nil {
			return out, err
		}
		out.Set = append(out.Set, text)
	}
	for _, a := range u.Remove {
		out.Remove = append(out.Remove, path(a.Path))
	}
	for _, list := range []struct {
		actions []expr.AddAction
		to      *[]Text
	}{{u.Add, &out.Add}, {u.Delete, &out.Delete}} {
		for _, a := range list.actions {
			text, err := w.action(a.Target, " ", a.Value)
			if err != nil {
				return out, err
			}
			*list.to = append(*list.to, text)
		}
	}
	return out, nil
}

// action writes a target and a value, which takes its form.
func (w Writer) action(target *expr.Attr, between Word, o expr.Operand) (Text, error) {
	v, err := w.operand(o, w.attribute(target.Path))
	return append(append(path(target.Path), between), v...), err
}

// Render makes something else of every action.
func Render[T any](c Clauses[Text], render func(Text) (T, error)) (out Clauses[T], err error) {
	for _, list := range []struct {
		from []Text
		to   *[]T
	}{{c.Set, &out.Set}, {c.Remove, &out.Remove}, {c.Add, &out.Add}, {c.Delete, &out.Delete}} {
		for _, text := range list.from {
			made, err := render(text)
			if err != nil {
				return out, err
			}
			*list.to = append(*list.to, made)
		}
	}
	return out, nil
}
