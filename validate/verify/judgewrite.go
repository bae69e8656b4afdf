package verify

import (
	"context"
	"maps"
	"slices"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/data"
	"github.com/dynmodel/dynmodel/model/plan"
	"github.com/dynmodel/dynmodel/model/value"
	"github.com/dynmodel/dynmodel/validate/oracle"
)

// judgeWrite compares what a write did with what it must do: whether it was
// refused, what is stored under every key it had to do with, what it returned.
// Nil when they agree.
func (t *trial) judgeWrite(ctx context.Context, f *failure, set *set, no *refusal, got reply) (*failure, error) {
	out := f.outcome
	f.refusal = no
	switch {
	case out.Refusal == "" && no != nil:
		return t.stoppedCall(f, set), nil
	case out.Refusal == oracle.Exists && no == nil:
		return f.of(doubled, found(out)...), nil
	case out.Refusal != "" && no == nil:
		return f.of(accepted, found(out)...), nil
	}
	if g := t.judgeDomains(f); no == nil && g != nil && g.kind == partial {
		return g, nil // what keys half an item has is no matter
	}
	expected, g := t.expectedAfter(f, set)
	if g != nil {
		return g, nil
	}
	if g, err := t.judgeStored(ctx, f, expected); g != nil || err != nil {
		return g, err
	}
	if no != nil {
		return nil, nil
	}
	if g := t.judgeReturned(f, got); g != nil {
		return g, nil
	}
	return t.judgeDomains(f), nil
}

// found are the items because of which a call must be refused.
func found(out oracle.Outcome) []model.Instance {
	if out.Found == nil {
		return nil
	}
	return []model.Instance{*out.Found}
}

// stoppedCall is a call that is refused though it must not be. When the key of
// a new item is that of another one, that is what is wrong.
func (t *trial) stoppedCall(f *failure, set *set) *failure {
	if g := t.collision(f, set); g != nil {
		return g
	}
	var culprits []model.Instance
	for _, c := range f.outcome.Changes {
		if c.Before != nil {
			culprits = append(culprits, *c.Before)
		}
	}
	return f.of(stopped, culprits...)
}

// expectedAfter are the records that must be stored after the call, by key, for
// every key that it has to do with; an empty record where nothing must be. A
// failure when two different things would need one key.
func (t *trial) expectedAfter(f *failure, set *set) (map[string]*record, *failure) {
	expected := map[string]*record{}
	for _, c := range f.outcome.Changes {
		if c.Before == nil {
			continue
		}
		for _, r := range set.of(oracle.Identity(*c.Before)) {
			expected[r.key] = &record{in: r.in, guard: r.guard, key: r.key, id: r.id}
		}
	}
	if g := t.collision(f, set); g != nil {
		return nil, g
	}
	for _, c := range f.outcome.Changes {
		if c.After == nil {
			continue
		}
		records, err := recordsOf(t.model, *c.After, first(0))
		if err != nil {
			f.fault, f.step = err, c.Step
			return nil, f.of(unstorable, *c.After)
		}
		for _, r := range records {
			expected[r.key] = r
		}
	}
	for _, key := range t.stage.keysIn(f.requests) {
		k := keyText(t.model.Table, key)
		if _, known := expected[k]; known {
			continue
		}
		expected[k] = &record{key: k}
		if i, here := set.byKey[k]; here {
			expected[k] = set.records[i]
		}
	}
	return expected, nil
}

// collision is a failure when an item that the call leaves has the key of
// another item, or of a guard.
func (t *trial) collision(f *failure, set *set) *failure {
	for _, c := range f.outcome.Changes {
		if c.After == nil || c.Before != nil {
			continue
		}
		records, err := recordsOf(t.model, *c.After, first(0))
		if err != nil {
			continue
		}
		if own, clashing := ownClash(records); clashing {
			f.step, f.record = c.Step, own.first
			return f.of(collided, own.second.in)
		}
		for _, r := range records {
			if i, taken := set.byKey[r.key]; taken && !sameThing(set.records[i], r) {
				f.step, f.record = c.Step, set.records[i]
				return f.of(collided, r.in, set.records[i].in)
			}
		}
	}
	return nil
}

// judgeStored compares what is stored under the keys with what is expected.
func (t *trial) judgeStored(ctx context.Context, f *failure, expected map[string]*record) (*failure, error) {
	keys := slices.Sorted(maps.Keys(expected))
	stored, err := t.stage.look(ctx, t.keysOf(f, keys, expected))
	if err != nil {
		return nil, err
	}
	for _, key := range keys {
		if g := t.unlikeItem(f, expected[key], stored[key]); g != nil {
			return g, nil
		}
	}
	return nil, nil
}

