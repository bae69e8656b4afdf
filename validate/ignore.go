package validate

import (
	"fmt"
	"slices"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/diag"
	"github.com/dynmodel/dynmodel/model/source"
)

// Accepted is a finding that an `ignore` silences, with its reason.
type Accepted struct {
	Finding diag.Finding
	Ignore  *model.Ignore
}

// scope is an ignore with the part of the model it stands on.
type scope struct {
	ignore *model.Ignore
	// holds tells whether a finding is about the part.
	holds func(diag.Finding) bool
	used  bool
}

// Ignore splits findings by the model's `ignore` entries: those that stand,
// and those that are accepted. An entry that silences nothing is itself a
// finding (unused-ignore), unless it names a rule of which the caller says
// that it was not judged; one that names no rule is a finding in any case.
func Ignore(m *model.Model, findings []diag.Finding, judged func(rule string) bool) (standing []diag.Finding, accepted []Accepted) {
	scopes := scopesOf(m)
	for _, f := range findings {
		if s := silencer(scopes, f); s != nil {
			s.used = true
			accepted = append(accepted, Accepted{Finding: f, Ignore: s.ignore})
		} else {
			standing = append(standing, f)
		}
	}
	for _, s := range scopes {
		switch name := s.ignore.Rule.Text; {
		case !slices.Contains(diag.RuleNames(), name):
			standing = append(standing, noSuchRule(s.ignore.Rule))
		case !s.used && judged(name):
			standing = append(standing, diag.Finding{
				Rule: diag.UnusedIgnore, Severity: diag.Warning, Span: s.ignore.At,
				Message: "this ignore silences nothing: " + name + " does not fire here",
				Fix:     "take the entry out",
			})
		}
	}
	return standing, accepted
}

func noSuchRule(name model.Name) diag.Finding {
	f := diag.Finding{
		Rule: diag.UnusedIgnore, Severity: diag.Warning, Span: name.At,
		Message: fmt.Sprintf("this ignore silences nothing: no rule is named %q", name.Text),
		Fix:     "name a rule of those that `dynmodel explain` lists, or take the entry out",
	}
	if near := diag.Nearest(name.Text, diag.RuleNames()); near != "" {
		f.Message += "; did you mean " + near + "?"
		f.Fix = fmt.Sprintf("write `rule: %s`, or take the entry out", near)
	}
	return f
}

func silencer(scopes []*scope, f diag.Finding) *scope {
	i := slices.IndexFunc(scopes, func(s *scope) bool { return s.ignore.Rule.Text == f.Rule && s.holds(f) })
	if i < 0 {
		return nil
	}
	return scopes[i]
}

// scopesOf lists the ignores of a model, those on its parts before those on
// the model itself, so that the nearest one is the one that counts as used.
func scopesOf(m *model.Model) []*scope {
	var out []*scope
	add := func(ignores []*model.Ignore, holds func(diag.Finding) bool) {
		for _, i := range ignores {
			out = append(out, &scope{ignore: i, holds: holds})
		}
	}
	for _, e := range m.Entities {
		add(e.Ignores, about(func(f diag.Finding) string { return f.Entity }, e.Name.Text, e.At))
	}
	for _, x := range m.Table.Indexes {
		add(x.Ignores, about(func(f diag.Finding) string { return f.Index }, x.Name.Text, x.At))
	}
	for _, p := range m.Patterns {
		add(p.Ignores, about(func(f diag.Finding) string { return f.Pattern }, p.Name.Text, p.At))
	}
	add(m.Ignores, func(diag.Finding) bool { return true })
	return out
}

// about tells whether a finding names the part, or lies within it.
func about(named func(diag.Finding) string, name string, at source.Span) func(diag.Finding) bool {
	return func(f diag.Finding) bool {
		return named(f) == name || f.Span.File == at.File && at.Start <= f.Span.Start && f.Span.End <= at.End
	}
}
