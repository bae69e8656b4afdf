package expr

import (
	"slices"

	"github.com/dynmodel/dynmodel/engine/attr"
)

// Update is a list of actions on one item. All of them see the item as it was
// before, and all positions in lists are those from before.
type Update struct {
	actions []Action
	touched *Projection
}

// Verb is what an action does to the value at its path.
type Verb string

// The verbs, which are also the sections of an update expression.
const (
	// Set gives it a value. A position past the end of a list appends.
	Set Verb = "SET"
	// Remove takes it away.
	Remove Verb = "REMOVE"
	// Add adds a number, or the members of a set.
	Add Verb = "ADD"
	// Delete takes members out of a set; a set that loses its last member
	// is removed.
	Delete Verb = "DELETE"
)

// Action is one step of an update. Value is nil for Remove.
type Action struct {
	Verb  Verb
	Path  Path
	Value Expression
}

// Expression is the right-hand side of an action: a [Path], a [Literal], an
// [IfNotExists], a [ListAppend] or an [Arithmetic].
type Expression interface {
	evaluate(item attr.Item) (attr.Value, error)
}

// IfNotExists is the value at the path, or Default if there is none.
type IfNotExists struct {
	Path    Path
	Default Expression
}

// ListAppend is one list after another.
type ListAppend struct{ First, Second Expression }

// Arithmetic is a sum, or a difference if Minus is set.
type Arithmetic struct {
	Left, Right Expression
	Minus       bool
}

// NewUpdate returns the update with the given actions, or an error if two of
// their paths overlap or conflict.
func NewUpdate(actions []Action) (*Update, error) {
	paths := make([]Path, len(actions))
	for i, a := range actions {
		paths[i] = a.Path
	}
	u := &Update{actions: actions, touched: project(paths)}
	return u, checkClashes(u.touched.sorted, paths)
}

// Actions returns the actions in the order they were written.
func (u *Update) Actions() []Action { return u.actions }

// Touched returns the projection to the paths that the update writes: of the
// new item it is what UPDATED_NEW returns, of the old one UPDATED_OLD.
func (u *Update) Touched() *Projection { return u.touched }

// OnlyRemoves reports whether the update has actions that all take away. Such
// an update creates no item.
func (u *Update) OnlyRemoves() bool {
	adds := func(a Action) bool { return a.Verb == Set || a.Verb == Add }
	return len(u.actions) > 0 && !slices.ContainsFunc(u.actions, adds)
}

var (
	errMissing = attr.Invalidf("The provided expression refers to an attribute that does not exist in the item")
	errType    = attr.Invalidf("An operand in the update expression has an incorrect data type")
	errPath    = attr.Invalidf("The document path provided in the update expression is invalid for update")
)

// Apply returns the item after the update. exists says whether the item is
// there; if it is not, item is its key alone, and actions that take away have
// nothing to do.
func (u *Update) Apply(item attr.Item, exists bool) (attr.Item, error) {
	edits := make([]edit, 0, len(u.actions))
	for _, a := range u.actions {
		if !exists && (a.Verb == Remove || a.Verb == Delete) {
			continue
		}
		v, err := a.result(item)
		if err != nil {
			return attr.Item{}, err
		}
		edits = append(edits, edit{a.Path, v})
	}
	slices.SortFunc(edits, func(a, b edit) int { return comparePaths(a.path, b.path) })
	changed, err := editMap(item, edits, 0)
	if err != nil {
		return attr.Item{}, err
	}
	if u.mayNest() && changed.Depth() > attr.MaxDepth {
		return attr.Item{}, attr.ErrTooNested
	}
	return changed, nil
}

// mayNest reports whether the update can put a value deeper than it was.
func (u *Update) mayNest() bool {
	return slices.ContainsFunc(u.actions, func(a Action) bool { return a.Verb == Set && len(a.Path) > 1 })
}

// result returns the value that the action leaves at its path, the zero Value
// for none.
func (a Action) result(item attr.Item) (attr.Value, error) {
	if a.Verb == Remove {
		return attr.Value{}, nil
	}
	v, err := a.Value.evaluate(item)
	if err != nil || a.Verb == Set {
		return v, err
	}
	old := a.Path.In(item)
	switch {
	case !old.Exists() && a.Verb == Add:
		return v, nil
	case !old.Exists():
		return old, nil
	case old.Type() != v.Type():
		return attr.Value{}, errType
	case a.Verb == Delete:
		return old.Minus(v), nil
	case v.Type() == attr.N:
		return attr.Add(old, v)
	}
	return old.Union(v), nil
}

