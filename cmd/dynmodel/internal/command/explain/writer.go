package explain

import (
	"fmt"
	"strings"

	"github.com/mattn/go-runewidth"
)

// writer writes a page for a person at a terminal.
type writer struct {
	text  strings.Builder
	color bool
	width int // of running text
}

// prose is the greatest width of a line of running text.
const prose = 100

func newWriter(color bool, columns int) *writer {
	w := &writer{color: color, width: prose}
	if columns > 0 {
		w.width = min(prose, columns)
	}
	return w
}

// heading begins a section.
func (w *writer) heading(format string, args ...any) {
	if w.text.Len() > 0 {
		w.text.WriteByte('\n')
	}
	text := fmt.Sprintf(format, args...)
	if w.color {
		text = "\x1b[1m" + text + "\x1b[0m"
	}
	w.text.WriteString(text + "\n")
}

// line writes running text, wrapped.
func (w *writer) line(format string, args ...any) {
	w.wrapped("  ", fmt.Sprintf(format, args...))
}

// point writes a named point of a list, wrapped behind its name.
func (w *writer) point(wide int, name, text string) {
	w.wrapped(fmt.Sprintf("  %-*s  ", wide, name), text)
}

// wrapped writes words behind a head, whose width is kept free in further lines.
func (w *writer) wrapped(head, text string) {
	indent := runewidth.StringWidth(head)
	w.text.WriteString(head)
	column := indent
	for i, word := range strings.Fields(text) {
		n := runewidth.StringWidth(word)
		switch {
		case i == 0:
		case column+1+n > w.width && column > indent:
			w.text.WriteString("\n" + strings.Repeat(" ", indent))
			column = indent
		default:
			w.text.WriteByte(' ')
			column++
		}
		w.text.WriteString(word)
		column += n
	}
	w.text.WriteByte('\n')
}

// block writes text as it is, to be copied, moved to the right.
func (w *writer) block(text string) {
	for line := range strings.Lines(strings.TrimRight(text, "\n") + "\n") {
		w.text.WriteString("    " + line)
	}
}
