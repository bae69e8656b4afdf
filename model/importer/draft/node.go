package draft

import (
	"strconv"
	"strings"

	"github.com/dynmodel/dynmodel/model/source"
	"github.com/dynmodel/dynmodel/model/source/jsontree"
	"github.com/dynmodel/dynmodel/model/source/yamltree"
)

// ReadJSON reads a JSON document. What is no JSON and was read all the same, and
// keys that stand twice, are faults; of two keys the later counts, as for most readers.
func ReadJSON(file *source.File, notes *Notes) (*yamltree.Node, error) {
	node, remarks, err := jsontree.Parse(file)
	for _, r := range remarks {
		notes.Faultf(r.At, "%s", r.Text)
	}
	if err != nil {
		return nil, err
	}
	unique(node, notes)
	return node, nil
}

// unique takes the earlier of two entries of one key out of every mapping.
func unique(n *yamltree.Node, notes *Notes) {
	last := make(map[string]int, len(n.Entries))
	for i, e := range n.Entries {
		if _, twice := last[e.Key.Text]; twice {
			notes.Faultf(e.Key.At, "the key `%s` stands twice here; the later one counts", Clip(e.Key.Text))
		}
		last[e.Key.Text] = i
	}
	if len(last) < len(n.Entries) {
		kept := n.Entries[:0:0]
		for i, e := range n.Entries {
			if last[e.Key.Text] == i {
				kept = append(kept, e)
			}
		}
		n.Entries = kept
	}
	for _, e := range n.Entries {
		unique(e.Value, notes)
	}
	for _, item := range n.Items {
		unique(item, notes)
	}
}

// Scalar is the text of a scalar under a key; "" when there is none. A value of
// another kind is a fault.
func (n *Notes) Scalar(node *yamltree.Node, key string) string {
	v := node.Get(key)
	if v == nil || v.Kind == yamltree.Null {
		return ""
	}
	if v.Kind != yamltree.Scalar {
		n.Faultf(v.At, "`%s` is %s, not a text", key, v.Describe())
		return ""
	}
	return v.Text
}

// List are the members of a list under a key; none when there is none. A value
// of another kind is a fault.
func (n *Notes) List(node *yamltree.Node, key string) []*yamltree.Node {
	v := node.Get(key)
	if v == nil || v.Kind == yamltree.Null {
		return nil
	}
	if v.Kind != yamltree.Sequence {
		n.Faultf(v.At, "`%s` is %s, not a list", key, v.Describe())
		return nil
	}
	return v.Items
}

// Object is the mapping under a key; nil when there is none. A value of another
// kind is a fault.
func (n *Notes) Object(node *yamltree.Node, key string) *yamltree.Node {
	v := node.Get(key)
	if v == nil || v.Kind == yamltree.Null {
		return nil
	}
	if v.Kind != yamltree.Mapping {
		n.Faultf(v.At, "`%s` is %s, not an object", key, v.Describe())
		return nil
	}
	return v
}

// Number is the whole number under a key; 0 when there is none. Another value is
// a fault.
func (n *Notes) Number(node *yamltree.Node, key string) int64 {
	text := n.Scalar(node, key)
	if text == "" {
		return 0
	}
	if i, err := strconv.ParseInt(text, 10, 64); err == nil {
		return i
	}
	if f, err := strconv.ParseFloat(text, 64); err == nil && f >= 0 && f < 1e15 {
		return int64(f)
	}
	n.Faultf(node.Get(key).At, "`%s` is `%s`, not a number", key, Clip(text))
	return 0
}

// True tells whether a key has the value true.
func (n *Notes) True(node *yamltree.Node, key string) bool {
	return strings.EqualFold(n.Scalar(node, key), "true")
}

// clip shortens a text for messages.
func Clip(text string) string {
	const most = 60
	runes := []rune(text)
	if len(runes) <= most {
		return text
	}
	return string(runes[:most]) + "…"
}
