package parse

import (
	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/expr"
	"github.com/dynmodel/dynmodel/model/source/yamltree"
	"github.com/dynmodel/dynmodel/model/value"
)

// change reads an update expression; nil when it is broken.
func (s *stepper) change(d *draft, n *yamltree.Node) *model.Change {
	if _, ok := s.text(n); !ok {
		return nil
	}
	update, problem := expr.ParseUpdate(s.input(n))
	if problem != nil {
		s.problem(n, problem)
		return nil
	}
	c := &changer{&scope{builder: s.builder, use: useChange, drafts: []*draft{d}, params: s.params}}
	for _, a := range update.Set {
		if target := c.target(a.Target); target != nil {
			c.assignable(target, c.operand(a.Value), a.Value)
		}
	}
	for _, a := range update.Remove {
		c.target(a)
	}
	for _, a := range update.Add {
		c.add(a)
	}
	for _, a := range update.Delete {
		c.remove(a)
	}
	c.setOnWrite(d, update)
	return &model.Change{At: n.At, Text: n.Text, Update: update}
}

// setOnWrite adds the attributes that every write sets.
func (c *changer) setOnWrite(d *draft, update *expr.Update) {
	for _, a := range d.entity.Attributes {
		if a.OnWrite != nil {
			at := a.OnWrite.Span()
			update.Set = append(update.Set, expr.SetAction{At: at, Target: &expr.Attr{At: at, Path: expr.Path{Name: a.Name.Text}}, Value: a.OnWrite})
		}
	}
}

// changer checks the actions of an update expression.
type changer struct {
	*scope
}

// target looks up what an action writes.
func (c *changer) target(o *expr.Attr) *model.Attribute {
	t := c.attr(o)
	path := o.Path.String()
	top := c.drafts[0].entity.Attribute(o.Path.Name)
	switch {
	case t.attribute == nil || top == nil:
		return nil
	case top.Version:
		c.errorf(o.At, "`%s` is a version, which the tool keeps; leave it out, or write `unversioned: true` to leave it alone", path)
		return nil
	case top.OnWrite != nil:
		c.errorf(o.At, "`%s` is set on every write; leave it out", path)
		return nil
	case top.Derive != nil:
		c.errorf(o.At, "`%s` is derived from other attributes and computed on every write; change those", path)
		return nil
	}
	return t.attribute
}

// add checks ADD, which adds to a number or puts members into a set.
func (c *changer) add(a expr.AddAction) {
	target := c.target(a.Target)
	added := c.operand(a.Value)
	if target == nil {
		return
	}
	switch kind := target.Type.Kind(); kind {
	case value.Number:
		number := typed{at: a.Target.At, kind: kind, attribute: &model.Attribute{At: a.At, Type: plainNumber(target.Type)}}
		c.compare(number, added, expr.Eq)
	case value.StringSet, value.NumberSet, value.BinarySet, value.None:
		c.compare(typed{at: a.Target.At, kind: kind, attribute: target, entity: c.drafts[0].entity}, added, expr.Eq)
	default:
		c.errorf(a.At, "ADD applies to numbers and sets, and `%s` is %s; write SET", a.Target.Path, typeName(target.Type))
	}
}

// plainNumber is the type of what is added to a number.
func plainNumber(t model.Type) model.Type {
	if t == model.TypeNumber {
		return t
	}
	return model.TypeInteger
}

// remove checks DELETE, which takes members out of a set.
func (c *changer) remove(a expr.AddAction) {
	target := c.target(a.Target)
	members := c.operand(a.Value)
	if target == nil {
		return
	}
	switch kind := target.Type.Kind(); kind {
	case value.StringSet, value.NumberSet, value.BinarySet, value.None:
		c.compare(typed{at: a.Target.At, kind: kind, attribute: target, entity: c.drafts[0].entity}, members, expr.Eq)
	default:
		c.errorf(a.At, "DELETE takes members out of a set, and `%s` is %s; write REMOVE to remove the attribute", a.Target.Path, typeName(target.Type))
	}
}
