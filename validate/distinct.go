package validate

import (
	"slices"

	"github.com/dynmodel/dynmodel/model/diag"
)

// Distinct drops findings that say what another one says: of two findings of one
// rule at one place about the same pattern, entity and index, the one with a
// counterexample stays.
func Distinct(findings []diag.Finding) []diag.Finding {
	var out []diag.Finding
	for _, f := range findings {
		i := slices.IndexFunc(out, func(g diag.Finding) bool { return same(f, g) })
		switch {
		case i < 0:
			out = append(out, f)
		case out[i].Counterexample == nil && f.Counterexample != nil:
			out[i] = f
		}
	}
	return out
}

func same(f, g diag.Finding) bool {
	return f.Rule == g.Rule && f.Span == g.Span && f.Pattern == g.Pattern && f.Entity == g.Entity && f.Index == g.Index &&
		(f.Message == g.Message || f.Counterexample == nil != (g.Counterexample == nil))
}

// Condense leaves one finding of a fault that was seen in several ways: as what
// causes it, and as what follows (see Rule.LeadsTo). Which one stays depends on
// how sure the cause is. An error is certain, so that what follows is its
// evidence, and the counterexample moves there; a warning is a suspicion, which
// falls silent once its consequence is found.
//
// It is the last step: a cause that is ignored, or not asked for, leaves what
// follows from it standing.
func Condense(rules []*Rule, findings []diag.Finding) []diag.Finding {
	all := slices.Clone(findings)
	gone := make([]bool, len(all))
	for i := range all {
		leadsTo := consequences(rules, all[i].Rule)
		for j, f := range all {
			switch {
			case i == j || gone[i] || gone[j] || !slices.Contains(leadsTo, f.Rule) || !follows(f, all[i]):
			case all[i].Severity < diag.Error:
				gone[i] = true
			default:
				gone[j] = true
				all[i] = proved(all[i], f)
			}
		}
	}
	var out []diag.Finding
	for i, f := range all {
		if !gone[i] {
			out = append(out, f)
		}
	}
	return out
}

func consequences(rules []*Rule, name string) []string {
	i := slices.IndexFunc(rules, func(r *Rule) bool { return r.Name == name })
	if i < 0 {
		return nil
	}
	return rules[i].LeadsTo
}

// follows tells whether a finding is about what another one says: the same part
// of the model is at fault, or it is about a pattern that the other one names.
func follows(f, cause diag.Finding) bool {
	switch {
	case cause.Cause.Known() && f.Cause == cause.Cause:
		return true
	case f.Pattern == "":
		return false
	}
	return f.Pattern == cause.Pattern ||
		slices.ContainsFunc(cause.Related, func(r diag.Related) bool { return r.Span == f.Span })
}

// proved is a finding with the evidence of one that follows from it.
func proved(cause, f diag.Finding) diag.Finding {
	if cause.Counterexample == nil {
		cause.Counterexample = f.Counterexample
	}
	return cause
}
