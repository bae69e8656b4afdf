package verify

import (
	"context"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/encode"
	"github.com/dynmodel/dynmodel/model/plan"
	"github.com/dynmodel/dynmodel/model/value"
)

// proveExamples runs the pattern's examples on the samples alone.
func (t *trial) proveExamples(ctx context.Context) error {
	if len(t.pattern.Examples) == 0 {
		return nil
	}
	var samples []model.Instance
	for _, s := range t.model.Samples {
		samples = append(samples, model.Instance{Entity: s.Entity, Item: s.Item})
	}
	world := t.encoded(samples)
	if err := t.stage.hold(ctx, world); err != nil {
		return err
	}
	for _, e := range t.pattern.Examples {
		sc := scene{world: world, args: e.With, now: t.config.Now}
		v := t.plan.For(sc.args)
		if !v.Served() {
			continue
		}
		got, err := t.stage.read(ctx, v, sc)
		if err != nil {
			if err = t.objection(err); err != nil {
				return err
			}
			continue
		}
		t.filtered(v, sc, &got)
		t.spent.count(got.sent, got.count, got.read)
		items := t.recognise(world, world.world.Read(sc.call(t.pattern)), got)
		if !asExpected(e, items) {
			f := &failure{scene: sc, records: world.records, variant: v, requests: got.requests, got: items, want: len(e.Expect), example: e}
			t.failures = append(t.failures, f.of(unstated))
		}
	}
	return nil
}

// asExpected tells whether the items are those that the example states, in its order.
func asExpected(e *model.Example, items []returnedItem) bool {
	if len(items) != len(e.Expect) {
		return false
	}
	for i, want := range e.Expect {
		if !items[i].is(want) {
			return false
		}
	}
	return true
}

// is tells whether an item has all that an example states of it.
func (r returnedItem) is(want model.ExpectedItem) bool {
	if want.Entity != nil && r.record != nil && r.record.in.Entity != want.Entity {
		return false
	}
	for name, v := range want.Item {
		if !value.Equal(r.item[name], v) {
			return false
		}
	}
	return true
}

// decoded reads a stored item of any entity of the model.
func (t *trial) decoded(item plan.Stored) (model.Instance, bool) {
	return encode.Decode(t.model.Table, t.model.Entities, item)
}
