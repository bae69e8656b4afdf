package expr

import (
	"slices"

	"github.com/dynmodel/dynmodel/engine/attr"
)

// Projection is a choice of parts of an item.
type Projection struct {
	paths  []Path // in the order of the text
	sorted []Path
}

// NewProjection returns the projection to the given paths, or an error if two
// of them overlap or conflict.
func NewProjection(paths []Path) (*Projection, error) {
	pr := project(paths)
	if err := checkClashes(pr.sorted, paths); err != nil {
		return nil, err
	}
	return pr, nil
}

func project(paths []Path) *Projection {
	if len(paths) < 2 {
		return &Projection{paths: paths, sorted: paths}
	}
	return &Projection{paths: paths, sorted: slices.SortedFunc(slices.Values(paths), comparePaths)}
}

// Projection parses a projection expression.
func (c *Context) Projection(text string) (*Projection, error) {
	p := parser{Context: c, kind: ProjectionExpression, text: text}
	if err := p.start(); err != nil {
		return nil, err
	}
	var paths []Path
	var inPaths lastFault
	for more := true; more; more = p.accept(tokenComma) {
		paths = append(paths, p.path())
		p.takeFault(&inPaths, len(paths)-1)
	}
	if err := p.finish(); err != nil {
		return nil, err
	}
	pr := project(paths)
	if err := p.checkPaths(pr.sorted, paths, inPaths); err != nil {
		return nil, err
	}
	return pr, nil
}

// Paths returns the paths in the order they were written.
func (pr *Projection) Paths() []Path { return pr.paths }

// Of returns the chosen parts of the item, each at its place. Elements of a
// list move together. A path that leads nowhere is left out.
func (pr *Projection) Of(item attr.Item) attr.Item {
	return pick(item, pr.sorted, 0)
}

// pick returns the parts of a map that the sorted paths choose, which agree in
// their elements before the given depth.
func pick(item attr.Item, paths []Path, depth int) attr.Item {
	var entries []attr.Entry
	for len(paths) > 0 {
		e := paths[0][depth]
		group := sameElement(paths, depth)
		paths = paths[len(group):]
		if v, ok := item.Get(e.Name); ok && !e.IsIndex {
			if v = pickFrom(v, group, depth+1); v.Exists() {
				entries = append(entries, attr.Entry{Name: e.Name, Value: v})
			}
		}
	}
	return attr.NewItem(entries...)
}

// pickFrom returns the chosen parts of a value, the zero Value if there are
// none.
func pickFrom(v attr.Value, paths []Path, depth int) attr.Value {
	if len(paths[0]) == depth {
		return v
	}
	if !paths[0][depth].IsIndex {
		if m := pick(v.Item(), paths, depth); !m.IsEmpty() {
			return attr.Map(m)
		}
		return attr.Value{}
	}
	var elements []attr.Value
	index := 0
	for e := range v.Elements() {
		if v.Type() != attr.L || len(paths) == 0 {
			break
		}
		if paths[0][depth].Index == index {
			group := sameElement(paths, depth)
			paths = paths[len(group):]
			if e = pickFrom(e, group, depth+1); e.Exists() {
				elements = append(elements, e)
			}
		}
		index++
	}
	if len(elements) == 0 {
		return attr.Value{}
	}
	return attr.List(elements...)
}

// sameElement returns the first of the sorted paths that have one element in
// common at the given depth.
func sameElement(paths []Path, depth int) []Path {
	n := 1
	for n < len(paths) && paths[n][depth] == paths[0][depth] {
		n++
	}
	return paths[:n]
}
