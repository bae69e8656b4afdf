package oracle

import (
	"cmp"
	"maps"
	"slices"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/expr"
	"github.com/dynmodel/dynmodel/model/value"
)

// changed is the item after a `change`; false when DynamoDB would refuse it
// for what the item holds. Right-hand sides read the item as it was. Where there
// is no item yet, what takes away has nothing to do, however deep its path is.
func (s scope) changed(change *model.Change, base model.Item, exists bool) (model.Item, bool) {
	item := maps.Clone(base)
	if change == nil {
		return item, true
	}
	u := change.Update
	s = s.on(s.entity, base)
	if !s.set(u.Set, item) || !s.add(u.Add, item) {
		return item, false
	}
	return item, !exists || s.remove(u.Remove, item) && s.drop(u.Delete, item)
}

func (s scope) set(actions []expr.SetAction, item model.Item) bool {
	for _, action := range inIndexOrder(actions) {
		if anyWithin(action.Value, s.missingOptional) {
			continue
		}
		like := s.defined(action.Target.Path)
		v := s.assigned(action.Value, like)
		if !v.Exists() || !put(item, s.resolved(action.Target.Path), storedForm(v, like)) {
			return false
		}
	}
	return true
}

// inIndexOrder puts positions in a list in their order, in which those past
// its end are appended.
func inIndexOrder(actions []expr.SetAction) []expr.SetAction {
	sorted := slices.Clone(actions)
	slices.SortStableFunc(sorted, func(a, b expr.SetAction) int { return cmp.Compare(lastIndex(a.Target), lastIndex(b.Target)) })
	return sorted
}

func lastIndex(a *expr.Attr) int {
	if n := len(a.Path.Rest); n > 0 && a.Path.Rest[n-1].Name == "" {
		return a.Path.Rest[n-1].Index
	}
	return -1
}

// assigned is the value of the right-hand side of a SET action; absent when it
// has none, which DynamoDB refuses.
func (s scope) assigned(o expr.Operand, like *model.Attribute) value.Value {
	switch o := o.(type) {
	case *expr.Call:
		switch {
		case o.Func.Name == expr.IfNotExists && len(o.Args) == 2:
			if v := s.value(o.Args[0], like); v.Exists() {
				return v
			}
			return s.assigned(o.Args[1], like)
		case o.Func.Name == expr.ListAppend && len(o.Args) == 2:
			return appended(s.assigned(o.Args[0], like), s.assigned(o.Args[1], like))
		}
	case *expr.Arith:
		if !isDuration(o.Left) && !isDuration(o.Right) {
			return added(s.assigned(o.Left, like), s.assigned(o.Right, like), o.Minus)
		}
	}
	return s.value(o, like)
}

func isDuration(o expr.Operand) bool {
	_, ok := o.(*expr.Duration)
	return ok
}

func appended(a, b value.Value) value.Value {
	if a.Kind() != value.List || b.Kind() != value.List {
		return value.Value{}
	}
	return value.OfList(slices.Concat(a.Items(), b.Items())...)
}

// added is a + b or a - b; absent when they are no numbers or the sum is none.
func added(a, b value.Value, minus bool) value.Value {
	if a.Kind() != value.Number || b.Kind() != value.Number {
		return value.Value{}
	}
	if minus {
		b = b.Neg()
	}
	v, err := a.Add(b)
	if err != nil {
		return value.Value{}
	}
	return v
}

// remove takes away attributes, the last positions of a list first, since
// positions mean those before the update.
func (s scope) remove(targets []*expr.Attr, item model.Item) bool {
	sorted := slices.Clone(targets)
	slices.SortStableFunc(sorted, func(a, b *expr.Attr) int { return cmp.Compare(lastIndex(b), lastIndex(a)) })
	for _, t := range sorted {
		if !put(item, s.resolved(t.Path), value.Value{}) {
			return false
		}
	}
	return true
}

// add adds to numbers and sets; what is not there starts empty.
func (s scope) add(actions []expr.AddAction, item model.Item) bool {
	return s.combine(actions, item, func(old, v value.Value) (value.Value, bool) {
		switch {
		case !old.Exists():
			return v, v.Kind() == value.Number || isSet(v)
		case isSet(v) && old.Kind() == v.Kind():
			return value.OfSet(v.Kind(), slices.Concat(old.Items(), v.Items())...), true
		}
		sum := added(old, v, false)
		return sum, sum.Exists()
	})
}

// drop deletes members from sets; a set without members is no attribute.
func (s scope) drop(actions []expr.AddAction, item model.Item) bool {
	return s.combine(actions, item, func(old, v value.Value) (value.Value, bool) {
		if !old.Exists() {
			return old, isSet(v)
		}
		left := slices.DeleteFunc(slices.Clone(old.Items()), func(m value.Value) bool {
			return slices.ContainsFunc(v.Items(), func(d value.Value) bool { return value.Equal(m, d) })
		})
		if len(left) == 0 {
			return value.Value{}, isSet(v) && old.Kind() == v.Kind()
		}
		return value.OfSet(old.Kind(), left...), isSet(v) && old.Kind() == v.Kind()
	})
}

func isSet(v value.Value) bool {
	return v.Kind().IsSet()
}

func (s scope) combine(actions []expr.AddAction, item model.Item, with func(old, v value.Value) (value.Value, bool)) bool {
	for _, action := range actions {
		if anyWithin(action.Value, s.missingOptional) {
			continue
		}
		v := s.value(action.Value, s.defined(action.Target.Path))
		target := s.resolved(action.Target.Path)
		next, ok := with(at(s.item, target), v)
		if !ok || !put(item, target, next) {
			return false
		}
	}
	return true
}

// put stores a value at a path of the item, or removes what is there when the
// value is absent; false when the way leads through something that is not there.
func put(item model.Item, p expr.Path, v value.Value) bool {
	if !p.Top() {
		inner, ok := putInto(item[p.Name], p.Rest, v)
		if !ok {
			return false
		}
		v = inner
	}
	if v.Exists() {
		item[p.Name] = v
	} else {
		delete(item, p.Name)
	}
	return true
}

func putInto(v value.Value, way []expr.Step, leaf value.Value) (value.Value, bool) {
	step := way[0]
	if len(way) > 1 {
		inner, ok := putInto(into(v, step), way[1:], leaf)
		if !ok {
			return value.Value{}, false
		}
		leaf = inner
	}
	switch {
	case step.Name != "" && v.Kind() == value.Map:
		return withField(v, step.Name, leaf), true
	case step.Name == "" && v.Kind() == value.List:
		return withItem(v, step.Index, leaf), true
	}
	return value.Value{}, false
}

func withField(m value.Value, name string, v value.Value) value.Value {
	fields := slices.DeleteFunc(slices.Clone(m.Fields()), func(f value.Field) bool { return f.Name == name })
	if v.Exists() {
		fields = append(fields, value.Field{Name: name, Value: v})
	}
	return value.OfMap(fields...)
}

func withItem(l value.Value, i int, v value.Value) value.Value {
	items := slices.Clone(l.Items())
	switch {
	case i < len(items) && v.Exists():
		items[i] = v
	case i < len(items):
		items = slices.Delete(items, i, i+1)
	case v.Exists():
		items = append(items, v)
	}
	return value.OfList(items...)
}
