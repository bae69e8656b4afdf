package yamltree

import (
	"slices"
	"strconv"
	"strings"

	"github.com/dynmodel/dynmodel/model/source"
)

// placeholder stands, in the text given to the library, for what it could not
// read. It begins with a character of the private use area.
const placeholder = "\uE000unreadable"

// The bounds of the search for errors, so that a file of nothing but errors
// is given up in time, and one that no person has written at once.
const (
	maxSearched = 512 << 10 // bytes of the file
	maxTried    = 8 << 20   // bytes given to the library
	maxErrors   = 100
)

// recovery is the search for the entries that cannot be read.
type recovery struct {
	*parser
	lines  []string // as given to the library, broken entries replaced
	starts []int    // byte offset of each line in the original
	tried  int      // bytes given to the library so far
	errors int      // entries found so far
}

// recover finds the smallest entries that cannot be read, reports them, and
// returns a text of the same lines in which placeholders stand for them.
//
// Block YAML is a tree of indented lines: an entry of a block that cannot be
// read by itself is the place of the error, and if one of its own entries
// cannot be read either, then that is.
func (p *parser) recover(err error) string {
	lines := strings.Split(p.text, "\n")
	r := &recovery{parser: p, lines: lines, starts: make([]int, len(lines))}
	at := 0
	for i, line := range lines {
		r.starts[i] = at
		at += len(line) + 1
	}
	if len(p.text) > maxSearched {
		line := errorLine(err, len(lines))
		r.errorf(r.lineSpan(line-1), "the file cannot be read as YAML: %s, about here. Files up to %d KB are read on behind an error", clean(err), maxSearched>>10)
		r.clear(0, len(lines))
		return ""
	}
	from, to := r.firstDocument()
	r.tabs(from, to)
	if !r.block(from, to, 0) {
		r.giveUp(from, to, err)
	}
	return strings.Join(r.lines, "\n")
}

// errorLine is the line that the library names, held within the file; it is
// often that of the collection around the error.
func errorLine(err error, lines int) int {
	_, rest, _ := strings.Cut(err.Error(), "line ")
	number, _, _ := strings.Cut(rest, ":")
	line, _ := strconv.Atoi(number)
	return max(1, min(line, lines))
}

// firstDocument is the range of lines between document marks.
func (r *recovery) firstDocument() (from, to int) {
	for from < len(r.lines) && (blankOrComment(r.lines[from]) || documentMark(r.lines[from]) || r.lines[from][0] == '%') {
		from++
	}
	to = from
	for to < len(r.lines) && !documentMark(r.lines[to]) {
		to++
	}
	return from, to
}

// giveUp leaves out a stretch of lines as a whole.
func (r *recovery) giveUp(from, to int, err error) {
	switch {
	case r.errors == 0:
		r.errorf(r.lineSpan(min(from, len(r.lines)-1)), "this cannot be read as YAML: %s", clean(err))
	case r.exhausted():
		r.errorf(r.lineSpan(from), "the text has too many errors to read on from here")
	}
	r.clear(from, to)
}

func (r *recovery) exhausted() bool { return r.tried > maxTried || r.errors >= maxErrors }

// block looks for broken entries in a block of lines, replaces them, and tells
// whether the block can then be read.
func (r *recovery) block(from, to, depth int) bool {
	entries := r.entries(from, to)
	if depth > maxDepth || len(entries) == 0 {
		return false
	}
	list := dashed(r.lines[entries[0].from])
	for i, e := range entries {
		if line := r.lines[e.from]; e.stray || list != dashed(line) || !list && !keyed(line) {
			r.misfit(e)
			r.leaveOut(entries, i, list)
		}
	}
	r.search(entries, depth)
	return r.try(from, to) == nil
}

// tabs reports lines that are indented with tabs, once for those that follow
// each other, and puts placeholders for them, and for what they open, beside
// the line above.
func (r *recovery) tabs(from, to int) {
	above, opened, run := from, -1, false
	for i := from; i < to; i++ {
		line := r.lines[i]
		indent := indentation(line)
		switch {
		case blankOrComment(line):
		case strings.Contains(line[:indent], "\t"):
			if !run {
				r.errorf(r.lineSpan(i), "this line is indented with a tab; YAML wants spaces")
				r.errors++
			}
			run = true
			at := r.beside(above)
			if strings.HasSuffix(uncommented(line), ":") {
				opened = at
			}
			r.lines[i] = strings.Repeat(" ", at) + `"` + placeholder + `": ~`
		case opened >= 0 && indent > opened:
			r.lines[i] = ""
		default:
			above, opened, run = i, -1, false
		}
	}
}

// beside is the indentation of an entry beside the one on a line. If that has
// no value, it is taken for unreadable as well.
func (r *recovery) beside(line int) int {
	text := uncommented(strings.TrimRight(r.lines[line], " \r"))
	if key, found := strings.CutSuffix(text, ":"); found {
		r.lines[line] = key + `: "` + placeholder + `"`
	}
	indent := indentation(text)
	for indent < len(text) && dashed(text[indent:]) {
		indent += 2
	}
	return indent
}

