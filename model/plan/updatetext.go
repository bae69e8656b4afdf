package plan

import (
	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/ddbexpr"
	"github.com/dynmodel/dynmodel/model/encode"
	"github.com/dynmodel/dynmodel/model/expr"
	"github.com/dynmodel/dynmodel/model/value"
)

// updateText writes the update expression; "" when there is nothing to change.
func (a *Action) updateText(x *expression) (string, error) {
	change, err := x.writer().Update(a.Change)
	if err != nil {
		return "", err
	}
	clauses, err := ddbexpr.Render(change, x.render)
	if err != nil {
		return "", err
	}
	if a.ReadFirst && x.scope.old == nil && !a.Step.Upsert {
		return ddbexpr.Joined(clauses), nil // the item is missing, and the condition refuses the update
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
			clauses.Set = append(clauses.Set, name+" = "+x.value(v))
		} else {
			clauses.Remove = append(clauses.Remove, name)
		}
	}
	return ddbexpr.Joined(clauses), nil
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
