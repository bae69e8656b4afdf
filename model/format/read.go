package format

import (
	"strings"
)

// problem is a way of writing that is not handled.
type problem struct {
	at      int // byte offset in the text without its byte order mark and carriage returns
	message string
}

// reader reads YAML that is known to be well-formed into the tree of what is
// written. It stands at r.at; once it has failed it stands at the end.
type reader struct {
	text    string
	at      int
	gap     []gapLine // comments and blank lines passed that no entry has taken yet
	problem *problem
}

// gapLine is a line between entries: a comment, or a blank line.
type gapLine struct {
	indent  int
	comment string // "" for a blank line
}

func read(text string) (*document, *problem) {
	r := &reader{text: clean(text)}
	d := &document{header: r.header()}
	r.lines()
	d.head = r.takeGap(-1)
	if !r.done() {
		d.root = r.root()
	}
	r.lines()
	d.tail = r.takeGap(-1)
	if !r.done() {
		r.fail("this line does not belong to what stands above it")
	}
	return d, r.problem
}

// root reads the document's value; it has a collection or nothing of interest.
func (r *reader) root() *node {
	holder := &entry{}
	n := r.block(holder, -1)
	if holder.line != "" {
		n.opening = join(n.opening, holder.line)
	}
	return n
}

func (r *reader) fail(message string) {
	if r.problem == nil {
		r.problem = &problem{at: r.at, message: message}
	}
	r.at = len(r.text)
}

func (r *reader) done() bool { return r.at >= len(r.text) }

// header reads directives and the mark of the document's start.
func (r *reader) header() []string {
	start := r.at
	for {
		r.lines()
		line := r.line()
		mark := strings.HasPrefix(line, "---") && r.column() == 0
		switch {
		case mark && len(strings.TrimSpace(line)) > 3:
			r.fail("the mark --- stands on a line of its own")
			return nil
		case !mark && !strings.HasPrefix(line, "%"):
			r.at, r.gap = start, nil
			return nil
		}
		r.at += len(line)
		if mark {
			r.at++
			r.gap = nil
			return tidy(strings.Split(strings.TrimRight(r.text[start:r.at], "\n"), "\n"))
		}
	}
}

// tidy takes blanks off the ends of lines.
func tidy(lines []string) []string {
	for i, line := range lines {
		lines[i] = strings.TrimRight(line, " \t")
	}
	return lines
}

// line is the rest of the line.
func (r *reader) line() string {
	if r.done() {
		return ""
	}
	line, _, _ := strings.Cut(r.text[r.at:], "\n")
	return line
}

// column is the column the reader stands in, from 0; -1 at the end.
func (r *reader) column() int {
	if r.done() {
		return -1
	}
	return r.at - strings.LastIndexByte(r.text[:r.at], '\n') - 1
}

// lines passes comments and blank lines and stands at the first word after
// them. It begins at the start of a line.
func (r *reader) lines() {
	for !r.done() {
		line := r.line()
		content := strings.TrimLeft(line, " \t")
		switch {
		case content == "", strings.TrimRight(line, " \t") == "...":
			r.gap = append(r.gap, gapLine{})
		case content[0] == '#':
			r.gap = append(r.gap, gapLine{indent: len(line) - len(content), comment: strings.TrimRight(content, " \t")})
		default:
			r.at += len(line) - len(content)
			return
		}
		r.at += len(line) + 1
	}
}

// takeGap takes the passed comments up to the first that is indented less than
// indent, with the blank lines between them.
func (r *reader) takeGap(indent int) []string {
	end := 0
	for i, g := range r.gap {
		if g.comment != "" {
			if g.indent < indent {
				break
			}
			end = i + 1
		}
	}
	if indent < 0 {
		end = len(r.gap)
	}
	var out []string
	for _, g := range r.gap[:end] {
		if g.comment != "" || len(out) == 0 || out[len(out)-1] != "" {
			out = append(out, g.comment)
		}
	}
	r.gap = r.gap[end:]
	return out
}

// block reads the value that starts here, of which outer is the indentation of
// the collection around it.
func (r *reader) block(e *entry, outer int) *node {
	switch {
	case r.dash():
		return r.sequence(r.column(), r.column())
	case r.keyAhead():
		return r.mapping(r.column())
	}
	props := r.props()
	if r.lineEnds() {
		r.fail("an anchor or a tag stands on the line of its key")
		return &node{}
	}
	n := r.inline(e, outer)
	n.props = props
	return n
}

// dash tells whether a list item begins here.
func (r *reader) dash() bool { return r.mark('-') }

