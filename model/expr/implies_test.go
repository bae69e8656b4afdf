package expr_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/dynmodel/dynmodel/model/expr"
	"github.com/dynmodel/dynmodel/model/value"
)

// domains are those of the attributes in these tests; what is not here is unknown.
func domains(a *expr.Attr) expr.Domain {
	switch a.Path.String() {
	case "status":
		return expr.Domain{Kind: value.String, Required: true, Values: words("open", "done", "void")}
	case "kind":
		return expr.Domain{Kind: value.String, Values: words("a", "b")}
	case "n":
		return expr.Domain{Kind: value.Number, Whole: true, Required: true, Min: value.OfInt(0), Max: value.OfInt(3)}
	case "flag":
		return expr.Domain{Kind: value.Bool, Required: true}
	case "email":
		return expr.Domain{Kind: value.String, Required: true, Stored: expr.Lower}
	case "size":
		return expr.Domain{Kind: value.String, Required: true, Stored: expr.Upper, Values: words("small", "Large")}
	case "at":
		return expr.Domain{Kind: value.String, Required: true}
	}
	return expr.Domain{}
}

func words(list ...string) []value.Value {
	out := make([]value.Value, len(list))
	for i, w := range list {
		out[i] = value.OfString(w)
	}
	return out
}

func TestImplies(t *testing.T) {
	tests := []struct {
		known, goal string
		want        bool
	}{
		{"status = 'open'", "status = 'open'", true},
		{"status = 'open' AND x = 1", "status = 'open'", true},
		{"x = 1", "x = 2", false},
		{"x = $p", "x = $p", true},
		{"$p = x", "x = $p", true},
		{"x = $p", "x = $q", false},
		{"x = $p OR x = $q", "attribute_exists(x)", true},
		{"x <> 1", "attribute_exists(x)", false},
		{"NOT x < 1", "attribute_exists(x)", false},
		{"NOT x < 1", "x >= 1", false},
		{"NOT n < 1", "n >= 1", true},
		{"a.b = 1", "attribute_exists(a)", true},
		{"size(x) > 0", "attribute_exists(x)", true},
		{"lower(x) = $p", "attribute_exists(x)", true},
		{"begins_with(x, $p)", "attribute_exists(x)", true},
		{"x IN $list", "attribute_exists(x)", true},
		{"x IN $list", "x IN $list", true},
		{"x BETWEEN $a AND $b", "x >= $a AND x <= $b AND attribute_exists(x)", true},
		{"x >= $a AND x <= $b", "x BETWEEN $a AND $b", true},
		{"x > $a", "x >= $a AND x <> $a", true},
		{"x >= $a AND x <> $a", "x > $a", true},
		{"x >= $a", "x > $a", false},
		{"x IN ('open', 'done')", "x IN ('done', 'open', 'void')", true},
		{"x IN ('open', 'done')", "x = 'open'", false},
		{"x IN ($a, $b)", "x = $a OR x = $b", true},
		{"x = 5", "x > 3 AND x BETWEEN 5 AND 6 AND x <> 4", true},
		{"x > 5", "x > 3", true},
		{"x > 3", "x > 5", false},
		{"x > 3 AND x < 3", "y = 1", true},
		{"x BETWEEN 3 AND 5", "x >= 2 AND x < 6", true},
		{"x = 'abc'", "begins_with(x, 'ab') AND contains(x, 'bc')", true},
		{"begins_with(x, 'abc')", "begins_with(x, 'ab')", true},
		{"begins_with(x, 'ab')", "begins_with(x, 'abc')", false},
		{"begins_with(x, 'b')", "x > 'az'", true},
		{"status <> 'open' AND status <> 'done'", "status = 'void'", true},
		{"status <> 'open'", "status IN ('done', 'void')", true},
		{"kind <> 'a'", "kind = 'b'", false},
		{"kind <> 'a' AND attribute_exists(kind)", "kind = 'b'", true},
		{"status = 'other'", "y = 1", true},
		{"n > 2", "n = 3", true},
		{"n < 1", "n = 0", true},
		{"x > 2 AND x < 4", "x = 3", false},
		{"NOT flag = true", "flag = false", true},
		{"attribute_exists(flag)", "flag = true", false},
		{"email = 'ADA@x'", "email = 'ada@X'", true},
		{"size <> 'small'", "size IN ('LARGE', 'x')", true},
		{"at >= $now", "at >= $now", true},
		{"at >= $now - 5m", "at > $now - 5m", false},
		{"NOT (x = 1 OR y = 2)", "x <> 1 AND y <> 2", true},
		{"x = 1 OR (y = 2 AND z = 3)", "(x = 1 OR y = 2) AND (x = 1 OR z = 3)", true},
		{"contains(tags, 'x')", "contains(tags, 'x')", true},
		{"contains(tags, 'xy')", "contains(tags, 'x')", false},
		{"attribute_not_exists(x)", "x <> 1 AND NOT x > 2", true},
		{"attribute_not_exists(a)", "attribute_not_exists(a.b)", true},
		{"x = 'a'", "x <> 1", true},
	}
	for _, tt := range tests {
		if got := expr.Implies(cond(t, tt.known), cond(t, tt.goal), domains); got != tt.want {
			t.Errorf("%s  implies  %s: got %v", tt.known, tt.goal, got)
		}
	}
	if !expr.Implies(nil, nil, nil) || !expr.Implies(cond(t, "x = 1"), nil, nil) || expr.Implies(nil, cond(t, "x = 1"), nil) {
		t.Error("nil is a condition that always holds")
	}
	if !expr.Implies(nil, cond(t, "attribute_exists(status)"), domains) {
		t.Error("a required attribute is always there")
	}
	if !expr.Impossible(cond(t, "status = 'x' OR n > 3"), domains) || expr.Impossible(cond(t, "n > 2"), domains) || expr.Impossible(nil, nil) {
		t.Error("Impossible")
	}
}

