package verify

import (
	"maps"
	"slices"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/data"
	"github.com/dynmodel/dynmodel/model/expr"
	"github.com/dynmodel/dynmodel/model/value"
	"github.com/dynmodel/dynmodel/validate/oracle"
)

// pressesEach is for how many calls each comparison of an invariant is pressed.
const pressesEach = 2

// pressed are the call where an attribute that it changes is, before or after, at
// or beside another one that an invariant compares it with. Done counts for each
// comparison how many calls were pressed so.
func (t *trial) pressed(c foreseenCall, done map[expr.Cond]int) []foreseenCall {
	var out []foreseenCall
	for _, change := range c.out.Changes {
		if change.Before == nil || change.Step.Change == nil {
			continue
		}
		for _, invariant := range change.Step.Entity.Invariants {
			for _, term := range expr.Conjuncts(invariant.Cond) {
				compare, ok := term.(*expr.Compare)
				if !ok || done[term] >= pressesEach {
					continue
				}
				scenes := t.press(c.scene, change, compare.Left, compare.Right)
				scenes = append(scenes, t.press(c.scene, change, compare.Right, compare.Left)...)
				if calls := t.foreseenAll(scenes); slices.ContainsFunc(calls, atOdds) {
					out = append(out, calls...)
					done[term]++
				}
			}
		}
	}
	return out
}

func (t *trial) foreseenAll(scenes []scene) []foreseenCall {
	var out []foreseenCall
	for _, sc := range scenes {
		out = append(out, t.foreseen(sc))
	}
	return out
}

// atOdds tells whether a call is refused, or leaves an item without an invariant.
func atOdds(c foreseenCall) bool {
	return c.out.Refusal != "" || slices.ContainsFunc(c.out.Changes, func(change oracle.Change) bool {
		return change.After != nil && oracle.Breaks(*change.After) != nil
	})
}

// press makes the scenes in which one attribute of an item that is changed is at
// or beside another: as it is stored before, and as the call sets it. For the
// latter the other one is also where this one is.
func (t *trial) press(sc scene, change oracle.Change, one, other expr.Operand) []scene {
	a, by := topAttribute(change.Step.Entity, one), topAttribute(change.Step.Entity, other)
	if a == nil || by == nil || !changes(change.Step.Change.Update, a) || computes(change.Step.Entity, a) || computes(change.Step.Entity, by) {
		return nil
	}
	var out []scene
	before := *change.Before
	bound := before.Item[by.Name.Text]
	for _, v := range beside(a, bound) {
		if stored := sc; t.exchange(&stored, before, with(before, a, v)) {
			out = append(out, stored)
		}
	}
	q := t.setBy(change.Step, a)
	if q == nil {
		return out
	}
	out = append(out, t.called(sc, q, beside(a, bound))...)
	if met := before.Item[a.Name.Text]; data.Valid(by, met) && t.exchange(&sc, before, with(before, by, met)) {
		out = append(out, t.called(sc, q, beside(a, met))...)
	}
	return out
}

// called are the scene with each of the values for a parameter.
func (t *trial) called(sc scene, q *model.Parameter, values []value.Value) []scene {
	var out []scene
	for _, v := range values {
		next := sc
		next.args = maps.Clone(sc.args)
		if next.args[q.Name] = v; t.data.Takes(t.pattern, q, v) && t.sensible(next) {
			out = append(out, next)
		}
	}
	return out
}

// topAttribute is the attribute of an entity that an operand is, or nil.
func topAttribute(e *model.Entity, o expr.Operand) *model.Attribute {
	attr, ok := o.(*expr.Attr)
	if !ok || !attr.Path.Top() {
		return nil
	}
	return e.Attribute(attr.Path.Name)
}

// beside are a value and, of numbers, those next to it, as far as an attribute can
// have them.
func beside(a *model.Attribute, v value.Value) []value.Value {
	out := []value.Value{v}
	for _, step := range []value.Value{data.Step(a), data.Step(a).Neg()} {
		if v.Kind() != value.Number {
			break
		}
		if next, err := v.Add(step); err == nil {
			out = append(out, next)
		}
	}
	return slices.DeleteFunc(out, func(v value.Value) bool { return !v.Exists() || !data.Valid(a, v) })
}

// setBy is the parameter whose value a step gives an attribute; nil when it gets
// its value otherwise.
func (t *trial) setBy(s *model.Step, a *model.Attribute) *model.Parameter {
	for _, set := range s.Change.Update.Set {
		p, ok := set.Value.(*expr.Param)
		if !ok || !set.Target.Path.Top() || set.Target.Path.Name != a.Name.Text {
			continue
		}
		if q := t.pattern.Parameter(p.Name); q != nil && q.Domain() != nil && !q.List {
			return q
		}
	}
	return nil
}
