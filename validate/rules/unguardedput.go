package rules

import (
	"fmt"
	"slices"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/diag"
	"github.com/dynmodel/dynmodel/validate"
)

func unguardedPut() *validate.Rule {
	return &validate.Rule{
		Name: diag.UnguardedPut, Severity: diag.Warning, FoundBy: validate.ByRule, Check: checkUnguardedPut,
		Title: "a put without a condition can overwrite silently",
		Text:  "PutItem replaces whatever has the key. Without a condition nobody learns that there was something, and what another writer put there in the meantime is gone. Items that are nothing but their key are not accused: putting one twice does no harm.",
		Bad: `version: 1
table: shop
entities:
  Order:
    attributes: {orderId: ulid, total: integer}
    keys: {PK: "ORDER#{orderId}", SK: ORDER}
access_patterns:
  - {name: save-order, put: Order}
`,
		Good: `version: 1
table: shop
entities:
  Order:
    attributes: {orderId: ulid, total: integer}
    keys: {PK: "ORDER#{orderId}", SK: ORDER}
access_patterns:
  - {name: save-order, create: Order}
`,
		Fix: "use `create`, an `update` with what changes, an `if`, or `version: true` on the entity; an `ignore` where overwriting is meant",
	}
}

func checkUnguardedPut(p *validate.Pass) {
	for _, pattern := range p.Model.Patterns {
		for _, step := range pattern.AllSteps() {
			if step.Operation != model.Put || step.If != nil || !canLose(p.Model.Table, step.Entity) {
				continue
			}
			p.Report(diag.Finding{
				Span: step.OperationAt, Pattern: pattern.Name.Text, Entity: step.Entity.Name.Text,
				Message: fmt.Sprintf("%s replaces the %s that has the key, if there is one, and nobody learns of it", pattern.Name.Text, step.Entity.Name.Text),
				Fix:     "use `create` or an `update`, or add `if`; an `ignore` with its reason where overwriting is meant",
			})
		}
	}
}

// canLose tells whether replacing an item can lose something: it has
// attributes beside its key, and no version that is checked.
func canLose(t *model.Table, e *model.Entity) bool {
	if slices.ContainsFunc(e.Attributes, func(a *model.Attribute) bool { return a.Version }) {
		return false
	}
	inKey := map[*model.Attribute]bool{}
	for _, k := range t.Keys() {
		if key := e.Key(k.Name); key != nil {
			for _, part := range key.Template.Parts {
				inKey[part.Attribute] = true
			}
		}
	}
	return slices.ContainsFunc(e.Attributes, func(a *model.Attribute) bool { return !inKey[a] })
}
