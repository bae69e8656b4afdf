// Package validate judges models by rules.
//
// A Rule is a value: its name, its documentation with a failing and a passing
// example, and, where the model and its plans are all it takes to judge, the
// function that does. Rules that the language, the planner or the proof find
// have no function here, but the same documentation.
package validate

import (
	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/diag"
	"github.com/dynmodel/dynmodel/model/load"
	"github.com/dynmodel/dynmodel/model/plan"
)

// Rule is one kind of finding.
type Rule struct {
	Name     string
	Severity diag.Severity // the usual one; the text says when it is another
	// Title says in a few words what is wrong when it fires.
	Title string
	// Text is a paragraph: what happens, and why it matters.
	Text string
	// Bad is a model that gives the finding, Good its corrected twin that gives
	// none. Both are whole models, tests of the rule and part of its page.
	Bad, Good string
	// Fix says what to change.
	Fix string
	// FoundBy says who finds it.
	FoundBy Source
	// LeadsTo are the rules of findings that follow from this one: the same fault
	// seen later, when the same part of the model, or the same pattern, is judged
	// by what it does. Condense leaves one of them.
	LeadsTo []string
	// Check looks for it; nil unless FoundBy is ByRule.
	Check func(*Pass)
}

// Source is a part of the tool that finds something.
type Source string

// The sources of findings.
const (
	ByRule     Source = "rule"     // the rule's own Check, from the model and its plans
	ByLanguage Source = "language" // reading the model
	ByPlan     Source = "plan"     // planning the access patterns
	ByProof    Source = "proof"    // running the access patterns
	ByIgnore   Source = "ignore"   // going through the model's ignore entries
)

// Pass is what a rule's Check sees of one model.
type Pass struct {
	Model   *model.Model
	Planner *plan.Planner // knows expected numbers and sizes of items
	Plans   []*plan.Plan  // one per access pattern, in the model's order
	Load    *load.Load    // what declared traffic asks for; set by Run
	// Partial tells that parts of the model could not be read and are left out:
	// what is missing from it is then no fault.
	Partial bool

	rule     *Rule
	findings *diag.List
}

// Report adds a finding of the rule. Rule and, where it is not set, Severity
// are filled in.
func (p *Pass) Report(f diag.Finding) {
	f.Rule = p.rule.Name
	if f.Severity == 0 {
		f.Severity = p.rule.Severity
	}
	p.findings.Add(f)
}

// Run lets the rules that have a Check judge what the pass holds.
func Run(rules []*Rule, p Pass) []diag.Finding {
	var list diag.List
	p.findings = &list
	p.Load = load.Of(p.Model, p.Planner, p.Plans)
	for _, r := range rules {
		if r.Check != nil {
			of := p
			of.rule = r
			r.Check(&of)
		}
	}
	return list.All()
}
