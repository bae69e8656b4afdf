package mutation

import (
	"slices"
	"strings"

	"github.com/dynmodel/dynmodel/model/source"
	"github.com/dynmodel/dynmodel/model/source/yamltree"
)

// edit puts a text in the place of a stretch of the model's text.
type edit struct {
	start, end int
	text       string
}

// replace is the edit of a span.
func replace(at source.Span, text string) edit { return edit{at.Start, at.End, text} }

// apply makes edits that do not overlap.
func apply(text string, edits []edit) string {
	edits = slices.Clone(edits)
	slices.SortFunc(edits, func(a, b edit) int { return b.start - a.start })
	for _, e := range edits {
		text = text[:e.start] + e.text + text[e.end:]
	}
	return text
}

// scalar writes a text in the place of a scalar: plain where it was plain and
// can be, else in quotes.
func scalar(at source.Span, text string) edit {
	old := at.Text()
	quoted := strings.HasPrefix(old, `"`) || strings.HasPrefix(old, "'")
	if !quoted && text != "" && !strings.ContainsAny(text[:1], "{[>|*&!%@`'\"#-?: ") && !strings.Contains(text, ": ") && !strings.Contains(text, " #") {
		return replace(at, text)
	}
	return replace(at, `"`+strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(text)+`"`)
}

// lines tells where the text of two models differs first.
func differs(before, after string) (line int, was, is string) {
	old, now := strings.Split(before, "\n"), strings.Split(after, "\n")
	for i := range old {
		if i >= len(now) || old[i] != now[i] {
			switch {
			case i+1 < len(old) && i < len(now) && old[i+1] == now[i]:
				return i + 1, strings.TrimSpace(old[i]), ""
			case i >= len(now):
				return i + 1, strings.TrimSpace(old[i]), ""
			}
			return i + 1, strings.TrimSpace(old[i]), strings.TrimSpace(now[i])
		}
	}
	return 0, "", ""
}

// without takes the n-th entry out of a mapping; false where the text is laid
// out in a way that makes it difficult.
func without(n *yamltree.Node, i int) (edit, bool) {
	starts, ends := make([]int, len(n.Entries)), make([]int, len(n.Entries))
	for j, e := range n.Entries {
		if e.Merged || e.Key.At.File != n.At.File || e.Value.At.File != n.At.File {
			return edit{}, false
		}
		starts[j], ends[j] = e.Key.At.Start, max(e.Key.At.End, e.Value.At.End)
	}
	return cut(n, starts, ends, i)
}

// withoutItem takes the n-th item out of a sequence.
func withoutItem(n *yamltree.Node, i int) (edit, bool) {
	starts, ends := make([]int, len(n.Items)), make([]int, len(n.Items))
	for j, item := range n.Items {
		if item.At.File != n.At.File {
			return edit{}, false
		}
		starts[j], ends[j] = item.At.Start, item.At.End
	}
	return cut(n, starts, ends, i)
}

func cut(n *yamltree.Node, starts, ends []int, i int) (edit, bool) {
	text := n.At.File.Text()
	switch {
	case n.Flow && i+1 < len(starts):
		return edit{starts[i], starts[i+1], ""}, true
	case n.Flow && i > 0:
		return edit{ends[i-1], ends[i], ""}, true
	case n.Flow || len(starts) == 1:
		return edit{}, false
	}
	start := strings.LastIndexByte(text[:starts[i]], '\n') + 1
	if strings.TrimLeft(text[start:starts[i]], " ") != "" { // it begins on the line of what it is in
		return edit{}, false
	}
	end := len(text)
	if n := strings.IndexByte(text[ends[i]:], '\n'); n >= 0 {
		end = ends[i] + n + 1
	}
	return edit{start, end, ""}, true
}

// find gives the first mapping entry below a node that a test accepts.
func find(n *yamltree.Node, is func(*yamltree.Entry) bool) (*yamltree.Node, int) {
	if n == nil {
		return nil, 0
	}
	for i, e := range n.Entries {
		if is(e) {
			return n, i
		}
		if in, at := find(e.Value, is); in != nil {
			return in, at
		}
	}
	for _, item := range n.Items {
		if in, at := find(item, is); in != nil {
			return in, at
		}
	}
	return nil, 0
}

// removal takes out the entry that a test accepts; with it what it is in where
// it is the only one there.
func removal(root *yamltree.Node, is func(*yamltree.Entry) bool) (edit, bool) {
	n, i := find(root, is)
	if n == nil {
		return edit{}, false
	}
	if len(n.Entries) == 1 {
		return removal(root, func(e *yamltree.Entry) bool { return e.Value == n })
	}
	return without(n, i)
}

// valueAt accepts the entry whose value begins at a place.
func valueAt(at source.Span) func(*yamltree.Entry) bool {
	return func(e *yamltree.Entry) bool { return e.Value.At.File == at.File && e.Value.At.Start == at.Start }
}
