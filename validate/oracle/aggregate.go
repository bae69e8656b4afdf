package oracle

import (
	"maps"
	"slices"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/value"
)

// keepAggregates makes the counts and sums over what a write has changed what they
// must be, in the items it writes and in those it leaves alone: as they were before,
// and what the write adds or takes. One that a stream keeps is not kept yet.
func (w *World) keepAggregates(out *Outcome) {
	after := out.World.instances
	for i, in := range after {
		item, changed := in.Item, false
		for _, a := range in.Entity.Attributes {
			if a.Aggregate == nil || a.KeptBy != "" {
				continue
			}
			v := w.aggregateAfter(a, in, after)
			if value.Equal(item[a.Name.Text], v) {
				continue
			}
			if !changed {
				item, changed = maps.Clone(item), true
			}
			item[a.Name.Text] = v
		}
		if changed {
			out.World.instances[i].Item = item
			w.noteKept(out, out.World.identities[i], out.World.instances[i])
		}
	}
}

// Tallied are items with the counts and sums that they have among themselves.
func Tallied(items []model.Instance) []model.Instance {
	out := slices.Clone(items)
	for i, in := range items {
		for _, a := range in.Entity.Attributes {
			if a.Aggregate == nil {
				continue
			}
			item := maps.Clone(out[i].Item)
			item[a.Name.Text] = tally(a.Aggregate, in, items)
			out[i].Item = item
		}
	}
	return out
}

// aggregateAfter is a count or sum of an item after a write: the one it had and
// what the write adds to it.
func (w *World) aggregateAfter(a *model.Attribute, in model.Instance, after []model.Instance) value.Value {
	now := tally(a.Aggregate, in, after)
	i := w.find(Identity(in))
	if i < 0 {
		return now
	}
	had := w.instances[i].Item[a.Name.Text]
	v := added(added(now, tally(a.Aggregate, in, w.instances), true), had, false)
	if !v.Exists() {
		return now
	}
	return v
}

// tally counts or sums up the items, of those given, that belong to one.
func tally(a *model.Aggregate, in model.Instance, items []model.Instance) value.Value {
	total := value.OfInt(0)
	for _, source := range items {
		if source.Entity != a.Source || !belongs(source, in, a) {
			continue
		}
		n := value.OfInt(1)
		if a.Sum != nil {
			n = source.Item[a.Sum.Name.Text]
		}
		if sum := added(total, n, false); sum.Exists() {
			total = sum
		}
	}
	return total
}

// belongs tells whether an item counts for the one with the aggregate.
func belongs(source, in model.Instance, a *model.Aggregate) bool {
	if slices.ContainsFunc(a.By, func(by model.RefPart) bool {
		v := source.Item[by.Own.Name.Text]
		return !v.Exists() || !value.Equal(v, in.Item[by.Target.Name.Text])
	}) {
		return false
	}
	s := scope{entity: source.Entity, item: source.Item, args: &bindings{}}
	return s.meets(a.Where)
}

// noteKept makes an item with its aggregates part of what a write leaves.
func (w *World) noteKept(out *Outcome, identity string, kept model.Instance) {
	for i, c := range out.Changes {
		if c.After != nil && Identity(*c.After) == identity {
			out.Changes[i].After = &kept
			return
		}
	}
	before := w.instances[w.find(identity)]
	first := out.Changes[0].Step
	step := &model.Step{At: first.At, Operation: model.UpdateItem, OperationAt: first.OperationAt, Entity: kept.Entity}
	out.Changes = append(out.Changes, Change{Step: step, Before: &before, After: &kept})
}
