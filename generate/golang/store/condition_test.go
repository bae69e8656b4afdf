package store

import (
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

func TestConditions(t *testing.T) {
	one, two, ten := num("1"), num("2.0"), num("10")
	tags := strSet([]string{"a", "b", "a"})
	item := stored{"n": one, "s": str("abc"), "tags": tags, "list": list([]string{"x", "y"}, str),
		"map": mapOf(map[string]int{"k": 1}, func(int) types.AttributeValue { return one }), "null": null()}
	for name, holds := range map[string]bool{
		"numbers are equal by value":       equal(num("2"), two),
		"texts are not numbers":            !equal(str("1"), one),
		"what is absent equals nothing":    !equal(nil, nil),
		"two that are absent are the same": sameValue(nil, nil),
		"numbers have an order":            less(two, ten) && atMost(two, num("2")) && greater(ten, two) && atLeast(ten, ten),
		"others have none":                 !less(boolean(false), boolean(true)) && !less(nil, one) && !less(str("a"), one),
		"one of some":                      among(one, two, one) && !among(one, two),
		"sets in any order":                equal(tags, strSet([]string{"b", "a"})) && !equal(tags, strSet([]string{"a"})),
		"sets of numbers by value":         equal(numSet([]string{"1", "2"}, func(s string) string { return s }), numSet([]string{"2.0", "1.0"}, func(s string) string { return s })),
		"lists in order":                   !equal(item["list"], list([]string{"y", "x"}, str)),
		"maps by their members":            equal(item["map"], &types.AttributeValueMemberM{Value: stored{"k": num("1.0")}}),
		"beginning":                        beginsWith(item["s"], str("ab")) && !beginsWith(item["s"], str("b")) && !beginsWith(one, str("1")) && beginsWith(bin([]byte("xy")), bin([]byte("x"))),
		"containing":                       contains(item["s"], str("bc")) && contains(tags, str("b")) && contains(item["list"], str("x")) && !contains(tags, one),
		"types":                            equal(typeOf(tags), str("SS")) && equal(typeOf(item["null"]), str("NULL")) && typeOf(nil) == nil,
		"sizes":                            equal(size(item["s"]), num("3")) && equal(size(str("😀")), num("2")) && equal(size(tags), num("2")) && equal(size(item["map"]), one) && size(one) == nil,
		"inside a map":                     equal(lookup(item, "map", "k"), one) && lookup(item, "map", "other") == nil && lookup(item, "s", "k") == nil,
		"inside a list":                    equal(lookup(item, "list", 1), str("y")) && lookup(item, "list", 2) == nil,
		"the first that is there":          equal(first(nil, two, one), two) && first(nil) == nil,
	} {
		if !holds {
			t.Error(name)
		}
	}
}

func TestUnchanged(t *testing.T) {
	x := &expression{names: map[string]string{}, values: stored{}}
	got := x.unchanged(stored{"a": num("1")}, "PK", "a", "b")
	if got != "#n0 = :x0 AND attribute_not_exists(#n1)" || x.names["#n0"] != "a" || x.names["#n1"] != "b" || !equal(x.values[":x0"], num("1")) {
		t.Error(got, x)
	}
	if got := x.unchanged(nil, "PK"); got != "attribute_not_exists(#n2)" || x.names["#n2"] != "PK" {
		t.Error(got)
	}
	if got := x.unchanged(nil, ""); got != "" {
		t.Error(got)
	}
	if *all("", "a", "b") != "a AND b" || all("", "") != nil {
		t.Error("conditions are joined")
	}
	f := &fault{}
	if x.list(f, "ids", nil); f.err == nil {
		t.Error("an IN of nothing is accepted")
	}
	u := update{set: []string{"a = b"}, remove: []string{"c", "d"}}
	if *u.text() != "SET a = b REMOVE c, d" || (update{}).text() != nil {
		t.Error(*u.text())
	}
}

func TestMatches(t *testing.T) {
	for _, c := range []struct {
		pieces []string
		text   string
		want   bool
	}{
		{[]string{"A#", "", "#B"}, "A#x#B", true},
		{[]string{"A#", "", "#B"}, "A#x#y#B", true},
		{[]string{"A#", "", "#B"}, "A#x#C", false},
		{[]string{"PROFILE"}, "PROFILE", true},
		{[]string{"PROFILE"}, "PROFILES", false},
		{[]string{"A#", ""}, "A#", true},
		{[]string{"", "#", ""}, "a#b", true},
		{[]string{"", "#", ""}, "ab", false},
	} {
		if got := matches(c.pieces, c.text); got != c.want {
			t.Errorf("%q in %q: %t", c.pieces, c.text, got)
		}
	}
}
