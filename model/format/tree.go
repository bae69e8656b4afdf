package format

// document is a file as it is written.
type document struct {
	header []string // directives and the mark of the document's start
	head   []string // comments and blank lines above the first entry
	root   *node    // nil when the file says nothing
	tail   []string // comments below the last entry
}

type kind int

const (
	null kind = iota
	scalar
	mapping
	sequence
)

// node is a value as it is written.
type node struct {
	kind  kind
	flow  bool     // a collection in brackets
	props string   // anchor and tag
	text  string   // a scalar or an alias, its first line
	more  []string // further lines of a scalar, without their indentation
	block bool     // a scalar of the styles | and >
	shift int      // the indentation of a block that its header states; 0: none

	entries []*entry
	opening string   // the comment behind the opening bracket
	tail    []string // comments below the last entry, "" for a blank line

	// How the collection is laid out, by its shape.
	width  int
	spaced bool
}

// entry is a member of a collection with the comments around it.
type entry struct {
	above []string // lines above: comments, "" for a blank line
	key   *node    // nil in a sequence
	value *node
	line  string // the comment behind the entry's first line, or behind its only one
}

// commented tells whether there is a comment anywhere inside a collection.
func (n *node) commented() bool {
	if n.opening != "" || len(n.tail) > 0 {
		return true
	}
	for _, e := range n.entries {
		if e.line != "" || len(e.above) > 0 || e.value.commented() {
			return true
		}
	}
	return false
}

// join puts two comments into one.
func join(a, b string) string {
	switch {
	case a == "":
		return b
	case b == "":
		return a
	}
	return a + " " + b
}
