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
	known := expr.All(slices.Concat(f.terms.all, f.terms.narrowed)...)
	for _, w := range f.whens() {
		if !expr.Implies(known, w.Cond, domains(f.entity)) {
			f.against(NotMember, "%s is in it only when %s, which `where` does not guarantee", f.entity.Name.Text, expr.String(w.Cond))
		}
	}
	for _, path := range f.optional() {
		if !present(f.entity, path, known) {
			f.against(NotMember, "%s is in it only when %s is there, which `where` does not guarantee", f.entity.Name.Text, path)
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

// optional are the places in the key templates where there may be nothing.
func (f *fit) optional() []expr.Path {
	return slices.DeleteFunc(pathsOf(f.keys), func(p expr.Path) bool { return isRequired(f.entity, p) })
}

// isRequired tells whether there is always something at a path.
func isRequired(e *model.Entity, p expr.Path) bool {
	for n := range len(p.Rest) + 1 {
		a := e.AttributeAt(expr.Path{Name: p.Name, Rest: p.Rest[:n]})
		if a == nil || a.Optional || n > 0 && p.Rest[n-1].Name == "" {
			return false
		}
	}
	return true
}

// pathsOf are the places in key templates, each once.
func pathsOf(keys []keyTemplate) []expr.Path {
	var out []expr.Path
	for _, k := range keys {
		for _, p := range k.Parts {
			same := func(other expr.Path) bool { return other.String() == p.Path.String() }
			if p.Attribute != nil && !slices.ContainsFunc(out, same) {
				out = append(out, p.Path)
			}
		}
	}
	return out
}

// present tells whether a condition guarantees that there is something at a
// path: itself, or by an attribute that is there exactly when this one is.
func present(e *model.Entity, p expr.Path, known expr.Cond) bool {
	if expr.Implies(known, existsAt(p), domains(e)) {
		return true
	}
	a := e.Attribute(p.Name)
	return p.Top() && slices.ContainsFunc(e.Attributes, func(b *model.Attribute) bool {
		together := b.PresentWith == a || a.PresentWith != nil && a.PresentWith == b
		return together && expr.Implies(known, exists(b.Name.Text), domains(e))
	})
}
