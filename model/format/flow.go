package format

import (
	"slices"
	"strings"
)

// flow reads a collection in brackets.
func (r *reader) flow() *node {
	n := &node{kind: mapping, flow: true}
	if r.text[r.at] == '[' {
		n.kind = sequence
	}
	r.at++
	for !r.done() {
		above := r.flowGap(n)
		switch {
		case r.done():
		case r.text[r.at] == ']' || r.text[r.at] == '}':
			r.at++
			n.close(above)
			return n
		case r.text[r.at] == ',':
			r.at++
			n.tail = append(n.tail, above...)
		default:
			e := &entry{above: append(n.tail, above...)}
			n.tail = nil
			r.flowEntry(n.kind, e)
			n.entries = append(n.entries, e)
		}
	}
	r.fail("the formatter finds no end of these brackets")
	return n
}

// close puts the comments before the closing bracket in their place.
func (n *node) close(above []string) {
	n.tail = append(n.tail, above...)
	if len(n.entries) == 0 {
		n.opening = join(n.opening, strings.Join(n.tail, " "))
		n.tail = nil
	}
}

// flowGap passes white space and comments inside brackets. A comment behind a
// member belongs to it; comments on lines of their own are returned.
func (r *reader) flowGap(n *node) []string {
	var own []string
	for fresh := false; !r.done(); {
		switch c := r.text[r.at]; {
		case c == '\n':
			fresh = true
			r.at++
		case isBlank(c):
			r.at++
		case c == '#':
			comment := strings.TrimRight(r.line(), " \t")
			r.at += len(r.line())
			switch {
			case fresh:
				own = append(own, comment)
			case len(n.entries) == 0:
				n.opening = join(n.opening, comment)
			default:
				last := n.entries[len(n.entries)-1]
				last.line = join(last.line, comment)
			}
		default:
			return own
		}
	}
	return own
}

// flowEntry reads a member of a collection in brackets. In a list, `a: b` is a
// mapping of one member.
func (r *reader) flowEntry(of kind, e *entry) {
	first, second := r.flowValue(e), &node{}
	paired := r.colon(e)
	if of == mapping && !paired {
		r.fail("this member of {…} has no colon")
	}
	if paired && !r.done() && !closes(r.text[r.at]) {
		second = r.flowValue(e)
	}
	switch {
	case of == mapping:
		e.key, e.value = first, second
	case paired:
		e.value = &node{kind: mapping, flow: true, entries: []*entry{{key: first, value: second}}}
	default:
		e.value = first
	}
}

// colon passes the colon behind a key and the white space after it, if there is one.
func (r *reader) colon(e *entry) bool {
	start := r.at
	comments := r.flowComments()
	if r.done() || r.text[r.at] != ':' {
		r.at = start
		return false
	}
	r.at++
	e.line = join(join(e.line, comments), r.flowComments())
	return true
}

// flowComments passes white space within an entry and returns the comments in it.
func (r *reader) flowComments() string {
	holder := &node{}
	own := r.flowGap(holder)
	return join(holder.opening, strings.Join(own, " "))
}

func (r *reader) flowValue(e *entry) *node {
	props := r.props()
	e.line = join(e.line, r.flowComments())
	var n *node
	switch {
	case r.done() || r.mark('?'):
		r.fail("a key is a plain name for the formatter; write `key: value`")
		return &node{}
	case r.text[r.at] == '{' || r.text[r.at] == '[':
		n = r.flow()
		e.line = join(e.line, n.opening)
		n.opening = ""
	case r.text[r.at] == '"' || r.text[r.at] == '\'':
		n = r.quoted()
	default:
		n = r.flowPlain()
	}
	n.props = props
	return n
}

// flowPlain reads a scalar without quotes, or an alias, inside brackets. One that
// goes over several lines is put on one, which is how it is read.
func (r *reader) flowPlain() *node {
	start, end := r.at, r.at
	for at := start; at < len(r.text) && !r.endsPlain(at); at++ {
		if !isBlank(r.text[at]) {
			end = at + 1
		}
	}
	r.at = end
	if start == end {
		r.fail("the formatter cannot read this member")
	}
	lines := strings.Split(r.text[start:end], "\n")
	for i, line := range lines {
		lines[i] = strings.Trim(line, " \t")
	}
	if slices.Contains(lines, "") {
		return &node{kind: scalar, text: lines[0], more: lines[1:]}
	}
	return &node{kind: scalar, text: strings.Join(lines, " ")}
}

// endsPlain tells whether a plain scalar inside brackets ends before an offset.
func (r *reader) endsPlain(at int) bool {
	c := r.text[at]
	return strings.IndexByte(",[]{}", c) >= 0 || c == '#' && isBlank(r.text[at-1]) ||
		c == ':' && (isBlank(r.text[at+1]) || strings.IndexByte(",[]{}", r.text[at+1]) >= 0)
}

// closes tells the signs behind which a member cannot go on.
func closes(c byte) bool { return c == ',' || c == ']' || c == '}' }
