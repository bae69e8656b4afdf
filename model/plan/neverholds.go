package plan

import (
	"slices"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/diag"
	"github.com/dynmodel/dynmodel/model/expr"
	"github.com/dynmodel/dynmodel/model/source"
)

// checkHolds reports an `if` that refuses every call: of an item that is there
// it cannot hold, and of none it does not, or the operation does not ask.
func (s *stepper) checkHolds() {
	if s.step.If == nil {
		return
	}
	c := s.step.If.Cond
	if s.step.Operation == model.Create {
		s.checkNew(expr.Conjuncts(c))
		return
	}
	asked := s.step.Operation == model.Put || s.step.Operation == model.Check || s.step.Upsert
	if !expr.Impossible(c, domains(s.entity)) || asked && !failsOnNothing(c) {
		return
	}
	s.neverHolds(s.step.If.At, c, "does not hold of any "+s.entity.Name.Text+" that is as it is declared",
		"write a condition that an item can fulfil, or declare its attributes to have the values that are meant")
}

// checkNew reports a condition of a create that does not hold where no item is.
func (s *stepper) checkNew(terms []expr.Cond) {
	for _, term := range terms {
		if failsOnNothing(term) {
			s.neverHolds(term.Span(), term, "does not hold of one that is not there, and a create is made where there is no item",
				"compare parameters instead of attributes, or use `put` or `update` where an item may be there already")
			return
		}
	}
}

func (s *stepper) neverHolds(at source.Span, c expr.Cond, why, fix string) {
	s.report(diag.Finding{Rule: diag.WrongWrite, Severity: diag.Error, Span: at, Entity: s.entity.Name.Text, Fix: fix,
		Message: s.pattern.Name.Text + " never " + verb(s.step.Operation) + " any " + s.entity.Name.Text + ": `" + expr.String(c) + "` " + why})
}

// verb is what an operation does to an item.
func verb(op model.Operation) string {
	switch op {
	case model.Create:
		return "creates"
	case model.Put:
		return "puts"
	case model.Delete:
		return "deletes"
	case model.Check:
		return "finds"
	}
	return "updates"
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
