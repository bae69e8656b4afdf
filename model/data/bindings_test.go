package data_test

import (
	"slices"
	"testing"
	"time"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/data"
	"github.com/dynmodel/dynmodel/model/encode"
	"github.com/dynmodel/dynmodel/model/value"
)

// calls are the calls of a pattern of one of the models, with its world.
func calls(t *testing.T, file, pattern string) (*model.Model, *data.World, []data.Binding) {
	t.Helper()
	for _, m := range models(t) {
		if p := m.Pattern(pattern); m.Name == file && p != nil {
			g := data.New(m, data.Options{})
			w := g.World(p)
			return m, w, g.Bindings(p, w)
		}
	}
	t.Fatalf("no pattern %s in %s", pattern, file)
	return nil, nil, nil
}

// Every call brings what the pattern needs, in the parameters' domains, and no
// call comes twice.
func TestCallsAreValid(t *testing.T) {
	each(t, func(t *testing.T, m *model.Model, p *model.Pattern) {
		g := data.New(m, data.Options{})
		bindings := g.Bindings(p, g.World(p))
		if len(bindings) == 0 || len(bindings) > 100 {
			t.Errorf("%d calls", len(bindings))
		}
		seen := map[string]bool{}
		for _, b := range bindings {
			text := b.Now.String()
			for _, q := range p.Parameters {
				v := b.Args[q.Name]
				if q.Name == p.Token {
					continue
				}
				text += q.Name + v.String()
				if !v.Exists() {
					if !q.Optional && !q.MayBeAbsent {
						t.Errorf("%s: $%s is missing in %v", b.Note, q.Name, b.Args)
					}
					continue
				}
				checkParameter(t, b, q, v)
			}
			if seen[text] {
				t.Errorf("%s: %v comes twice", b.Note, b.Args)
			}
			seen[text] = true
			for name := range b.Args {
				if p.Parameter(name) == nil && name != p.Token {
					t.Errorf("%s: no parameter is named %s", b.Note, name)
				}
			}
		}
	})
}

func checkParameter(t *testing.T, b data.Binding, q *model.Parameter, v value.Value) {
	t.Helper()
	if !q.List {
		if q.Declared != nil && !data.Valid(q.Declared, v) {
			t.Errorf("%s: $%s = %v is outside its domain", b.Note, q.Name, v)
		}
		return
	}
	items := v.Items()
	if v.Kind() != value.List || len(items) == 0 {
		t.Errorf("%s: $%s = %v is no list of something", b.Note, q.Name, v)
	}
	if q.Max > 0 && len(items) > int(q.Max) {
		t.Errorf("%s: $%s has %d members, more than %d", b.Note, q.Name, len(items), q.Max)
	}
	for i, item := range items {
		if slices.ContainsFunc(items[:i], func(o value.Value) bool { return value.Equal(o, item) }) {
			t.Errorf("%s: $%s has %v twice", b.Note, q.Name, item)
		}
		for _, f := range q.Fields {
			if got := item.Field(f.Name); !got.Exists() && !f.Optional && !f.MayBeAbsent {
				t.Errorf("%s: $%s lacks %s in %v", b.Note, q.Name, f.Name, item)
			} else if got.Exists() && f.Domain() != nil && !data.Valid(f.Domain(), got) {
				t.Errorf("%s: $%s.%s = %v is outside its domain", b.Note, q.Name, f.Name, got)
			}
		}
	}
}

// The ends of ranges are in order and within the span, $now among them.
func TestRangesAreInOrder(t *testing.T) {
	for _, tt := range []struct {
		file, pattern string
		span          time.Duration
	}{
		{"shop", "open-orders", 6 * 24 * time.Hour},
		{"tenants", "docs-since", 0},
		{"tenants", "docs-lately", 2 * 24 * time.Hour},
		{"kinds", "events", 0},
		{"kinds", "events-of-day", 3 * 24 * time.Hour},
	} {
		_, _, bindings := calls(t, tt.file, tt.pattern)
		narrow := 0
		for _, b := range bindings {
			from, ok := encode.Time(b.Args["from"], model.TypeDatetime)
			if !ok {
				continue // left out
			}
			to, ok := encode.Time(b.Args["to"], model.TypeDatetime)
			if tt.pattern == "docs-lately" {
				to, ok = b.Now, true
			}
			if !ok {
				continue // left out
			}
			if to.Before(from) || tt.span > 0 && to.Sub(from) > tt.span {
				t.Errorf("%s: from %v to %v", tt.pattern, from, to)
			}
			if to.Sub(from) < time.Hour {
				narrow++
			}
		}
		if len(bindings) < 20 || narrow == 0 || narrow == len(bindings) {
			t.Errorf("%s: %d calls, %d of them narrow", tt.pattern, len(bindings), narrow)
		}
	}
}