// TestImpliesIsFast holds that a condition with more cases than can be told
// apart is given up, and not followed for ever.
func TestImpliesIsFast(t *testing.T) {
	clause := "(a = $p OR b = $q OR c = $r)"
	known := cond(t, strings.Repeat(clause+" AND ", 60)+clause)
	if expr.Implies(known, cond(t, "d = 1"), nil) {
		t.Error("d does not follow")
	}
}

// TestImpliesSound compares with evaluating conditions over every item of a
// small domain: what is implied must hold wherever the known condition does.
func TestImpliesSound(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	g := generator{r}
	worlds := allWorlds()
	implied, missed := 0, 0
	for range 2000 {
		known, goal := g.cond(3), g.cond(2)
		got := expr.Implies(known, goal, domains)
		counter := slices.IndexFunc(worlds, func(w world) bool { return w.holds(known) && !w.holds(goal) })
		switch {
		case got && counter >= 0:
			t.Fatalf("%s\ndoes not imply\n%s\nfor %v", expr.String(known), expr.String(goal), worlds[counter])
		case got:
			implied++
		case counter < 0:
			missed++
		}
	}
	t.Logf("%d implied, %d missed", implied, missed)
	if implied < 5*missed {
		t.Errorf("%d implications proved, %d missed: the proof has become too weak", implied, missed)
	}
}

// TestNormal holds that the normal form, and its negation, mean the same.
func TestNormal(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	g := generator{r}
	worlds := allWorlds()
	for range 200 {
		c := g.cond(3)
		normal, negated := expr.Normal(c), expr.Negate(c)
		for _, w := range worlds {
			if w.holds(c) != w.holds(normal) || w.holds(c) == w.holds(negated) {
				t.Fatalf("%s\nnormal  %s\nnegated %s\nfor %v", expr.String(c), expr.String(normal), expr.String(negated), w)
			}
		}
	}
}

// generator makes random conditions over few attributes, so that they meet.
type generator struct{ r *rand.Rand }

func pick[T any](r *rand.Rand, list ...T) T { return list[r.IntN(len(list))] }

func (g generator) cond(depth int) expr.Cond {
	if depth > 0 {
		switch g.r.IntN(5) {
		case 0, 1:
			return expr.All(g.cond(depth-1), g.cond(depth-1))
		case 2:
			return &expr.Or{Terms: []expr.Cond{g.cond(depth - 1), g.cond(depth - 1)}}
		case 3:
			return &expr.Not{Term: g.cond(depth - 1)}
		}
	}
	return g.atom()
}

func (g generator) atom() expr.Cond {
	x := g.attr()
	switch g.r.IntN(8) {
	case 0:
		return &expr.Test{Name: pick(g.r, expr.AttributeExists, expr.AttributeNotExists), X: x}
	case 1:
		return &expr.Between{X: x, Low: g.operand(x), High: g.operand(x)}
	case 2:
		return &expr.In{X: x, List: []expr.Operand{g.operand(x), g.operand(x)}}
	case 3:
		arg := &expr.Literal{Value: value.OfString(pick(g.r, "", "o", "op", "a", "d"))}
		return &expr.Test{Name: pick(g.r, expr.BeginsWith, expr.Contains), X: x, Arg: arg}
	}
	op := pick(g.r, expr.Eq, expr.Ne, expr.Lt, expr.Le, expr.Gt, expr.Ge)
	if g.r.IntN(4) == 0 {
		return &expr.Compare{Op: op, Left: g.operand(x), Right: x}
	}
	return &expr.Compare{Op: op, Left: x, Right: g.operand(x)}
}

