package yamltree

import (
	"strings"

	"gopkg.in/yaml.v3"
)

func (c *converter) scalar(n *Node, y *yaml.Node, start int) {
	n.Kind, n.Text = Scalar, c.restore(y.Value)
	switch {
	case y.Value == placeholder:
		n.At = c.span(start, start+len(strings.TrimRight(firstLine(c.text[start:]), " \t\r")))
	case y.Style&yaml.SingleQuotedStyle != 0:
		n.Style = SingleQuoted
		n.At = c.span(start, quotedEnd(c.text, start, '\''))
	case y.Style&yaml.DoubleQuotedStyle != 0:
		n.Style = DoubleQuoted
		n.At = c.span(start, quotedEnd(c.text, start, '"'))
	case y.Style&yaml.LiteralStyle != 0:
		n.Style = Literal
		n.At = c.span(start, blockEnd(c.text, start))
	case y.Style&yaml.FoldedStyle != 0:
		n.Style = Folded
		n.At = c.span(start, blockEnd(c.text, start))
	case y.Value == "":
		n.Kind = Null
		n.At = c.span(start, start)
	default:
		n.At = c.span(start, plainEnd(c.text, start, n.Text))
	}
}

// quotedEnd is the offset after the quote that closes the one at start.
func quotedEnd(text string, start int, quote byte) int {
	for i := start + 1; i < len(text); i++ {
		switch {
		case quote == '"' && text[i] == '\\':
			i++
		case text[i] != quote:
		case quote == '\'' && strings.HasPrefix(text[i+1:], "'"):
			i++
		default:
			return i + 1
		}
	}
	return len(text)
}

// plainEnd is the offset after a plain scalar, which may go over several lines.
func plainEnd(text string, start int, value string) int {
	if strings.HasPrefix(text[start:], value) {
		return start + len(value)
	}
	at := start
	for word := range strings.FieldsSeq(value) {
		next := strings.Index(text[at:], word)
		if next < 0 {
			break
		}
		at += next + len(word)
	}
	return at
}

// blockEnd is the offset after a literal or folded scalar whose header is at
// start: the lines indented as its first one, blank lines between them included.
func blockEnd(text string, start int) int {
	end := start + len(firstLine(text[start:]))
	indent := -1
	for at := end + 1; at < len(text); {
		line := firstLine(text[at:])
		content := strings.TrimLeft(line, " ")
		if strings.TrimSpace(line) != "" {
			if indent < 0 {
				indent = len(line) - len(content)
			}
			if len(line)-len(content) < indent || indent == 0 {
				break
			}
			end = at + len(line)
		}
		at += len(line) + 1
	}
	return end
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(s, "\n")
	return line
}
