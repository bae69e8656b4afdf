package verify

import (
	"context"
	"fmt"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/plan"
)

// attemptThen reads what the items of a query refer to, and judges that.
func (t *trial) attemptThen(ctx context.Context, v *plan.Variant, sc scene, found result) (*failure, error) {
	after := &plan.Variant{Pattern: v.Pattern, Read: v.Then}
	requests, err := v.ThenRequests(plan.Call{Args: sc.args, Now: sc.now}, found.items)
	if err != nil {
		f := &failure{scene: sc, records: sc.world.records, variant: after, fault: err, then: true}
		return f.of(objected), nil
	}
	got := result{requests: requests}
	for _, r := range requests {
		more, err := t.stage.send(ctx, r, 0)
		if err != nil {
			f := &failure{scene: sc, records: sc.world.records, variant: after, requests: requests, then: true}
			return f.unanswered(err)
		}
		got.items = append(got.items, more.items...)
		got.sent++
	}
	var referring []model.Instance
	for _, g := range t.recognise(sc.world, sc.world.world.Read(sc.call(t.pattern)), found) {
		if g.record != nil {
			referring = append(referring, g.record.in)
		}
	}
	t.filtered(after, sc, &got)
	f := t.judge(after, sc, sc.world.world.Then(sc.call(t.pattern), referring), got)
	if f != nil {
		f.then = true
	}
	return f, nil
}

// explainThen explains what is wrong with the reads after a query.
func (t *trial) explainThen(f *failure) explanation {
	entity := t.pattern.Then.Entity.Name.Text
	e := explanation{cause: "then " + string(f.kind), at: t.pattern.Then.At}
	switch f.kind {
	case refused:
		e.why = f.refusal.answer()
	case objected:
		e.why = f.fault.Error()
	case extra:
		e.why = fmt.Sprintf("The key that is made of an item found is not that of the %s it refers to.", entity)
		e.fix = fmt.Sprintf("Let the key of %s be made of nothing but what identifies it, and no other entity have such a key.", entity)
	case missing:
		e.why = fmt.Sprintf("The key that is made of an item found does not lead to the %s it refers to: %s.", entity, f.variant.Read.KeyConditionText())
		e.fix = fmt.Sprintf("Say by `by` which attributes hold the key of %s.", entity)
	}
	return e
}
