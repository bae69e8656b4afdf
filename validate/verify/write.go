package verify

import (
	"context"
	"errors"
	"maps"
	"slices"

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

// proveWrite runs a pattern that writes with every binding, each on the loaded
// world, and reads the whole table and its indexes back after the last one.
func (t *trial) proveWrite(ctx context.Context, w *data.World) error {
	set := encoded(t.model, w.Instances, first)
	t.noteWorld(set)
	repeated, swept := 0, false
	for _, sc := range t.calls(set, w) {
		if t.settled() {
			break
		}
		f, out, err := t.attemptWrite(ctx, sc)
		if err != nil {
			return err
		}
		t.note(f)
		if f != nil || len(out.Changes) == 0 {
			continue
		}
		if !swept {
			if f, err = t.sweep(ctx, sc, out); err != nil {
				return err
			}
			t.note(f)
			swept = true
		}
		for _, again := range t.again(sc, out) {
			if repeated++; repeated > repeatedCalls {
				break
			}
			f, _, err := t.attemptWrite(ctx, again)
			if err != nil {
				return err
			}
			t.note(f)
		}
	}
	return nil
}

// calls are the scenes of a write: the bindings, and what can be made of them
// to take unique values that others hold.
func (t *trial) calls(set *set, w *data.World) []scene {
	var out []scene
	for _, b := range t.data.Bindings(t.pattern, w) {
		out = append(out, scene{instances: set.stored, args: b.Args, now: b.Now})
	}
	return out
}

// again are calls that follow on one that was accepted: the same one once more,
// and one that brings other values for all that does not identify the item.
func (t *trial) again(sc scene, out oracle.Outcome) []scene {
	next := sc
	next.instances = out.World.Instances()
	next.args = maps.Clone(sc.args)
	if t.pattern.Token != "" {
		next.args[t.pattern.Token] = value.OfString("another-call")
	}
	scenes := []scene{next}
	if varied, ok := t.varied(next, out); ok {
		scenes = append(scenes, varied)
	}
	return scenes
}

// varied is a call that creates the same items with other values of the
// attributes that do not identify them, taken from what the world holds.
func (t *trial) varied(sc scene, out oracle.Outcome) (scene, bool) {
	args := maps.Clone(sc.args)
	changed := false
	for _, c := range out.Changes {
		if c.Step.Operation != model.Create {
			continue
		}
		for _, in := range c.Step.Inputs {
			if q := t.pattern.Parameter(parameterOf(in)); q == nil || identifies(c.Step.Entity, in.Attribute) || t.shared(q.Name, in) {
				continue
			}
			for _, other := range sc.instances {
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

func identifies(e *model.Entity, a *model.Attribute) bool {
	return slices.ContainsFunc(e.Identity, func(p model.IdentityPart) bool { return p.Attribute == a })
}

// shared tells whether a parameter is also an input of another step.
func (t *trial) shared(param string, of *model.Assignment) bool {
	return slices.ContainsFunc(t.pattern.AllSteps(), func(s *model.Step) bool {
		return slices.ContainsFunc(s.Inputs, func(in *model.Assignment) bool { return in != of && parameterOf(in) == param })
	})
}

// attemptWrite runs a call on a world, compares what is stored then with what
// the oracle says, and leaves the table to be set right by the next scene.
func (t *trial) attemptWrite(ctx context.Context, sc scene) (*failure, oracle.Outcome, error) {
	v := t.plan.For(sc.args)
	if !v.Served() {
		t.unserved++
		return nil, oracle.Outcome{}, nil
	}
	set := encoded(t.model, sc.instances, first)
	if err := t.stage.hold(ctx, set.records); err != nil {
		return nil, oracle.Outcome{}, err
	}
	sc.instances = set.stored
	out := oracle.NewWorld(set.stored).Write(sc.call(t.pattern))
	f := &failure{scene: sc, records: set.records, variant: v, outcome: out, step: out.Step}
	sent, got, err := t.stage.write(ctx, v, sc)
	f.requests = sent
	var objection *unfit
	if errors.As(err, &objection) {
		return t.objectedTo(f, objection), out, nil
	}
	var no *refusal
	if err != nil && !errors.As(err, &no) {
		return nil, out, err
	}
	t.spent.count(len(sent), len(out.Changes), got)
	g, err := t.judgeWrite(ctx, f, set, no, got)
	return g, out, err
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
	s.touched(requests)
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
