package data

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/encode"
	"github.com/dynmodel/dynmodel/model/value"
)

func text(s string) value.Value { return value.OfString(s) }

// longest compiles a pattern as the language reads one.
func longest(pattern string) *regexp.Regexp {
	re := regexp.MustCompile(pattern)
	re.Longest()
	return re
}

func TestValid(t *testing.T) {
	item := &model.Attribute{Type: model.TypeInteger, Domain: model.Domain{Min: value.OfInt(1)}}
	point := []*model.Attribute{
		{Name: model.Name{Text: "x"}, Type: model.TypeNumber},
		{Name: model.Name{Text: "label"}, Type: model.TypeString, Optional: true},
	}
	x := value.Field{Name: "x", Value: value.OfInt(1)}
	tests := []struct {
		name   string
		typ    model.Type
		domain model.Domain
		yes    []value.Value
		no     []value.Value
	}{
		{"string", model.TypeString, model.Domain{}, []value.Value{text("a#b"), text("")}, []value.Value{{}, value.OfInt(1), text("\xff")}},
		{"string length", model.TypeString, model.Domain{Length: &model.Range{Min: 1, Max: 2}},
			[]value.Value{text("é日")}, []value.Value{text(""), text("abc")}},
		{"string size", model.TypeString, model.Domain{Size: &model.Range{Min: 3, Max: 4}},
			[]value.Value{text("éa")}, []value.Value{text("ab"), text("日日")}},
		{"string pattern", model.TypeString, model.Domain{Pattern: longest("a|ab")},
			[]value.Value{text("a"), text("ab")}, []value.Value{text("abc"), text("ba")}},
		{"enum", model.TypeEnum, model.Domain{Values: []model.Choice{{Value: text("open")}, {Value: text("done")}}},
			[]value.Value{text("open")}, []value.Value{text("Open"), text("")}},
		{"number bounds", model.TypeNumber, model.Domain{Min: number("0.5"), Max: number("9")},
			[]value.Value{number("0.5"), number("9.0")}, []value.Value{number("0.49"), number("9.01"), text("5")}},
		{"integer", model.TypeInteger, model.Domain{}, []value.Value{value.OfInt(-7)}, []value.Value{number("1.5")}},
		{"boolean", model.TypeBoolean, model.Domain{}, []value.Value{value.OfBool(false)}, []value.Value{text("true")}},
		{"slug", model.TypeSlug, model.Domain{}, []value.Value{text("a-9")}, []value.Value{text("A"), text("a#b"), text("")}},
		{"email", model.TypeEmail, model.Domain{}, []value.Value{text("A#b@Example.com")},
			[]value.Value{text("a"), text("a@"), text("@b"), text("a b@c")}},
		{"url", model.TypeURL, model.Domain{}, []value.Value{text("https://a/b#c")}, []value.Value{text("a/b"), text("https://a b")}},
		{"uuid", model.TypeUUID, model.Domain{}, []value.Value{text("9b2f0c1e-4a5d-4e6f-8a7b-0123456789ab")},
			[]value.Value{text("9b2f0c1e4a5d4e6f8a7b0123456789ab"), text("9b2f0c1e-4a5d-4e6f-8a7b-0123456789ag")}},
		{"uuid7", model.TypeUUID7, model.Domain{}, []value.Value{text("018f2b3c-4d5e-7f60-8a7b-0123456789ab")},
			[]value.Value{text("9b2f0c1e-4a5d-4e6f-8a7b-0123456789ab")}},
		{"ulid", model.TypeULID, model.Domain{}, []value.Value{text("01J8ZQ6V3N5T0K2R4M6P8S0A1B")},
			[]value.Value{text("81J8ZQ6V3N5T0K2R4M6P8S0A1B"), text("01J8ZQ6V3N5T0K2R4M6P8S0A1U"), text("01J8")}},
		{"ksuid", model.TypeKSUID, model.Domain{}, []value.Value{text("0ujtsYcgvSTl8PAuAdqWYSMnLOv")},
			[]value.Value{text("0ujtsYcgvSTl8PAuAdqWYSMnLO-")}},
		{"month", model.TypeMonth, model.Domain{}, []value.Value{text("2026-01")}, []value.Value{text("2026-13"), text("2026-1")}},
		{"date", model.TypeDate, model.Domain{}, []value.Value{text("2024-02-29")}, []value.Value{text("2026-02-29"), text("2026-02-01T00:00:00Z")}},
		{"datetime", model.TypeDatetime, model.Domain{}, []value.Value{text("2026-01-05T09:00:00Z")},
			[]value.Value{text("2026-01-05T09:00:00"), text("2026-01-05T09:00:00.5Z"), text("2026-01-05T09:00:00+02:00"), text("2026-01-05T9:00:00Z")}},
		{"datetime ms", model.TypeDatetime, model.Domain{Precision: model.PrecisionMilli},
			[]value.Value{text("2026-01-05T09:00:00.123Z")}, []value.Value{text("2026-01-05T09:00:00Z"), text("2026-01-05T09:00:00.12Z")}},
		{"datetime minute without zone", model.TypeDatetime, model.Domain{Precision: model.PrecisionMinute, NoZone: true},
			[]value.Value{text("2026-01-05T09:00")}, []value.Value{text("2026-01-05T09:00Z")}},
		{"datetime as libraries write it", model.TypeDatetime, model.Domain{Precision: model.PrecisionVariable, AnyZone: true},
			[]value.Value{text("2026-01-05T09:00:00Z"), text("2026-01-05T09:00:00.5+02:00"), text("2026-01-05T09:00:00-05:00")},
			[]value.Value{text("2026-01-05T09:00:00."), text("2026-01-05T09:00:00")}},
		{"datetime bounds are instants", model.TypeDatetime, model.Domain{AnyZone: true, Min: text("2026-01-05T09:00:00Z")},
			[]value.Value{text("2026-01-05T10:00:00+01:00")}, []value.Value{text("2026-01-05T09:59:59+01:00")}},
		{"epoch", model.TypeEpoch, model.Domain{Max: value.OfInt(10)}, []value.Value{value.OfInt(10)}, []value.Value{number("1.5"), value.OfInt(11)}},
		{"list", model.TypeList, model.Domain{Items: item, Members: &model.Range{Min: 1, Max: 2}},
			[]value.Value{value.OfList(value.OfInt(1))}, []value.Value{value.OfList(), value.OfList(value.OfInt(0)), value.OfList(value.OfInt(1), value.OfInt(1), value.OfInt(1))}},
		{"set", model.TypeStringSet, model.Domain{}, []value.Value{value.OfSet(value.StringSet, text("a"))},
			[]value.Value{value.OfSet(value.StringSet), value.OfList(text("a"))}},
		{"map", model.TypeMap, model.Domain{Attributes: point},
			[]value.Value{value.OfMap(x), value.OfMap(x, value.Field{Name: "label", Value: text("a")})},
			[]value.Value{value.OfMap(), value.OfMap(x, value.Field{Name: "y", Value: text("a")}), value.OfMap(value.Field{Name: "x", Value: text("1")})}},
		{"any", model.TypeAny, model.Domain{}, []value.Value{value.OfNull(), text("")}, []value.Value{{}}},
	}
	for _, tt := range tests {
		a := &model.Attribute{Type: tt.typ, Domain: tt.domain}
		for _, v := range tt.yes {
			if !Valid(a, v) {
				t.Errorf("%s: %v is said to be outside the domain", tt.name, v)
			}
		}
		for _, v := range tt.no {
			if Valid(a, v) {
				t.Errorf("%s: %v is said to be in the domain", tt.name, v)
			}
		}
	}
	version := &model.Attribute{Type: model.TypeInteger, Version: true}
	if Valid(version, value.OfInt(0)) || !Valid(version, value.OfInt(1)) {
		t.Error("a version begins at 1")
	}
}

