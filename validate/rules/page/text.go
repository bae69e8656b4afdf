package page

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"strings"

	"github.com/mattn/go-runewidth"

	"github.com/dynmodel/dynmodel/validate/report"
)

// prose is the greatest width of a line of running text.
const prose = 80

// Text writes the page for people at a terminal.
func Text(w io.Writer, p Page, o report.TextOptions) error {
	width := prose
	if o.Width > 0 {
		width = min(width, o.Width)
	}
	var found bytes.Buffer
	if err := report.Findings(&found, p.Found, o); err != nil {
		return err
	}
	out := bufio.NewWriter(w)
	fmt.Fprintf(out, "%s (%s): %s\n\n", p.Rule.Name, p.Rule.Severity, plain(p.Rule.Title))
	fmt.Fprintf(out, "%s\n\n", wrap(p.Rule.Text, width))
	fmt.Fprintf(out, "%s\n\n", wrap("Fix: "+p.Rule.Fix+".", width))
	fmt.Fprintf(out, "A model that fails:\n\n%s\n", indent(p.Rule.Bad))
	fmt.Fprintf(out, "What check says of it:\n\n%s", indent(found.String()))
	fmt.Fprintf(out, "A model that passes:\n\n%s", indent(p.Rule.Good))
	return out.Flush()
}

// plain is a title without its marks of code.
func plain(s string) string { return strings.ReplaceAll(s, "`", "") }

// wrap breaks a paragraph into lines.
func wrap(text string, width int) string {
	var b strings.Builder
	column := 0
	for _, word := range strings.Fields(text) {
		n := runewidth.StringWidth(word)
		switch {
		case column == 0:
		case column+1+n > width:
			b.WriteByte('\n')
			column = 0
		default:
			b.WriteByte(' ')
			column++
		}
		b.WriteString(word)
		column += n
	}
	return b.String()
}

// indent moves lines to the right; empty ones stay empty.
func indent(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		if line != "\n" {
			b.WriteString("    ")
		}
		b.WriteString(line)
	}
	return b.String()
}
