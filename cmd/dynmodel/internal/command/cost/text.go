package cost

import (
	"fmt"
	"io"
	"strings"

	"github.com/mattn/go-runewidth"

	"github.com/dynmodel/dynmodel/cmd/dynmodel/internal/terminal"
	"github.com/dynmodel/dynmodel/model/cost"
)

// writeText writes an estimate for a person at a terminal.
func writeText(w io.Writer, e *cost.Estimate, o options) error {
	var b strings.Builder
	r := report{e}
	fmt.Fprintf(&b, "%s in %s, %s table class, %s: %s a month\n", e.Table, e.Region, cost.ClassName(e.Class), declared(e), r.money(e.Total(declaredTotal(e))))
	for _, s := range r.sections() {
		b.WriteByte('\n')
		b.WriteString(paint(o.color, s.title) + "\n")
		writeColumns(&b, s, o.width)
		for _, line := range s.lines {
			writeWrapped(&b, s.bullet, line, o.width)
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// declared is the declared capacity mode in words.
func declared(e *cost.Estimate) string { return cost.ModeName(declaredTotal(e)) }

// declaredTotal is the mode that the model has now.
func declaredTotal(e *cost.Estimate) string {
	if _, fixed := e.Months[0].Total[cost.Fixed]; fixed {
		return cost.Fixed
	}
	return e.Declared
}

func paint(color bool, text string) string {
	if !color {
		return text
	}
	return "\x1b[1m" + text + "\x1b[0m"
}

// leastNote is the narrowest that notes are wrapped to on a terminal.
const leastNote = 24

// writeColumns writes a table, figures to the right. Notes at the end of rows are
// wrapped to the width of a terminal.
func writeColumns(b *strings.Builder, s section, width int) {
	if len(s.rows) == 0 {
		return
	}
	widths := make([]int, len(s.header))
	rows := append([][]string{s.header}, s.rows...)
	for _, row := range rows {
		for i, cell := range row {
			widths[i] = max(widths[i], runewidth.StringWidth(cell))
		}
	}
	last := len(s.header) - 1
	before := 2 // where the last column begins
	for _, w := range widths[:last] {
		before += w + 2
	}
	for _, row := range rows {
		line := " "
		for i, cell := range row[:last] {
			pad := strings.Repeat(" ", widths[i]-runewidth.StringWidth(cell))
			if s.isText(i) {
				cell += pad
			} else {
				cell = pad + cell
			}
			line += " " + cell + " "
		}
		end := row[last]
		switch {
		case s.notes && width > 0:
			end = strings.Join(terminal.Wrap(end, max(leastNote, width-before), 0), "\n"+strings.Repeat(" ", before))
		case !s.notes:
			end = strings.Repeat(" ", widths[last]-runewidth.StringWidth(end)) + end
		}
		b.WriteString(strings.TrimRight(line+" "+end, " ") + "\n")
	}
}

// isText tells whether a column holds texts, not figures.
func (s section) isText(column int) bool {
	return column < s.left || s.notes && column == len(s.header)-1
}

// writeWrapped writes a line, broken between words.
func writeWrapped(b *strings.Builder, bullet, line string, width int) {
	b.WriteString("  " + bullet + strings.Join(terminal.Wrap(line, width, 4), "\n    ") + "\n")
}

// writeMarkdown writes an estimate as a page.
func writeMarkdown(w io.Writer, e *cost.Estimate, _ options) error {
	var b strings.Builder
	r := report{e}
	fmt.Fprintf(&b, "# What %s costs\n\nIn %s, %s table class, %s: **%s a month**.\n", e.Table, e.Region, cost.ClassName(e.Class), declared(e), r.money(e.Total(declaredTotal(e))))
	for _, s := range r.sections() {
		fmt.Fprintf(&b, "\n## %s\n", s.title)
		if len(s.rows) > 0 {
			b.WriteByte('\n')
			markdownRow(&b, s.header)
			b.WriteByte('|')
			for i := range s.header {
				if s.isText(i) {
					b.WriteString(" --- |")
				} else {
					b.WriteString(" ---: |")
				}
			}
			b.WriteByte('\n')
			for _, row := range s.rows {
				markdownRow(&b, row)
			}
		}
		if len(s.lines) > 0 {
			b.WriteByte('\n')
		}
		for _, line := range s.lines {
			b.WriteString("- " + escaped(line) + "\n")
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func markdownRow(b *strings.Builder, cells []string) {
	b.WriteByte('|')
	for _, c := range cells {
		b.WriteString(" " + escaped(c) + " |")
	}
	b.WriteByte('\n')
}

// escaped keeps a text from ending a cell or beginning markup.
func escaped(text string) string {
	return strings.NewReplacer("|", `\|`, "*", `\*`, "<", "&lt;").Replace(text)
}
