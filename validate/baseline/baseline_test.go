package baseline_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/dynmodel/dynmodel/model/diag"
	"github.com/dynmodel/dynmodel/model/source"
	"github.com/dynmodel/dynmodel/validate/baseline"
	"github.com/dynmodel/dynmodel/validate/report"
)

// found is a report of one model, each line of text with a finding of the rule.
func found(rule, text string) report.Report {
	f := source.NewFile("m.yaml", text)
	m := report.Model{Name: "m"}
	at := 0
	for line := range strings.Lines(text) {
		m.Findings = append(m.Findings, diag.Finding{Rule: rule, Severity: diag.Error, Span: source.Span{File: f, Start: at, End: at + len(line)}})
		at += len(line)
	}
	return report.Report{Models: []report.Model{m}}
}

// written is a baseline after a way through its file.
func written(t *testing.T, r report.Report) baseline.Baseline {
	t.Helper()
	var file bytes.Buffer
	if err := baseline.Of(r).Write(&file); err != nil {
		t.Fatal(err)
	}
	b, err := baseline.Read(&file)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestApply(t *testing.T) {
	for _, test := range []struct {
		name                      string
		then, now                 string
		rule                      string
		standing, accepted, stale int
	}{
		{"the same", "a\nb\n", "a\nb\n", diag.NoIndex, 0, 2, 0},
		{"lines moved and blanks added", "a: x\nb\n", "b\n  a:   x\n", diag.NoIndex, 0, 2, 0},
		{"one more", "a\n", "a\nb\n", diag.NoIndex, 1, 1, 0},
		{"one more of the same", "a\n", "a\na\n", diag.NoIndex, 1, 1, 0},
		{"one gone", "a\nb\n", "a\n", diag.NoIndex, 0, 1, 1},
		{"one of two of the same gone", "a\na\n", "a\n", diag.NoIndex, 0, 1, 1},
		{"another rule", "a\n", "a\n", diag.KeyCollision, 1, 0, 1},
		{"nothing", "", "", diag.NoIndex, 0, 0, 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			r, stale := written(t, found(diag.NoIndex, test.then)).Apply(found(test.rule, test.now))
			m := r.Models[0]
			if len(m.Findings) != test.standing || len(m.Accepted) != test.accepted || len(stale) != test.stale {
				t.Errorf("%d stand, %d are accepted, %d are stale; want %d, %d, %d",
					len(m.Findings), len(m.Accepted), len(stale), test.standing, test.accepted, test.stale)
			}
			for _, a := range m.Accepted {
				if !a.Baseline || a.Reason == "" {
					t.Errorf("accepted as %+v", a)
				}
			}
		})
	}
}

// TestOtherModels holds that what was not checked is not stale.
func TestOtherModels(t *testing.T) {
	r := found(diag.NoIndex, "a\n")
	r.Models[0].Name = "other"
	if _, stale := written(t, r).Apply(found(diag.NoIndex, "b\n")); len(stale) > 0 {
		t.Errorf("stale: %v", stale)
	}
}

func TestReadRefuses(t *testing.T) {
	for text, want := range map[string]string{
		"":                                 "no baseline: EOF",
		"version: 1":                       "no baseline: invalid character",
		`{"version": 2, "findings": []}`:   "a baseline of version 2; this dynmodel reads version 1",
		`{"findings": []}`:                 "a baseline of version 0",
		`{"version": 1, "results": []}`:    `unknown field "results"`,
		`{"version": 1, "findings": [{}]}`: "an entry has no rule or no count",
	} {
		if _, err := baseline.Read(strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got %v, want %s", text, err, want)
		}
	}
}

// TestWriteIsStable holds that a baseline does not depend on the order of findings.
func TestWriteIsStable(t *testing.T) {
	var a, b bytes.Buffer
	if err := baseline.Of(found(diag.NoIndex, "a\nb\nc\nd\n")).Write(&a); err != nil {
		t.Fatal(err)
	}
	if err := baseline.Of(found(diag.NoIndex, "d\nb\na\nc\n")).Write(&b); err != nil {
		t.Fatal(err)
	}
	if a.String() != b.String() {
		t.Errorf("%s\n%s", a.String(), b.String())
	}
}