// Every combination of optional parameters is called, each several times.
func TestOptionalParameters(t *testing.T) {
	_, _, bindings := calls(t, "tenants", "docs-since")
	count := map[[2]bool]int{}
	for _, b := range bindings {
		_, from := b.Args["from"]
		_, to := b.Args["to"]
		count[[2]bool{from, to}]++
	}
	for _, from := range []bool{true, false} {
		for _, to := range []bool{true, false} {
			if n := count[[2]bool{from, to}]; n < 5 {
				t.Errorf("from %v, to %v: %d calls", from, to, n)
			}
		}
	}
}

// What the calls of each pattern must try.
func TestCallsAreTelling(t *testing.T) {
	type try struct {
		what string
		is   func(w *data.World, m *model.Model, a model.Args) bool
	}
	number := func(v value.Value) int64 { n, _ := v.Int(); return n }
	item := func(w *data.World, m *model.Model, entity, key string, v value.Value) model.Item {
		for _, i := range w.Of(m.Entity(entity)) {
			if value.Equal(i.Item[key], v) {
				return i.Item
			}
		}
		return nil
	}
	scoreLess := func(by int64) func(w *data.World, m *model.Model, a model.Args) bool {
		return func(w *data.World, m *model.Model, a model.Args) bool {
			user := item(w, m, "User", "userId", a["userId"])
			return user != nil && number(user["score"])-number(a["most"]) == by
		}
	}
	tests := []struct {
		file, pattern string
		tries         []try
	}{
		{"shop", "recent-orders", []try{
			{"since is an order's time", func(w *data.World, m *model.Model, a model.Args) bool {
				o := item(w, m, "Order", "placedAt", a["since"])
				return o != nil && value.Equal(o["customerId"], a["customerId"])
			}},
			{"since is just after one", func(_ *data.World, _ *model.Model, a model.Args) bool {
				return a["since"].Text() == "2026-01-01T12:34:57Z"
			}},
			{"since is just before one", func(_ *data.World, _ *model.Model, a model.Args) bool {
				return a["since"].Text() == "2026-01-01T12:34:55Z"
			}},
			{"since is the last time of all", func(_ *data.World, _ *model.Model, a model.Args) bool {
				return a["since"].Text() == "2099-12-31T23:59:59Z"
			}},
			{"a customer that is not there", func(w *data.World, m *model.Model, a model.Args) bool {
				return item(w, m, "Customer", "customerId", a["customerId"]) == nil
			}},
		}},
		{"shop", "register-customer", []try{
			{"an e-mail address that is taken", func(w *data.World, m *model.Model, a model.Args) bool {
				c := item(w, m, "Customer", "email", a["email"])
				return c != nil && !value.Equal(c["customerId"], a["customerId"])
			}},
			{"an e-mail address to be folded", func(_ *data.World, _ *model.Model, a model.Args) bool { return a["email"].Text() == "A@example.com" }},
			{"a customer that is there", func(w *data.World, m *model.Model, a model.Args) bool {
				return item(w, m, "Customer", "customerId", a["customerId"]) != nil
			}},
			{"without a phone", func(_ *data.World, _ *model.Model, a model.Args) bool { return !a["phone"].Exists() }},
		}},
		{"shop", "ship-order", []try{
			{"an order that is paid", func(w *data.World, m *model.Model, a model.Args) bool {
				o := item(w, m, "Order", "orderId", a["orderId"])
				return o != nil && o["status"].Text() == "paid" && value.Equal(o["placedAt"], a["placedAt"])
			}},
			{"an order that is placed", func(w *data.World, m *model.Model, a model.Args) bool {
				o := item(w, m, "Order", "orderId", a["orderId"])
				return o != nil && o["status"].Text() == "placed" && value.Equal(o["placedAt"], a["placedAt"])
			}},
			{"an order of another time", func(w *data.World, m *model.Model, a model.Args) bool {
				o := item(w, m, "Order", "orderId", a["orderId"])
				return o != nil && !value.Equal(o["placedAt"], a["placedAt"])
			}},
		}},
		{"shop", "place-order", []try{
			{"one item", func(_ *data.World, _ *model.Model, a model.Args) bool { return len(a["items"].Items()) == 1 }},
			{"two items", func(_ *data.World, _ *model.Model, a model.Args) bool { return len(a["items"].Items()) == 2 }},
			{"twenty items", func(_ *data.World, _ *model.Model, a model.Args) bool { return len(a["items"].Items()) == 20 }},
			{"a customer that is not there", func(w *data.World, m *model.Model, a model.Args) bool {
				return item(w, m, "Customer", "customerId", a["customerId"]) == nil
			}},
		}},
		{"tenants", "change-plan", []try{
			{"what the condition lets through", func(w *data.World, m *model.Model, a model.Args) bool {
				u := item(w, m, "User", "userId", a["userId"])
				return u != nil && number(u["score"]) < number(a["most"]) && !value.Equal(u["plan"], a["plan"])
			}},
			{"the bound is the score", scoreLess(0)},
			{"the bound is just above", scoreLess(-1)},
			{"the bound is just below", scoreLess(1)},
			{"to the greatest score", func(w *data.World, m *model.Model, a model.Args) bool {
				u := item(w, m, "User", "userId", a["userId"])
				return u != nil && number(u["score"])+number(a["n"]) == 1000
			}},
			{"beyond the greatest score", func(w *data.World, m *model.Model, a model.Args) bool {
				u := item(w, m, "User", "userId", a["userId"])
				return u != nil && number(u["score"])+number(a["n"]) == 1001
			}},
		}},
		{"tenants", "users-by-prefix", []try{
			{"all of an identifier", func(w *data.World, m *model.Model, a model.Args) bool {
				return item(w, m, "User", "userId", a["prefix"]) != nil
			}},
			{"the start of one", func(_ *data.World, _ *model.Model, a model.Args) bool { return a["prefix"].Text() == "a" }},
			{"more than one", func(_ *data.World, _ *model.Model, a model.Args) bool { return a["prefix"].Text() == "aba" }},
		}},
		{"tenants", "users-by-plan", []try{
			{"one plan", func(_ *data.World, _ *model.Model, a model.Args) bool { return len(a["plans"].Items()) == 1 }},
			{"both plans", func(_ *data.World, _ *model.Model, a model.Args) bool { return len(a["plans"].Items()) == 2 }},
		}},
		{"tenants", "many-users", []try{
			{"one key", func(_ *data.World, _ *model.Model, a model.Args) bool { return len(a["keys"].Items()) == 1 }},
			{"more than a request takes", func(_ *data.World, _ *model.Model, a model.Args) bool { return len(a["keys"].Items()) == 120 }},
			{"a key of another tenant", func(w *data.World, m *model.Model, a model.Args) bool {
				return slices.ContainsFunc(a["keys"].Items(), func(k value.Value) bool {
					return has(m, w, "User", model.Item{"tenantId": k.Field("tenantId"), "userId": k.Field("userId")}) == 0
				})
			}},
		}},
		{"kinds", "add-event", []try{
			{"an identity that is there, under another key", func(w *data.World, m *model.Model, a model.Args) bool {
				e := item(w, m, "Event", "eventId", a["eventId"])
				return e != nil && !value.Equal(e["at"], a["at"])
			}},
		}},
	}
	for _, tt := range tests {
		m, w, bindings := calls(t, tt.file, tt.pattern)
		for _, try := range tt.tries {
			if !slices.ContainsFunc(bindings, func(b data.Binding) bool { return try.is(w, m, b.Args) }) {
				t.Errorf("%s/%s: no call tries: %s", tt.file, tt.pattern, try.what)
			}
		}
	}
}

