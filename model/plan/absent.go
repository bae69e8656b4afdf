package plan

import (
	"fmt"
	"slices"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/diag"
	"github.com/dynmodel/dynmodel/model/expr"
)

// checkOperands reports a change whose new value is made of an attribute that may
// not be there: DynamoDB refuses such an update as invalid
// (docs.aws.amazon.com/amazondynamodb/latest/developerguide/Expressions.UpdateExpressions.html,
// "Preventing overwrites of an existing attribute").
func (s *stepper) checkOperands() {
	if s.step.Change == nil {
		return
	}
	known := s.ifCond()
	if s.pattern.Operation.WritesEach() {
		for _, c := range s.pattern.Selects(s.entity) {
			known = expr.All(known, s.given(c))
		}
	}
	for _, set := range s.step.Change.Update.Set {
		for _, attr := range taken(set.Value) {
			if s.there(attr, known) {
				continue
			}
			name := expr.String(attr)
			s.report(diag.Finding{Rule: diag.WrongWrite, Severity: diag.Error, Span: attr.At, Entity: s.entity.Name.Text,
				Message: fmt.Sprintf("%s fails for any %s without %s: there is no value to make %s of, and DynamoDB refuses the update", s.pattern.Name.Text, s.entity.Name.Text, name, expr.String(set.Target)),
				Fix:     fmt.Sprintf("write `if_not_exists(%s, …)` with the value to begin with, or add `if: attribute_exists(%s)`", name, name)})
		}
	}
}

// there tells whether an attribute is there whenever the condition holds.
func (s *stepper) there(attr *expr.Attr, known expr.Cond) bool {
	switch {
	case !attr.Path.Top():
		return true // what is in a map is for the caller to know
	case slices.ContainsFunc(slices.Concat(s.step.Inputs, s.step.Old), func(a *model.Assignment) bool { return a.Attribute.Name.Text == attr.Path.Name }):
		return true
	case s.step.Upsert:
		return expr.Implies(known, existsAt(attr.Path), func(*expr.Attr) expr.Domain { return expr.Domain{} })
	}
	return present(s.entity, attr.Path, known)
}

// taken are the attributes of which an operand takes the value, without those that
// if_not_exists asks for.
func taken(o expr.Operand) []*expr.Attr {
	switch o := o.(type) {
	case *expr.Attr:
		return []*expr.Attr{o}
	case *expr.Arith:
		return slices.Concat(taken(o.Left), taken(o.Right))
	case *expr.Call:
		args := o.Args
		if o.Func.Name == expr.IfNotExists {
			args = args[1:]
		}
		var out []*expr.Attr
		for _, arg := range args {
			out = append(out, taken(arg)...)
		}
		return out
	}
	return nil
}
