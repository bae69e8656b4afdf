package docs

import (
	"fmt"
	"strings"
	"unicode"

	"github.com/dynmodel/dynmodel/generate/document"
)

// special are the characters that may mean something in Markdown as GitHub reads
// it, wherever they stand: emphasis, links, HTML, mathematics, character
// references. Beginnings are those that mean something at the beginning of a line.
const (
	special    = "\\`*_{}[]<>~$&@"
	beginnings = "#-+="
)

// escape is a text that shows as it is, on one line, in a paragraph, a heading
// or, once its bars are escaped (see row), a cell of a table.
func escape(text string) string {
	var b strings.Builder
	for i, r := range oneLine(text) {
		if strings.ContainsRune(special, r) || i == 0 && strings.ContainsRune(beginnings, r) {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return numbered(b.String())
}

// numbered keeps a text that begins as a numbered list does from being one.
func numbered(text string) string {
	digits := len(text) - len(strings.TrimLeft(text, "0123456789"))
	if rest := text[digits:]; digits > 0 && (rest == "." || strings.HasPrefix(rest, ". ")) {
		return text[:digits] + "\\" + text[digits:]
	}
	return text
}

// code is a text as code on one line, "" for none. A backslash before a bar
// cannot stand in the code of a table, whose bars are escaped; it is written as
// HTML.
func code(text string) string {
	if text = oneLine(text); text == "" {
		return ""
	}
	if strings.Contains(text, `\|`) {
		return "<code>" + references(text) + "</code>"
	}
	fence := "`"
	for strings.Contains(text, fence) {
		fence += "`"
	}
	if strings.HasPrefix(text, "`") || strings.HasSuffix(text, "`") {
		text = " " + text + " "
	}
	return fence + text + fence
}

// references is a text with character references in place of what Markdown would
// read.
func references(text string) string {
	var b strings.Builder
	for _, r := range text {
		if strings.ContainsRune(special+"|", r) {
			fmt.Fprintf(&b, "&#%d;", r)
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// oneLine is a text with every run of space and control characters as one space.
func oneLine(text string) string {
	space := func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }
	return strings.Join(strings.FieldsFunc(text, space), " ")
}

// prose is a text in which what stands in backquotes is code.
func prose(text string) string {
	var b strings.Builder
	for _, s := range document.Stretches(text) {
		switch words := strings.TrimSpace(s.Text); {
		case s.Code:
			b.WriteString(code(s.Text))
		case words == "":
			b.WriteString(" ")
		default: // with the space around it, which escape takes away
			before, after, _ := strings.Cut(s.Text, words)
			b.WriteString(before + escape(words) + after)
		}
	}
	return b.String()
}