// A pattern that speaks of $now is called at several times, others at one.
func TestNow(t *testing.T) {
	for pattern, want := range map[string]int{"sessions": 6, "touch": 6, "members": 1} {
		_, _, bindings := calls(t, "kinds", pattern)
		times := map[time.Time]bool{}
		for _, b := range bindings {
			times[b.Now] = true
		}
		if len(times) != want {
			t.Errorf("%s: %d times, want %d", pattern, len(times), want)
		}
	}
}

// More cases are more calls, and begin with the same.
func TestCases(t *testing.T) {
	m := models(t)[0]
	p := m.Pattern("recent-orders")
	few, many := data.New(m, data.Options{Cases: 30}), data.New(m, data.Options{Cases: 400})
	if n := len(few.Bindings(p, few.World(p))); n != 30 {
		t.Errorf("%d calls, want 30", n)
	}
	if n := len(many.Bindings(p, many.World(p))); n < 150 {
		t.Errorf("%d calls, want many", n)
	}
}

// Calls can be made on any world, even one without items.
func TestCallsWithoutItems(t *testing.T) {
	each(t, func(t *testing.T, m *model.Model, p *model.Pattern) {
		g := data.New(m, data.Options{})
		w := g.World(p)
		for _, n := range []int{0, 1, len(w.Instances) / 2} {
			if len(g.Bindings(p, &data.World{Instances: w.Instances[:n], Now: w.Now})) == 0 {
				t.Errorf("no calls with %d items", n)
			}
		}
	})
}

// Who gives up a run with very many calls does not wait until they are made.
func TestGivenUp(t *testing.T) {
	done := make(chan struct{})
	close(done)
	each(t, func(t *testing.T, m *model.Model, p *model.Pattern) {
		g := data.New(m, data.Options{Cases: 100_000, Done: done})
		if n := len(g.Bindings(p, g.World(p))); n > 1000 {
			t.Errorf("%d calls for nobody", n)
		}
	})
}
