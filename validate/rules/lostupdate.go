package rules

import (
	"fmt"
	"slices"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/diag"
	"github.com/dynmodel/dynmodel/model/expr"
	"github.com/dynmodel/dynmodel/validate"
)

func lostUpdate() *validate.Rule {
	return &validate.Rule{
		Name: diag.LostUpdate, Severity: diag.Warning, FoundBy: validate.ByRule, Check: checkLostUpdate,
		Title: "an unversioned update can undo another writer's",
		Text:  "The entity has a version so that two writers cannot overwrite each other. This update leaves it alone and sets an attribute to a value that was worked out from an earlier read, without a condition on what was read: of two such calls the second undoes the first. Adding to an attribute does not need the version.",
		Bad: `version: 1
table: shop
entities:
  Product:
    attributes: {sku: slug, price: integer, views: integer, rev: {type: integer, version: true}}
    keys: {PK: "PRODUCT#{sku}", SK: PRODUCT}
access_patterns:
  - {name: product, get: Product}
  - {name: reprice, update: Product, change: SET price = $price, unversioned: true}
`,
		Good: `version: 1
table: shop
entities:
  Product:
    attributes: {sku: slug, price: integer, views: integer, rev: {type: integer, version: true}}
    keys: {PK: "PRODUCT#{sku}", SK: PRODUCT}
access_patterns:
  - {name: product, get: Product}
  - {name: reprice, update: Product, change: SET price = $price}
  - {name: view, update: Product, change: SET views = views + 1, unversioned: true}
`,
		Fix: "take `unversioned` off, add to the attribute instead of setting it, or state in `if` what was read",
	}
}

func checkLostUpdate(p *validate.Pass) {
	for _, pattern := range p.Model.Patterns {
		for _, step := range pattern.AllSteps() {
			if !pattern.Unversioned && !step.Unversioned || step.Change == nil || !versioned(step.Entity) {
				continue
			}
			for _, set := range step.Change.Update.Set {
				if keeps(set) || readsItself(set) || conditioned(step, set.Target) {
					continue
				}
				p.Report(diag.Finding{
					Span: set.Target.At, Pattern: pattern.Name.Text, Entity: step.Entity.Name.Text,
					Message: fmt.Sprintf("%s sets %s of %s past its version: of two calls at once, one is undone", pattern.Name.Text, set.Target.Path, step.Entity.Name.Text),
					Fix:     "take `unversioned` off, or state in `if` what was read",
				})
			}
		}
	}
}

func versioned(e *model.Entity) bool {
	return slices.ContainsFunc(e.Attributes, func(a *model.Attribute) bool { return a.Version })
}

// readsItself tells whether the new value comes from the present one, in one step.
func readsItself(s expr.SetAction) bool {
	return slices.ContainsFunc(expr.Attrs(s.Value), func(a *expr.Attr) bool { return a.Path.String() == s.Target.Path.String() })
}

// conditioned tells whether the step's condition looks at the attribute or the version.
func conditioned(step *model.Step, target *expr.Attr) bool {
	if slices.ContainsFunc(step.Old, func(o *model.Assignment) bool { return o.Attribute.Name.Text == target.Path.Name }) {
		return true
	}
	return step.If != nil && slices.ContainsFunc(expr.Attrs(step.If.Cond), func(a *expr.Attr) bool {
		attribute := step.Entity.Attribute(a.Path.Name)
		return a.Path.Name == target.Path.Name || attribute != nil && attribute.Version
	})
}
