package format

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// step is the indentation of one level.
const step = 2

// printer collects the lines of the layout.
type printer struct {
	lines []outLine
}

// outLine is a line and the comment behind it.
type outLine struct{ text, comment string }

func (p *printer) add(text, comment string) { p.lines = append(p.lines, outLine{text, comment}) }

// print lays the document out by a shape.
func (d *document) print(top *shape) string {
	p := &printer{}
	p.indented(d.header, "")
	p.indented(trimmed(d.head), "")
	if d.root != nil {
		d.root.arrange(top)
		p.root(d.root)
	}
	p.indented(untrailed(d.tail), "")
	return render(p.lines)
}

// trimmed takes the blank lines off the start of lines.
func trimmed(lines []string) []string {
	for len(lines) > 0 && lines[0] == "" {
		lines = lines[1:]
	}
	return lines
}

// untrailed takes the blank lines off the end of lines.
func untrailed(lines []string) []string {
	for len(lines) > 0 && lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	return lines
}

// arrange puts the members of all collections in order.
func (n *node) arrange(s *shape) {
	n.spaced = s.spaced
	if n.width = s.width; n.width == 0 {
		n.width = lineWidth
	}
	if n.kind == mapping {
		n.entries = inOrder(s, n.entries, func(e *entry) string { return e.name() })
	}
	for _, e := range n.entries {
		e.value.arrange(s.member(e.name()))
	}
}

// name is the key without quotes; "" in a list.
func (e *entry) name() string {
	if e.key == nil {
		return ""
	}
	return strings.Trim(e.key.text, `"'`)
}

func (p *printer) root(n *node) {
	if n.kind == mapping || n.kind == sequence {
		if !n.blocky(0) {
			p.add(n.inText(), n.opening)
			return
		}
		if n.opening != "" {
			p.add(n.opening, "")
		}
		if n.props != "" {
			p.add(n.props, "")
		}
		p.collection(n, "", 0)
		return
	}
	p.scalar(n, n.start(), n.opening, 0)
}

// collection writes the members of a block, the first one behind lead.
func (p *printer) collection(n *node, lead string, indent int) {
	margin := strings.Repeat(" ", indent)
	for i, e := range n.entries {
		if lead == "" || i > 0 {
			lead = margin
		}
		above := append(e.above, e.lifted(indent)...)
		if n.spaced && i > 0 && (e.opens(indent) || n.entries[i-1].opens(indent)) && !slices.Contains(above, "") {
			above = append([]string{""}, above...)
		}
		if i == 0 {
			above = trimmed(above)
		}
		p.indented(above, margin)
		p.entry(e, lead, indent)
	}
	p.indented(n.tail, margin)
}

// indented writes lines behind a margin; blank lines stay blank.
func (p *printer) indented(lines []string, margin string) {
	for _, line := range lines {
		if line != "" {
			line = margin + line
		}
		p.add(line, "")
	}
}

// lifted takes the comments that would stand between a dash and the first entry
// behind it, which are written above the dash.
func (e *entry) lifted(indent int) []string {
	if !e.compact(indent) {
		return nil
	}
	var lines []string
	if e.line != "" {
		lines = append(lines, e.line)
		e.line = ""
	}
	first := e.value.entries[0]
	lines = append(lines, trimmed(first.above)...)
	first.above = nil
	return append(lines, first.lifted(indent+step)...)
}

// compact tells whether the first member of the entry's value stands behind the
// entry's dash.
func (e *entry) compact(indent int) bool {
	return e.key == nil && e.value.props == "" && e.opens(indent)
}

// opens tells whether the entry's value is a collection that is written as a block.
func (e *entry) opens(indent int) bool {
	column := indent + len("- ")
	if e.key != nil {
		column = indent + utf8.RuneCountInString(e.key.start()) + len(": ")
	}
	return e.value.blocky(column)
}

// entry writes a member of a block.
func (p *printer) entry(e *entry, lead string, indent int) {
	head := lead + "-"
	if e.key != nil {
		head = lead + e.key.start() + ":"
	}
	v := e.value
	switch {
	case v.kind == null:
		p.add(join(head, v.props), e.line)
	case e.compact(indent):
		p.collection(v, head+" ", indent+step)
	case e.opens(indent):
		p.add(join(head, v.props), e.line)
		p.collection(v, "", indent+step)
	case v.kind == scalar:
		p.scalar(v, head+" "+v.start(), e.line, indent)
	default:
		p.add(head+" "+v.inText(), e.line)
	}
}

// scalar writes a scalar and its further lines.
func (p *printer) scalar(n *node, first, comment string, indent int) {
	if n.block {
		p.add(first, comment)
		margin := step
		if n.shift > 0 {
			margin = n.shift
		}
		p.indented(n.more, strings.Repeat(" ", indent+margin))
		return
	}
	if len(n.more) == 0 {
		p.add(first, comment)
		return
	}
	p.add(first, "")
	p.indented(n.more, strings.Repeat(" ", indent+step))
	p.lines[len(p.lines)-1].comment = comment
}

// start is what of a scalar stands on its first line.
func (n *node) start() string { return join(n.props, n.text) }

// blocky tells whether a collection is written as a block when it starts in a
// column: because it is written so, or because it does not fit in brackets.
func (n *node) blocky(column int) bool {
	if n.kind != mapping && n.kind != sequence {
		return false
	}
	if !n.flow {
		return true
	}
	if len(n.entries) == 0 {
		return false
	}
	return n.commented() || n.manyLines() || column+utf8.RuneCountInString(n.inText()) > n.width
}

// manyLines tells whether a scalar inside goes over several lines.
func (n *node) manyLines() bool {
	if len(n.more) > 0 {
		return true
	}
	for _, e := range n.entries {
		if e.value.manyLines() || e.key != nil && e.key.manyLines() {
			return true
		}
	}
	return false
}

// inText is the node on one line, collections in brackets.
func (n *node) inText() string {
	if n.kind != mapping && n.kind != sequence {
		return n.start()
	}
	var members []string
	for _, e := range n.entries {
		text := e.value.inText()
		if e.key != nil {
			text = e.key.start() + ": " + text
		}
		members = append(members, text)
	}
	brackets := "{}"
	if n.kind == sequence {
		brackets = "[]"
	}
	return join(n.props, brackets[:1]+strings.Join(members, ", ")+brackets[1:])
}
