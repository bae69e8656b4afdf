package oracle

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/expr"
	"github.com/dynmodel/dynmodel/model/value"
)

func orders() (*model.Entity, *World) {
	e := entity("Order", 2, attr("customer", model.TypeString), attr("id", model.TypeString),
		attr("total", model.TypeNumber), attr("at", model.TypeDatetime), attr("note?", model.TypeString))
	order := func(customer, id string, total int64, at string, note ...string) model.Instance {
		item := model.Item{"customer": str(customer), "id": str(id), "total": num(total), "at": str(at)}
		if len(note) > 0 {
			item["note"] = str(note[0])
		}
		return of(e, item)
	}
	return e, NewWorld([]model.Instance{
		order("a", "1", 10, "2026-01-01T00:00:00Z"),
		order("a", "2", 9, "2026-01-02T00:00:00Z", "gift"),
		order("a", "3", 10, "2026-01-02T00:00:00Z"),
		order("a#b", "1", 100, "2026-01-03T00:00:00Z"),
	})
}

// ids are the customers and ids of instances, in order.
func ids(instances []model.Instance) string {
	var out []string
	for _, in := range instances {
		out = append(out, in.Item["customer"].Text()+"/"+in.Item["id"].Text())
	}
	return strings.Join(out, " ")
}

func by(attribute string, desc bool) []model.OrderBy {
	return []model.OrderBy{{Attribute: attribute, Desc: desc}}
}

func TestQuery(t *testing.T) {
	e, w := orders()
	for name, test := range map[string]struct {
		where, filter string
		pinned        bool
		order         []model.OrderBy
		limit         int
		args          model.Args
		matches       string
		want          int
	}{
		"all of a customer":       {where: "customer = $c", args: model.Args{"c": str("a")}, matches: "a/1 a/2 a/3", want: 3},
		"no prefix of another":    {where: "customer = $c", args: model.Args{"c": str("a#")}, matches: "", want: 0},
		"everything":              {matches: "a/1 a/2 a/3 a#b/1", want: 4},
		"order, ties as they are": {where: "customer = 'a'", order: by("at", true), matches: "a/2 a/3 a/1", want: 3},
		"numbers by value":        {order: by("total", false), matches: "a/2 a/1 a/3 a#b/1", want: 4},
		"limit cuts":              {order: by("total", true), limit: 2, matches: "a#b/1 a/1 a/3 a/2", want: 2},
		"limit beyond":            {limit: 20, matches: "a/1 a/2 a/3 a#b/1", want: 4},
		"an absent attribute":     {order: by("note", false), matches: "a/1 a/3 a#b/1 a/2", want: 4},
		"filter restricts":        {filter: "total >= 10", matches: "a/1 a/3 a#b/1", want: 3},
		"filter of a pinned call": {where: "customer = 'a'", filter: "total > 99", pinned: true, matches: "a/1 a/2 a/3", want: 3},
		"optional given":          {where: "customer = 'a' AND total > $over?", args: model.Args{"over": num(9)}, matches: "a/1 a/3", want: 2},
		"optional left out":       {where: "customer = 'a' AND total > $over?", matches: "a/1 a/2 a/3", want: 3},
	} {
		t.Run(name, func(t *testing.T) {
			p := &model.Pattern{Operation: model.Query, Entities: []*model.Entity{e}, Order: test.order, Limit: test.limit,
				Where: condition(t, test.where), Filter: condition(t, test.filter)}
			if test.pinned {
				p.Key = []*model.KeyCondition{{}}
			}
			a := w.Read(Call{Pattern: p, Args: test.args, Now: testNow})
			if got := ids(a.Matches); got != test.matches || a.Want != test.want {
				t.Errorf("%q, want %d; should be %q, want %d", got, a.Want, test.matches, test.want)
			}
		})
	}
}

func TestPrefixAllowsAnyOrderAmongTies(t *testing.T) {
	e, w := orders()
	p := &model.Pattern{Operation: model.Query, Entities: []*model.Entity{e}, Order: by("total", true), Limit: 2}
	a := w.Read(Call{Pattern: p})
	all := w.Instances()
	for _, test := range []struct {
		positions []int
		want      bool
	}{
		{[]int{3, 0}, true}, {[]int{3, 2}, true}, {[]int{3}, true}, {nil, true},
		{[]int{3, 1}, false}, {[]int{0, 3}, false}, {[]int{3, 0, 2, 1, 1}, false},
	} {
		var got []model.Instance
		for _, i := range test.positions {
			got = append(got, all[i])
		}
		if a.Prefix(got) != test.want {
			t.Errorf("%v: %v, want %v", test.positions, !test.want, test.want)
		}
	}
}

func TestScanAndEntities(t *testing.T) {
	order, w := orders()
	other := entity("Other", 1, attr("customer", model.TypeString), attr("id", model.TypeString))
	w = NewWorld(append(slices.Clone(w.Instances()), of(other, model.Item{"customer": str("a"), "id": str("x")})))
	for _, test := range []struct {
		p    model.Pattern
		want string
	}{
		{model.Pattern{Operation: model.Scan, All: true}, "a/1 a/2 a/3 a#b/1 a/x"},
		{model.Pattern{Operation: model.Scan, Entities: []*model.Entity{other}}, "a/x"},
		{model.Pattern{Operation: model.Query, Entities: []*model.Entity{order, other}, Where: condition(t, "customer = 'a' AND Order.id = '1'", order)}, "a/1 a/x"},
		{model.Pattern{Operation: model.PartiQL, Statement: &model.Statement{Returns: []*model.Entity{other}}}, "a/x"},
	} {
		if got := ids(w.Read(Call{Pattern: &test.p}).Matches); got != test.want {
			t.Errorf("%s: %q, want %q", test.p.Operation, got, test.want)
		}
	}
}