// domains are all types under all the options they take.
func domains() []*model.Attribute {
	var out []*model.Attribute
	add := func(typ model.Type, d model.Domain) { out = append(out, &model.Attribute{Type: typ, Domain: d}) }
	for _, typ := range []model.Type{model.TypeString, model.TypeNumber, model.TypeBoolean, model.TypeBinary, model.TypeList, model.TypeMap,
		model.TypeStringSet, model.TypeNumberSet, model.TypeBinarySet, model.TypeAny, model.TypeInteger, model.TypeUUID, model.TypeUUID7,
		model.TypeULID, model.TypeKSUID, model.TypeEmail, model.TypeSlug, model.TypeURL, model.TypeS3Object, model.TypeMonth, model.TypeDate,
		model.TypeDatetime, model.TypeEpoch, model.TypeEpochMS} {
		add(typ, model.Domain{})
	}
	for _, r := range []model.Range{{Min: 0, Max: 0}, {Min: 0, Max: 1}, {Min: 1, Max: 1}, {Min: 3, Max: 3}, {Min: 2, Max: 40}, {Min: 0, Max: 2000}, {Min: 5000, Max: 6000}} {
		for _, typ := range []model.Type{model.TypeString, model.TypeBinary, model.TypeSlug} {
			if typ == model.TypeSlug && r.Max == 0 {
				continue // no value at all
			}
			add(typ, model.Domain{Length: &r})
			add(typ, model.Domain{Size: &r})
		}
	}
	for _, r := range []model.Range{{Min: 0, Max: 1}, {Min: 2, Max: 3}, {Min: 5, Max: 5}, {Min: 8, Max: 9}} {
		for _, typ := range []model.Type{model.TypeList, model.TypeMap, model.TypeStringSet, model.TypeNumberSet, model.TypeBinarySet} {
			add(typ, model.Domain{Members: &r})
		}
	}
	for _, p := range []string{"[a-z]{2,8}", "[A-Z]{3}-[0-9]{4}", "a|ab|abc", ".*", ".+#.+", `\d+(\.\d{2})?`, "(?i)ab[c-e]?", "^x[^#]*$", `[^/]{1,3}/\w+`, "日+", "(a|b){0,2}z", `\pL{2}`} {
		add(model.TypeString, model.Domain{Pattern: longest(p)})
	}
	for p, r := range map[string]model.Range{"[A-Z]+": {Min: 5, Max: 5}, "[A-Z]{2}-[0-9]+": {Min: 8, Max: 10}, ".*": {Min: 3, Max: 3}, `\w+@\w+`: {Min: 10, Max: 12}, "(ab)*": {Min: 40, Max: 60}, "[0-9a-f]{1,64}": {Min: 64, Max: 64}} {
		add(model.TypeString, model.Domain{Pattern: longest(p), Length: &r})
	}
	for _, bounds := range [][2]string{{"0", "1"}, {"1", "999"}, {"-5", "-5"}, {"-0.5", "0.5"}, {"100", "101"}, {"1000000000000000000", "1000000000000000009"}} {
		add(model.TypeNumber, model.Domain{Min: number(bounds[0]), Max: number(bounds[1])})
		if bounds[0] != "-0.5" {
			add(model.TypeInteger, model.Domain{Min: number(bounds[0]), Max: number(bounds[1])})
		}
	}
	for _, p := range []model.Precision{"", model.PrecisionMinute, model.PrecisionSecond, model.PrecisionMilli, model.PrecisionMicro, model.PrecisionNano, model.PrecisionVariable} {
		add(model.TypeDatetime, model.Domain{Precision: p})
		add(model.TypeDatetime, model.Domain{Precision: p, NoZone: true})
		add(model.TypeDatetime, model.Domain{Precision: p, AnyZone: true})
	}
	add(model.TypeDatetime, model.Domain{Min: text("2030-06-01T12:00:00Z"), Max: text("2030-06-01T12:00:01Z")})
	add(model.TypeDate, model.Domain{Min: text("2000-01-01"), Max: text("2000-01-01")})
	add(model.TypeEpoch, model.Domain{Min: value.OfInt(5), Max: value.OfInt(7)})
	add(model.TypeEnum, model.Domain{Values: []model.Choice{{Value: text("a")}, {Value: text("b#c")}, {Value: text("")}}})
	add(model.TypeInteger, model.Domain{Values: []model.Choice{{Value: value.OfInt(10)}, {Value: value.OfInt(9)}}})
	add(model.TypeList, model.Domain{Items: &model.Attribute{Type: model.TypeInteger, Domain: model.Domain{Min: value.OfInt(1), Max: value.OfInt(2)}}})
	add(model.TypeMap, model.Domain{Attributes: []*model.Attribute{
		{Name: model.Name{Text: "city"}, Type: model.TypeString},
		{Name: model.Name{Text: "zip"}, Type: model.TypeString, Optional: true, Domain: model.Domain{Length: &model.Range{Min: 5, Max: 5}}},
		{Name: model.Name{Text: "tags"}, Type: model.TypeStringSet},
	}})
	out = append(out, &model.Attribute{Type: model.TypeInteger, Version: true})
	return out
}