// mark tells whether the character stands here as a word of its own.
func (r *reader) mark(c byte) bool {
	return !r.done() && r.text[r.at] == c && isBlank(r.text[r.at+1])
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' || c == '\n' }

func (r *reader) mapping(indent int) *node {
	n := &node{kind: mapping}
	for {
		e := &entry{above: r.takeGap(-1)}
		e.key = r.key()
		e.value = r.value(e, indent)
		n.entries = append(n.entries, e)
		if r.done() || r.column() != indent || r.dash() {
			break
		}
	}
	n.tail = r.takeGap(indent)
	return r.ended(n, indent)
}

// sequence reads a list; comments below it that are indented by at least tail
// are its own.
func (r *reader) sequence(indent, tail int) *node {
	n := &node{kind: sequence}
	for r.dash() && r.column() == indent {
		e := &entry{above: r.takeGap(-1)}
		r.at++
		e.value = r.value(e, indent)
		n.entries = append(n.entries, e)
	}
	n.tail = r.takeGap(tail)
	return r.ended(n, indent)
}

// ended sees that what follows a collection belongs to one around it.
func (r *reader) ended(n *node, indent int) *node {
	if r.column() > indent {
		r.fail("this line is indented like nothing above it")
	}
	return n
}

// key reads a key and its colon.
func (r *reader) key() *node {
	n := &node{kind: scalar, props: r.props()}
	if r.mark('?') || !r.done() && r.text[r.at] == '*' {
		r.fail("a key is a plain name for the formatter; write `key: value`")
		return n
	}
	end := r.keyEnd()
	if end < 0 {
		r.fail("the formatter finds no key here")
		return n
	}
	n.text = strings.TrimRight(r.text[r.at:end], " \t")
	r.at = end + 1
	return n
}

// keyAhead tells whether a key with its colon stands here.
func (r *reader) keyAhead() bool {
	start := r.at
	defer func() { r.at = start }()
	r.props()
	return r.mark('?') || r.keyEnd() >= 0
}

// keyEnd is the place of the colon behind the key that starts here, or -1.
func (r *reader) keyEnd() int {
	line := r.line()
	if line == "" || strings.ContainsRune("{[|>#", rune(line[0])) {
		return -1
	}
	at := 0
	if line[0] == '"' || line[0] == '\'' {
		at = quotedEnd(line)
		rest := strings.TrimLeft(line[at:], " \t")
		if !strings.HasPrefix(rest, ":") {
			return -1
		}
		at = len(line) - len(rest)
	}
	for ; at < len(line); at++ {
		switch c := line[at]; {
		case c == ':' && (at+1 == len(line) || isBlank(line[at+1])):
			return r.at + at
		case c == '#' && at > 0 && isBlank(line[at-1]):
			return -1
		}
	}
	return -1
}

// props reads an anchor and a tag, with the blanks behind them.
func (r *reader) props() string {
	start, end := r.at, r.at
	for !r.done() && (r.text[r.at] == '&' || r.text[r.at] == '!') {
		for !isBlank(r.text[r.at]) {
			r.at++
		}
		end = r.at
		r.blanks()
	}
	return strings.Join(strings.Fields(r.text[start:end]), " ")
}

// blanks passes over blanks within the line.
func (r *reader) blanks() {
	for !r.done() && (r.text[r.at] == ' ' || r.text[r.at] == '\t') {
		r.at++
	}
}

// lineEnds tells whether nothing but a comment follows on the line.
func (r *reader) lineEnds() bool {
	return r.done() || r.text[r.at] == '\n' || r.text[r.at] == '#'
}

// comment reads the end of a line with the comment there may be.
func (r *reader) comment() string {
	line := r.line()
	r.at = min(len(r.text), r.at+len(line)+1)
	return strings.TrimRight(line, " \t")
}

// value reads what follows a colon or a dash, and the lines up to the next entry.
func (r *reader) value(e *entry, indent int) *node {
	r.blanks()
	if e.key == nil && !r.lineEnds() && (r.dash() || r.keyAhead()) {
		return r.block(e, indent)
	}
	props := r.props()
	var n *node
	if r.lineEnds() {
		e.line = r.comment()
		r.lines()
		n = r.below(e, indent)
	} else {
		n = r.inline(e, indent)
	}
	if props != "" && n.props != "" {
		r.fail("an anchor or a tag stands on the line of its key")
	}
	n.props = join(props, n.props)
	return n
}

// below reads a value that starts on a line below its key or dash.
func (r *reader) below(e *entry, indent int) *node {
	switch column := r.column(); {
	case column > indent:
		return r.block(e, indent)
	case column == indent && e.key != nil && r.dash():
		return r.sequence(indent, indent+1)
	}
	return &node{}
}
