package expr

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/dynmodel/dynmodel/engine/attr"
)

// Path leads to a value inside an item. Its first element is a name.
type Path []Element

// Element is one step of a path: into a map by Name, or into a list by Index
// when IsIndex is set.
type Element struct {
	Name    string
	Index   int
	IsIndex bool
}

// Attribute returns the path of a top-level attribute.
func Attribute(name string) Path { return Path{{Name: name}} }

// Top returns the name of the top-level attribute the path begins with.
func (p Path) Top() string { return p[0].Name }

// In returns the value at the path, the zero Value if there is none.
func (p Path) In(item attr.Item) attr.Value {
	v, _ := item.Get(p[0].Name)
	for _, e := range p[1:] {
		v = e.in(v)
	}
	return v
}

func (e Element) in(v attr.Value) attr.Value {
	if e.IsIndex {
		v, _ = v.Index(e.Index)
		return v
	}
	v, _ = v.Entry(e.Name)
	return v
}

// String writes the path as DynamoDB's messages do: [a, [0], b].
func (p Path) String() string {
	var b strings.Builder
	b.WriteByte('[')
	for i, e := range p {
		if i > 0 {
			b.WriteString(", ")
		}
		if e.IsIndex {
			b.WriteString("[" + strconv.Itoa(e.Index) + "]")
		} else {
			b.WriteString(e.Name)
		}
	}
	b.WriteByte(']')
	return b.String()
}

func (e Element) compare(f Element) int {
	if e.IsIndex != f.IsIndex {
		if f.IsIndex {
			return -1
		}
		return 1
	}
	return cmp.Or(cmp.Compare(e.Name, f.Name), cmp.Compare(e.Index, f.Index))
}

// comparePaths orders paths so that those with a common beginning stand
// together, a path directly before those that go on from it, and under one
// parent names before indexes.
func comparePaths(p, q Path) int { return slices.CompareFunc(p, q, Element.compare) }

// clash is a way in which two paths exclude each other.
type clash string

const (
	noClash  clash = ""
	overlap  clash = "overlap"  // one leads to the other, or both are the same
	conflict clash = "conflict" // they need one value to be a map and a list
)

func (p Path) clash(q Path) clash {
	for i := range min(len(p), len(q)) {
		switch {
		case p[i].IsIndex != q[i].IsIndex:
			return conflict
		case p[i] != q[i]:
			return noClash
		}
	}
	return overlap
}

// checkClashes refuses paths that exclude each other. In the sorted paths such
// a pair always stands side by side; which pair DynamoDB names depends on
// paths, the order of the text, which it goes through from the end.
func checkClashes(sorted, paths []Path) error {
	found := false
	for i := 1; i < len(sorted); i++ {
		found = found || sorted[i-1].clash(sorted[i]) != noClash
	}
	if !found {
		return nil
	}
	for i := len(paths) - 2; i >= 0; i-- {
		for _, later := range slices.Backward(paths[i+1:]) {
			if err := clashError(paths[i], later); err != nil {
				return err
			}
		}
	}
	return nil
}

func clashError(p, q Path) error {
	c := p.clash(q)
	if c == noClash {
		return nil
	}
	return attr.Invalidf("Two document paths %s with each other; must remove or rewrite one of these paths; path one: %s, path two: %s", c, p, q)
}
