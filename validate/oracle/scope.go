package oracle

import (
	"time"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/expr"
	"github.com/dynmodel/dynmodel/model/value"
)

// scope is where names are looked up: an item's attributes and a call's parameters.
type scope struct {
	entity *model.Entity
	item   model.Item
	args   *bindings
	now    time.Time
}

// bindings are parameters with their values. Those inside a for_each give way
// to the ones bound outside it.
type bindings struct {
	params []*model.Parameter
	args   model.Args
	outer  *bindings
	// unversioned tells that the whole pattern leaves versions alone.
	unversioned bool
}

// lookup is a parameter's value, absent when the caller left it out, and its
// definition, nil when there is none.
func (b *bindings) lookup(name string) (value.Value, *model.Parameter) {
	var param *model.Parameter
	for _, p := range b.params {
		if p.Name == name {
			param = p
			break
		}
	}
	if b.outer != nil {
		if v, p := b.outer.lookup(name); v.Exists() || (p != nil && param == nil) {
			return v, p
		}
	}
	return b.args[name], param
}

// inner are the bindings for one element of a list parameter.
func (b *bindings) inner(list string, element value.Value) *bindings {
	in := &bindings{args: model.Args{}, outer: b, unversioned: b.unversioned}
	if _, p := b.lookup(list); p != nil {
		in.params = p.Fields
	}
	for _, f := range element.Fields() {
		in.args[f.Name] = f.Value
	}
	return in
}

// on is the scope with another item in view.
func (s scope) on(e *model.Entity, item model.Item) scope {
	s.entity, s.item = e, item
	return s
}

// attribute is the definition of the attribute an operand is about, itself or
// inside functions and sums; nil when it is about none.
func (s scope) attribute(o expr.Operand) *model.Attribute {
	switch o := o.(type) {
	case *expr.Attr:
		return s.defined(o.Path)
	case *expr.Call:
		if len(o.Args) > 0 {
			return s.attribute(o.Args[0])
		}
	case *expr.Arith:
		if a := s.attribute(o.Left); a != nil {
			return a
		}
		return s.attribute(o.Right)
	}
	return nil
}

// defined is the definition at a path, as far as maps and lists declare theirs.
func (s scope) defined(p expr.Path) *model.Attribute {
	a := s.entity.Attribute(p.Name)
	for _, step := range p.Rest {
		if a == nil {
			return nil
		}
		a = member(a, step)
	}
	return a
}

func member(a *model.Attribute, step expr.Step) *model.Attribute {
	if !step.InMap() || a.Type == model.TypeMap && a.Domain.Items != nil {
		return a.Domain.Items
	}
	for _, m := range a.Domain.Attributes {
		if m.Name.Text == step.Name {
			return m
		}
	}
	return nil
}

// domain is the definition whose values an operand takes: the attribute it is
// about, else the domain of the parameter.
func (s scope) domain(o expr.Operand) *model.Attribute {
	if a := s.attribute(o); a != nil {
		return a
	}
	switch o := o.(type) {
	case *expr.Param:
		if _, p := s.args.lookup(o.Name); p != nil {
			return p.Domain()
		}
	case *expr.Arith:
		if a := s.domain(o.Left); a != nil {
			return a
		}
		return s.domain(o.Right)
	case *expr.Call:
		if len(o.Args) > 0 {
			return s.domain(o.Args[0])
		}
	}
	return nil
}

// like is the definition an operand takes its form from when it stands beside
// another: `$now` beside a datetime is written as that datetime is.
func (s scope) like(o, beside expr.Operand) *model.Attribute {
	for _, a := range []*model.Attribute{s.attribute(beside), s.attribute(o), s.domain(beside), s.domain(o)} {
		if a != nil {
			return a
		}
	}
	return nil
}
