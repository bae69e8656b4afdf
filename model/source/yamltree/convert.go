package yamltree

import (
	"strings"
	"unicode/utf8"

	"gopkg.in/yaml.v3"

	"github.com/dynmodel/dynmodel/model/source"
)

// converter turns the library's nodes, which know where they start, into
// nodes that know where they end as well.
type converter struct {
	*parser
	lines   []int
	known   map[*yaml.Node]*Node // anchored nodes; nil while being converted
	aliased int                  // nodes reached through aliases so far
	guarded bool                 // question marks are guarded

	// The last place looked up: nodes come in order, so columns are counted once.
	line, column, at int
}

// offset is the byte offset of a line and a column, both 1-based, in characters.
// A column beyond the line, as a placeholder may have, is the line's end.
func (c *converter) offset(line, column int) int {
	if line < 1 || line > len(c.lines) {
		return len(c.text)
	}
	if line != c.line || column < c.column {
		c.line, c.column, c.at = line, 1, c.lines[line-1]
	}
	for ; c.column < column && c.at < len(c.text) && c.text[c.at] != '\n'; c.column++ {
		_, n := utf8.DecodeRuneInString(c.text[c.at:])
		c.at += n
	}
	return c.at
}

func (c *converter) convert(y *yaml.Node, depth int) *Node {
	if y.Kind == yaml.AliasNode {
		return c.alias(y)
	}
	start := c.offset(y.Line, y.Column)
	n := &Node{Head: c.restore(y.HeadComment), Line: c.restore(y.LineComment), Foot: c.restore(y.FootComment)}
	if y.Anchor != "" {
		c.known[y] = nil
	}
	if depth > maxDepth {
		c.errorf(c.span(start, start+1), "nested deeper than %d levels", maxDepth)
		n.Kind, n.At = Broken, c.span(start, start)
		return n
	}
	tagged := y.Style&yaml.TaggedStyle != 0
	if y.Anchor != "" || tagged {
		start = c.afterProperties(start)
	}
	switch y.Kind {
	case yaml.MappingNode:
		c.mapping(n, y, start, depth)
	case yaml.SequenceNode:
		c.sequence(n, y, start, depth)
	default:
		c.scalar(n, y, start)
	}
	if tagged && !strings.HasPrefix(y.Tag, "!!") {
		c.errorf(c.token(y), "`!` at the start of a value makes a YAML tag; put the value in quotes")
		n.Kind = Broken
	}
	if y.Anchor != "" {
		if n.Kind == Null {
			c.errorf(c.token(y), "`&` at the start of a value makes a YAML anchor; put the value in quotes")
			n.Kind = Broken
		}
		c.known[y] = n
	}
	return n
}

// token is the place of the word that a node starts with.
func (c *converter) token(y *yaml.Node) source.Span {
	start := c.offset(y.Line, y.Column)
	end := start
	for end < len(c.text) && !isBlank(c.text[end]) {
		end++
	}
	return c.span(start, end)
}

// restore puts question marks back.
func (c *converter) restore(s string) string {
	if !c.guarded {
		return s
	}
	return strings.ReplaceAll(s, questionMark, "?")
}

// afterProperties skips the anchor and the tag of a node.
func (c *converter) afterProperties(at int) int {
	for at < len(c.text) && (c.text[at] == '&' || c.text[at] == '!') {
		for at < len(c.text) && !isBlank(c.text[at]) {
			at++
		}
		at = c.skipSpace(at)
	}
	return at
}

// skipSpace passes over white space and comments.
func (c *converter) skipSpace(at int) int {
	for at < len(c.text) {
		switch {
		case isBlank(c.text[at]):
			at++
		case c.text[at] == '#' && (at == 0 || isBlank(c.text[at-1])):
			for at < len(c.text) && c.text[at] != '\n' {
				at++
			}
		default:
			return at
		}
	}
	return at
}

func (c *converter) alias(y *yaml.Node) *Node {
	at := c.offset(y.Line, y.Column)
	here := c.span(at, c.offset(y.Line, y.Column+1+utf8.RuneCountInString(y.Value)))
	n, seen := c.known[y.Alias]
	switch {
	case seen && n == nil:
		c.errorf(here, "the alias *%s stands inside the value it names", y.Value)
	case !seen:
		c.errorf(here, "the alias *%s names nothing that was read", y.Value)
	default:
		if c.aliased += size(n, maxAliased); c.aliased <= maxAliased {
			return n
		}
		if c.aliased-size(n, maxAliased) <= maxAliased {
			c.errorf(here, "aliases expand to more than %d values here", maxAliased)
		}
	}
	return &Node{Kind: Broken, At: here}
}

// size counts the nodes under n, aliases expanded, up to a limit.
func size(n *Node, limit int) int {
	count := 1
	for _, item := range n.Items {
		if count >= limit {
			return limit
		}
		count += size(item, limit-count)
	}
	for _, e := range n.Entries {
		if count >= limit {
			return limit
		}
		count += 1 + size(e.Value, limit-count)
	}
	return count
}

func (c *converter) sequence(n *Node, y *yaml.Node, start, depth int) {
	n.Kind, n.Flow = Sequence, y.Style&yaml.FlowStyle != 0
	end := min(start+1, len(c.text))
	for _, y := range y.Content {
		item := c.convert(y, depth+1)
		end = max(end, item.At.End, c.at)
		if item.Kind == Scalar && item.Text == placeholder {
			n.Incomplete = true
			continue
		}
		n.Items = append(n.Items, item)
	}
	n.At = c.span(start, c.close(end, n.Flow, ']'))
}

