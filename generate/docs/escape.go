package docs

import (
	"strings"
	"unicode"
)

// special are the characters that may mean something in Markdown as GitHub reads
// it: emphasis, links, HTML, tables, mathematics, character references.
const special = "\\`*_{}[]<>()#|~$&!@:"

// escape is a text that shows as it is, on one line, in a paragraph, a heading
// or a cell of a table.
func escape(text string) string {
	var b strings.Builder
	for i, r := range oneLine(text) {
		switch {
		case r == ':' || r == '(' || r == ')' || r == '!' || r == '#' && i > 0:
			// Harmless within a text whose brackets and angles are escaped.
		case strings.ContainsRune(special, r):
			b.WriteByte('\\')
		case i == 0 && (r == '-' || r == '+' || r == '='):
			b.WriteByte('\\') // no list, no underline of a heading
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

// code is a text as code on one line, "" for none. Within tables a bar would end
// the cell, in code too, unless it is escaped.
func code(text string) string {
	if text = oneLine(text); strings.TrimSpace(text) == "" {
		return ""
	}
	fence := "`"
	for strings.Contains(text, fence) {
		fence += "`"
	}
	if strings.HasPrefix(text, "`") || strings.HasSuffix(text, "`") {
		text = " " + text + " "
	}
	return fence + strings.ReplaceAll(text, "|", "\\|") + fence
}

// oneLine is a text with every run of space and control characters as one space.
func oneLine(text string) string {
	space := func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }
	return strings.Join(strings.FieldsFunc(text, space), " ")
}

// prose is a text in which what stands in backquotes is code.
func prose(text string) string {
	var b strings.Builder
	for i, span := range strings.Split(text, "`") {
		if i%2 == 1 {
			span = code(span)
		} else if span != "" {
			before, after := span[:len(span)-len(strings.TrimLeft(span, " "))], span[len(strings.TrimRight(span, " ")):]
			span = before + escape(span) + after
		}
		b.WriteString(span)
	}
	return b.String()
}
