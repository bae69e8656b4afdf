package check

import (
	"fmt"
	"slices"
	"strings"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/diag"
	"github.com/dynmodel/dynmodel/model/plan"
	"github.com/dynmodel/dynmodel/validate/report"
	"github.com/dynmodel/dynmodel/validate/verify"
)

// patterns are the lines of the table of patterns: the plan's figures at the
// declared volume, and the proof's verdict.
func patterns(plans []*plan.Plan, proof *verify.Result, findings []diag.Finding) []report.Pattern {
	out := make([]report.Pattern, len(plans))
	for i, p := range plans {
		out[i] = planned(p)
		if proof == nil {
			out[i].Verdict, out[i].Reason = report.Skipped, "not run"
		} else {
			ran := proof.Patterns[i]
			out[i].Verdict, out[i].Reason, out[i].Cases = report.Verdict(ran.Verdict), ran.Reason, ran.Cases
		}
		if out[i].Verdict != report.Error && hasError(findings, p.Pattern) {
			out[i].Verdict, out[i].Reason = report.Fail, ""
		}
	}
	return out
}

// hasError tells whether an error was found that is about the pattern.
func hasError(findings []diag.Finding, p *model.Pattern) bool {
	return slices.ContainsFunc(findings, func(f diag.Finding) bool {
		return f.Severity == diag.Error && f.Pattern == p.Name.Text
	})
}

func planned(p *plan.Plan) report.Pattern {
	v := p.Variants[0]
	cost := v.Cost()
	out := report.Pattern{
		Name: p.Pattern.Name.Text, Operation: string(p.Pattern.Operation), Requests: cost.Requests,
	}
	if cost.Known {
		out.Cost = &report.Cost{Items: cost.Items, ItemsRead: cost.ItemsRead, RCU: cost.RCU, WCU: cost.WCU, Pages: cost.Pages}
	}
	switch {
	case v.Read != nil:
		out.Operation, out.Index = string(v.Read.API), "table"
		if v.Read.Index != nil {
			out.Index = v.Read.Index.Name.Text
		}
		out.KeyCondition, out.Filter = v.Read.KeyConditionText(), v.Read.FilterText()
		if v.Each != nil {
			out.Operation += ", " + string(v.Each.API)
		}
		if v.Then != nil {
			out.Operation += ", " + string(v.Then.API)
		}
	case v.Write != nil:
		out.Operation, out.Index = string(v.Write.API), "table"
	case v.Statement != nil:
		out.Operation = string(plan.ExecuteStatement)
	}
	return out
}

// notChecked says what the check did not look at.
func notChecked(patterns []report.Pattern, m *model.Model, o Options) []string {
	var out []string
	if o.Static {
		out = append(out, "no access pattern was run (--static)")
	}
	if o.Pattern != "" && len(m.Patterns) > 1 {
		out = append(out, fmt.Sprintf("only %s was run, of %d access patterns", o.Pattern, len(m.Patterns)))
	}
	var notRun, elsewhere []string
	for _, p := range patterns {
		service := m.Pattern(p.Name).Service
		switch {
		case service != "":
			elsewhere = append(elsewhere, p.Name+" ("+service+")")
		case o.Static:
		case p.Cases == 0:
			notRun = append(notRun, p.Name)
		case p.Verdict == report.Skipped:
			out = append(out, p.Name+": "+p.Reason)
		}
	}
	switch len(notRun) {
	case 0:
	case 1:
		out = append(out, notRun[0]+", which was not run")
	default:
		out = append(out, strings.Join(notRun, ", ")+", which were not run")
	}
	if len(elsewhere) > 0 {
		out = append(out, "served elsewhere: "+strings.Join(elsewhere, ", "))
	}
	if len(m.Patterns) == 0 {
		out = append(out, "the model has no access pattern to run")
	}
	return out
}
