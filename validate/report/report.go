// Package report turns what a check found into what people and machines read:
// text for a terminal, JSON for everything else.
//
// A Report is plain data; the renderers are functions of it and of nothing
// else, so the same report gives the same bytes everywhere.
package report

import (
	"github.com/dynmodel/dynmodel/model/diag"
)

// Report is the outcome of one run of check.
type Report struct {
	Models []Model
}

// Model is the outcome for one model.
type Model struct {
	File     string
	Name     string // "" when the model could not be read that far
	Seed     uint64
	Patterns []Pattern // in the model's order
	Findings []diag.Finding
	// Accepted are findings that an ignore or a baseline silences.
	Accepted []Accepted
	// NotChecked says, a sentence each, what was not checked and why.
	NotChecked []string
	// Coverage is what the generated data reached, where that was asked for; for
	// the text alone.
	Coverage []Coverage
}

// Coverage is how much of what the data should reach it does, by one measure.
type Coverage struct {
	Measure        string
	Reached, Total int
	Missing        []string // what is not reached, a line each
}

// Accepted is a finding that is known and fails nothing, with its reason.
type Accepted struct {
	Finding diag.Finding
	Reason  string
	// Baseline tells that a baseline accepts it, and not the model.
	Baseline bool
}

// Verdict is what the check says of one access pattern.
type Verdict string

// The verdicts.
const (
	Pass    Verdict = "pass"    // run, and every case was as it should be
	Fail    Verdict = "fail"    // run or planned, and wrong
	Error   Verdict = "error"   // it could not be run, though it should
	Skipped Verdict = "skipped" // not run; Reason says why
)

// Pattern is a line of the table of patterns.
type Pattern struct {
	Name    string
	Verdict Verdict
	Reason  string // of Skipped and Error

	Operation    string // DynamoDB's operation, such as Query
	Index        string // "table" or the index's name; "" when there is none
	KeyCondition string // "" when there is none
	Filter       string // "" when there is none

	Cases int // calls run
	// Requests is how many requests one call sends, at most.
	Requests float64
	Cost     *Cost // nil: the model does not declare the volumes that it takes
}

// Cost are the expected values of one call at the declared volume.
type Cost struct {
	Items, ItemsRead, RCU, WCU, Pages float64
}

// Summary counts what a model or a whole report holds.
type Summary struct {
	Errors   int `json:"errors"`
	Warnings int `json:"warnings"`
	Infos    int `json:"infos"`
	Patterns int `json:"patterns"`
	Verified int `json:"verified"` // patterns that were run and passed
}

// Summary counts the model's findings and patterns.
func (m Model) Summary() Summary {
	s := Summary{Patterns: len(m.Patterns)}
	for _, f := range m.Findings {
		switch f.Severity {
		case diag.Error:
			s.Errors++
		case diag.Warning:
			s.Warnings++
		case diag.Info:
			s.Infos++
		}
	}
	for _, p := range m.Patterns {
		if p.Verdict == Pass {
			s.Verified++
		}
	}
	return s
}

// cases is the number of calls run for the model.
func (m Model) cases() int {
	n := 0
	for _, p := range m.Patterns {
		n += p.Cases
	}
	return n
}

// Summary counts over all models.
func (r Report) Summary() Summary {
	var s Summary
	for _, m := range r.Models {
		t := m.Summary()
		s.Errors += t.Errors
		s.Warnings += t.Warnings
		s.Infos += t.Infos
		s.Patterns += t.Patterns
		s.Verified += t.Verified
	}
	return s
}

// Worst is the severity of the worst finding, or 0 when there is none.
func (r Report) Worst() diag.Severity {
	var worst diag.Severity
	for _, m := range r.Models {
		for _, f := range m.Findings {
			worst = max(worst, f.Severity)
		}
	}
	return worst
}
