package rules

import (
	"fmt"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/diag"
	"github.com/dynmodel/dynmodel/model/expr"
	"github.com/dynmodel/dynmodel/validate"
)

func immutableChange() *validate.Rule {
	return &validate.Rule{
		Name: diag.ImmutableChange, Severity: diag.Error, FoundBy: validate.ByRule, Check: checkImmutableChange,
		Title: "the access pattern changes an attribute that never changes",
		Text:  "The attribute is declared `immutable`: whoever reads the model, and the code generated from it, relies on its value staying as it was created. Setting it with if_not_exists is fine.",
		Bad: `version: 1
table: shop
entities:
  Order:
    attributes: {orderId: ulid, customer: {type: slug, immutable: true}, total: {type: integer, min: 0}}
    keys: {PK: "ORDER#{orderId}", SK: ORDER}
access_patterns:
  - {name: place, create: Order}
  - {name: correct, update: Order, change: "SET total = $total, customer = $customer"}
`,
		Good: `version: 1
table: shop
entities:
  Order:
    attributes: {orderId: ulid, customer: {type: slug, immutable: true}, total: {type: integer, min: 0}}
    keys: {PK: "ORDER#{orderId}", SK: ORDER}
access_patterns:
  - {name: place, create: Order}
  - {name: correct, update: Order, change: SET total = $total}
`,
		Fix: "leave the attribute out of `change`, or take `immutable` off it",
	}
}

func checkImmutableChange(p *validate.Pass) {
	for _, pattern := range p.Model.Patterns {
		for _, step := range pattern.AllSteps() {
			for _, target := range changed(step) {
				a := step.Entity.Attribute(target.Path.Name)
				if a == nil || !a.Immutable {
					continue
				}
				p.Report(diag.Finding{
					Span: target.At, Pattern: pattern.Name.Text, Entity: step.Entity.Name.Text,
					Message: fmt.Sprintf("%s changes %s of %s, which is declared immutable", pattern.Name.Text, a.Name.Text, step.Entity.Name.Text),
					Fix:     fmt.Sprintf("leave %s out of `change`, or take `immutable` off it", a.Name.Text),
				})
			}
		}
	}
}

// changed are the attributes that an update gives another value. One that is
// set to itself where it exists is not among them.
func changed(step *model.Step) []*expr.Attr {
	if step.Change == nil {
		return nil
	}
	u := step.Change.Update
	var out []*expr.Attr
	for _, s := range u.Set {
		if !keeps(s) {
			out = append(out, s.Target)
		}
	}
	out = append(out, u.Remove...)
	for _, a := range u.Add {
		out = append(out, a.Target)
	}
	for _, a := range u.Delete {
		out = append(out, a.Target)
	}
	return out
}

// keeps tells whether an action is SET a = if_not_exists(a, …).
func keeps(s expr.SetAction) bool {
	call, ok := s.Value.(*expr.Call)
	if !ok || call.Func.Name != expr.IfNotExists || len(call.Args) == 0 {
		return false
	}
	a, ok := call.Args[0].(*expr.Attr)
	return ok && a.Path.String() == s.Target.Path.String()
}
