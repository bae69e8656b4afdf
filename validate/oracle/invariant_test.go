package oracle

import (
	"testing"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/expr"
)

func TestBreaks(t *testing.T) {
	for _, test := range []struct {
		invariant string
		item      model.Item
		breaks    bool
	}{
		{"used <= limit", model.Item{"used": num(2), "limit": num(2)}, false},
		{"used <= limit", model.Item{"used": num(3), "limit": num(2)}, true},
		{"used <= limit", model.Item{"used": num(3)}, false},
		{"used + 1 <= limit", model.Item{"used": num(2), "limit": num(2)}, true},
		{"NOT used > limit", model.Item{"used": num(3)}, false},
		{"attribute_exists(limit)", model.Item{"used": num(3)}, true},
		{"attribute_not_exists(limit) OR used <= limit", model.Item{"used": num(3)}, false},
		{"attribute_not_exists(limit) OR used <= limit", model.Item{"used": num(3), "limit": num(1)}, true},
		{"used >= 0 AND used <= limit", model.Item{"used": num(-1)}, true},
		{"start + 1h <= end", model.Item{"start": str("2026-01-05T09:00:00Z"), "end": str("2026-01-05T10:00:00Z")}, false},
		{"start + 1h <= end", model.Item{"start": str("2026-01-05T09:00:01Z"), "end": str("2026-01-05T10:00:00Z")}, true},
	} {
		e := entity("Org", 0, attr("used?", model.TypeInteger), attr("limit?", model.TypeInteger), attr("start?", model.TypeDatetime), attr("end?", model.TypeDatetime))
		e.Invariants = []*model.Condition{condition(t, test.invariant, e)}
		if got := Breaks(of(e, test.item)); (got != nil) != test.breaks {
			t.Errorf("%s of %v is broken: %v", test.invariant, test.item, got != nil)
		}
	}
}

// What a pattern requires, and what items that are brought must be, decide which
// calls are made.
func TestKeepsPromises(t *testing.T) {
	e := entity("Booking", 1, attr("id", model.TypeString), attr("start", model.TypeInteger), attr("end", model.TypeInteger))
	e.Invariants = []*model.Condition{condition(t, "start < end", e)}
	create := &model.Step{Operation: model.Create, Entity: e, Inputs: inputs(e, "id", "start", "end")}
	fixed := &model.Step{Operation: model.Put, Entity: e, Inputs: []*model.Assignment{
		{Attribute: e.Attribute("start"), Value: &expr.Literal{Value: num(5)}}, {Attribute: e.Attribute("end"), Value: &expr.Param{Name: "end"}}}}
	update := &model.Step{Operation: model.UpdateItem, Entity: e, Inputs: inputs(e, "id"), Change: change(t, "SET start = $start")}
	for _, test := range []struct {
		step     *model.Step
		requires string
		args     model.Args
		want     bool
	}{
		{create, "", model.Args{"start": num(1), "end": num(2)}, true},
		{create, "", model.Args{"start": num(2), "end": num(2)}, false},
		{fixed, "", model.Args{"end": num(6)}, true},
		{fixed, "", model.Args{"end": num(4)}, false},
		{update, "", model.Args{"start": num(9)}, true},
		{update, "$start <> $end", model.Args{"start": num(9), "end": num(9)}, false},
		{update, "$start <> $end", model.Args{"start": num(9), "end": num(8)}, true},
		{update, "$start + 1 < $end", model.Args{"start": num(7), "end": num(8)}, false},
	} {
		p := &model.Pattern{Operation: test.step.Operation, Step: test.step, Require: condition(t, test.requires)}
		if got := (Call{Pattern: p, Args: test.args, Now: testNow}).Sensible(); got != test.want {
			t.Errorf("%s with %v, requiring %q: %v", test.step.Operation, test.args, test.requires, got)
		}
	}
}

func TestReadsSeeWhatIsLive(t *testing.T) {
	e := entity("Session", 1, attr("id", model.TypeString), attr("until", model.TypeDatetime))
	e.Live = condition(t, "until > $now", e)
	w := NewWorld([]model.Instance{
		of(e, model.Item{"id": str("old"), "until": str("2026-01-05T09:00:00Z")}),
		of(e, model.Item{"id": str("new"), "until": str("2026-01-05T09:00:01Z")}),
	})
	get := func(id string, dead bool) Call {
		step := &model.Step{Operation: model.Get, Entity: e, Inputs: inputs(e, "id")}
		return Call{Pattern: &model.Pattern{Operation: model.Get, Entities: []*model.Entity{e}, Step: step, IncludeDead: dead}, Args: model.Args{"id": str(id)}, Now: testNow}
	}
	query := func(dead bool) Call {
		return Call{Pattern: &model.Pattern{Operation: model.Query, Entities: []*model.Entity{e}, IncludeDead: dead}, Now: testNow}
	}
	for i, test := range []struct {
		call Call
		want int
	}{{get("new", false), 1}, {get("old", false), 0}, {get("old", true), 1}, {query(false), 1}, {query(true), 2}} {
		if got := w.Read(test.call).Want; got != test.want {
			t.Errorf("case %d returns %d items, want %d", i, got, test.want)
		}
	}
}
