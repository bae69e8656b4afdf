package expr_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/dynmodel/dynmodel/model/expr"
)

// texts writes nodes with bars between them.
func texts[N expr.Node](list []N) string {
	var out []string
	for _, n := range list {
		out = append(out, expr.String(n))
	}
	return strings.Join(out, " | ")
}

func update(t testing.TB, text string) *expr.Update {
	t.Helper()
	u, problem := expr.ParseUpdate(input(text))
	if problem != nil {
		t.Fatalf("%s: %s", text, problem)
	}
	return u
}

func TestWalk(t *testing.T) {
	c := cond(t, "Order.a = $x AND (lower(b) IN ($y?, c) OR NOT begins_with(d.e, $x)) AND f BETWEEN $now - 5m AND $z AND attribute_exists(g)")
	if got, want := texts(expr.Attrs(c)), "Order.a | b | c | d.e | f | g"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if got, want := texts(expr.Params(c)), "$x | $y? | $x | $z"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	u := update(t, "SET a = if_not_exists(b, $x) + 1 REMOVE c ADD d $y DELETE e $z")
	if got, want := texts(expr.Attrs(u)), "a | b | c | d | e"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if got, want := texts(u.Targets()), "a | c | d | e"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if got, want := texts(expr.Params(u)), "$x | $y | $z"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	var none *expr.Update
	if expr.Attrs(nil) != nil || expr.Attrs(none) != nil {
		t.Error("there is nothing to walk")
	}
}

func TestConjuncts(t *testing.T) {
	if got := expr.Conjuncts(nil); got != nil {
		t.Errorf("got %v", got)
	}
	for text, want := range map[string]string{
		"a = 1":                      "a = 1",
		"a = 1 AND (b = 2 OR c = 3)": "a = 1 | b = 2 OR c = 3",
		"a = 1 OR b = 2":             "a = 1 OR b = 2",
	} {
		if got := texts(expr.Conjuncts(cond(t, text))); got != want {
			t.Errorf("%s: got %s, want %s", text, got, want)
		}
	}
	all := expr.All(nil, cond(t, "a = 1"), nil, cond(t, "b = 2 AND c = 3"))
	if got, want := expr.String(all), "a = 1 AND b = 2 AND c = 3"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if expr.All() != nil || expr.All(nil, nil) != nil {
		t.Error("no condition is left")
	}
}

func TestForEntity(t *testing.T) {
	tests := []struct{ text, entity, want string }{
		{"customerId = $c", "Order", "customerId = $c"},
		{"customerId = $c AND Order.status = 'paid'", "Order", "customerId = $c AND status = 'paid'"},
		{"customerId = $c AND Order.status = 'paid'", "Customer", "customerId = $c"},
		{"Order.status = 'paid'", "Customer", ""},
		{"NOT (Order.a = 1 OR lower(Order.b) = 'x')", "Order", "NOT (a = 1 OR lower(b) = 'x')"},
		{"NOT (Order.a = 1 OR b = 2) AND c = 3", "Customer", "c = 3"},
	}
	for _, tt := range tests {
		if got := expr.String(expr.ForEntity(cond(t, tt.text), tt.entity)); got != tt.want {
			t.Errorf("%s for %s: got %s, want %s", tt.text, tt.entity, got, tt.want)
		}
	}
	if expr.ForEntity(nil, "Order") != nil {
		t.Error("nil stays nil")
	}
}

func TestWithoutParams(t *testing.T) {
	absent := func(names ...string) func(string) bool {
		return func(name string) bool { return slices.Contains(names, name) }
	}
	text := "a = $a AND b = $b? AND (c = $c? OR d = 1) AND e IN $e?"
	tests := []struct{ absent, want string }{
		{"", "a = $a AND b = $b AND (c = $c OR d = 1) AND e IN $e"},
		{"b", "a = $a AND (c = $c OR d = 1) AND e IN $e"},
		{"b c e", "a = $a"},
		{"a", "a = $a AND b = $b AND (c = $c OR d = 1) AND e IN $e"},
	}
	for _, tt := range tests {
		got := expr.WithoutParams(cond(t, text), absent(strings.Fields(tt.absent)...))
		if expr.String(got) != tt.want {
			t.Errorf("without %s: got %s, want %s", tt.absent, expr.String(got), tt.want)
		}
	}
	if expr.WithoutParams(cond(t, "a = $a?"), absent("a")) != nil {
		t.Error("nothing is left")
	}
	u := update(t, "SET a = $a?, b = $b REMOVE c ADD d $a?, e $e DELETE f $f?")
	if got, want := expr.String(u.WithoutParams(absent("a", "f"))), "SET b = $b REMOVE c ADD e $e"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if got, want := expr.String(u), "SET a = $a?, b = $b REMOVE c ADD d $a?, e $e DELETE f $f?"; got != want {
		t.Errorf("the update given has become %s", got)
	}
}

func TestFlip(t *testing.T) {
	for op, want := range map[expr.Op]expr.Op{expr.Eq: expr.Eq, expr.Ne: expr.Ne, expr.Lt: expr.Gt, expr.Le: expr.Ge, expr.Gt: expr.Lt, expr.Ge: expr.Le} {
		if got := op.Flip(); got != want {
			t.Errorf("%s: got %s, want %s", op, got, want)
		}
	}
}
