package example

import (
	"slices"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/data"
	"github.com/dynmodel/dynmodel/model/encode"
	"github.com/dynmodel/dynmodel/model/expr"
	"github.com/dynmodel/dynmodel/model/value"
)

// madeItems is how many items are made up for an entity without samples.
const madeItems = 2

// fill makes up items for the entities that have no samples, those first that
// others refer to.
func (w *World) fill() {
	sound := w.generator.Consistent(w.data.Instances) == nil
	for _, e := range targetsFirst(w.model.Entities) {
		if len(w.data.Of(e)) > 0 {
			continue
		}
		w.Made = append(w.Made, e)
		for n := range madeItems {
			item, ok := w.draft(e, n)
			made := model.Instance{Entity: e, Item: item}
			if ok && (!sound || w.generator.Consistent(append(slices.Clone(w.data.Instances), made)) == nil) {
				w.data.Instances = append(w.data.Instances, made)
			}
		}
		if len(w.data.Of(e)) == 0 {
			w.borrow(e)
		}
	}
}

// targetsFirst are entities in an order in which what is referred to comes
// first, where there is such an order.
func targetsFirst(entities []*model.Entity) []*model.Entity {
	var out []*model.Entity
	seen := map[*model.Entity]bool{}
	var visit func(e *model.Entity)
	visit = func(e *model.Entity) {
		if seen[e] {
			return
		}
		seen[e] = true
		for _, a := range e.Attributes {
			if a.Ref != nil {
				visit(a.Ref.Entity)
			}
		}
		out = append(out, e)
	}
	for _, e := range entities {
		visit(e)
	}
	return out
}

// draft makes the n-th item of an entity up; false when an attribute has no
// value, or refers to what has no items.
func (w *World) draft(e *model.Entity, n int) (model.Item, bool) {
	item, ok := w.references(e, n)
	if !ok {
		return nil, false
	}
	for _, a := range e.Attributes {
		name := a.Name.Text
		if _, there := item[name]; there || a.Derive != nil || a.Optional && n == 0 {
			continue
		}
		v := w.made(a, n)
		if !v.Exists() {
			return nil, false
		}
		item[name] = v
	}
	for _, a := range e.Attributes {
		if v := derived(e, a, item); v.Exists() {
			item[a.Name.Text] = v
		}
	}
	return item, true
}

// derived is the value of an attribute that is another one, or a time some time
// before or after it; absent for others, whose items are not made up.
func derived(e *model.Entity, a *model.Attribute, item model.Item) value.Value {
	if a.Derive == nil {
		return value.Value{}
	}
	if of, ok := a.Derive.Expr.(*expr.Attr); ok {
		return encode.Lookup(item, of.Path)
	}
	sum, ok := a.Derive.Expr.(*expr.Arith)
	if !ok {
		return value.Value{}
	}
	of, isAttribute := sum.Left.(*expr.Attr)
	by, isLength := sum.Right.(*expr.Duration)
	if !isAttribute || !isLength {
		return value.Value{}
	}
	source := e.AttributeAt(of.Path)
	if source == nil {
		return value.Value{}
	}
	at, ok := encode.Time(encode.Lookup(item, of.Path), source.Type)
	if !ok {
		return value.Value{}
	}
	length := by.Length
	if sum.Minus {
		length = -length
	}
	v, _ := encode.OfTime(a, at.Add(length))
	return v
}

// references are the attributes by which the n-th item of an entity refers to
// others and copies from them. All refer to the first item there is, so that
// they stand together, unless only references tell them apart.
func (w *World) references(e *model.Entity, n int) (model.Item, bool) {
	item := model.Item{}
	for _, a := range e.Attributes {
		r := a.Ref
		if r == nil && len(a.Refs) > 0 {
			r = a.Refs[0]
		}
		if r == nil || item[a.Name.Text].Exists() {
			continue
		}
		targets := w.data.Of(r.Entity)
		if len(targets) == 0 {
			if a.Optional {
				continue
			}
			return nil, false
		}
		target := targets[0]
		if onlyRefers(e) {
			target = targets[n%len(targets)]
		}
		item[a.Name.Text] = target.Item[r.Attribute.Name.Text]
		for _, with := range r.With {
			item[with.Own.Name.Text] = target.Item[with.Target.Name.Text]
		}
		copied(e, item, target)
	}
	return item, true
}

// onlyRefers tells whether an entity's identity is made of references alone.
func onlyRefers(e *model.Entity) bool {
	return !slices.ContainsFunc(e.Identity, func(p model.IdentityPart) bool { return !p.Attribute.Refers() })
}

// copied sets what an item copies from one that it refers to.
func copied(e *model.Entity, item model.Item, from model.Instance) {
	for _, a := range e.Attributes {
		for _, c := range []*model.Ref{a.CopyOf, a.SnapshotOf} {
			if c != nil && c.Entity == from.Entity && from.Item[c.Attribute.Name.Text].Exists() {
				item[a.Name.Text] = from.Item[c.Attribute.Name.Text]
			}
		}
	}
}

// borrow takes items of an entity, with what they refer to, from the data that
// the check uses.
func (w *World) borrow(e *model.Entity) {
	for _, p := range w.model.Patterns {
		all := w.generator.World(p)
		of := all.Of(e)
		for _, i := range of[:min(madeItems, len(of))] {
			w.adopt(all, i)
		}
		if len(of) > 0 {
			return
		}
	}
}

// adopt adds an instance after all that it refers to.
func (w *World) adopt(all *data.World, i model.Instance) {
	same := func(o model.Instance) bool { return o.Entity == i.Entity && sameItem(o.Item, i.Item) }
	if slices.ContainsFunc(w.data.Instances, same) {
		return
	}
	if !slices.Contains(w.Made, i.Entity) {
		w.Made = append(w.Made, i.Entity)
	}
	at := len(w.data.Instances)
	w.data.Instances = append(w.data.Instances, i)
	for _, a := range i.Entity.Attributes {
		if a.Ref == nil || !i.Item[a.Name.Text].Exists() {
			continue
		}
		for _, t := range all.Of(a.Ref.Entity) {
			if refersTo(i.Item, a, t.Item) {
				w.adopt(all, t)
				break
			}
		}
	}
	// What it refers to was added behind it; it comes after that.
	w.data.Instances = append(slices.Delete(w.data.Instances, at, at+1), i)
}

func sameItem(a, b model.Item) bool {
	if len(a) != len(b) {
		return false
	}
	for name, v := range a {
		if !value.Equal(v, b[name]) {
			return false
		}
	}
	return true
}

func refersTo(item model.Item, a *model.Attribute, target model.Item) bool {
	if !value.Equal(item[a.Name.Text], target[a.Ref.Attribute.Name.Text]) {
		return false
	}
	for _, with := range a.Ref.With {
		if !value.Equal(item[with.Own.Name.Text], target[with.Target.Name.Text]) {
			return false
		}
	}
	return true
}
