package plan

import (
	"strings"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/encode"
	"github.com/dynmodel/dynmodel/model/expr"
	"github.com/dynmodel/dynmodel/model/value"
)

// clauses are the clauses of an update expression.
type clauses struct {
	set, remove, add, drop []string
}

// updateText writes the update expression; "" when there is nothing to change.
func (a *Action) updateText(x *expression) (string, error) {
	var c clauses
	if a.Change != nil {
		if err := c.change(x, a.Change); err != nil {
			return "", err
		}
	}
	if a.ReadFirst && x.scope.old == nil && !a.Step.Upsert {
		return c.String(), nil // the item is missing, and the condition refuses the update
	}
	for _, k := range a.IndexKeys {
		v, err := k.after(x.scope, a.Entity)
		if err != nil && x.scope.old == nil && a.ReadFirst {
			continue // a new item has not what the key needs
		}
		if err != nil {
			return "", err
		}
		if name := x.name(k.Attribute.Name); v.Exists() {
			c.set = append(c.set, name+" = "+x.value(v))
		} else {
			c.remove = append(c.remove, name)
		}
	}
	return c.String(), nil
}

// after is the key attribute's value after the update; absent when it is removed.
func (k *IndexKey) after(s *scope, e *model.Entity) (value.Value, error) {
	if k.Removed() {
		return value.Value{}, nil
	}
	included := len(k.Members) == 0
	for _, m := range k.Members {
		in, err := m.holds(s, e)
		if err != nil {
			return value.Value{}, err
		}
		included = included || in
	}
	if !included {
		return value.Value{}, nil
	}
	return s.recipe(k.Value)
}

// holds tells whether the item is in the index after the update.
func (m Membership) holds(s *scope, e *model.Entity) (bool, error) {
	item, err := s.assigned(m.Known)
	if err != nil {
		return false, err
	}
	item = encode.Normalise(e, item)
	for _, w := range m.When {
		if !encode.Holds(w.Cond, e, item) {
			return false, nil
		}
	}
	for _, p := range m.Present {
		if !encode.Lookup(item, p).Exists() {
			return false, nil
		}
	}
	return true, nil
}

func (c *clauses) change(x *expression, u *expr.Update) error {
	for _, a := range u.Set {
		target := x.path(a.Target.Path)
		v, err := x.operand(a.Value, x.lookup(a.Target.Path))
		if err != nil {
			return err
		}
		c.set = append(c.set, target+" = "+v)
	}
	for _, a := range u.Remove {
		c.remove = append(c.remove, x.path(a.Path))
	}
	for _, list := range []struct {
		actions []expr.AddAction
		to      *[]string
	}{{u.Add, &c.add}, {u.Delete, &c.drop}} {
		for _, a := range list.actions {
			target := x.path(a.Target.Path)
			v, err := x.operand(a.Value, x.lookup(a.Target.Path))
			if err != nil {
				return err
			}
			*list.to = append(*list.to, target+" "+v)
		}
	}
	return nil
}

// String writes the clauses that are not empty, in DynamoDB's usual order.
func (c *clauses) String() string {
	var out []string
	for _, clause := range []struct {
		word    string
		actions []string
	}{{"SET", c.set}, {"REMOVE", c.remove}, {"ADD", c.add}, {"DELETE", c.drop}} {
		if len(clause.actions) > 0 {
			out = append(out, clause.word+" "+strings.Join(clause.actions, ", "))
		}
	}
	return strings.Join(out, " ")
}

// derived is the value of a derived attribute, from the item in the scope;
// absent when what it is computed from is.
func (s *scope) derived(a *model.Attribute) (value.Value, error) {
	for _, source := range expr.Attrs(a.Derive.Expr) {
		if v := encode.Lookup(model.Item(s.old), source.Path); !v.Exists() {
			return value.Value{}, nil
		}
	}
	return s.value(a.Derive.Expr, a)
}