// search finds the broken ones among entries by halving.
func (r *recovery) search(entries []entry, depth int) {
	if len(entries) == 0 || r.exhausted() {
		return
	}
	first, last := entries[0], entries[len(entries)-1]
	err := r.try(first.from, last.to)
	switch {
	case err == nil:
	case len(entries) > 1:
		half := len(entries) / 2
		r.search(entries[:half], depth)
		r.search(entries[half:], depth)
	case !r.opensBlock(first) || !r.inner(first, depth):
		r.broken(first, err)
	}
}

// inner looks for the error inside the block that an entry opens.
func (r *recovery) inner(e entry, depth int) bool {
	line := r.lines[e.from]
	if !dashed(line) || strings.TrimSpace(line) == "-" {
		return r.block(e.from+1, e.to, depth+1) && r.try(e.from, e.to) == nil
	}
	dash := strings.IndexByte(line, '-')
	r.lines[e.from] = line[:dash] + " " + line[dash+1:]
	ok := r.block(e.from, e.to, depth+1)
	line = r.lines[e.from]
	r.lines[e.from] = line[:dash] + "-" + line[dash+1:]
	return ok && r.try(e.from, e.to) == nil
}

// try reads some of the lines by themselves. An alias whose anchor stands
// elsewhere is no error here.
func (r *recovery) try(from, to int) error {
	text := strings.Join(r.lines[from:to], "\n")
	r.tried += len(text)
	_, err := decode(text)
	if err != nil && r.anchored(err, from) {
		return nil
	}
	return err
}

// anchored tells whether an error is of an anchor that stands above a line.
func (r *recovery) anchored(err error, line int) bool {
	_, rest, found := strings.Cut(err.Error(), "unknown anchor '")
	name, _, _ := strings.Cut(rest, "'")
	return found && strings.Contains(r.text[:r.starts[line]], "&"+name)
}

// opensBlock tells whether an entry's value is a block on the lines below it,
// or a list item that holds a mapping.
func (r *recovery) opensBlock(e entry) bool {
	line := strings.TrimSpace(uncommented(r.lines[e.from]))
	if dashed(line) && keyed(line[1:]) {
		return true
	}
	return e.to > e.from+1 && (line == "-" || !dashed(line) && strings.HasSuffix(line, ":"))
}

// broken reports an entry that cannot be read, unless that was done for a part
// of it, and leaves its value out.
func (r *recovery) broken(e entry, err error) {
	if slices.ContainsFunc(r.lines[e.from:e.to], func(line string) bool { return strings.Contains(line, placeholder) }) {
		r.replace(e, false)
		return
	}
	at, message, keepKey := r.explain(e, err)
	r.errorf(at, "%s", message)
	r.replace(e, keepKey)
}

// misfit reports an entry that does not belong into its block.
func (r *recovery) misfit(e entry) {
	message := "the indentation of this line fits none of the lines above it"
	if !e.stray {
		message = "this line is neither `key: value` nor, like its neighbours, a list item; write a colon and a space after a key"
	}
	r.errorf(r.lineSpan(e.from), "%s", message)
	r.errors++
}

// leaveOut puts a placeholder for an entry that does not belong into its block.
// Where the entry before it has no value, it was meant to be that.
func (r *recovery) leaveOut(entries []entry, i int, list bool) {
	e := entries[i]
	if i > 0 && strings.HasSuffix(uncommented(r.lines[entries[i-1].from]), ":") && entries[i-1].to == entries[i-1].from+1 {
		r.replace(entries[i-1], true)
	}
	mark := `"` + placeholder + `": ~`
	if list {
		mark = `- "` + placeholder + `"`
	}
	r.lines[e.from] = strings.Repeat(" ", entries[0].indent) + mark
	r.clear(e.from+1, e.to)
}

// clear empties a stretch of lines.
func (r *recovery) clear(from, to int) {
	for i := from; i < to; i++ {
		r.lines[i] = ""
	}
}

// replace puts a placeholder for an entry, or only for its value.
func (r *recovery) replace(e entry, keepKey bool) {
	r.errors++
	line := r.lines[e.from]
	key, _, found := cutKey(line)
	switch {
	case dashed(line):
		r.lines[e.from] = strings.Repeat(" ", e.indent) + `- "` + placeholder + `"`
	case keepKey && found:
		r.lines[e.from] = key + `: "` + placeholder + `"`
	default:
		r.lines[e.from] = strings.Repeat(" ", e.indent) + `"` + placeholder + `": ~`
	}
	r.clear(e.from+1, e.to)
}

// lineSpan is the place of a line without its indentation.
func (r *recovery) lineSpan(i int) source.Span {
	end := len(r.text)
	if i+1 < len(r.starts) {
		end = r.starts[i+1] - 1
	}
	line := strings.TrimRight(r.text[r.starts[i]:end], " \t\r")
	lead := len(line) - len(strings.TrimLeft(line, " \t"))
	return r.span(r.starts[i]+lead, r.starts[i]+len(line))
}