func describe(a *model.Attribute) string {
	d := a.Domain
	return fmt.Sprintf("%s %v %v %v..%v length %v size %v members %v %s", a.Type, d.Values, d.Pattern, d.Min, d.Max, d.Length, d.Size, d.Members, d.Precision)
}

func testHints() *hints {
	return &hints{now: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC), delimiters: []string{"#", "#USER#"}, words: []string{"PROFILE"}}
}

// Every pool has something in it, nothing twice, and nothing outside the domain.
func TestPools(t *testing.T) {
	for _, a := range domains() {
		values := pool(a, testHints())
		if len(values) == 0 {
			t.Errorf("%s: an empty pool", describe(a))
		}
		for i, v := range values {
			if !Valid(a, v) {
				t.Errorf("%s: %.60q is outside the domain", describe(a), v.String())
			}
			if contains(values[:i], v) {
				t.Errorf("%s: %.60q is there twice", describe(a), v.String())
			}
		}
	}
}

// The pools hold what breaks keys, where the domain allows it.
func TestPoolsAreTelling(t *testing.T) {
	has := func(a *model.Attribute, what string, test func(v value.Value) bool) {
		t.Helper()
		for _, v := range pool(a, testHints()) {
			if test(v) {
				return
			}
		}
		t.Errorf("%s has no %s: %v", describe(a), what, pool(a, testHints()))
	}
	is := func(s string) func(value.Value) bool { return func(v value.Value) bool { return v.Text() == s } }
	free := &model.Attribute{Type: model.TypeString}
	has(free, "delimiter inside", is("a#b"))
	has(free, "whole literal inside", is("a#USER#b"))
	has(free, "prefix of another", func(v value.Value) bool { return v.Text() == "ab" })
	has(free, "case twin", is("A"))
	has(free, "word of another template", is("PROFILE"))
	has(free, "non-ASCII", is("é"))
	has(free, "longest", func(v value.Value) bool { return len(v.Text()) == stringMax })
	has(&model.Attribute{Type: model.TypeString, Domain: model.Domain{Length: &model.Range{Min: 0, Max: 9}}}, "empty string", is(""))
	has(&model.Attribute{Type: model.TypeString, Domain: model.Domain{Pattern: longest("[a-z#]{1,5}")}}, "delimiter", func(v value.Value) bool { return strings.Contains(v.Text(), "#") })
	for _, s := range []string{"9", "10", "99", "100", "-1", "0"} {
		has(&model.Attribute{Type: model.TypeInteger}, s, is(s))
	}
	has(&model.Attribute{Type: model.TypeNumber}, "fraction", is("-0.5"))
	has(&model.Attribute{Type: model.TypeInteger, Domain: model.Domain{Min: value.OfInt(1), Max: value.OfInt(500)}}, "maximum", is("500"))
	for _, s := range []string{"2026-01-01T00:00:00Z", "2025-12-31T23:59:59Z", "2026-01-01T00:00:01Z", "1970-01-01T00:00:00Z", "2099-12-31T23:59:59Z"} {
		has(&model.Attribute{Type: model.TypeDatetime}, s, is(s))
	}
	has(&model.Attribute{Type: model.TypeDatetime, Domain: model.Domain{AnyZone: true}}, "other zone", func(v value.Value) bool { return strings.HasSuffix(v.Text(), "+02:00") })
	has(&model.Attribute{Type: model.TypeDatetime, Domain: model.Domain{Precision: model.PrecisionVariable}}, "fraction", is("2026-01-01T00:00:00.5Z"))

	for _, v := range pool(free, &hints{wholeKey: true, maxBytes: 4}) {
		if v.Text() == "" || len(v.Text()) > 4 {
			t.Errorf("%q does not fit into the key", v.Text())
		}
	}
}