// keysOf are the key attributes behind key texts: those that the requests
// name, and those of what is or was stored.
func (t *trial) keysOf(f *failure, keys []string, expected map[string]*record) []plan.Stored {
	named := map[string]plan.Stored{}
	for _, key := range t.stage.keysIn(f.requests) {
		named[keyText(t.model.Table, key)] = key
	}
	out := make([]plan.Stored, len(keys))
	for i, key := range keys {
		switch at, here := f.scene.world.byKey[key]; {
		case named[key] != nil:
			out[i] = named[key]
		case here:
			out[i] = keyOf(t.model.Table, f.scene.world.records[at].item)
		default:
			out[i] = keyOf(t.model.Table, expected[key].item)
		}
	}
	return out
}

// unlikeItem compares one item that is stored with what must be.
func (t *trial) unlikeItem(f *failure, want *record, stored plan.Stored) *failure {
	if (want.item == nil) == (stored == nil) && equalItems(want.item, stored) {
		return nil
	}
	g := *f
	g.record, g.expected, g.stored = want, want.item, stored
	culprits := []model.Instance{}
	if want.in.Entity != nil {
		culprits = append(culprits, want.in)
	}
	switch {
	case want.item == nil && g.moved(want):
		return g.of(doubled, culprits...)
	case want.item == nil:
		return g.of(leftover, culprits...)
	case stored == nil:
		return g.of(unstored, culprits...)
	}
	if name, same := difference(want.item, stored); !same {
		g.attribute = name
		return g.of(unlike, culprits...)
	}
	return nil
}

// moved tells whether a put has stored an item under another key than the one
// it had, where it still is.
func (f *failure) moved(was *record) bool {
	for _, c := range f.outcome.Changes {
		if c.Step.Operation == model.Put && c.Before != nil && c.After != nil && was.is(*c.Before) {
			f.step = c.Step
			return true
		}
	}
	return false
}

// difference is the first attribute, by name, in which two items differ.
func difference(a, b plan.Stored) (name string, same bool) {
	names := map[string]bool{}
	for n := range a {
		names[n] = true
	}
	for n := range b {
		names[n] = true
	}
	for _, n := range slices.Sorted(maps.Keys(names)) {
		if !value.Equal(a[n], b[n]) {
			return n, false
		}
	}
	return "", true
}

// judgeReturned compares the item that the call returned with the right one.
func (t *trial) judgeReturned(f *failure, got reply) *failure {
	want := f.outcome.Returned
	if want == nil {
		return nil
	}
	g := *f
	if len(got.items) != 1 {
		return g.of(answered)
	}
	for name, v := range want {
		if !value.Equal(v, got.items[0][name]) {
			g.attribute = name
			g.stored = got.items[0]
			return g.of(answered)
		}
	}
	return nil
}

// judgeDomains looks for attributes that the call left absent though they are
// needed, or changed to a value outside of their domain, and for items that do not
// keep an invariant any more.
func (t *trial) judgeDomains(f *failure) *failure {
	for _, c := range f.outcome.Changes {
		if c.After == nil || c.Step.Operation == model.Check {
			continue
		}
		for _, a := range c.Step.Entity.Attributes {
			k, bad := offence(c, a)
			if !bad {
				continue
			}
			g := *f
			g.step, g.attribute = c.Step, a.Name.Text
			g.before, g.after = beforeOf(c)[g.attribute], c.After.Item[g.attribute]
			return g.of(k, *c.After)
		}
		if broke := oracle.Breaks(*c.After); broke != nil && (c.Before == nil || oracle.Breaks(*c.Before) == nil) {
			g := *f
			g.step, g.invariant = c.Step, broke
			return g.of(broken, *c.After)
		}
	}
	return nil
}

// beforeOf is the item before a change, empty where there was none.
func beforeOf(c oracle.Change) model.Item {
	if c.Before == nil {
		return nil
	}
	return c.Before.Item
}

// offence tells how a change breaks the declaration of an attribute. One that
// was so before is not the change's fault.
func offence(c oracle.Change, a *model.Attribute) (kind, bool) {
	before, after := beforeOf(c)[a.Name.Text], c.After.Item[a.Name.Text]
	switch {
	case c.Before != nil && value.Equal(before, after) && !splits(c, a):
		return "", false
	case !after.Exists() && !a.Optional && c.Before == nil:
		return partial, true
	case !after.Exists() && !a.Optional, after.Exists() && !data.Valid(a, after), splits(c, a):
		return outside, true
	}
	return "", false
}

// splits tells whether a change parts two attributes that stand together.
func splits(c oracle.Change, a *model.Attribute) bool {
	if a.PresentWith == nil {
		return false
	}
	apart := func(item model.Item) bool {
		return item[a.Name.Text].Exists() != item[a.PresentWith.Name.Text].Exists()
	}
	return apart(c.After.Item) && (c.Before == nil || !apart(c.Before.Item))
}
