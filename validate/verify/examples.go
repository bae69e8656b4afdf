package verify

import (
	"context"
	"slices"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/encode"
	"github.com/dynmodel/dynmodel/model/plan"
	"github.com/dynmodel/dynmodel/model/value"
	"github.com/dynmodel/dynmodel/validate/oracle"
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
	for _, e := range t.pattern.Examples {
		sc := scene{world: world, args: e.With, now: t.config.Now}
		if err := t.stage.hold(ctx, world); err != nil {
			return err
		}
		f, err := t.proveExample(ctx, sc, e)
		if err != nil {
			return err
		}
		if f != nil {
			t.failures = append(t.failures, f)
		}
	}
	return nil
}

// proveExample runs one example on its world, which is stored already.
func (t *trial) proveExample(ctx context.Context, sc scene, e *model.Example) (*failure, error) {
	v := t.plan.For(sc.args)
	f := &failure{scene: sc, records: sc.world.records, variant: v, want: len(e.Expect), example: e}
	switch {
	case !v.Served():
		return nil, nil
	case t.writes():
		c := t.foreseen(sc)
		if g, err := t.attemptWrite(ctx, c, true); g != nil || err != nil {
			return g, err
		}
		f.got = leftBy(c.out)
	default:
		got, err := t.stage.read(ctx, v, sc)
		if err != nil {
			return f.unanswered(err)
		}
		t.filtered(v, sc, &got)
		t.spent.count(got.sent, got.count, got.read)
		f.requests = got.requests
		f.got = t.recognise(sc.world, sc.world.world.Read(sc.call(t.pattern)), got)
	}
	if t.asExpected(e, f.got) {
		return nil, nil
	}
	return f.of(unstated), nil
}

// leftBy are the items that a write leaves, in the order of its steps.
func leftBy(out oracle.Outcome) []returnedItem {
	var items []returnedItem
	for _, c := range out.Changes {
		if c.After != nil {
			items = append(items, returnedItem{c.After.Item, &record{in: *c.After, item: c.After.Item, id: oracle.Identity(*c.After)}})
		}
	}
	return items
}

// asExpected tells whether the items are those that the example states: in its
// order, where DynamoDB gives them in one.
func (t *trial) asExpected(e *model.Example, items []returnedItem) bool {
	if len(items) != len(e.Expect) {
		return false
	}
	rest := slices.Clone(items)
	for _, want := range e.Expect {
		i := 0
		if t.anyOrder() {
			i = slices.IndexFunc(rest, func(r returnedItem) bool { return r.is(want) })
		}
		if i < 0 || !rest[i].is(want) {
			return false
		}
		rest = slices.Delete(rest, i, i+1)
	}
	return true
}

// anyOrder tells whether the order of the pattern's items means nothing.
func (t *trial) anyOrder() bool {
	return len(t.pattern.Order) == 0 && (t.pattern.Operation == model.Scan || t.pattern.Operation == model.BatchGet)
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
