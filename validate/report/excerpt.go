package report

import (
	"fmt"
	"strings"
	"unicode"

	"github.com/dynmodel/dynmodel/model/diag"
	"github.com/dynmodel/dynmodel/model/source"
	"github.com/mattn/go-runewidth"
)

// A line of the source that is wider than maxLine columns is shown in part: what
// is marked, up to maxMarked, with leadIn before it.
const (
	maxLine   = 240
	maxMarked = 120
	leadIn    = 60
)

// excerpt shows the first line of the span, marked, with the request that ran
// beside the mark. It returns the width of the line number. Nothing is
// shown of an empty file, and of one in UTF-16, which would be garbage.
func (t *textWriter) excerpt(f diag.Finding) int {
	if !f.Span.Known() {
		return 1
	}
	from, to := f.Span.From(), f.Span.To()
	if text := f.Span.File.Text(); text == "" || strings.HasPrefix(text, "\xff\xfe") || strings.HasPrefix(text, "\xfe\xff") {
		return 1
	}
	before, marked, after := window(cutAt(f.Span.File.Line(from.Line), from.Column, to, from.Line))
	number := fmt.Sprint(from.Line)
	t.line(t.bar(len(number)))
	t.printf("%s %s %s\n", t.style.paint(cyan, number), t.style.paint(cyan, "|"), before+marked+after)
	mark := strings.Repeat("^", max(1, runewidth.StringWidth(marked)))
	t.printf("%s %s%s%s\n", t.bar(len(number)), strings.Repeat(" ", runewidth.StringWidth(before)),
		t.style.severity(f.Severity, mark), visible(firstRequest(f)))
	return len(number)
}

// cutAt splits a line into what stands before the span, what the span covers of
// it, and what follows.
func cutAt(line string, column int, to source.Position, lineNumber int) (before, marked, after string) {
	runes := []rune(line)
	start := min(column-1, len(runes))
	end := len(runes)
	if to.Line == lineNumber {
		end = max(start, min(to.Column-1, len(runes)))
	}
	return string(runes[:start]), string(runes[start:end]), string(runes[end:])
}

// window makes the three parts of a line fit to be shown, and narrow enough.
func window(before, marked, after string) (b, m, a string) {
	b, m, a = visible(before), visible(marked), visible(after)
	if runewidth.StringWidth(b)+runewidth.StringWidth(m)+runewidth.StringWidth(a) <= maxLine {
		return b, m, a
	}
	if wide := runewidth.StringWidth(b); wide > leadIn {
		b = runewidth.TruncateLeft(b, wide-leadIn+1, "…")
	}
	m = runewidth.Truncate(m, maxMarked, "…")
	a = runewidth.Truncate(a, max(1, maxLine-runewidth.StringWidth(b)-runewidth.StringWidth(m)), "…")
	return b, m, a
}

// visible makes text of a model harmless to a terminal and countable in columns:
// tabs are two blanks, other control characters have a picture, and what turns
// the direction of writing is replaced. Ends of lines stay.
func visible(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n':
			return r
		case r < ' ':
			return '␀' + r
		case r == 0x7F:
			return '␡'
		case unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r):
			return unicode.ReplacementChar
		}
		return r
	}, strings.ReplaceAll(s, "\t", "  "))
}
