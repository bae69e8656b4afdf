package tree

import (
	"regexp"
	"strconv"
	"strings"
)

// YAML writes a document in block style, with a final newline.
func YAML(n Node) []byte {
	var w yamlWriter
	w.block(n, 0)
	return []byte(w.String())
}

type yamlWriter struct{ strings.Builder }

// block writes a node whose first line starts at the current place, which is
// where the indentation of depth ends.
func (w *yamlWriter) block(n Node, depth int) {
	switch n := n.(type) {
	case Map:
		for i, f := range n {
			if i > 0 {
				w.indent(depth)
			}
			w.WriteString(plain(f.Key) + ":")
			w.value(f.Value, depth)
		}
	case List:
		for i, item := range n {
			if i > 0 {
				w.indent(depth)
			}
			w.WriteByte('-')
			if inline(item) {
				w.value(item, depth)
				continue
			}
			w.WriteByte(' ')
			w.block(item, depth+1)
		}
	default:
		w.WriteString(scalar(n) + "\n")
	}
}

// value writes what follows a colon or a dash.
func (w *yamlWriter) value(n Node, depth int) {
	if inline(n) {
		w.WriteString(" " + scalar(n) + "\n")
		return
	}
	w.WriteByte('\n')
	w.indent(depth + 1)
	w.block(n, depth+1)
}

func (w *yamlWriter) indent(depth int) { w.WriteString(strings.Repeat("  ", depth)) }

// inline tells whether a node stands on the line of its key.
func inline(n Node) bool {
	switch n := n.(type) {
	case Map:
		return len(n) == 0
	case List:
		return len(n) == 0
	}
	return true
}

func scalar(n Node) string {
	switch n := n.(type) {
	case Text:
		return plain(string(n))
	case Number:
		return strconv.FormatInt(int64(n), 10)
	case Bool:
		return strconv.FormatBool(bool(n))
	case Call:
		return "!" + n.Function + " " + plain(n.Argument)
	case List:
		return "[]"
	}
	return "{}"
}

// A text is written without quotes when every reader of YAML takes it for a
// text: it starts like a word, and is none of the words that mean something.
var (
	wordLike = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_./-]*(::?[A-Za-z0-9_./-]+)*( [A-Za-z0-9_.,()/-]+)*$`)
	meaning  = regexp.MustCompile(`(?i)^(y|n|yes|no|on|off|true|false|null)$`)
)

func plain(s string) string {
	if wordLike.MatchString(s) && !meaning.MatchString(s) {
		return s
	}
	return quote(s)
}
