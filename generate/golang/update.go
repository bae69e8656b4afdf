package golang

import (
	"fmt"
	"strings"

	"github.com/dynmodel/dynmodel/model/expr"
)

// updateClauses are the clauses of an update expression.
type updateClauses struct {
	*expression
	set, remove, add, drop []phrase
}

// change writes the actions of a change into the clauses.
func (c *updateClauses) change(u *expr.Update) error {
	for _, a := range u.Set {
		target, err := c.path(a.Target.Path)
		if err != nil {
			return err
		}
		v, err := c.operand(a.Value, c.definition(a.Target.Path))
		if err != nil {
			return err
		}
		c.set = append(c.set, sentence(target, " = ", v))
	}
	for _, a := range u.Remove {
		target, err := c.path(a.Path)
		if err != nil {
			return err
		}
		c.remove = append(c.remove, target)
	}
	for _, clause := range []struct {
		actions []expr.AddAction
		to      *[]phrase
	}{{u.Add, &c.add}, {u.Delete, &c.drop}} {
		for _, a := range clause.actions {
			target, err := c.path(a.Target.Path)
			if err != nil {
				return err
			}
			v, err := c.operand(a.Value, c.definition(a.Target.Path))
			if err != nil {
				return err
			}
			*clause.to = append(*clause.to, sentence(target, " ", v))
		}
	}
	return nil
}

// all are the clauses in DynamoDB's usual order, with their fields of the fixed
// part's update.
func (c *updateClauses) all() []struct {
	word, field string
	actions     []phrase
} {
	return []struct {
		word, field string
		actions     []phrase
	}{{"SET", "set", c.set}, {"REMOVE", "remove", c.remove}, {"ADD", "add", c.add}, {"DELETE", "drop", c.drop}}
}

// text are the clauses that are not empty.
func (c *updateClauses) text() phrase {
	var out phrase
	for _, clause := range c.all() {
		for i, a := range clause.actions {
			switch {
			case i > 0:
				out.literal(", ")
			case out.isEmpty():
				out.literal(clause.word + " ")
			default:
				out.literal(" " + clause.word + " ")
			}
			out.add(a)
		}
	}
	return out
}

// fields are the clauses as the fields of the fixed part's update.
func (c *updateClauses) fields() string {
	var out []string
	for _, clause := range c.all() {
		if len(clause.actions) == 0 {
			continue
		}
		var actions []string
		for _, a := range clause.actions {
			actions = append(actions, a.String())
		}
		out = append(out, fmt.Sprintf("%s: []string{%s}", clause.field, strings.Join(actions, ", ")))
	}
	return strings.Join(out, ", ")
}
