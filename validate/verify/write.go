package verify

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"maps"
	"slices"
	"time"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/data"
	"github.com/dynmodel/dynmodel/model/expr"
	"github.com/dynmodel/dynmodel/model/plan"
	"github.com/dynmodel/dynmodel/model/value"
	"github.com/dynmodel/dynmodel/validate/oracle"
)

// repeatedCalls is how many accepted calls are made a second time on what they
// left: a second create must fail, and so must a second update of one version.
const repeatedCalls = 3

// changedWorlds is how many calls are made again without what stands in their
// way, and how many without what they find.
const changedWorlds = 3

// proveWrite runs a pattern that writes with every binding, each on the loaded
// world. The calls that must be refused come first, and are looked back on
// together: nothing may have changed. After the first one that is accepted, the
// whole table and its indexes are read back.
func (t *trial) proveWrite(ctx context.Context, w *data.World) error {
	world := t.encoded(w.Instances)
	t.noteWorld(world)
	refused, accepted := t.calls(world, w)
	if err := t.proveRefused(ctx, refused); err != nil {
		return err
	}
	repeated := 0
	for i, c := range accepted {
		if t.settled() {
			return nil
		}
		f, err := t.tried(ctx, c, true)
		if err != nil {
			return err
		}
		if i == 0 && f == nil {
			if f, err = t.sweep(ctx, c); err != nil {
				return err
			}
			t.note(f)
		}
		if f != nil || repeated >= repeatedCalls {
			continue
		}
		scenes, err := t.again(c)
		if err != nil {
			return err
		}
		for _, sc := range scenes {
			repeated++
			if _, err := t.tried(ctx, t.foreseen(sc), true); err != nil {
				return err
			}
		}
	}
	return nil
}

// foreseenCall is a call of a write with what it must do.
type foreseenCall struct {
	scene
	out oracle.Outcome
}

// foreseen asks the oracle what a call must do.
func (t *trial) foreseen(sc scene) foreseenCall {
	return foreseenCall{sc, sc.world.world.Write(sc.call(t.pattern))}
}

// tried runs a call on its world and keeps the failure.
func (t *trial) tried(ctx context.Context, c foreseenCall, look bool) (*failure, error) {
	if err := t.stage.hold(ctx, c.world); err != nil {
		return nil, err
	}
	f, err := t.attemptWrite(ctx, c, look)
	t.note(f)
	return f, err
}

// proveRefused runs calls that must be refused, and then looks whether they
// have changed anything. Only if so is each of them looked at on its own.
func (t *trial) proveRefused(ctx context.Context, calls []foreseenCall) error {
	for i, c := range calls {
		if t.settled() {
			return nil
		}
		if _, err := t.tried(ctx, c, false); err != nil {
			return err
		}
		if next := i + 1; next < len(calls) && calls[next].world == c.world {
			continue
		}
		changed, err := t.changed(ctx, c.world)
		if err != nil {
			return err
		}
		for _, c := range calls[:i+1] {
			if !changed {
				break
			}
			if _, err := t.tried(ctx, c, true); err != nil {
				return err
			}
		}
	}
	return nil
}

// changed tells whether calls that were refused have changed what is stored
// under the keys they name.
func (t *trial) changed(ctx context.Context, world *set) (bool, error) {
	keys := slices.Sorted(maps.Keys(t.suspects))
	var wanted []plan.Stored
	for _, key := range keys {
		wanted = append(wanted, t.suspects[key])
	}
	suspects := t.suspects
	t.suspects = nil
	found, err := t.stage.look(ctx, wanted)
	if err != nil {
		return false, err
	}
	for _, key := range keys {
		var item plan.Stored
		if i, here := world.byKey[key]; here {
			item = world.records[i].item
		}
		if !equalItems(item, found[key]) {
			maps.Copy(t.stage.dirty, suspects)
			return true, nil
		}
	}
	return false, nil
}

// calls are the scenes of a write, those that must be refused and the others.
// One that is refused because an item exists or a value is taken is also made
// where that is not so, and one that finds items also where they are not.
func (t *trial) calls(world *set, w *data.World) (refused, accepted []foreseenCall) {
	add := func(c foreseenCall) {
		if c.out.Refusal == "" {
			accepted = append(accepted, c)
		} else {
			refused = append(refused, c)
		}
	}
	freed, emptied, edged := 0, 0, 0
	for _, b := range t.data.Bindings(t.pattern, w) {
		c := t.foreseen(scene{world: world, args: b.Args, now: b.Now})
		add(c)
		if c.out.Refusal != "" && freed < changedWorlds {
			if free := t.freed(c); free.out.Refusal == "" {
				freed++
				add(free)
			}
		}
		if emptied < changedWorlds {
			if empty := t.emptied(c); empty.world != c.world {
				emptied++
				add(empty)
			}
		}
		if c.out.Refusal == "" && edged < changedWorlds {
			edged++
			for _, edge := range t.edged(c) {
				add(edge)
			}
		}
	}
	return refused, accepted
}

// edged are the call in worlds where a number that it changes is the least or
// the greatest that it may be.
func (t *trial) edged(c foreseenCall) []foreseenCall {
	var out []foreseenCall
	for _, change := range c.out.Changes {
		if change.Before == nil || change.Step.Change == nil {
			continue
		}
		for _, a := range change.Step.Entity.Attributes {
			if a.Type.Kind() != value.Number || !changes(change.Step.Change.Update, a) || computes(change.Step.Entity, a) {
				continue
			}
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

// changes tells whether an update writes an attribute.
func changes(u *expr.Update, a *model.Attribute) bool {
	is := func(target *expr.Attr) bool { return target.Path.Top() && target.Path.Name == a.Name.Text }
	return slices.ContainsFunc(u.Set, func(s expr.SetAction) bool { return is(s.Target) }) ||
		slices.ContainsFunc(u.Add, func(s expr.AddAction) bool { return is(s.Target) })
}

// exchange puts another item in the place of one in the scene's world; false
// when that cannot be stored, or its key is taken.
func (t *trial) exchange(sc *scene, in, other model.Instance) bool {
	records, err := recordsOf(t.model, other, first(0))
	rest := sc.world.without(in)
	if err != nil || rest.holder(records) >= 0 {
		return false
	}
	sc.world = rest.with(rest.world.With(other), records)
	return true
}

// freed is the call in a world without the items that stand in its way.
func (t *trial) freed(c foreseenCall) foreseenCall {
	for range 4 {
		if c.out.Found == nil || c.out.Refusal != oracle.Exists && c.out.Refusal != oracle.Taken {
			break
		}
		c.world = c.world.without(*c.out.Found)
		c = t.foreseen(c.scene)
	}
	return c
}

// emptied is the call in a world without the items that it finds.
func (t *trial) emptied(c foreseenCall) foreseenCall {
	sc := c.scene
	for _, change := range c.out.Changes {
		if change.Before != nil {
			sc.world = sc.world.without(*change.Before)
		}
	}
	if sc.world == c.world {
		return c
	}
	return t.foreseen(sc)
}

// later is how much later a call is made again, so that other buckets of time
// are meant by $now.
const later = 25 * time.Hour

// again are calls that follow on one that was accepted: the same one once more,
// at a later time, and one that brings other values for all that does not
// identify the item.
func (t *trial) again(c foreseenCall) ([]scene, error) {
	world, err := t.next(c.world, c.out)
	if err != nil {
		return nil, err
	}
	next := c.scene
	next.world = world
	next.now = c.now.Add(later)
	scenes := []scene{next}
	if varied, ok := t.varied(next, c.out); ok {
		scenes = append(scenes, varied)
	}
	return scenes, nil
}

// varied is a call that creates the same items with other values of the
// attributes that do not identify them, taken from what the world holds.
func (t *trial) varied(sc scene, out oracle.Outcome) (scene, bool) {
	args := maps.Clone(sc.args)
	changed := false
	for _, c := range out.Changes {
		if c.Step.Operation != model.Create || minted(c.Step.Entity) {
			continue
		}
		for _, in := range c.Step.Inputs {
			if q := t.pattern.Parameter(parameterOf(in)); q == nil || identifies(c.Step.Entity, in.Attribute) || t.shared(q.Name, in) {
				continue
			}
			for _, other := range sc.world.stored {
				v := other.Item[in.Attribute.Name.Text]
				if other.Entity == c.Step.Entity && v.Exists() && !value.Equal(v, args[parameterOf(in)]) {
					args[parameterOf(in)], changed = v, true
					break
				}
			}
		}
	}
	sc.args = args
	return sc, changed
}

// minted tells whether an entity is identified by something that no two items
// ever share, so that the same one is never made twice with other attributes.
func minted(e *model.Entity) bool {
	return slices.ContainsFunc(e.Identity, func(p model.IdentityPart) bool { return p.Attribute.Minted })
}

func identifies(e *model.Entity, a *model.Attribute) bool {
	return slices.ContainsFunc(e.Identity, func(p model.IdentityPart) bool { return p.Attribute == a })
}

// shared tells whether a parameter is also an input of another step.
func (t *trial) shared(param string, of *model.Assignment) bool {
	return slices.ContainsFunc(t.pattern.AllSteps(), func(s *model.Step) bool {
		return slices.ContainsFunc(s.Inputs, func(in *model.Assignment) bool { return in != of && parameterOf(in) == param })
	})
}

// attemptWrite runs a call on its world, which is stored already, and compares
// what it does, and what is stored then, with what the oracle says. Without
// look, what a refused call may have changed is left to be looked at later.
func (t *trial) attemptWrite(ctx context.Context, c foreseenCall, look bool) (*failure, error) {
	sc, out := c.scene, c.out
	v := t.plan.For(sc.args)
	if !v.Served() {
		t.unserved++
		return nil, nil
	}
	f := &failure{scene: sc, records: sc.world.records, variant: v, outcome: out, step: out.Step}
	sent, got, err := t.stage.write(ctx, v, t.withToken(sc))
	f.requests = sent
	var objection *unfit
	if errors.As(err, &objection) {
		return t.objectedTo(f, objection), nil
	}
	var no *refusal
	if err != nil && !errors.As(err, &no) {
		return nil, err
	}
	t.spent.count(len(sent), len(out.Changes), got)
	if no == nil {
		t.spent.accepted++
	}
	if look || no == nil || out.Refusal == "" {
		t.stage.touched(sent)
		return t.judgeWrite(ctx, f, sc.world, no, got)
	}
	if t.suspects == nil {
		t.suspects = map[string]plan.Stored{}
	}
	for _, key := range t.stage.keysIn(sent) {
		t.suspects[keyText(t.model.Table, key)] = key
	}
	return nil, nil
}

// withToken is the call with an idempotency token that no other call of this or
// another run has, where the pattern takes one: of two calls with one token
// DynamoDB makes only the first.
func (t *trial) withToken(sc scene) scene {
	if t.pattern.Token == "" {
		return sc
	}
	h := fnv.New64a()
	h.Write([]byte(t.stage.table)) // never fails
	sc.args = maps.Clone(sc.args)
	sc.args[t.pattern.Token] = value.OfString(fmt.Sprintf("%x-%d", h.Sum64(), t.stage.calls))
	return sc
}

// objectedTo judges a plan that does not take the call's arguments: right when
// the call has to be refused anyway, or the model's item cannot be stored.
func (t *trial) objectedTo(f *failure, objection *unfit) *failure {
	if f.outcome.Refusal != "" {
		return nil
	}
	for _, c := range f.outcome.Changes {
		if c.After == nil {
			continue
		}
		if _, err := recordsOf(t.model, *c.After, first(0)); err != nil {
			f.fault = err
			f.step = c.Step
			return f.of(unstorable, *c.After)
		}
	}
	if t.objected == nil {
		t.objected = objection.error
	}
	return nil
}

// write sends the requests of a plan, after the reads it makes first.
func (s *stage) write(ctx context.Context, v *plan.Variant, sc scene) ([]plan.Request, reply, error) {
	call := plan.Call{Args: sc.args, Now: sc.now}
	var all reply
	reads, err := v.FirstReads(call)
	if err != nil {
		return nil, all, &unfit{err}
	}
	for _, r := range reads {
		got, err := s.send(ctx, r, 0)
		if err != nil {
			return reads, all, err
		}
		all.add(got)
		if len(got.items) == 0 {
			call.Old = append(call.Old, nil)
		} else {
			call.Old = append(call.Old, got.items[0])
		}
	}
	all.items = nil
	requests, err := v.Requests(call)
	if err != nil {
		return reads, all, &unfit{err}
	}
	for _, r := range requests {
		got, err := s.send(ctx, r, 0)
		if err != nil {
			return append(reads, requests...), all, err
		}
		all.add(got)
	}
	return append(reads, requests...), all, nil
}

// parameterOf is the name of the parameter that an attribute takes its value
// from, "" when it takes it from elsewhere.
func parameterOf(in *model.Assignment) string {
	if p, ok := in.Value.(*expr.Param); ok {
		return p.Name
	}
	return ""
}
