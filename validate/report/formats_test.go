package report

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/dynmodel/dynmodel/model/diag"
	"github.com/dynmodel/dynmodel/model/modeltest"
	"github.com/dynmodel/dynmodel/model/source"
)

// machine are the formats for machines and web pages, with their golden files.
var machine = map[string]func(io.Writer, Report) error{
	"report.sarif": func(w io.Writer, r Report) error { return SARIF(w, r, sarifOptions()) },
	"report.xml":   func(w io.Writer, r Report) error { return JUnit(w, r, diag.Error) },
	"report.gh":    GitHub,
	"report.md":    Markdown,
}

func sarifOptions() SARIFOptions {
	return SARIFOptions{Version: "1.2.0", Rules: []RulePage{
		{Name: diag.WrongResult, Severity: diag.Error, Title: "a read returns what it should not", Text: "What it is.", Help: "help", HelpMarkdown: "**help**"},
	}}
}

// written is the report in a format; it must be the same every time.
func written(t *testing.T, format func(io.Writer, Report) error, r Report) []byte {
	t.Helper()
	var out, again bytes.Buffer
	if err := format(&out, r); err != nil {
		t.Fatal(err)
	}
	if err := format(&again, r); err != nil || !bytes.Equal(out.Bytes(), again.Bytes()) {
		t.Error("written twice it differs", err)
	}
	return out.Bytes()
}

func TestFormats(t *testing.T) {
	for name, format := range machine {
		t.Run(name, func(t *testing.T) {
			modeltest.Golden(t, filepath.Join("testdata", name), string(written(t, format, sample())))
			modeltest.Golden(t, filepath.Join("testdata", "hostile-"+name), string(written(t, format, hostile())))
		})
	}
}

// hostile is a report of which every text tries to be more than text.
func hostile() Report {
	const text = "</code></summary>\n::error::x %0A | ``` `` [a](javascript:alert(1)) @octocat {0} <script> ]]> &amp; \x1b[31m \x00 \u202e \xff -- \r\n::warning::y"
	file := source.NewFile("dir with ünïcode/a,b:c%.yaml", "name: 😀 "+strings.ReplaceAll(text, "\n", " ")+"\nnext\n")
	at := source.Span{File: file, Start: 6, End: 12}
	both := source.Span{File: file, Start: 6, End: len(file.Text())}
	f := diag.Finding{Rule: diag.WrongResult, Severity: diag.Error, Span: at, Message: text, Pattern: text, Entity: text, Index: text, Why: text, Fix: text,
		Related: []diag.Related{{Span: both, Text: text}}, Cause: both,
		Counterexample: &diag.Counterexample{Request: []string{text, text}, With: []diag.Binding{{Name: text, Value: text}},
			Items: []diag.CounterItem{{Role: "extra", Entity: text, Keys: []diag.Binding{{Name: "PK", Value: text}}}}}}
	nowhere := diag.Finding{Rule: diag.UnusedIndex, Severity: diag.Info, Message: text}
	stdin := f
	stdin.Span.File = source.NewFile("-", file.Text())
	stdin.Cause, stdin.Related, stdin.Pattern = source.Span{}, nil, ""
	return Report{Models: []Model{{File: file.Name(), Name: text, Seed: 1,
		Patterns:   []Pattern{{Name: text, Verdict: Error, Reason: text, Operation: "Query", Index: text, KeyCondition: text}, {Name: "other", Verdict: Skipped, Reason: text}},
		Findings:   []diag.Finding{f, nowhere, stdin},
		Accepted:   []Accepted{{Finding: f, Reason: text}, {Finding: f, Reason: text, Baseline: true}},
		NotChecked: []string{text},
	}}}
}

func TestSARIFIsValid(t *testing.T) {
	schema, err := os.ReadFile("testdata/sarif-schema-2.1.0.json")
	if err != nil {
		t.Fatal(err)
	}
	for name, r := range map[string]Report{"sample": sample(), "hostile": hostile(), "no model": {}, "unreadable model": {Models: []Model{{File: "a.yaml"}}}} {
		t.Run(name, func(t *testing.T) { validates(t, schema, written(t, machine["report.sarif"], r)) })
	}
}

// TestFingerprints holds that a finding is known again after lines have moved and
// data has changed, and that two findings are never one.
func TestFingerprints(t *testing.T) {
	prints := func(text string, findings ...diag.Finding) []string {
		file := source.NewFile("m.yaml", text)
		for i, f := range findings {
			start := strings.Index(text, "template")
			f.Span = source.Span{File: file, Start: start, End: start + len("template")}
			f.Rule = diag.KeyCollision
			findings[i] = f
		}
		var log sarifLog
		if err := json.Unmarshal(written(t, machine["report.sarif"], Report{Models: []Model{{Name: "m", Findings: findings}}}), &log); err != nil {
			t.Fatal(err)
		}
		var out []string
		for _, r := range log.Runs[0].Results {
			out = append(out, r.PartialFingerprints["dynmodel/v1"])
		}
		return out
	}
	before := prints("a: template\n", diag.Finding{Entity: "A", Message: "1 item"}, diag.Finding{Entity: "B"}, diag.Finding{Entity: "B"})
	after := prints("# new\n\n  a:   template\n", diag.Finding{Entity: "A", Message: "2 items"}, diag.Finding{Entity: "B"}, diag.Finding{Entity: "B"})
	if !slices.Equal(before, after) {
		t.Errorf("they were %v and are %v", before, after)
	}
	slices.Sort(before)
	if len(slices.Compact(before)) != 3 {
		t.Errorf("not three different: %v", before)
	}
}