// Identifiers show the time they were made with, and differ where their numbers do.
func TestMint(t *testing.T) {
	at := time.Date(2026, 1, 1, 0, 0, 0, int(999*time.Millisecond), time.UTC)
	for _, typ := range []model.Type{model.TypeUUID, model.TypeUUID7, model.TypeULID, model.TypeKSUID} {
		a := &model.Attribute{Type: typ}
		seen := map[string]bool{}
		for n := range uint64(500) {
			v := Mint(typ, at, n)
			if !Valid(a, v) || seen[v.Text()] {
				t.Fatalf("%s: %v is wrong or there twice", typ, v)
			}
			seen[v.Text()] = true
			if got, ok := encode.Time(v, a.Type); typ != model.TypeUUID && (!ok || !got.Equal(at.Truncate(tickOf(a)))) {
				t.Fatalf("%s: %v holds %v, want %v", typ, v, got, at)
			}
		}
	}
	// From the reference implementations' documentation.
	ksuid, _ := encode.Time(text("0ujtsYcgvSTl8PAuAdqWYSMnLOv"), model.TypeKSUID)
	if want := time.Unix(1507608047, 0).UTC(); !ksuid.Equal(want) {
		t.Errorf("KSUID's time is %v, want %v", ksuid, want)
	}
	ulid, _ := encode.Time(text("01ARZ3NDEKTSV4RRFFQ69G5FAV"), model.TypeULID)
	if want := time.UnixMilli(1469922850259).UTC(); !ulid.Equal(want) {
		t.Errorf("ULID's time is %v, want %v", ulid, want)
	}
}
