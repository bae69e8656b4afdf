package format

import (
	"strconv"
	"strings"
)

// inline reads a value that is no block of entries, the comment behind it, and
// the lines up to the next entry.
func (r *reader) inline(e *entry, indent int) *node {
	var n *node
	switch r.text[r.at] {
	case '|', '>':
		n = r.blockScalar(e, indent)
		r.lines()
		return n
	case '{', '[':
		n = r.flow()
		e.line = join(e.line, n.opening)
		n.opening = ""
	case '"', '\'':
		n = r.quoted()
	default:
		n = r.plain(indent)
	}
	r.blanks()
	if !r.lineEnds() {
		r.fail("something follows the value on its line")
		return n
	}
	e.line = join(e.line, r.comment())
	r.lines()
	return n
}

// quotedEnd is the offset behind the quote that closes the one s begins with.
func quotedEnd(s string) int {
	for i := 1; i < len(s); i++ {
		switch {
		case s[0] == '"' && s[i] == '\\':
			i++
		case s[i] != s[0]:
		case s[0] == '\'' && strings.HasPrefix(s[i+1:], "'"):
			i++
		default:
			return i + 1
		}
	}
	return len(s)
}

func (r *reader) quoted() *node {
	end := r.at + quotedEnd(r.text[r.at:])
	lines := strings.Split(r.text[r.at:end], "\n")
	r.at = end
	for i, line := range lines {
		if i > 0 {
			line = strings.TrimLeft(line, " \t")
		}
		if short := strings.TrimRight(line, " \t"); i < len(lines)-1 && !strings.HasSuffix(short, `\`) {
			line = short
		}
		lines[i] = line
	}
	return &node{kind: scalar, text: lines[0], more: lines[1:]}
}

// plain reads a scalar without quotes, or an alias, outside brackets.
func (r *reader) plain(indent int) *node {
	n := &node{kind: scalar, text: r.plainLine()}
	for r.text[r.at] == '\n' {
		line, blank := r.continuation(indent)
		if line < 0 {
			break
		}
		n.more = append(n.more, make([]string, blank)...)
		r.at = line
		n.more = append(n.more, r.plainLine())
	}
	return n
}

// plainLine reads a plain scalar up to a comment or the end of the line.
func (r *reader) plainLine() string {
	line := r.line()
	for i := 1; i < len(line); i++ {
		if line[i] == '#' && isBlank(line[i-1]) {
			line = line[:i]
			break
		}
	}
	short := strings.TrimRight(line, " \t")
	r.at += len(short)
	if rest := r.line(); strings.TrimSpace(rest) == "" {
		r.at += len(rest)
	}
	return short
}

// continuation finds the line on which a plain scalar goes on: where its text
// starts and how many blank lines are before it; -1 when it does not.
func (r *reader) continuation(indent int) (start, blank int) {
	at := r.at + 1
	for at < len(r.text) {
		line, _, _ := strings.Cut(r.text[at:], "\n")
		content := strings.TrimLeft(line, " \t")
		if content != "" {
			if len(line)-len(content) <= indent || content[0] == '#' {
				return -1, 0
			}
			return at + len(line) - len(content), blank
		}
		blank++
		at += len(line) + 1
	}
	return -1, 0
}

// blockScalar reads a scalar of the styles | and >. Blank lines below it are its
// own only where its header keeps them.
func (r *reader) blockScalar(e *entry, indent int) *node {
	header, rest, _ := strings.Cut(r.line(), " ")
	n := &node{kind: scalar, block: true, text: strings.TrimRight(header, "\t"), shift: stated(header)}
	if comment := strings.TrimSpace(rest); comment != "" {
		e.line = join(e.line, comment)
	}
	r.at += len(r.line()) + 1
	width := -1
	if n.shift > 0 {
		width = max(indent, 0) + n.shift
	}
	end, kept := r.at, 0
	for at := r.at; at < len(r.text); {
		line, _, _ := strings.Cut(r.text[at:], "\n")
		content := strings.TrimLeft(line, " ")
		if width < 0 && content != "" {
			width = max(len(line)-len(content), indent+1)
		}
		if content != "" && len(line)-len(content) < width {
			break
		}
		at += len(line) + 1
		n.more = append(n.more, line)
		if content != "" || strings.Contains(header, "+") || len(line) > width && width >= 0 {
			end, kept = at, len(n.more)
		}
	}
	r.at, n.more = end, n.more[:kept]
	for i, line := range n.more {
		n.more[i] = line[min(len(line), max(width, 0)):]
	}
	return n
}

// stated is the indentation that a block's header states, 0 when it does not.
func stated(header string) int {
	n, _ := strconv.Atoi(strings.Trim(header, "|>+-"))
	return n
}
