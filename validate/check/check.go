// Package check takes one model from its text to a report: it reads it, plans
// its access patterns, judges it by rules, and proves it by running it.
package check

import (
	"context"
	"fmt"
	"io/fs"
	"slices"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/diag"
	"github.com/dynmodel/dynmodel/model/parse"
	"github.com/dynmodel/dynmodel/model/plan"
	"github.com/dynmodel/dynmodel/model/source"
	"github.com/dynmodel/dynmodel/validate"
	"github.com/dynmodel/dynmodel/validate/report"
	"github.com/dynmodel/dynmodel/validate/rules"
	"github.com/dynmodel/dynmodel/validate/verify"
)

// Options say what to judge, and how thoroughly.
type Options struct {
	// Only, when not empty, are the only rules reported; Skip are not reported.
	Only, Skip []string
	// Pattern, when not "", is the only access pattern that is judged.
	Pattern string
	// Static leaves the proof out.
	Static bool
	// Endpoint makes the DynamoDB to run on; called once, and not when Static.
	Endpoint func() verify.Endpoint
	// Seed, Cases and Items are as in verify.Config.
	Seed         uint64
	Cases, Items int
	// Coverage asks how much of each access pattern the generated data reaches.
	Coverage bool
	// Progress, if set, is called in the beginning and after every access pattern
	// that was run.
	Progress func(done, total int)
}

// NoPattern is the error of Options.Pattern naming no access pattern of the model.
type NoPattern struct {
	Model, Pattern string
	Near           string // the one that may be meant, or ""
}

func (e *NoPattern) Error() string {
	text := fmt.Sprintf("%s has no access pattern named %q", e.Model, e.Pattern)
	if e.Near != "" {
		text += "; did you mean " + e.Near + "?"
	}
	return text
}

// Result is what is known of one model after a check.
type Result struct {
	Report report.Model
	// Model is nil when the text could not be read that far.
	Model *model.Model
	Plans []*plan.Plan
}

// File checks the model in a file. What it includes is looked up in includes,
// the file's folder. The error says that the check could not be done.
func File(ctx context.Context, file *source.File, includes fs.FS, o Options) (*Result, error) {
	m, found := parse.File(file, includes)
	r := &Result{Model: m, Report: report.Model{File: file.Name(), Seed: max(o.Seed, 1)}}
	if m == nil {
		r.Report.Findings = o.wanted(found.All())
		r.Report.NotChecked = []string{"nothing else of this model: its table could not be read"}
		return r, nil
	}
	r.Report.Name = m.Name
	err := o.checkPattern(m)
	if err != nil {
		return nil, err
	}
	planner := plan.New(m)
	r.Plans = planner.All()
	ruled := validate.Run(rules.All(), validate.Pass{Model: m, Planner: planner, Plans: r.Plans, Partial: found.Has(diag.Error)})
	ruled = append(ruled, misfits(m)...)
	var proof *verify.Result
	if creatable(ruled) {
		if proof, err = o.prove(ctx, m, r.Plans); err != nil {
			return nil, err
		}
	}
	r.judge(found, ruled, proof, o)
	if o.Coverage && proof != nil {
		r.Report.Coverage = o.coverage(m, r.Plans)
	}
	return r, nil
}

func (o Options) checkPattern(m *model.Model) error {
	if o.Pattern == "" || m.Pattern(o.Pattern) != nil {
		return nil
	}
	var names []string
	for _, p := range m.Patterns {
		names = append(names, p.Name.Text)
	}
	return &NoPattern{Model: m.Name, Pattern: o.Pattern, Near: diag.Nearest(o.Pattern, names)}
}

// creatable tells whether DynamoDB makes a table like the model's; without one
// nothing can be run.
func creatable(ruled []diag.Finding) bool {
	return !slices.ContainsFunc(ruled, func(f diag.Finding) bool { return f.Rule == diag.TooManyIndexes })
}

// prove runs the patterns; nil when nothing is to be run.
func (o Options) prove(ctx context.Context, m *model.Model, plans []*plan.Plan) (*verify.Result, error) {
	plans = o.chosen(plans)
	if o.Static || len(plans) == 0 {
		return nil, nil
	}
	return verify.Run(ctx, verify.Config{
		Model: m, Plans: plans, Endpoint: o.Endpoint(),
		Seed: o.Seed, Cases: o.Cases, Items: o.Items, Progress: o.Progress,
	})
}

func (o Options) chosen(plans []*plan.Plan) []*plan.Plan {
	if o.Pattern == "" {
		return plans
	}
	return slices.DeleteFunc(slices.Clone(plans), func(p *plan.Plan) bool { return p.Pattern.Name.Text != o.Pattern })
}

// judge gathers the findings of all parts and writes the report. The proof's
// come first: where another part saw the same fault, the one with a
// counterexample stays.
func (r *Result) judge(found *diag.List, ruled []diag.Finding, proof *verify.Result, o Options) {
	var list diag.List
	if proof != nil {
		list.Add(proof.Findings...)
	}
	list.Add(found.All()...)
	for _, p := range o.chosen(r.Plans) {
		list.Add(p.Findings...)
	}
	list.Add(ruled...)

	judged := func(rule string) bool { return proof != nil && o.Pattern == "" && !found.Has(diag.Error) }
	findings, accepted := validate.Ignore(r.Model, validate.Distinct(list.All()), judged)
	for _, a := range accepted {
		r.Report.Accepted = append(r.Report.Accepted, report.Accepted{Finding: a.Finding, Reason: a.Ignore.Reason})
	}
	r.Report.Findings = validate.Condense(rules.All(), o.wanted(findings))
	r.Report.Patterns = patterns(o.chosen(r.Plans), proof, findings)
	r.Report.NotChecked = notChecked(r.Report.Patterns, r.Model, o)
}

// wanted leaves the rules that are to be reported, and, when one pattern is
// asked for, what is about it or about no pattern.
func (o Options) wanted(findings []diag.Finding) []diag.Finding {
	return slices.DeleteFunc(slices.Clone(findings), func(f diag.Finding) bool {
		return len(o.Only) > 0 && !slices.Contains(o.Only, f.Rule) ||
			slices.Contains(o.Skip, f.Rule) ||
			o.Pattern != "" && f.Pattern != "" && f.Pattern != o.Pattern
	})
}
