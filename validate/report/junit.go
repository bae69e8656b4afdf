package report

import (
	"encoding/xml"
	"fmt"
	"io"
	"strings"

	"github.com/dynmodel/dynmodel/model/diag"
)

// JUnit writes the report in the XML form of JUnit that test reports of CI
// systems read: a suite for each model, a test for each access pattern, and one
// for each finding that is about no access pattern. Findings of at least failOn
// are failures; the others stand in the output of their test. Access patterns
// that were not run are skipped.
func JUnit(w io.Writer, r Report, failOn diag.Severity) error {
	all := junitSuites{Name: "dynmodel check"}
	for _, m := range r.Models {
		s := suite(m, failOn)
		all.Tests += s.Tests
		all.Failures += s.Failures
		all.Errors += s.Errors
		all.Skipped += s.Skipped
		all.Suites = append(all.Suites, s)
	}
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	encoder := xml.NewEncoder(w)
	encoder.Indent("", "  ")
	if err := encoder.Encode(all); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}

type junitSuites struct {
	XMLName  xml.Name     `xml:"testsuites"`
	Name     string       `xml:"name,attr"`
	Tests    int          `xml:"tests,attr"`
	Failures int          `xml:"failures,attr"`
	Errors   int          `xml:"errors,attr"`
	Skipped  int          `xml:"skipped,attr"`
	Suites   []junitSuite `xml:"testsuite"`
}

type junitSuite struct {
	Name     string      `xml:"name,attr"`
	File     string      `xml:"file,attr"`
	Tests    int         `xml:"tests,attr"`
	Failures int         `xml:"failures,attr"`
	Errors   int         `xml:"errors,attr"`
	Skipped  int         `xml:"skipped,attr"`
	Cases    []junitCase `xml:"testcase"`
}

type junitCase struct {
	Name      string         `xml:"name,attr"`
	ClassName string         `xml:"classname,attr"`
	File      string         `xml:"file,attr,omitempty"`
	Line      int            `xml:"line,attr,omitempty"`
	Failures  []junitProblem `xml:"failure"`
	Error     *junitProblem  `xml:"error"`
	Skipped   *junitProblem  `xml:"skipped"`
	Output    string         `xml:"system-out,omitempty"`
}

type junitProblem struct {
	Message string `xml:"message,attr"`
	Type    string `xml:"type,attr,omitempty"`
	Text    string `xml:",chardata"`
}

func suite(m Model, failOn diag.Severity) junitSuite {
	s := junitSuite{Name: m.title(), File: m.File}
	tests := map[string]bool{}
	for _, p := range m.Patterns {
		tests[p.Name] = true
		s.add(m.test(p, failOn))
	}
	for _, f := range m.Findings {
		if !tests[f.Pattern] {
			s.add(m.finding(f, failOn))
		}
	}
	return s
}

func (s *junitSuite) add(c junitCase) {
	s.Tests++
	switch {
	case len(c.Failures) > 0:
		s.Failures++
	case c.Error != nil:
		s.Errors++
	case c.Skipped != nil:
		s.Skipped++
	}
	s.Cases = append(s.Cases, c)
}

// title is the name of the model, or of its file where it has none.
func (m Model) title() string {
	if m.Name == "" {
		return m.File
	}
	return m.Name
}

// test is the test of an access pattern.
func (m Model) test(p Pattern, failOn diag.Severity) junitCase {
	c := junitCase{Name: p.Name, ClassName: m.title()}
	for _, f := range m.Findings {
		if f.Pattern == p.Name {
			c.take(f, failOn)
		}
	}
	if len(c.Failures) > 0 {
		return c
	}
	switch p.Verdict {
	case Error:
		c.Error = &junitProblem{Message: p.Reason}
	case Skipped:
		c.Skipped = &junitProblem{Message: p.Reason}
	case Fail:
		c.Output = join(c.Output, "It fails for a cause that is reported elsewhere, accepted, or below the severity that fails.")
	}
	return c
}

// finding is the test that a finding about no access pattern makes.
func (m Model) finding(f diag.Finding, failOn diag.Severity) junitCase {
	c := junitCase{Name: f.Rule + ": " + oneLine(f.Message), ClassName: m.title()}
	c.take(f, failOn)
	return c
}

// take adds a finding to a test; the first one says where the test is.
func (c *junitCase) take(f diag.Finding, failOn diag.Severity) {
	if c.File == "" && f.Span.Known() {
		c.File, c.Line = f.Span.File.Name(), f.Span.From().Line
	}
	text := place(f.Span) + message(f)
	if f.Severity >= failOn {
		c.Failures = append(c.Failures, junitProblem{Message: f.Message, Type: f.Rule, Text: text})
		return
	}
	c.Output = join(c.Output, fmt.Sprintf("%s[%s] %s", f.Severity, f.Rule, text))
}

// join puts texts below each other.
func join(a, b string) string { return strings.TrimPrefix(a+"\n\n"+b, "\n\n") }
