package expr

import (
	"iter"
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

// IfNotExists is the value at the path, or Default if there is none. Default
// must have a value even if it is not needed.
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
	u := newUpdate(actions)
	if err := checkClashes(u.touched.sorted, u.touched.paths); err != nil {
		return nil, err
	}
	return u, nil
}

func newUpdate(actions []Action) *Update {
	paths := make([]Path, len(actions))
	for i, a := range actions {
		paths[i] = a.Path
	}
	return &Update{actions: actions, touched: project(paths)}
}

// Actions returns the actions in the order they were written.
func (u *Update) Actions() []Action { return u.actions }

// Reads yields the paths that the update reads for the values of others.
func (u *Update) Reads() iter.Seq[Path] {
	return func(yield func(Path) bool) {
		for _, a := range u.actions {
			if a.Value != nil && !reads(a.Value, yield) {
				return
			}
		}
	}
}

func reads(e Expression, yield func(Path) bool) bool {
	switch e := e.(type) {
	case Path:
		return yield(e)
	case IfNotExists:
		return yield(e.Path) && reads(e.Default, yield)
	case ListAppend:
		return reads(e.First, yield) && reads(e.Second, yield)
	case Arithmetic:
		return reads(e.Left, yield) && reads(e.Right, yield)
	}
	return true
}

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

// Apply returns the item after the update. Of several faults the last action's
// counts, as in the service. exists says whether the item is
// there; if it is not, item is its key alone, and actions that take away have
// nothing to do.
func (u *Update) Apply(item attr.Item, exists bool) (attr.Item, error) {
	actions := u.actions
	if !exists {
		actions = slices.DeleteFunc(slices.Clone(actions), func(a Action) bool { return a.Verb == Remove || a.Verb == Delete })
	}
	edits := make([]edit, len(actions))
	for i, a := range slices.Backward(actions) {
		v, err := a.result(item)
		if err != nil {
			return attr.Item{}, err
		}
		edits[i] = edit{a.Path, v}
	}
	for _, a := range actions {
		if !a.Path.hasParent(item) {
			return attr.Item{}, errPath
		}
	}
	slices.SortFunc(edits, func(a, b edit) int { return comparePaths(a.path, b.path) })
	changed := editMap(item, edits, 0)
	if u.mayNest() && changed.Depth() > attr.MaxDepth {
		return attr.Item{}, attr.ErrTooNested
	}
	return changed, nil
}

// hasParent reports whether the item has a map or list, as the path's last
// element needs it, to put a value into.
func (p Path) hasParent(item attr.Item) bool {
	last := len(p) - 1
	if last == 0 {
		return true
	}
	want := attr.M
	if p[last].IsIndex {
		want = attr.L
	}
	return p[:last].In(item).Type() == want
}

// mayNest reports whether the update can put a value deeper than it was.
func (u *Update) mayNest() bool {
	return slices.ContainsFunc(u.actions, func(a Action) bool { return a.Verb == Set && len(a.Path) > 1 })
}

// result returns the value that the action leaves at its path, the zero Value
// for none.
func (a Action) result(item attr.Item) (attr.Value, error) {
	switch {
	case a.Verb == Remove:
		return attr.Value{}, nil
	case a.Verb == Set && !a.Path.hasParent(item):
		return attr.Value{}, errPath
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
	other, err := e.Default.evaluate(item)
	if v := e.Path.In(item); v.Exists() && err == nil {
		return v, nil
	}
	return other, err
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
	if v, err = evaluateAs(item, a, typ); err != nil {
		return v, w, err
	}
	w, err = evaluateAs(item, b, typ)
	return v, w, err
}

func evaluateAs(item attr.Item, e Expression, typ attr.Type) (attr.Value, error) {
	v, err := e.evaluate(item)
	if err == nil && v.Type() != typ {
		err = errType
	}
	return v, err
}

// edit is what to write at a path, the zero Value to take away what is there.
type edit struct {
	path  Path
	value attr.Value
}

// editMap carries out sorted edits, whose paths agree before the given depth
// and lead to what is there, on the entries of a map.
func editMap(m attr.Item, edits []edit, depth int) attr.Item {
	entries := make([]attr.Entry, 0, len(edits))
	for len(edits) > 0 {
		group := sameEdits(edits, depth)
		edits = edits[len(group):]
		name := group[0].path[depth].Name
		old, _ := m.Get(name)
		entries = append(entries, attr.Entry{Name: name, Value: editValue(old, group, depth+1)})
	}
	return m.With(entries...)
}

// editValue carries out edits at or below a value.
func editValue(v attr.Value, edits []edit, depth int) attr.Value {
	switch first := edits[0]; {
	case len(first.path) == depth:
		return first.value
	case first.path[depth].IsIndex:
		return editList(v, edits, depth)
	}
	return attr.Map(editMap(v.Item(), edits, depth))
}

// editList carries out edits on the elements of a list, then closes the gaps
// of those taken away. Edits past the end append.
func editList(v attr.Value, edits []edit, depth int) attr.Value {
	elements := slices.Collect(v.Elements())
	length := len(elements)
	for len(edits) > 0 {
		group := sameEdits(edits, depth)
		edits = edits[len(group):]
		if i := group[0].path[depth].Index; i < length {
			elements[i] = editValue(elements[i], group, depth+1)
		} else {
			elements = append(elements, group[0].value)
		}
	}
	elements = slices.DeleteFunc(elements, func(e attr.Value) bool { return !e.Exists() })
	return attr.List(elements...)
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
