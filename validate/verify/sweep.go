package verify

import (
	"context"
	"slices"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/plan"
	"github.com/dynmodel/dynmodel/validate/oracle"
)

// sweep reads the whole table back after an accepted call, and every index that
// the items it changes are in before or after, and compares them with the
// oracle's world encoded afresh.
func (t *trial) sweep(ctx context.Context, c foreseenCall) (*failure, error) {
	want, err := t.next(c.world, c.out)
	if err != nil {
		return nil, err
	}
	f := &failure{scene: c.scene, records: want.records, variant: t.plan.For(c.args), outcome: c.out}
	if g, err := t.sweepOne(ctx, f, want, nil); g != nil || err != nil {
		return g, err
	}
	for _, x := range t.model.Table.Indexes {
		if t.stage.missing[x.Name.Text] != "" || !t.holds(x, c, want) {
			continue
		}
		if g, err := t.sweepOne(ctx, f, want, x); g != nil || err != nil {
			return g, err
		}
	}
	return nil, nil
}

// holds tells whether an index holds an item that a call changes, before or after.
func (t *trial) holds(x *model.Index, c foreseenCall, after *set) bool {
	member := func(s *set, in *model.Instance) bool {
		return in != nil && slices.ContainsFunc(s.of(oracle.Identity(*in)), func(r *record) bool { return t.seenThrough(x, r.item) != nil })
	}
	return slices.ContainsFunc(c.out.Changes, func(change oracle.Change) bool {
		return member(c.world, change.Before) || member(after, change.After)
	})
}

// sweepOne compares the table (nil) or an index with what must be in it, again
// and again for as long as an index may lag.
func (t *trial) sweepOne(ctx context.Context, f *failure, want *set, x *model.Index) (*failure, error) {
	name := ""
	if x != nil {
		name = x.Name.Text
	}
	look := func() (*failure, error) {
		items, err := t.stage.everything(ctx, name)
		if err != nil {
			return nil, err
		}
		return t.judgeSweep(f, want, x, items), nil
	}
	if x == nil {
		return look()
	}
	return t.stage.await(ctx, t.known, look)
}

// caughtUp waits until an index in which a write finds its items holds the world.
func (t *trial) caughtUp(ctx context.Context, v *plan.Variant, world *set) error {
	if v.Each == nil || v.Read.Index == nil || t.stage.lag == 0 {
		return nil
	}
	_, err := t.stage.await(ctx, func(*failure) bool { return false }, func() (*failure, error) {
		items, err := t.stage.everything(ctx, v.Read.Index.Name.Text)
		return t.judgeSweep(&failure{}, world, v.Read.Index, items), err
	})
	return err
}

func (t *trial) judgeSweep(f *failure, want *set, x *model.Index, items []plan.Stored) *failure {
	found := make(map[string]plan.Stored, len(items))
	for _, item := range items {
		found[keyText(t.model.Table, item)] = item
	}
	for _, r := range want.records {
		expected := *r
		expected.item = t.seenThrough(x, r.item)
		if g := t.unlikeItem(f, &expected, found[r.key]); g != nil {
			return g
		}
		delete(found, r.key)
	}
	for _, item := range items {
		key := keyText(t.model.Table, item)
		if _, extra := found[key]; extra {
			in, _ := t.decoded(item)
			return t.unlikeItem(f, strange(in, key), item)
		}
	}
	return nil
}

// seenThrough is what an index (nil: the table) holds of an item, nil when the
// item is not in it.
func (t *trial) seenThrough(x *model.Index, item plan.Stored) plan.Stored {
	if x == nil {
		return item
	}
	for _, k := range x.Keys() {
		if !item[k.Name].Exists() {
			return nil
		}
	}
	if x.Projection.Type == model.ProjectAll || x.Projection.Type == "" {
		return item
	}
	return restricted(item, slices.Concat(keyNames(t.model.Table.Keys()), keyNames(x.Keys()), included(x)))
}

func keyNames(keys []model.KeyAttribute) []string {
	names := make([]string, len(keys))
	for i, k := range keys {
		names[i] = k.Name
	}
	return names
}

func included(x *model.Index) []string {
	var names []string
	for _, a := range x.Projection.Attributes {
		names = append(names, a.Text)
	}
	return names
}
