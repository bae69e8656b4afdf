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
	if digits > 0 && digits < len(text) && text[digits] == '.' {
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
