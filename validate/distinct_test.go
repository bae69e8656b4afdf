package validate_test

import (
	"reflect"
	"testing"

	"github.com/dynmodel/dynmodel/model/diag"
	"github.com/dynmodel/dynmodel/model/source"
	"github.com/dynmodel/dynmodel/validate"
)

func TestCondense(t *testing.T) {
	file := source.NewFile("m.yaml", "template pattern other")
	template, pattern, other := source.Span{File: file, Start: 0, End: 8}, source.Span{File: file, Start: 9, End: 16}, source.Span{File: file, Start: 17, End: 22}
	shown := &diag.Counterexample{Request: []string{"query"}}
	rules := []*validate.Rule{{Name: "cause", LeadsTo: []string{"effect"}}, {Name: "effect"}}
	certain := diag.Finding{Rule: "cause", Severity: diag.Error, Span: template, Cause: template}
	suspected := diag.Finding{Rule: "cause", Severity: diag.Warning, Span: template, Cause: template}
	effect := diag.Finding{Rule: "effect", Severity: diag.Error, Span: pattern, Pattern: "p", Cause: template, Counterexample: shown}
	with := func(f diag.Finding, change func(*diag.Finding)) diag.Finding { change(&f); return f }
	proved := with(certain, func(f *diag.Finding) { f.Counterexample = shown })
	unrelated := with(effect, func(f *diag.Finding) { f.Cause = other })
	tests := []struct {
		name      string
		all, want []diag.Finding
	}{
		{"nothing", nil, nil},
		{"what an error leads to is its evidence", []diag.Finding{effect, certain}, []diag.Finding{proved}},
		{"in either order", []diag.Finding{certain, effect}, []diag.Finding{proved}},
		{"however often", []diag.Finding{effect, certain, with(effect, func(f *diag.Finding) { f.Pattern = "q" })}, []diag.Finding{proved}},
		{"a suspicion falls silent", []diag.Finding{suspected, effect}, []diag.Finding{effect}},
		{"another cause", []diag.Finding{suspected, unrelated}, []diag.Finding{suspected, unrelated}},
		{"no known cause", []diag.Finding{with(suspected, func(f *diag.Finding) { f.Cause = source.Span{} }), with(effect, func(f *diag.Finding) { f.Cause = source.Span{} })},
			[]diag.Finding{with(suspected, func(f *diag.Finding) { f.Cause = source.Span{} }), with(effect, func(f *diag.Finding) { f.Cause = source.Span{} })}},
		{"the same pattern", []diag.Finding{with(certain, func(f *diag.Finding) { f.Pattern = "p" }), unrelated},
			[]diag.Finding{with(proved, func(f *diag.Finding) { f.Pattern = "p" })}},
		{"a pattern that it points to", []diag.Finding{with(certain, func(f *diag.Finding) { f.Related = []diag.Related{{Span: pattern}} }), unrelated},
			[]diag.Finding{with(proved, func(f *diag.Finding) { f.Related = []diag.Related{{Span: pattern}} })}},
		{"a rule that it does not lead to", []diag.Finding{certain, with(effect, func(f *diag.Finding) { f.Rule = "else" })},
			[]diag.Finding{certain, with(effect, func(f *diag.Finding) { f.Rule = "else" })}},
		{"one rule at one place", []diag.Finding{with(effect, func(f *diag.Finding) { f.Counterexample = nil; f.Message = "planned" }), effect}, []diag.Finding{effect}},
	}
	for _, test := range tests {
		if got := validate.Condense(rules, validate.Distinct(test.all)); !reflect.DeepEqual(got, test.want) {
			t.Errorf("%s: got %v", test.name, got)
		}
	}
}
