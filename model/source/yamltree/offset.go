package yamltree

import (
	"strings"
	"unicode/utf8"

	"github.com/dynmodel/dynmodel/model/source"
)

// Sub is the place of the bytes i up to j of the node's Text. Where quotes,
// escapes or folding stand between text and source, it is followed through them.
func (n *Node) Sub(i, j int) source.Span {
	start := n.Offset(i)
	return source.Span{File: n.At.File, Start: start, End: max(start, n.Offset(j))}
}

// Offset is the place in the file of byte i of the node's Text.
func (n *Node) Offset(i int) int {
	i = max(0, min(i, len(n.Text)))
	src := n.At.Text()
	skip := n.contentStart(src)
	if strings.HasPrefix(src[skip:], n.Text) && n.Style != Literal && n.Style != Folded {
		return n.At.Start + skip + i
	}
	return n.At.Start + n.align(src, skip, i)
}

// contentStart is where the content begins in the node's source text: after
// the quote, or after the header line of a block.
func (n *Node) contentStart(src string) int {
	switch n.Style {
	case SingleQuoted, DoubleQuoted:
		return min(1, len(src))
	case Literal, Folded:
		if at := strings.IndexByte(src, '\n'); at >= 0 {
			return at + 1
		}
		return len(src)
	}
	return 0
}

// align walks text and source side by side and returns the source offset of
// text byte i.
func (n *Node) align(src string, at, i int) int {
	for done := 0; done < i && at < len(src); {
		r, size := utf8.DecodeRuneInString(n.Text[done:])
		at = n.step(src, n.skipFolded(src, at, r), r)
		done += size
	}
	if i < len(n.Text) {
		r, _ := utf8.DecodeRuneInString(n.Text[i:])
		at = n.skipFolded(src, at, r)
	}
	return min(at, len(src))
}

// skipFolded passes over indentation that stands for nothing before r.
func (n *Node) skipFolded(src string, at int, r rune) int {
	for at < len(src) && r != ' ' && r != '\t' && r != '\n' && isBlank(src[at]) {
		at++
	}
	return at
}

// step is the source offset after what stands for r at offset at.
func (n *Node) step(src string, at int, r rune) int {
	if at >= len(src) {
		return at
	}
	switch {
	case n.Style == SingleQuoted && strings.HasPrefix(src[at:], "''"):
		return at + 2
	case n.Style == DoubleQuoted && src[at] == '\\':
		return at + escapeLength(src[at:])
	case r == ' ' && isBlank(src[at]) && foldedBreak(src[at:]):
		for at < len(src) && isBlank(src[at]) {
			at++
		}
		return at
	}
	_, size := utf8.DecodeRuneInString(src[at:])
	return at + size
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }

// foldedBreak tells whether the blanks that s starts with contain a line break.
func foldedBreak(s string) bool {
	blanks := s[:len(s)-len(strings.TrimLeft(s, " \t\r\n"))]
	return strings.Contains(blanks, "\n")
}

// escapeLength is the length of the escape that s starts with.
func escapeLength(s string) int {
	if len(s) < 2 {
		return len(s)
	}
	switch s[1] {
	case 'x':
		return min(4, len(s))
	case 'u':
		return min(6, len(s))
	case 'U':
		return min(10, len(s))
	}
	return 2
}
