package oracle

import (
	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/expr"
	"github.com/dynmodel/dynmodel/model/value"
)

// Unmet are the conditions, of those that a condition joins by AND, which do
// not hold for an item of the call; none when it holds.
func (c Call) Unmet(cond *model.Condition, in model.Instance) []expr.Cond {
	if cond == nil {
		return nil
	}
	s := c.scope(in)
	var unmet []expr.Cond
	for _, term := range conjuncts(s.forEntity(cond.Cond)) {
		if !s.holds(term) {
			unmet = append(unmet, term)
		}
	}
	return unmet
}

// ValueBeside is what an operand is worth in the call when it is compared with
// an attribute of the item; absent when it has no value.
func (c Call) ValueBeside(o expr.Operand, attribute *expr.Attr, in model.Instance) value.Value {
	return c.scope(in).beside(o, attribute)
}

func (c Call) scope(in model.Instance) scope {
	args := &bindings{params: c.Pattern.Parameters, args: c.Args, unversioned: c.Pattern.Unversioned}
	return scope{entity: in.Entity, item: in.Item, args: args, now: c.Now}
}
