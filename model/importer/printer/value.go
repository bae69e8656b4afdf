package printer

import (
	"encoding/base64"
	"fmt"
	"strings"
	"unicode"

	"github.com/dynmodel/dynmodel/model/format"
	"github.com/dynmodel/dynmodel/model/value"
)

// doubleQuoted writes a text in double quotes, with escapes for what cannot be seen.
func doubleQuoted(text string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range text {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\t':
			b.WriteString(`\t`)
		case r == ' ' || unicode.IsGraphic(r) && !unicode.IsSpace(r) && r != '\ufeff':
			b.WriteRune(r)
		case r < 0x100:
			fmt.Fprintf(&b, `\x%02x`, r)
		case r < 0x10000:
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			fmt.Fprintf(&b, `\U%08x`, r)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// writeValue writes an attribute value. Typed tells that the type of a text is
// declared, so that a plain word is read as one.
func writeValue(v value.Value, typed bool) string {
	switch v.Kind() {
	case value.String:
		if typed {
			return format.Scalar(v.Text())
		}
		return doubleQuoted(v.Text())
	case value.Binary:
		return doubleQuoted(base64.StdEncoding.EncodeToString([]byte(v.Text())))
	case value.Number:
		return v.Text()
	case value.Bool:
		return fmt.Sprint(v.Truth())
	case value.List, value.StringSet, value.NumberSet, value.BinarySet:
		members := make([]string, len(v.Items()))
		for i, item := range v.Items() {
			members[i] = writeValue(item, false)
		}
		return "[" + strings.Join(members, ", ") + "]"
	case value.Map:
		members := make([]string, len(v.Fields()))
		for i, f := range v.Fields() {
			members[i] = format.Scalar(f.Name) + ": " + writeValue(f.Value, false)
		}
		return "{" + strings.Join(members, ", ") + "}"
	}
	return "null"
}
