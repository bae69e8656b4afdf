package report

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/dynmodel/dynmodel/model/diag"
)

// TextOptions say how the text is shown.
type TextOptions struct {
	Color bool
	// Width is the terminal's width in columns; 0 leaves everything in full.
	Width int
	// Quiet leaves out the table of patterns and what is only information.
	Quiet bool
	// Verbose adds the findings that the model accepts, and the coverage.
	Verbose bool
	// Elapsed is shown in the last line, with where to read on before it, unless it
	// is 0: the text then depends on nothing but the report.
	Elapsed time.Duration
}

// Text writes the report for people: for each model the table of patterns and
// the findings with the source they are about, worst first; then the totals.
func Text(w io.Writer, r Report, o TextOptions) error {
	t := &textWriter{out: bufio.NewWriter(w), style: style(o.Color), options: o}
	for i, m := range r.Models {
		if i > 0 {
			t.line("")
		}
		t.model(m)
	}
	if o.Elapsed > 0 {
		t.rules(r)
	}
	t.totals(r)
	return t.out.Flush()
}

// rules writes, for people who have just read the findings, how many there are of
// each rule when they are many, and what tells more of one.
func (t *textWriter) rules(r Report) {
	counts, first, all := map[string]int{}, "", 0
	for _, m := range r.Models {
		for _, f := range bySeverity(m.Findings) {
			if t.options.Quiet && f.Severity == diag.Info {
				continue
			}
			if first == "" {
				first = f.Rule
			}
			counts[f.Rule]++
			all++
		}
	}
	if all == 0 {
		return
	}
	if all > manyFindings {
		var out []string
		names := slices.SortedFunc(maps.Keys(counts), func(a, b string) int { return cmp.Or(counts[b]-counts[a], strings.Compare(a, b)) })
		for _, name := range names {
			out = append(out, fmt.Sprintf("%d %s", counts[name], name))
		}
		t.line("by rule: " + strings.Join(out, ", "))
	}
	t.line(t.style.paint(dim, "more about a rule: ") + "dynmodel explain " + first)
	t.line("")
}

// Findings writes findings alone, each as in Text.
func Findings(w io.Writer, findings []diag.Finding, o TextOptions) error {
	t := &textWriter{out: bufio.NewWriter(w), style: style(o.Color), options: o}
	for _, f := range findings {
		t.finding(f)
	}
	return t.out.Flush()
}

type textWriter struct {
	out     *bufio.Writer
	style   style
	options TextOptions
}

// line and printf lean on bufio, which keeps the first error for Flush.
func (t *textWriter) line(s string) {
	t.out.WriteString(s)
	t.out.WriteByte('\n')
}

func (t *textWriter) printf(format string, args ...any) {
	fmt.Fprintf(t.out, format, args...)
}

func (t *textWriter) model(m Model) {
	if !t.options.Quiet {
		t.heading(m)
		t.patterns(m.Patterns)
	}
	for _, f := range bySeverity(m.Findings) {
		if t.options.Quiet && f.Severity == diag.Info {
			continue
		}
		t.finding(f)
	}
	if t.options.Verbose {
		t.accepted(m.Accepted)
		t.coverage(m.Coverage)
	}
	for _, s := range m.NotChecked {
		t.line(t.style.paint(yellow, "not checked: ") + s)
	}
	if len(m.NotChecked) > 0 {
		t.line("")
	}
}

func (t *textWriter) heading(m Model) {
	name := m.Name
	if name == "" {
		name = "(unnamed)"
	}
	t.line(t.style.paint(bold, visible(name)) + "  " + t.style.paint(dim, visible(m.File)))
	t.line("")
}

func (t *textWriter) accepted(list []Accepted) {
	for _, a := range list {
		t.line(t.style.paint(dim, visible("accepted["+a.Finding.Rule+"] "+place(a.Finding.Span)+a.Finding.Message)))
		t.line("  = reason " + visible(oneLine(a.Reason)))
	}
	if len(list) > 0 {
		t.line("")
	}
}

// manyFindings are more than a screen shows.
const manyFindings = 5

// missingMax is the most lines of what one measure of the coverage misses.
const missingMax = 10

// coverage writes the measures on one line, and below it what they miss.
func (t *textWriter) coverage(all []Coverage) {
	var measures, missing []string
	for _, c := range all {
		if c.Total == 0 {
			continue
		}
		measures = append(measures, fmt.Sprintf("%s %d/%d", c.Measure, c.Reached, c.Total))
		for i, what := range c.Missing {
			if i == missingMax {
				missing = append(missing, fmt.Sprintf("%s: %d more", c.Measure, len(c.Missing)-i))
				break
			}
			missing = append(missing, c.Measure+": "+oneLine(what))
		}
	}
	if len(measures) == 0 {
		return
	}
	t.line(t.style.paint(dim, "coverage: ") + strings.Join(measures, ", "))
	for _, what := range missing {
		t.line("  = missed " + what)
	}
	t.line("")
}

func bySeverity(findings []diag.Finding) []diag.Finding {
	out := slices.Clone(findings)
	slices.SortStableFunc(out, func(a, b diag.Finding) int { return int(b.Severity) - int(a.Severity) })
	return out
}

// totals is the last line of the text.
func totals(r Report) string {
	var b strings.Builder
	t := &textWriter{out: bufio.NewWriter(&b)}
	t.totals(r)
	t.out.Flush()
	return strings.TrimSpace(b.String())
}

func (t *textWriter) totals(r Report) {
	s := r.Summary()
	cases, seeds := 0, map[uint64]bool{}
	for _, m := range r.Models {
		cases += m.cases()
		seeds[m.Seed] = true
	}
	models := ""
	if len(r.Models) != 1 {
		models = count(len(r.Models), "model") + ", "
	}
	run := ""
	if cases > 0 {
		run = " (" + count(cases, "call") + seedText(seeds) + ")"
	}
	elapsed := ""
	if t.options.Elapsed > 0 {
		elapsed = fmt.Sprintf(" in %d ms", t.options.Elapsed.Milliseconds())
	}
	t.printf("%s%s, %d verified%s: %s, %s, %s%s\n",
		models, count(s.Patterns, "access pattern"), s.Verified, run,
		t.colored(diag.Error, s.Errors, "error"), t.colored(diag.Warning, s.Warnings, "warning"),
		t.colored(diag.Info, s.Infos, "info"), elapsed)
}

// seedText names the seed when all models were run with one.
func seedText(seeds map[uint64]bool) string {
	for seed := range seeds {
		if len(seeds) == 1 {
			return fmt.Sprintf(", seed %d", seed)
		}
	}
	return ""
}

func (t *textWriter) colored(sev diag.Severity, n int, noun string) string {
	if n == 0 {
		return count(n, noun)
	}
	return t.style.severity(sev, count(n, noun))
}

// count writes a number with its noun: 1 call, 2 calls.
func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// oneLine folds white space, so that a text stays in its row.
func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }
