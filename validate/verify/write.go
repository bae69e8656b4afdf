package verify

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"maps"
	"slices"

	"github.com/dynmodel/dynmodel/model/data"
	"github.com/dynmodel/dynmodel/model/plan"
	"github.com/dynmodel/dynmodel/model/value"
)

// repeatedCalls is how many accepted calls are made a second time on what they
// left: a second create must fail, and so must a second update of one version.
const repeatedCalls = 3

// proveWrite runs a pattern that writes with every binding, each on the loaded
// world. The calls that must be refused come first, and are looked back on
// together: nothing may have changed. After the first one that is accepted, the
// whole table and its indexes are read back.
func (t *trial) proveWrite(ctx context.Context, w *data.World) error {
	world := t.encoded(w.Instances)
	t.noteWorld(world)
	refused, accepted := t.calls(ctx, world, w)
	if err := t.proveRefused(ctx, refused); err != nil {
		return err
	}
	repeated, swept := 0, false
	for _, c := range accepted {
		if t.settled() {
			return nil
		}
		made := t.spent.accepted
		f, err := t.tried(ctx, c, true)
		if err != nil {
			return err
		}
		if !swept && f == nil && t.spent.accepted > made {
			swept = true
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
		if equalItems(world.under(key), found[key]) {
			continue
		}
		for key, attributes := range suspects {
			t.stage.strays[key] = &stray{key: attributes}
		}
		return true, nil
	}
	return false, nil
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
	if err := t.caughtUp(ctx, v, sc.world); err != nil {
		return nil, err
	}
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
	f.fault = objection.error
	return f.of(objected)
}

// write sends the requests of a plan, after the reads it makes first.
func (s *stage) write(ctx context.Context, v *plan.Variant, sc scene) ([]plan.Request, reply, error) {
	if v.Each != nil {
		return s.writeEach(ctx, v, sc)
	}
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
