package verify

import (
	"slices"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/expr"
	"github.com/dynmodel/dynmodel/model/value"
	"github.com/dynmodel/dynmodel/validate/oracle"
)

// edged are the call in worlds where a number that it changes is the least or
// the greatest that it may be.
func (t *trial) edged(c foreseenCall) []foreseenCall {
	var out []foreseenCall
	for _, change := range c.out.Changes {
		for _, a := range numbersChanged(change) {
			for _, edge := range []value.Value{a.Domain.Min, a.Domain.Max} {
				if !edge.Exists() || value.Equal(edge, change.Before.Item[a.Name.Text]) {
					continue
				}
				if sc := c.scene; t.exchange(&sc, *change.Before, with(*change.Before, a, edge)) {
					out = append(out, t.foreseen(sc))
				}
			}
		}
	}
	return out
}

// numbersChanged are the numbers of an item that is there which an update writes.
func numbersChanged(change oracle.Change) []*model.Attribute {
	if change.Before == nil || change.Step.Change == nil {
		return nil
	}
	e := change.Step.Entity
	return slices.DeleteFunc(slices.Clone(e.Attributes), func(a *model.Attribute) bool {
		return a.Type.Kind() != value.Number || !changes(change.Step.Change.Update, a) || computes(e, a)
	})
}

// changes tells whether an update writes an attribute.
func changes(u *expr.Update, a *model.Attribute) bool {
	return len(changesOf(u, a)) > 0
}

// changesOf are the operands of which an update makes an attribute's new value.
func changesOf(u *expr.Update, a *model.Attribute) []expr.Operand {
	is := func(target *expr.Attr) bool { return target.Path.Top() && target.Path.Name == a.Name.Text }
	var out []expr.Operand
	for _, s := range u.Set {
		if is(s.Target) {
			out = append(out, s.Value)
		}
	}
	for _, s := range u.Add {
		if is(s.Target) {
			out = append(out, s.Value)
		}
	}
	return out
}

// overflow is a number that a step may take out of its domain.
type overflow struct {
	step *model.Step
	of   *model.Attribute
}

// overflows counts the calls that were looked at for each number; found ones
// need no more.
type overflows map[overflow]int

// overflowsEach is with how many calls it is tried to take a number out of its
// domain.
const overflowsEach = 6

// overflowing are the call where a number is as near to the end of its domain as
// the condition of the write lets it, and what is added to it or taken from it is
// as much as there is: those that take it out of its domain.
func (t *trial) overflowing(c foreseenCall, done overflows) []foreseenCall {
	if c.out.Refusal != "" {
		return nil
	}
	var out []foreseenCall
	for _, change := range c.out.Changes {
		for _, a := range numbersChanged(change) {
			at := overflow{change.Step, a}
			if done[at] >= overflowsEach {
				continue
			}
			done[at]++
			if over, found := t.over(c.scene, change, a); found {
				done[at] = overflowsEach
				out = append(out, over)
			}
		}
	}
	return out
}

// over is the first call that takes a number out of its domain.
func (t *trial) over(sc scene, change oracle.Change, a *model.Attribute) (foreseenCall, bool) {
	before := change.Before.Item[a.Name.Text]
	for _, v := range limits(sc, change, a) {
		at := sc
		if !value.Equal(v, before) && !t.exchange(&at, *change.Before, with(*change.Before, a, v)) {
			continue
		}
		for _, next := range t.extremes(at, change.Step, a) {
			if call := t.foreseen(next); call.out.Refusal == "" && slices.ContainsFunc(call.out.Changes, func(c oracle.Change) bool { return c.Step == change.Step && leaves(c, a) }) {
				return call, true
			}
		}
	}
	return foreseenCall{}, false
}

// leaves tells whether a change takes an attribute out of its domain.
func leaves(c oracle.Change, a *model.Attribute) bool {
	if c.After == nil {
		return false
	}
	k, bad := offence(c, a)
	return bad && k == outside
}

// limits are values of a number that an update changes: what it is, the ends of its
// domain, and what the condition of the update compares it with, and beside that.
func limits(sc scene, change oracle.Change, a *model.Attribute) []value.Value {
	out := []value.Value{change.Before.Item[a.Name.Text], a.Domain.Min, a.Domain.Max}
	meet := func(operands ...expr.Operand) {
		if !slices.ContainsFunc(operands, func(o expr.Operand) bool { return topAttribute(change.Step.Entity, o) == a }) {
			return
		}
		for _, o := range operands {
			var v value.Value
			switch o := o.(type) {
			case *expr.Literal:
				v = o.Value
			case *expr.Param:
				v = sc.args[o.Name]
			case *expr.Attr:
				v = change.Before.Item[o.Path.Name]
			}
			out = append(out, beside(a, v)...)
		}
	}
	if change.Step.If != nil {
		expr.Walk(change.Step.If.Cond, func(n expr.Node) {
			switch n := n.(type) {
			case *expr.Compare:
				meet(n.Left, n.Right)
			case *expr.Between:
				meet(n.X, n.Low, n.High)
			}
		})
	}
	var distinct []value.Value
	for _, v := range out {
		if v.Exists() && !slices.ContainsFunc(distinct, func(w value.Value) bool { return value.Equal(v, w) }) {
			distinct = append(distinct, v)
		}
	}
	return distinct
}

// extremes are the scene, and it with each parameter that an attribute's new value
// is made of at the least and the most that it may be.
func (t *trial) extremes(sc scene, s *model.Step, a *model.Attribute) []scene {
	out := []scene{sc}
	for _, made := range changesOf(s.Change.Update, a) {
		for _, p := range expr.Params(made) {
			q := t.pattern.Parameter(p.Name)
			if q == nil || q.Domain() == nil || q.List {
				continue
			}
			d := q.Domain().Domain
			out = append(out, t.called(sc, q, slices.DeleteFunc([]value.Value{d.Min, d.Max}, func(v value.Value) bool { return !v.Exists() }))...)
		}
	}
	return out
}