func (g generator) attr() *expr.Attr {
	return &expr.Attr{Path: expr.Path{Name: pick(g.r, "status", "kind", "n", "flag", "x")}}
}

// operand is what x may be compared with.
func (g generator) operand(x *expr.Attr) expr.Operand {
	switch n := g.r.IntN(10); {
	case n == 0:
		return &expr.Param{Name: "p"}
	case n == 1:
		return g.attr()
	}
	switch x.Path.Name {
	case "n":
		return &expr.Literal{Value: value.OfInt(int64(g.r.IntN(5)))}
	case "flag":
		return &expr.Literal{Value: value.OfBool(g.r.IntN(2) == 0)}
	case "x":
		return &expr.Literal{Value: pick(g.r, value.OfInt(1), value.OfInt(2), value.OfString("a"), value.OfString("o"))}
	}
	return &expr.Literal{Value: value.OfString(pick(g.r, "open", "done", "void", "a", "b"))}
}

// world is an item, and the parameter p.
type world map[string]value.Value

// allWorlds are all items over a small domain; x is anything, or not there.
func allWorlds() []world {
	xs := append(words("", "a", "ab", "o"), value.Value{}, value.OfInt(1), value.OfInt(3), value.OfBool(true))
	ps := append(words("a", "open"), value.OfInt(1), value.OfBool(false))
	var out []world
	for _, status := range words("open", "done", "void") {
		for _, kind := range append(words("a", "b"), value.Value{}) {
			for n := range int64(4) {
				for _, flag := range []bool{false, true} {
					for _, x := range xs {
						for _, p := range ps {
							out = append(out, world{"status": status, "kind": kind, "n": value.OfInt(n), "flag": value.OfBool(flag), "x": x, "$p": p})
						}
					}
				}
			}
		}
	}
	return out
}

func (w world) value(o expr.Operand) value.Value {
	switch o := o.(type) {
	case *expr.Attr:
		return w[o.Path.Name]
	case *expr.Param:
		return w["$"+o.Name]
	case *expr.Literal:
		return o.Value
	}
	panic("no such operand in these tests")
}

// holds evaluates a condition as DynamoDB does.
func (w world) holds(c expr.Cond) bool {
	switch c := c.(type) {
	case *expr.And:
		return !slices.ContainsFunc(c.Terms, func(t expr.Cond) bool { return !w.holds(t) })
	case *expr.Or:
		return slices.ContainsFunc(c.Terms, w.holds)
	case *expr.Not:
		return !w.holds(c.Term)
	case *expr.Compare:
		return holdsBetween(c.Op, w.value(c.Left), w.value(c.Right))
	case *expr.Between:
		x := w.value(c.X)
		return holdsBetween(expr.Ge, x, w.value(c.Low)) && holdsBetween(expr.Le, x, w.value(c.High))
	case *expr.In:
		return slices.ContainsFunc(c.List, func(o expr.Operand) bool { return holdsBetween(expr.Eq, w.value(c.X), w.value(o)) })
	case *expr.Test:
		return w.test(c)
	}
	panic("no such condition in these tests")
}

func (w world) test(t *expr.Test) bool {
	x := w.value(t.X)
	switch t.Name {
	case expr.AttributeExists:
		return x.Exists()
	case expr.AttributeNotExists:
		return !x.Exists()
	case expr.BeginsWith:
		return x.Kind() == value.String && strings.HasPrefix(x.Text(), w.value(t.Arg).Text())
	}
	return x.Kind() == value.String && strings.Contains(x.Text(), w.value(t.Arg).Text())
}

func holdsBetween(op expr.Op, a, b value.Value) bool {
	same := a.Exists() && value.Equal(a, b)
	switch op {
	case expr.Eq:
		return same
	case expr.Ne:
		return !same
	}
	c, ordered := value.Compare(a, b)
	return ordered && map[expr.Op]bool{expr.Lt: c < 0, expr.Le: c <= 0, expr.Gt: c > 0, expr.Ge: c >= 0}[op]
}
