package diff

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/dynmodel/dynmodel/cmd/dynmodel/internal/terminal"
	"github.com/dynmodel/dynmodel/model/diag"
	"github.com/dynmodel/dynmodel/model/migration"
	"github.com/dynmodel/dynmodel/validate/rehearsal"
)

// style colours text, or leaves it plain.
type style bool

const (
	bold   = "1"
	dim    = "2"
	red    = "31"
	green  = "32"
	yellow = "33"
	cyan   = "36"
)

func (s style) paint(code, text string) string {
	if !s {
		return text
	}
	return "\x1b[" + code + "m" + text + "\x1b[0m"
}

// kindColor tells at a glance how much work a kind of change is.
func kindColor(k migration.Kind) string {
	switch k {
	case migration.KindNewTable:
		return red
	case migration.KindBackfill:
		return yellow
	case migration.KindStaged:
		return cyan
	}
	return green
}

// writeText writes the migration for a person at a terminal.
func writeText(w io.Writer, m outcome, s style) error {
	var b strings.Builder
	if m.Same() {
		b.WriteString("The models are the same in all that concerns the table and its code.\n")
		_, err := io.WriteString(w, b.String())
		return err
	}
	b.WriteString(s.paint(bold, "Changes") + "\n")
	wide := 0
	for _, c := range m.Changes {
		wide = max(wide, len(c.Subject))
	}
	for _, c := range m.Changes {
		fmt.Fprintf(&b, "  %s  %-*s  %s\n", s.paint(kindColor(c.Kind), fmt.Sprintf("%-9s", c.Kind)), wide, c.Subject, c.Text)
	}
	if len(m.Breaks) > 0 {
		b.WriteString("\n" + s.paint(bold, "What breaks for code that follows the old model") + "\n")
		for _, x := range m.Breaks {
			fmt.Fprintf(&b, "  %s, from step %d on: %s\n", s.paint(yellow, x.Pattern.Name.Text), x.Step, x.Reason)
		}
	}
	if len(m.Steps) > 0 {
		b.WriteString("\n" + s.paint(bold, "Steps") + "\n")
	}
	for _, step := range m.Steps {
		fmt.Fprintf(&b, "%3d. %s  %s\n", step.Number, s.paint(dim, fmt.Sprintf("%-8s", step.Kind)), step.Title)
		for _, line := range stepLines(step) {
			fmt.Fprintf(&b, "               %s\n", s.paint(dim, line))
		}
	}
	if m.rehearsal != nil {
		writeRehearsal(&b, m.rehearsal, s)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// writeRehearsal says what was run after each step, and what was wrong.
func writeRehearsal(b *strings.Builder, r *rehearsal.Result, s style) {
	b.WriteString("\n" + s.paint(bold, "Played on the embedded engine") + "\n")
	for _, step := range r.Steps {
		fmt.Fprintf(b, "  %s: %s\n", after(step.Step), ran(step))
		for _, f := range step.Findings {
			fmt.Fprintf(b, "    %s %s\n", s.paint(red, "wrong, "+f.Side+" model:"), f.Message)
			for _, line := range shownItems(f) {
				fmt.Fprintf(b, "      %s\n", line)
			}
		}
	}
	fmt.Fprintf(b, "  On %s of old items, %s.\n", sets(r.Worlds), verdict(r, s))
	if r.Left > 0 {
		fmt.Fprintf(b, "  Left out: %s, for values that the new model does not allow; they have to be mended first.\n", terminal.Count(r.Left, "item"))
	}
}

func verdict(r *rehearsal.Result, s style) string {
	switch {
	case r.Failed():
		return s.paint(red, "some answers were wrong")
	case len(r.Steps[0].Findings) > 0:
		return s.paint(green, "no step made an answer wrong") + "; what was wrong before is the old model's own fault, and `dynmodel check` says more of it"
	}
	return s.paint(green, "every answer was right")
}

func after(s *migration.Step) string {
	if s == nil {
		return "before step 1"
	}
	return fmt.Sprintf("after step %d", s.Number)
}

// ran says how much was done and looked at.
func ran(s rehearsal.StepResult) string {
	text := terminal.Count(s.Calls, "call") + " of access patterns"
	if s.Written > 0 {
		text = terminal.Count(s.Written, "item") + " written, " + text
	}
	return text
}

func sets(n int) string {
	if n == 1 {
		return "one set"
	}
	return fmt.Sprintf("%d sets", n)
}

// rank puts the items that are wrong before those that are rightly there.
func rank(it diag.CounterItem) int {
	if it.Role == "returned" {
		return 1
	}
	return 0
}

// mostShown is how many items of a finding are shown.
const mostShown = 5

// shownItems are the call and the items of a finding.
func shownItems(f rehearsal.Finding) []string {
	if f.Counterexample == nil {
		return nil
	}
	var out []string
	for _, w := range f.Counterexample.With {
		out = append(out, "with "+w.Name+" = "+w.Value)
	}
	items := slices.Clone(f.Counterexample.Items)
	slices.SortStableFunc(items, func(a, b diag.CounterItem) int { return rank(a) - rank(b) })
	for _, it := range items[:min(len(items), mostShown)] {
		line := it.Role + " " + it.Entity
		for _, k := range it.Keys {
			line += fmt.Sprintf(" %s=%s", k.Name, k.Value)
		}
		out = append(out, line)
	}
	if more := len(items) - mostShown; more > 0 {
		out = append(out, fmt.Sprintf("and %d more", more))
	}
	return out
}

// stepLines is what to know of a step, a line each.
func stepLines(step *migration.Step) []string {
	var out []string
	if len(step.Requests) > 0 {
		names := make([]string, len(step.Requests))
		for i, r := range step.Requests {
			names[i] = r.Operation
		}
		out = append(out, strings.Join(names, ", then "))
	}
	if b := step.Backfill; b != nil {
		out = append(out, amount(b))
	}
	if step.Text != "" {
		out = append(out, step.Text)
	}
	return out
}

// amount says how much a backfill writes, and that it has to scan for it.
func amount(b *migration.Backfill) string {
	if !b.Known {
		return "how many items there are is not declared (`volume`)"
	}
	return fmt.Sprintf("%s items, %s write units; finding them is a scan of %s read units", count(b.Items), count(b.WCU), count(b.RCU))
}

// count writes a large number with its thousands apart.
func count(x float64) string {
	digits := strconv.FormatFloat(x, 'f', 0, 64)
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}