func TestGets(t *testing.T) {
	e, w := orders()
	param := func(name string) *model.Parameter { return &model.Parameter{Name: name, Like: e.Attribute(name)} }
	key := []*model.Parameter{param("customer"), param("id")}
	pair := func(customer, id string) value.Value {
		return value.OfMap(value.Field{Name: "customer", Value: str(customer)}, value.Field{Name: "id", Value: str(id)})
	}
	get := model.Pattern{Operation: model.Get, Entities: []*model.Entity{e}, Parameters: key}
	filtered := get
	filtered.Filter = condition(t, "total < 10")
	batch := model.Pattern{Operation: model.BatchGet, Entities: []*model.Entity{e},
		Parameters: []*model.Parameter{{Name: "keys", List: true, Fields: key}}}
	steps := model.Pattern{Operation: model.TransactGet, Parameters: key, Steps: []*model.Step{
		{Operation: model.Get, Entity: e, Inputs: inputs(e, "customer", "id")},
		{Operation: model.Get, Entity: e, Inputs: []*model.Assignment{inputs(e, "customer")[0],
			{Attribute: e.Attribute("id"), Value: &expr.Literal{Value: str("3")}}}},
	}}
	for i, test := range []struct {
		p    *model.Pattern
		args model.Args
		want string
	}{
		{&get, model.Args{"customer": str("a"), "id": str("2")}, "a/2"},
		{&get, model.Args{"customer": str("b"), "id": str("2")}, ""},
		{&filtered, model.Args{"customer": str("a"), "id": str("2")}, "a/2"},
		{&filtered, model.Args{"customer": str("a"), "id": str("1")}, ""},
		{&batch, model.Args{"keys": value.OfList(pair("a", "3"), pair("a#b", "1"), pair("x", "1"))}, "a/3 a#b/1"},
		{&steps, model.Args{"customer": str("a"), "id": str("1")}, "a/1 a/3"},
	} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			if got := ids(w.Read(Call{Pattern: test.p, Args: test.args}).Matches); got != test.want {
				t.Errorf("%q, want %q", got, test.want)
			}
		})
	}
}

func TestGetThroughTheIdentitysLetterCase(t *testing.T) {
	e := entity("User", 1, attr("customer", model.TypeString))
	e.Identity[0].Funcs = []expr.Func{{Name: expr.Lower}}
	w := NewWorld([]model.Instance{of(e, model.Item{"customer": str("Ada"), "id": str("1")})})
	p := &model.Pattern{Operation: model.Get, Entities: []*model.Entity{e}, Parameters: []*model.Parameter{{Name: "customer"}}}
	if got := ids(w.Read(Call{Pattern: p, Args: model.Args{"customer": str("ADA")}}).Matches); got != "Ada/1" {
		t.Errorf("got %q", got)
	}
}

func TestSensible(t *testing.T) {
	e, _ := orders()
	day := 24 * time.Hour
	for _, test := range []struct {
		where    string
		span     time.Duration
		from, to string
		want     bool
	}{
		{"at BETWEEN $from AND $to", 0, "2026-01-01T00:00:00Z", "2026-01-01T00:00:00Z", true},
		{"at BETWEEN $from AND $to", 0, "2026-01-02T00:00:00Z", "2026-01-01T00:00:00Z", false},
		{"at BETWEEN $from AND $to", day, "2026-01-01T00:00:00Z", "2026-01-02T00:00:00Z", true},
		{"at BETWEEN $from AND $to", day, "2026-01-01T00:00:00Z", "2026-01-02T00:00:01Z", false},
		{"at >= $from AND $to > at", day, "2026-01-01T00:00:00Z", "2026-01-03T00:00:00Z", false},
		{"at > $from AND customer = $to", day, "2026-01-01T00:00:00Z", "a", true},
		{"at > $from AND at <= $now", 30 * day, "2026-01-01T00:00:00Z", "", true},
		{"at > $from AND at <= $now", day, "2026-01-01T00:00:00Z", "", false},
	} {
		p := &model.Pattern{Operation: model.Query, Entities: []*model.Entity{e}, Where: condition(t, test.where), Span: test.span}
		c := Call{Pattern: p, Args: model.Args{"from": str(test.from), "to": str(test.to)}, Now: testNow}
		if got := c.Sensible(); got != test.want {
			t.Errorf("%s from %s to %s within %v: %v", test.where, test.from, test.to, test.span, got)
		}
	}
}

func TestUnmet(t *testing.T) {
	_, w := orders()
	where := condition(t, "customer = $c AND total > $n AND at >= '2026-01-01'")
	c := Call{Pattern: &model.Pattern{}, Args: model.Args{"c": str("x"), "n": num(9)}}
	in := w.Instances()[1]
	var got []string
	for _, term := range c.Unmet(where, in) {
		got = append(got, expr.String(term))
	}
	if s := strings.Join(got, ", "); s != "customer = $c, total > $n" {
		t.Errorf("unmet: %s", s)
	}
	attr := &expr.Attr{Path: expr.Path{Name: "total"}}
	if v := c.ValueBeside(&expr.Param{Name: "n"}, attr, in); v.String() != "9" {
		t.Errorf("value: %s", v)
	}
}
