package yamltree

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/dynmodel/dynmodel/model/source"
)

// explain says what is wrong with an entry that cannot be read, where, and
// whether its key can be trusted all the same.
func (r *recovery) explain(e entry, err error) (at source.Span, message string, keepKey bool) {
	line := uncommented(strings.TrimRight(r.lines[e.from], " \t\r"))
	_, value, found := cutKey(line)
	start := r.starts[e.from]
	at = r.span(start+indentation(line), start+len(line))
	if !found {
		if item, ok := strings.CutPrefix(strings.TrimSpace(line), "-"); ok && dashed(line) {
			value = strings.TrimSpace(item)
		} else {
			return at, "this line is neither `key: value` nor a list item; write a colon and a space after the key", false
		}
	}
	if value != "" {
		at.Start = at.End - len(value)
	}
	if tooDeep(err) {
		return at, fmt.Sprintf("nested deeper than %d levels", maxDepth), true
	}
	if message := trap(value); message != "" {
		return at, message, true
	}
	return at, "this cannot be read as YAML: " + clean(err), true
}

// tooDeep tells whether the library has given up on brackets within brackets, as
// it does at 10,000 of them.
func tooDeep(err error) bool { return strings.Contains(err.Error(), "exceeded max depth") }

// uncommented cuts a comment off, unless its number sign is inside quotes.
func uncommented(line string) string {
	for i := 0; i < len(line); i++ {
		switch c := line[i]; {
		case (c == '"' || c == '\'') && i > 0 && strings.ContainsRune(" [{,", rune(line[i-1])):
			i = quotedEnd(line, i, c) - 1
		case c == '#' && i > 0 && isBlank(line[i-1]):
			return strings.TrimRight(line[:i], " \t")
		}
	}
	return line
}

var (
	leadingTemplate = regexp.MustCompile(`^\{[\w.$][^:,{}]*\}\S`)
	innerTemplate   = regexp.MustCompile(`^\{.*:\s+[^\s"'{\[][^"',]*\{`)
	quotedStart     = regexp.MustCompile(`^('([^']|'')*'|"([^"\\]|\\.)*")\s*\S`)
)

// trap recognises the usual ways in which text and YAML disagree.
func trap(value string) string {
	if value == "" {
		return ""
	}
	plain := !strings.ContainsRune("{[\"'", rune(value[0]))
	switch {
	case leadingTemplate.MatchString(value):
		return "a value that starts with `{` is a mapping to YAML; put the template in quotes"
	case innerTemplate.MatchString(value):
		return "inside {…} a value with braces needs quotes; put the template in quotes"
	case strings.ContainsRune("`@%", rune(value[0])):
		return "a value cannot start with " + character(value[:1]) + " in YAML; put it in quotes"
	case value[0] == '*':
		return "`*` at the start of a value makes a YAML alias, and there is no such anchor; put text in quotes"
	case value[0] == '&':
		return "`&` at the start of a value makes a YAML anchor; put the value in quotes"
	case value[0] == '!':
		return "`!` at the start of a value makes a YAML tag; put the value in quotes"
	case value[0] == '>' || value[0] == '|':
		return "`" + value[:1] + "` at the start of a value begins a block of text in YAML; put the value in quotes"
	case strings.HasPrefix(value, "- ") || strings.HasPrefix(value, "? "):
		return "`" + value[:2] + "` at the start of a value means something else to YAML; put the value in quotes"
	case quotedStart.MatchString(value):
		return "the value starts with a quote, so YAML ends it at the next one; put the whole value in quotes of the other kind"
	case value[0] == '"' || value[0] == '\'':
		return "the quote that opens this value is not closed"
	case value[0] == '{' || value[0] == '[':
		return unbalanced(value)
	case plain && strings.Contains(value, ": "), plain && strings.HasSuffix(value, ":"):
		return "a colon and a space inside a value start another mapping in YAML; put the value in quotes"
	}
	return ""
}

// character names a character.
func character(s string) string {
	if s == "`" {
		return "a backquote"
	}
	return "`" + s + "`"
}

// unbalanced says which bracket is missing, if one is.
func unbalanced(value string) string {
	var open []byte
	for i := 0; i < len(value); i++ {
		switch c := value[i]; c {
		case '"', '\'':
			if !strings.ContainsRune(" \t\n[{,:", rune(value[i-1])) {
				continue // within a word
			}
			end := quotedEnd(value, i, c)
			if end == len(value) && (i == end-1 || value[end-1] != c) {
				return "a quote inside the brackets is not closed"
			}
			i = end - 1
		case '{', '[':
			open = append(open, c)
		case '}', ']':
			if len(open) == 0 || open[len(open)-1] != c-2 {
				return "the bracket `" + string(c) + "` closes nothing that was opened; put text with brackets in quotes"
			}
			open = open[:len(open)-1]
		}
	}
	if len(open) > 0 {
		return "the bracket `" + string(open[0]) + "` is not closed"
	}
	return "inside brackets, values with any of `{}[],:` need quotes"
}

var libraryPrefix = regexp.MustCompile(`^yaml: (line \d+: )?`)

// clean takes the library's prefix and its line, which is that of a part, off
// an error message.
func clean(err error) string {
	return libraryPrefix.ReplaceAllString(err.Error(), "")
}