func (p Path) evaluate(item attr.Item) (attr.Value, error) {
	v := p.In(item)
	if !v.Exists() {
		return v, errMissing
	}
	return v, nil
}

func (l Literal) evaluate(attr.Item) (attr.Value, error) { return attr.Value(l), nil }

func (e IfNotExists) evaluate(item attr.Item) (attr.Value, error) {
	if v := e.Path.In(item); v.Exists() {
		return v, nil
	}
	return e.Default.evaluate(item)
}

func (e ListAppend) evaluate(item attr.Item) (attr.Value, error) {
	first, second, err := evaluateBoth(item, e.First, e.Second, attr.L)
	if err != nil {
		return attr.Value{}, err
	}
	return attr.List(slices.AppendSeq(slices.Collect(first.Elements()), second.Elements())...), nil
}

func (e Arithmetic) evaluate(item attr.Item) (attr.Value, error) {
	left, right, err := evaluateBoth(item, e.Left, e.Right, attr.N)
	if err != nil {
		return attr.Value{}, err
	}
	if e.Minus {
		return attr.Sub(left, right)
	}
	return attr.Add(left, right)
}

// evaluateBoth evaluates two operands that must have the given type.
func evaluateBoth(item attr.Item, a, b Expression, typ attr.Type) (v, w attr.Value, err error) {
	if v, err = a.evaluate(item); err != nil {
		return v, w, err
	}
	if w, err = b.evaluate(item); err != nil {
		return v, w, err
	}
	if v.Type() != typ || w.Type() != typ {
		return v, w, errType
	}
	return v, w, nil
}

// edit is what to write at a path, the zero Value to take away what is there.
type edit struct {
	path  Path
	value attr.Value
}

// editMap carries out sorted edits, whose paths agree before the given depth,
// on the entries of a map.
func editMap(m attr.Item, edits []edit, depth int) (attr.Item, error) {
	entries := make([]attr.Entry, 0, len(edits))
	for len(edits) > 0 {
		group := sameEdits(edits, depth)
		edits = edits[len(group):]
		name := group[0].path[depth].Name
		old, _ := m.Get(name)
		v, err := editValue(old, group, depth+1)
		if err != nil {
			return attr.Item{}, err
		}
		entries = append(entries, attr.Entry{Name: name, Value: v})
	}
	return m.With(entries...), nil
}

// editValue carries out edits at or below a value.
func editValue(v attr.Value, edits []edit, depth int) (attr.Value, error) {
	first := edits[0]
	if len(first.path) == depth {
		return first.value, nil
	}
	isIndex := first.path[depth].IsIndex
	switch {
	case isIndex && v.Type() == attr.L:
		return editList(v, edits, depth)
	case !isIndex && v.Type() == attr.M:
		m, err := editMap(v.Item(), edits, depth)
		return attr.Map(m), err
	}
	return attr.Value{}, errPath
}

// editList carries out edits on the elements of a list, then closes the gaps
// of those taken away and appends those set past the end.
func editList(v attr.Value, edits []edit, depth int) (attr.Value, error) {
	elements := slices.Collect(v.Elements())
	length := len(elements)
	for len(edits) > 0 {
		group := sameEdits(edits, depth)
		edits = edits[len(group):]
		i := group[0].path[depth].Index
		var old attr.Value
		if i < length {
			old = elements[i]
		}
		e, err := editValue(old, group, depth+1)
		if err != nil {
			return attr.Value{}, err
		}
		if i < length {
			elements[i] = e
		} else {
			elements = append(elements, e)
		}
	}
	elements = slices.DeleteFunc(elements, func(e attr.Value) bool { return !e.Exists() })
	return attr.List(elements...), nil
}

// sameEdits returns the first of the sorted edits whose paths have one element
// in common at the given depth.
func sameEdits(edits []edit, depth int) []edit {
	n := 1
	for n < len(edits) && edits[n].path[depth] == edits[0].path[depth] {
		n++
	}
	return edits[:n]
}
