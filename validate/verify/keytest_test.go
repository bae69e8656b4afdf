package verify

import (
	"testing"

	"github.com/dynmodel/dynmodel/model/plan"
	"github.com/dynmodel/dynmodel/model/value"
)

func TestKeyTests(t *testing.T) {
	values := map[string]value.Value{":a": value.OfString("A#1"), ":b": value.OfString("B#" + plan.Max), ":n": value.OfInt(9)}
	names := map[string]string{"#p": "PK", "#s": "SK"}
	item := plan.Stored{"PK": value.OfString("A#1"), "SK": value.OfString("A#10"), "N": value.OfInt(10)}
	for _, test := range []struct {
		condition, text string
		holds           bool
	}{
		{"#p = :a", `PK = "A#1"`, true},
		{"#p = :a AND begins_with(#s, :a)", `PK = "A#1" AND begins_with(SK, "A#1")`, true},
		{"#p = :a AND #s BETWEEN :a AND :b", `PK = "A#1" AND SK BETWEEN "A#1" AND "B#{MAX}"`, true},
		{"#p = :a AND #s > :b", `PK = "A#1" AND SK > "B#{MAX}"`, false},
		{"#p = :a AND #s <= :a", `PK = "A#1" AND SK <= "A#1"`, false},
		{"#p = :a AND N > :n", `PK = "A#1" AND N > 9`, true},
		{"#p = :a AND N < :n", `PK = "A#1" AND N < 9`, false},
		{"#p = :a AND N >= :n AND #s < :b", `PK = "A#1" AND N >= 9 AND SK < "B#{MAX}"`, true},
		{"#p = :n", `PK = 9`, false},
		{"begins_with(X, :a)", `begins_with(X, "A#1")`, false},
	} {
		tests := keyTests(plan.Request{KeyCondition: test.condition, Names: names, Values: values})
		_, fails := failing(tests, item)
		if got := joined(tests); got != test.text || fails == test.holds {
			t.Errorf("%s: %s, holds %v; want %s, %v", test.condition, got, !fails, test.text, test.holds)
		}
	}
}
