package plan

import (
	"slices"

	"github.com/dynmodel/dynmodel/model/diag"
	"github.com/dynmodel/dynmodel/model/expr"
)

// checkNew reports a condition of a create that refuses every call.
func (s *stepper) checkNew() {
	if s.step.If == nil {
		return
	}
	for _, term := range expr.Conjuncts(s.step.If.Cond) {
		if failsOnNothing(term) {
			s.report(diag.Finding{Rule: diag.WrongWrite, Severity: diag.Error, Span: term.Span(), Entity: s.entity.Name.Text,
				Message: s.pattern.Name.Text + " never creates a " + s.entity.Name.Text + ": a create is made where there is no item, and `" + expr.String(term) + "` does not hold of one that is not there",
				Fix:     "compare parameters instead of attributes, or use `put` or `update` where an item may be there already"})
			return
		}
	}
}

// failsOnNothing tells whether a condition cannot hold where there is no item:
// DynamoDB then has every attribute absent, which is only unequal to everything.
func failsOnNothing(c expr.Cond) bool {
	absent := func(o expr.Operand) bool { _, is := o.(*expr.Attr); return is }
	switch c := c.(type) {
	case *expr.And:
		return slices.ContainsFunc(c.Terms, failsOnNothing)
	case *expr.Or:
		return !slices.ContainsFunc(c.Terms, func(t expr.Cond) bool { return !failsOnNothing(t) })
	case *expr.Compare:
		return c.Op != expr.Ne && (absent(c.Left) || absent(c.Right))
	case *expr.Between:
		return absent(c.X) || absent(c.Low) || absent(c.High)
	case *expr.In:
		return absent(c.X)
	case *expr.Test:
		return c.Name != expr.AttributeNotExists && absent(c.X)
	}
	return false
}
