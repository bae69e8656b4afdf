// Package yamltree reads YAML text into a tree in which every node knows its
// exact place, and scalars keep what was written instead of YAML's guess at it.
//
// It is the only package that knows the YAML library. Text is checked before
// the library sees it and the result is bounded, so hostile input ends in a
// finding. A syntax error costs the smallest entry around it; the rest is read.
package yamltree

import (
	"strings"

	"github.com/dynmodel/dynmodel/model/source"
)

// Kind tells what a node is.
type Kind int

// The kinds of nodes.
const (
	// Null is a place where a value could stand and none is written.
	Null Kind = iota
	Scalar
	Mapping
	Sequence
	// Broken stands for a value that could not be read; it has been reported.
	Broken
)

// Style is how a scalar is written.
type Style int

// The styles of scalars.
const (
	Plain Style = iota
	SingleQuoted
	DoubleQuoted
	Literal // |
	Folded  // >
)

// Node is a value in the text. Nodes reached through an alias are the same
// node as at the anchor, with the anchor's place.
type Node struct {
	Kind  Kind
	Style Style
	// Flow tells a collection written with brackets.
	Flow bool
	// At covers the node without its anchor and tag.
	At source.Span
	// Text is the text of a Scalar after quotes, escapes and folding: "1.10",
	// "NO" and "0080" stay what they are.
	Text string
	// Items are the members of a Sequence.
	Items []*Node
	// Entries are the members of a Mapping in the order they are written,
	// without those that could not be read.
	Entries []*Entry
	// Incomplete tells that entries or items are missing because they could not
	// be read.
	Incomplete bool
	// Comments around the node, with their number signs, for a formatter.
	Head, Line, Foot string
}

// Entry is a key with its value.
type Entry struct {
	Key, Value *Node
	// Merged tells that the entry came in through a merge key (<<).
	Merged bool
}

// Get is the value under a key, or nil; a nil node has no keys.
func (n *Node) Get(key string) *Node {
	if n == nil {
		return nil
	}
	for _, e := range n.Entries {
		if e.Key.Text == key {
			return e.Value
		}
	}
	return nil
}

// Comment is the comment that follows the node on its last line, from its
// number sign to the end of the line; an unknown Span when there is none.
func (n *Node) Comment() source.Span {
	if n.At.File == nil {
		return source.Span{}
	}
	text := n.At.File.Text()
	rest, _, _ := strings.Cut(text[n.At.End:], "\n")
	rest = strings.TrimSuffix(rest, "\r")
	trimmed := strings.TrimLeft(rest, " \t")
	if !strings.HasPrefix(trimmed, "#") {
		return source.Span{}
	}
	trimmed = strings.TrimRight(trimmed, " \t")
	rest = strings.TrimRight(rest, " \t")
	start := n.At.End + len(rest) - len(trimmed)
	return source.Span{File: n.At.File, Start: start, End: n.At.End + len(rest)}
}

// Describe names the kind of value for messages: "a list", "nothing", …
func (n *Node) Describe() string {
	switch n.Kind {
	case Null:
		return "nothing"
	case Mapping:
		return "a mapping"
	case Sequence:
		return "a list"
	case Scalar:
		return "text"
	}
	return "something unreadable"
}