func (c *converter) mapping(n *Node, y *yaml.Node, start, depth int) {
	n.Kind, n.Flow = Mapping, y.Style&yaml.FlowStyle != 0
	end := min(start+1, len(c.text))
	entries := map[string]*Node{}
	for i := 0; i+1 < len(y.Content); i += 2 {
		key := c.convert(y.Content[i], depth+1)
		value := c.convert(y.Content[i+1], depth+1)
		end = max(end, key.At.End, value.At.End, c.at)
		switch {
		case key.Kind == Broken:
			n.Incomplete = true
		case key.Kind != Scalar && key.Kind != Null:
			c.errorf(key.At, "a key must be a plain name. A value that starts with `{` or `[` needs quotes")
			n.Incomplete = true
		case key.Text == placeholder:
			n.Incomplete = true
		case y.Content[i].Tag == "!!merge":
			c.merge(n, value)
		case entries[key.Text] != nil:
			c.errorf(key.At, "the key %q is already given in line %d", key.Text, entries[key.Text].At.From().Line)
		default:
			entries[key.Text] = key
			if n.Flow && value.Kind == Null && c.noColon(n, key) {
				n.Incomplete = true
				continue
			}
			value = broken(value)
			if !n.Flow && (c.runsOn(value) || value.Kind == Broken && c.swallowed(key)) {
				n.Incomplete = true
			}
			n.Entries = append(n.Entries, &Entry{Key: key, Value: value})
		}
	}
	n.Entries = overridden(n.Entries)
	n.At = c.span(start, c.close(end, n.Flow, '}'))
}

// broken marks a value that stands for one that could not be read.
func broken(n *Node) *Node {
	if n.Kind == Scalar && n.Text == placeholder {
		n.Kind = Broken
	}
	return n
}

// swallowed tells whether a value that could not be read holds what belongs beside
// it: the item `- {a: x, b: y}` of a list, without its first bracket.
func (c *converter) swallowed(key *Node) bool {
	line, _, _ := strings.Cut(c.text[key.At.End:], "\n")
	_, value, _ := strings.Cut(line, ":")
	before := c.text[:key.At.Start]
	return strings.Contains(value, ": ") && dashed(before[strings.LastIndexByte(before, '\n')+1:])
}

// runsOn reports a quoted value that goes on in a line that is indented no further
// than the one it begins in: YAML's library takes it, and it is a quote that was
// not closed, with what stands below it inside.
func (c *converter) runsOn(value *Node) bool {
	if value.Style != SingleQuoted && value.Style != DoubleQuoted || value.Kind != Scalar {
		return false
	}
	first, rest, _ := strings.Cut(value.At.Text(), "\n")
	before := c.text[:value.At.Start]
	indent := indentation(before[strings.LastIndexByte(before, '\n')+1:] + first)
	for line := range strings.Lines(rest) {
		if !blankOrComment(line) && indentation(line) <= indent {
			c.errorf(c.span(value.At.Start, value.At.Start+len(strings.TrimRight(first, " \t\r"))), "the quote that opens this value is not closed")
			value.Kind = Broken
			return true
		}
	}
	return false
}

// merge takes over the entries of a merge key's mapping or mappings.
func (c *converter) merge(n *Node, from *Node) {
	sources := []*Node{from}
	if from.Kind == Sequence {
		sources = from.Items
	}
	for _, s := range sources {
		switch s.Kind {
		case Mapping:
			for _, e := range s.Entries {
				n.Entries = append(n.Entries, &Entry{Key: e.Key, Value: e.Value, Merged: true})
			}
		case Broken:
			n.Incomplete = true
		default:
			c.errorf(s.At, "the merge key << takes a mapping, such as *name")
		}
	}
}

// overridden drops merged entries whose key is written out or merged before.
func overridden(entries []*Entry) []*Entry {
	written := map[string]bool{}
	merged := false
	for _, e := range entries {
		if merged = merged || e.Merged; !e.Merged {
			written[e.Key.Text] = true
		}
	}
	if !merged {
		return entries
	}
	var out []*Entry
	for _, e := range entries {
		if e.Merged && written[e.Key.Text] {
			continue
		}
		written[e.Key.Text] = true
		out = append(out, e)
	}
	return out
}

// close finds the end of a collection: of one in brackets the closing bracket
// after its last member, of a block its last member.
func (c *converter) close(end int, flow bool, bracket byte) int {
	if !flow {
		return end
	}
	for at := end; at < len(c.text); at++ {
		if at = c.skipSpace(at); at < len(c.text) && c.text[at] == bracket {
			return at + 1
		}
	}
	return end
}

// noColon recognises a member of {…} that has no colon, or none that YAML sees:
// what follows a comma that was meant to be part of the value before, or a key
// without a space after its colon.
func (c *converter) noColon(n *Node, key *Node) bool {
	if strings.HasPrefix(strings.TrimLeft(c.text[key.At.End:], " \t\r\n"), ":") {
		return false
	}
	if name, _, found := strings.Cut(key.Text, ":"); found && key.Style == Plain && name != "" && !strings.ContainsAny(name, " {|") {
		c.errorf(key.At, "a space is missing after the colon: write `%s: …`", name)
		return true
	}
	if len(n.Entries) == 0 {
		return false
	}
	previous := n.Entries[len(n.Entries)-1]
	if previous.Value.Kind == Null {
		return false
	}
	if previous.Value.Kind == Broken {
		return true // the same value again
	}
	c.errorf(c.span(previous.Value.At.Start, key.At.End),
		"inside {…} the comma before `%s` ends the value of `%s`; put the whole value in quotes", key.At.Text(), previous.Key.Text)
	previous.Value.Kind = Broken
	return true
}
