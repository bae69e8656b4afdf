package expr_test

import (
	"testing"

	"github.com/dynmodel/dynmodel/model/expr"
)

// FuzzCond holds that any text is read or refused, that a problem lies within
// the text, and that what is read prints as a text that reads the same.
func FuzzCond(f *testing.F) {
	for _, seed := range []string{
		"a = 1 AND (b <> 'it''s' OR NOT c BETWEEN 1 AND $x?)",
		"Order.a.b[0] IN (1, -2.5E3, null) OR d IN $list",
		"begins_with(lower(`in`), pad(x, 3)) AND size(a) > $now - 5m",
		"a = [1, {b: <<'x'>>}] AND (a - (b + c)) < 1",
		`a == "x" && :b != #c`,
		"((((a = 1", "a = $", "a. = 5x", "`", "'", "\xff\x00",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		c, problem := expr.ParseCond(input(text))
		if problem != nil {
			checkWithin(t, text, problem)
			return
		}
		printed := expr.String(c)
		again, problem := expr.ParseCond(input(printed))
		if problem != nil && len(printed) > len(text) {
			return // a long number or a bracket made it too long or too deep
		}
		if problem != nil {
			t.Fatalf("%q prints as %q: %s", text, printed, problem)
		}
		if !expr.Equal(c, again) || expr.String(again) != printed {
			t.Fatalf("%q prints as %q, which reads as %q", text, printed, expr.String(again))
		}
	})
}

// FuzzUpdate is FuzzCond for update expressions.
func FuzzUpdate(f *testing.F) {
	for _, seed := range []string{
		"SET a = a + 1, b = if_not_exists(c.d[1], []) REMOVE e ADD f 1 DELETE g <<'x'>>",
		"SET a += 1", "REMOVE", "SET a = 1 SET b = 2",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		u, problem := expr.ParseUpdate(input(text))
		if problem != nil {
			checkWithin(t, text, problem)
			return
		}
		printed := expr.String(u)
		again, problem := expr.ParseUpdate(input(printed))
		if problem != nil && len(printed) > len(text) {
			return
		}
		if problem != nil || !expr.EqualUpdates(u, again) {
			t.Fatalf("%q prints as %q, which reads differently (%v)", text, printed, problem)
		}
	})
}

// FuzzTemplate holds that any text is read or refused, and that the parts of a
// template cover its text without gaps.
func FuzzTemplate(f *testing.F) {
	for _, seed := range []string{"A#{b|pad(3)}#{{x}}", "{random(3)}{a.b[1]|lower|prefix(2)}", "${a}", "{", "}", "{'}'}"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		parts, problem := expr.ParseTemplate(input(text))
		if problem != nil {
			checkWithin(t, text, problem)
			return
		}
		end := 1 // where the text begins in its file
		for _, p := range parts {
			if p.At.Start != end {
				t.Fatalf("%q: a part begins at %d, the one before it ends at %d", text, p.At.Start, end)
			}
			end = p.At.End
		}
		if end != 1+len(text) {
			t.Fatalf("%q: the parts end at %d", text, end)
		}
	})
}

func checkWithin(t *testing.T, text string, p *expr.Problem) {
	t.Helper()
	if p.Message == "" || p.At.Start < 1 || p.At.End > 1+len(text) {
		t.Fatalf("%q: problem %q at %d to %d", text, p, p.At.Start, p.At.End)
	}
}