// TestColumns holds that columns are counted as the log says.
func TestColumns(t *testing.T) {
	var log sarifLog
	if err := json.Unmarshal(written(t, machine["report.sarif"], hostile()), &log); err != nil {
		t.Fatal(err)
	}
	run := log.Runs[0]
	region := run.Results[0].Locations[0].Physical.Region
	if run.ColumnKind != "unicodeCodePoints" || region.StartColumn != 7 || region.EndColumn != 10 {
		t.Errorf("%s %+v", run.ColumnKind, region) // the emoji is one character and two UTF-16 code units
	}
}

func TestJUnit(t *testing.T) {
	for name, test := range map[string]struct {
		report                           Report
		failOn                           diag.Severity
		tests, failures, errors, skipped int
	}{
		"errors fail":        {sample(), diag.Error, 6, 2, 0, 1},
		"warnings fail":      {sample(), diag.Warning, 6, 3, 0, 1},
		"everything fails":   {sample(), diag.Info, 6, 4, 0, 1},
		"hostile":            {hostile(), diag.Error, 4, 2, 0, 1},
		"nothing":            {Report{}, diag.Error, 0, 0, 0, 0},
		"could not be run":   {Report{Models: []Model{{Patterns: []Pattern{{Name: "p", Verdict: Error, Reason: "no"}}}}}, diag.Error, 1, 0, 1, 0},
		"accepted is passed": {Report{Models: []Model{{Patterns: []Pattern{{Name: "p", Verdict: Fail}}}}}, diag.Error, 1, 0, 0, 0},
	} {
		t.Run(name, func(t *testing.T) {
			var out bytes.Buffer
			if err := JUnit(&out, test.report, test.failOn); err != nil {
				t.Fatal(err)
			}
			var got junitSuites
			if err := xml.Unmarshal(out.Bytes(), &got); err != nil {
				t.Fatal(err)
			}
			if got.Tests != test.tests || got.Failures != test.failures || got.Errors != test.errors || got.Skipped != test.skipped {
				t.Errorf("%d tests, %d failures, %d errors, %d skipped", got.Tests, got.Failures, got.Errors, got.Skipped)
			}
		})
	}
}

// TestGitHubCommands holds that a finding is one command, whatever it says.
func TestGitHubCommands(t *testing.T) {
	lines := strings.Split(strings.TrimSpace(string(written(t, GitHub, hostile()))), "\n")
	if len(lines) != 4 {
		t.Errorf("%d lines, want 3 commands and the totals", len(lines))
	}
	for i, line := range lines {
		if commands := strings.HasPrefix(line, "::"); commands != (i < 3) || strings.ContainsAny(line, "\r\x1b\x00") {
			t.Errorf("line %d: %q", i+1, line)
		}
	}
}

// TestMarkdownFits holds that a comment is never too long, and says what it leaves out.
func TestMarkdownFits(t *testing.T) {
	file := source.NewFile("m.yaml", strings.Repeat("é", 400)+"\n")
	var m Model
	for i := range 500 {
		m.Findings = append(m.Findings, diag.Finding{Rule: diag.NoIndex, Severity: diag.Error, Message: fmt.Sprintf("finding %d %s", i, strings.Repeat("\\é<", 200)),
			Span: source.Span{File: file, Start: 0, End: 100}})
		m.Patterns = append(m.Patterns, Pattern{Name: fmt.Sprintf("pattern-%d", i), Verdict: Fail, KeyCondition: strings.Repeat("$", 300)})
	}
	out := written(t, Markdown, Report{Models: []Model{m}})
	if len(out) > MarkdownLimit {
		t.Errorf("%d bytes", len(out))
	}
	if len(out) < MarkdownLimit/2 || !bytes.Contains(out, []byte("more did not fit into this comment")) {
		t.Errorf("%d bytes, and not said that something is left out", len(out))
	}
	if opened, closed := bytes.Count(out, []byte("<details>")), bytes.Count(out, []byte("</details>")); opened != closed || opened < 10 {
		t.Errorf("%d opened, %d closed", opened, closed)
	}
}

// TestMarkdownVerdicts are the first lines of comments.
func TestMarkdownVerdicts(t *testing.T) {
	pass, skipped := Pattern{Name: "p", Verdict: Pass}, Pattern{Name: "q", Verdict: Skipped, Reason: "no"}
	for want, m := range map[string]Model{
		"### dynmodel: every access pattern holds (2)\n":                 {Patterns: []Pattern{pass, pass}},
		"### dynmodel: nothing found, 1 of 2 access patterns verified\n": {Patterns: []Pattern{pass, skipped}},
		"### dynmodel: 0 errors, 1 warning, 0 infos\n":                   {Findings: []diag.Finding{{Severity: diag.Warning}}},
	} {
		if out := string(written(t, Markdown, Report{Models: []Model{m}})); !strings.HasPrefix(out, markdownMark+want) {
			t.Errorf("got %q, want %q", strings.Split(out, "\n")[1], want)
		}
	}
}
