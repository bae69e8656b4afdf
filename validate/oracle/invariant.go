package oracle

import (
	"slices"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/expr"
)

// Breaks is the first invariant of its entity that an item does not keep; nil
// when it keeps them all. An invariant says nothing of an item that lacks an
// attribute it compares: `startAt <= endAt` is kept by one that has no end yet.
func Breaks(in model.Instance) *model.Condition {
	s := scope{entity: in.Entity, item: in.Item, args: &bindings{}}
	for _, invariant := range in.Entity.Invariants {
		for _, term := range conjuncts(invariant.Cond) {
			if s.hasAll(term) && !s.holds(term) {
				return invariant
			}
		}
	}
	return nil
}

// hasAll tells whether the item in view has every attribute that a condition
// compares; whether one is there at all may be asked of any item.
func (s scope) hasAll(c expr.Cond) bool {
	lacks := func(c expr.Cond) bool { return !s.hasAll(c) }
	switch c := c.(type) {
	case *expr.And:
		return !slices.ContainsFunc(c.Terms, lacks)
	case *expr.Or:
		return !slices.ContainsFunc(c.Terms, lacks)
	case *expr.Not:
		return s.hasAll(c.Term)
	case *expr.Test:
		if c.Name == expr.AttributeExists || c.Name == expr.AttributeNotExists {
			return true
		}
	}
	return !anyOperand(c, func(o expr.Operand) bool {
		attr, ok := o.(*expr.Attr)
		return ok && !at(s.item, s.resolved(attr.Path)).Exists()
	})
}

// keepsPromises tells whether the caller keeps to what the pattern requires of the
// parameters, and every item that the call brings as a whole to the invariants.
func (c Call) keepsPromises() bool {
	s := c.scope(model.Instance{})
	if r := c.Pattern.Require; r != nil && !s.meetsAll(r.Cond) {
		return false
	}
	return s.bringsSound(topSteps(c.Pattern))
}

// bringsSound tells whether the items that steps create or put keep their invariants.
func (s scope) bringsSound(steps []*model.Step) bool {
	for _, step := range steps {
		switch {
		case step.ForEach != nil:
			list, _ := s.args.lookup(step.ForEach.Param)
			for _, element := range list.Items() {
				inner := s
				inner.args = s.args.inner(step.ForEach.Param, element)
				if !inner.bringsSound(step.ForEach.Steps) {
					return false
				}
			}
		case step.Operation == model.Create || step.Operation == model.Put:
			s := s.on(step.Entity, nil)
			if Breaks(model.Instance{Entity: step.Entity, Item: s.whole(step, s.brought(step))}) != nil {
				return false
			}
		}
	}
	return true
}
