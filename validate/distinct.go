package validate

import (
	"slices"

	"github.com/dynmodel/dynmodel/model/diag"
)

// Distinct leaves one finding where several parts of the tool saw the same
// fault: of two findings of one rule at one place about the same pattern and
// entity, the one with a counterexample stays.
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
