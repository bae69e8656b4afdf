package format

import (
	"fmt"
	"strings"
	"unicode"

	"github.com/dynmodel/dynmodel/model/diag"
	"github.com/dynmodel/dynmodel/model/source"
	"github.com/dynmodel/dynmodel/model/source/yamltree"
)

// Scalar writes a text as a YAML scalar on one line that is read as that text,
// outside brackets and inside them: plain where that is possible, else in
// quotes. It is for code that writes models. As a key it may have 1,024
// characters, which is YAML's limit.
func Scalar(text string) string {
	if isPlain(text) {
		return text
	}
	if !strings.ContainsFunc(text, func(r rune) bool { return !unicode.IsPrint(r) || r == unicode.ReplacementChar }) {
		if !strings.ContainsAny(text, `"\`) {
			return `"` + text + `"`
		}
		return "'" + strings.ReplaceAll(text, "'", "''") + "'"
	}
	return doubleQuoted(text)
}

// doubleQuoted escapes what does not stand in a text as it is.
func doubleQuoted(text string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range text {
		switch {
		case r == '"' || r == '\\':
			b.WriteString(`\` + string(r))
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\t':
			b.WriteString(`\t`)
		case unicode.IsPrint(r) || unicode.Is(unicode.Co, r): // private characters have no escape that yamltree tells from its own
			b.WriteRune(r)
		case r > 0xFFFF:
			fmt.Fprintf(&b, `\U%08X`, r)
		default:
			fmt.Fprintf(&b, `\u%04X`, r)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// isPlain tells whether a text needs no quotes: whether YAML gives it back as a
// key and as a value, from blocks and from brackets.
func isPlain(text string) bool {
	if text == "" || text == "<<" || strings.ContainsAny(text, "\n\t\"'`") || strings.HasSuffix(text, ":") {
		return false
	}
	return readBack(text+": "+text+"\n", text) && readBack("{"+text+": "+text+"}\n", text)
}

// readBack tells whether a mapping of one entry has a text as its key and value.
func readBack(mapping, text string) bool {
	list := &diag.List{}
	root := yamltree.Parse(source.NewFile("", mapping), list)
	if list.Len() > 0 || root == nil || len(root.Entries) != 1 {
		return false
	}
	value := root.Get(text)
	return value != nil && value.Kind == yamltree.Scalar && value.Text == text
}
