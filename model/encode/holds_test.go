package encode_test

import (
	"testing"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/encode"
	"github.com/dynmodel/dynmodel/model/expr"
	"github.com/dynmodel/dynmodel/model/value"
)

func TestHolds(t *testing.T) {
	email := attr("email: email")
	email.Stored = expr.Lower
	e := entity(t, "E", []*model.Attribute{attr("s: string"), attr("n: integer"), attr("flag: boolean"), attr("at: datetime"), email})
	it := item(map[string]any{
		"s": "héllo", "n": 5, "flag": true, "at": "2026-01-05T09:00:00Z", "email": "ada@x",
		"tags": value.OfSet(value.StringSet, val("a"), val("b")), "list": value.OfList(val(1), val("x")),
		"map": value.OfMap(value.Field{Name: "k", Value: val("v")}), "bin": value.OfBinary("\x01\x02"),
	})
	holds := []string{
		"s = 'héllo'", "s <> 'x'", "n > 4 AND n < 6 AND n >= 5 AND n <= 5", "n BETWEEN 5 AND 6", "n IN (1, 5)", "5 = n", "4 < n",
		"flag = true", "NOT flag = false", "gone <> 1", "NOT gone = 1", "NOT gone < 1", "gone <> other", "n <> '5'", "NOT n < '6'", "NOT flag <= true",
		"attribute_exists(map.k)", "attribute_not_exists(map.z)", "attribute_not_exists(s.k)", "list[1] = 'x'", "attribute_not_exists(list[2])", "map.k = 'v'",
		"begins_with(s, 'hé')", "contains(s, 'llo')", "contains(tags, 'a')", "contains(list, 1)", "NOT contains(list, 2)", "NOT begins_with(n, '5')",
		"attribute_type(s, 'S')", "attribute_type(tags, 'SS')", "NOT attribute_type(gone, 'S')",
		"size(s) = 5", "size(tags) = 2", "size(list) = 2", "size(map) = 1", "size(bin) = 2", "NOT size(n) >= 0", "NOT size(gone) = 0",
		"email = 'ADA@X'", "email IN ('ADA@x')", "email BETWEEN 'ADA@A' AND 'ADA@Z'", "begins_with(email, 'ADA')", "'ADA@X' = email",
		"day(at) = '2026-01-05'", "upper(s) = 'HÉLLO'", "pad(n, 3) = '005'", "NOT day(s) = '2026-01-05'", "lower(gone) <> 'x'",
		"s = 'x' OR n = 5", "s = 'héllo' AND NOT (n = 1 OR flag = false)",
		"n <> $p", "NOT n = $now",
	}
	for _, text := range holds {
		c, problem := expr.ParseCond(input(text))
		if problem != nil {
			t.Errorf("%s: %s", text, problem)
			continue
		}
		if !encode.Holds(c, e, it) {
			t.Errorf("%s does not hold", text)
		}
		if encode.Holds(&expr.Not{Term: c}, e, it) {
			t.Errorf("NOT (%s) holds", text)
		}
	}
}
