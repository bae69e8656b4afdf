package oracle

import (
	"testing"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/expr"
	"github.com/dynmodel/dynmodel/model/value"
)

// In an order over types the items of one entity come before those of another,
// each in its own order.
func TestOrderOverTypes(t *testing.T) {
	device := entity("Device", 1, attr("customer", model.TypeString), attr("id", model.TypeString))
	alert := entity("Alert", 2, attr("customer", model.TypeString), attr("id", model.TypeString))
	item := func(id string) model.Item { return model.Item{"customer": str("a"), "id": str(id)} }
	w := NewWorld([]model.Instance{of(alert, item("1")), of(device, item("0")), of(alert, item("2"))})
	p := &model.Pattern{Operation: model.Query, Entities: []*model.Entity{device, alert}, Limit: 2,
		Order: []model.OrderBy{{Entity: device}, {Entity: alert, Attribute: "id", Desc: true}}}
	got := w.Read(Call{Pattern: p, Now: testNow})
	if ids(got.Matches) != "a/0 a/2 a/1" || got.Want != 2 {
		t.Errorf("matches %s, of which %d", ids(got.Matches), got.Want)
	}
	if !got.Prefix(got.Matches[:2]) || got.Prefix(got.Matches[1:]) {
		t.Error("a prefix begins with the items of the first entity")
	}
}

// A parameter names the member of a map that is read, changed and removed.
func TestMapMembers(t *testing.T) {
	count := &model.Attribute{Type: model.TypeInteger, Optional: true}
	post := entity("Post", 1, attr("id", model.TypeString), attr("marks", model.TypeMap, func(a *model.Attribute) { a.Domain.Items = count }))
	marks := value.OfMap(value.Field{Name: "x", Value: num(3)})
	for _, test := range []struct {
		change, condition, member string
		want                      value.Value // of the map; absent: refused
	}{
		{"SET marks[$m] = marks[$m] + 1", "", "x", value.OfMap(value.Field{Name: "x", Value: num(4)})},
		{"SET marks[$m] = marks[$m] + 1", "", "y", value.Value{}},
		{"SET marks[$m] = if_not_exists(marks[$m], 0) + 1", "", "y", value.OfMap(value.Field{Name: "x", Value: num(3)}, value.Field{Name: "y", Value: num(1)})},
		{"SET marks[$m] = 7", "attribute_not_exists(marks[$m])", "x", value.Value{}},
		{"SET marks[$m] = 7", "attribute_not_exists(marks[$m])", "y", value.OfMap(value.Field{Name: "x", Value: num(3)}, value.Field{Name: "y", Value: num(7)})},
		{"REMOVE marks[$m]", "marks[$m] = 3", "x", value.OfMap()},
		{"REMOVE marks[$m]", "marks[$m] = 3", "y", value.Value{}},
	} {
		p := &model.Pattern{Operation: model.UpdateItem}
		p.Step = &model.Step{Operation: model.UpdateItem, Entity: post, Inputs: inputs(post, "id"),
			Change: change(t, test.change), If: condition(t, test.condition)}
		w := NewWorld([]model.Instance{of(post, model.Item{"id": str("p"), "marks": marks})})
		out := w.Write(Call{Pattern: p, Args: model.Args{"id": str("p"), "m": str(test.member)}, Now: testNow})
		var got value.Value
		if out.Refusal == "" {
			got = out.World.instances[0].Item["marks"]
		}
		if !value.Equal(got, test.want) {
			t.Errorf("%s if %q with %s: %s, want %s", test.change, test.condition, test.member, got, test.want)
		}
	}
}

func TestPeriods(t *testing.T) {
	at := &model.Attribute{Type: model.TypeDatetime}
	epoch := &model.Attribute{Type: model.TypeEpoch}
	for _, test := range []struct {
		f    expr.Func
		v    value.Value
		a    *model.Attribute
		want string
	}{
		{expr.Func{Name: expr.Week}, str("2026-01-04T23:59:59Z"), at, "2026-W01"},
		{expr.Func{Name: expr.Week}, str("2026-01-05T00:00:00Z"), at, "2026-W02"},
		{expr.Func{Name: expr.Minute}, str("2026-01-05T09:10:59Z"), at, "2026-01-05T09:10"},
		{expr.Func{Name: expr.Bucket, N: 15}, str("2026-01-05T09:14:59Z"), at, "2026-01-05T09:00"},
		{expr.Func{Name: expr.Bucket, N: 15}, str("2026-01-05T09:15:00Z"), at, "2026-01-05T09:15"},
		{expr.Func{Name: expr.Bucket, N: 1440}, num(-1), epoch, "1969-12-31T00:00"},
	} {
		if got := apply(test.f, test.v, test.a); got.Text() != test.want {
			t.Errorf("%s of %s is %s, want %s", test.f, test.v, got, test.want)
		}
	}
}
