package plan

import (
	"fmt"
	"slices"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/expr"
)

func (f *fit) against(kind ReasonKind, format string, args ...any) {
	f.reasons = append(f.reasons, Reason{Kind: kind, Entity: f.entity.Name.Text, Text: fmt.Sprintf(format, args...)})
}

// checkMembership says why a matching item may be missing from the index.
func (f *fit) checkMembership() {
	if f.space.index == nil {
		return
	}
	known := expr.All(f.terms.all...)
	for _, w := range f.whens() {
		if !expr.Implies(known, w.Cond, domains(f.entity)) {
			f.against(NotMember, "%s is in it only when %s, which `where` does not guarantee", f.entity.Name.Text, expr.String(w.Cond))
		}
	}
	for _, a := range f.optional() {
		if !present(f.entity, a, known) {
			f.against(NotMember, "%s is in it only when %s is there, which `where` does not guarantee", f.entity.Name.Text, a.Name.Text)
		}
	}
}

// whens are the conditions under which an item is in the keyspace.
func (f *fit) whens() []*model.Condition {
	var out []*model.Condition
	for _, k := range f.keys {
		same := func(c *model.Condition) bool { return expr.Equal(c.Cond, k.when.Cond) }
		if k.when != nil && !slices.ContainsFunc(out, same) {
			out = append(out, k.when)
		}
	}
	return out
}

// optional are the attributes in the key templates that may be absent.
func (f *fit) optional() []*model.Attribute {
	return slices.DeleteFunc(attributesOf(f.keys), func(a *model.Attribute) bool { return !a.Optional })
}

// attributesOf are the attributes in key templates, each once.
func attributesOf(keys []keyTemplate) []*model.Attribute {
	var out []*model.Attribute
	for _, k := range keys {
		for _, p := range k.Parts {
			if p.Attribute != nil && !slices.Contains(out, p.Attribute) {
				out = append(out, p.Attribute)
			}
		}
	}
	return out
}

// present tells whether a condition guarantees that an optional attribute is
// there: itself, or by another that is there exactly when it is.
func present(e *model.Entity, a *model.Attribute, known expr.Cond) bool {
	return slices.ContainsFunc(e.Attributes, func(b *model.Attribute) bool {
		together := a == b || b.PresentWith == a || a.PresentWith == b
		return together && expr.Implies(known, exists(b.Name.Text), domains(e))
	})
}
