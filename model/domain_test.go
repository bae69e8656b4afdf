package model

import (
	"regexp"
	"strings"
	"testing"

	"github.com/dynmodel/dynmodel/model/value"
)

func TestCheck(t *testing.T) {
	number := func(s string) value.Value {
		v, err := value.OfNumber(s)
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	text := value.OfString
	pattern := regexp.MustCompile("a|ab?c")
	pattern.Longest()
	named := func(name string, t Type) *Attribute { return &Attribute{Name: Name{Text: name}, Type: t} }
	maybe := named("y", TypeInteger)
	maybe.Optional = true
	tests := []struct {
		name string
		a    Attribute
		v    value.Value
		want string // "" when it is in the domain
	}{
		{"kind", Attribute{Type: TypeNumber}, text("1"), "is text, not a number"},
		{"any", Attribute{Type: TypeAny}, value.OfNull(), ""},
		{"integer", Attribute{Type: TypeInteger}, number("10"), ""},
		{"fraction", Attribute{Type: TypeEpoch}, number("1.5"), "is not a whole number"},
		{"choice", Attribute{Type: TypeEnum, Domain: Domain{Values: []Choice{{Value: text("a")}}}}, text("a"), ""},
		{"no choice", Attribute{Type: TypeEnum, Domain: Domain{Values: []Choice{{Value: text("a")}}}}, text("b"), "is not one of its values: a"},
		{"least", Attribute{Type: TypeNumber, Domain: Domain{Min: number("1"), Max: number("2")}}, number("1"), ""},
		{"below", Attribute{Type: TypeNumber, Domain: Domain{Min: number("1")}}, number("0.9"), "is below the least value, 1"},
		{"above", Attribute{Type: TypeDate, Domain: Domain{Max: text("2026-01-05")}}, text("2026-01-06"), "is above the greatest value, 2026-01-05"},
		{"whole pattern", Attribute{Type: TypeString, Domain: Domain{Pattern: pattern}}, text("abc"), ""},
		{"part of a pattern", Attribute{Type: TypeString, Domain: Domain{Pattern: pattern}}, text("xa"), "does not match the pattern"},
		{"characters", Attribute{Type: TypeString, Domain: Domain{Length: &Range{1, 2}}}, text("日本"), ""},
		{"too long", Attribute{Type: TypeString, Domain: Domain{Length: &Range{1, 2}}}, text("abc"), "has 3 characters, not 1..2"},
		{"bytes", Attribute{Type: TypeString, Domain: Domain{Size: &Range{0, 5}}}, text("日本"), "has 6 bytes, not 0..5"},
		{"members", Attribute{Type: TypeList, Domain: Domain{Members: &Range{2, 2}}}, value.OfList(), "has 0 members, not 2"},
		{"a member", Attribute{Type: TypeList, Domain: Domain{Items: named("", TypeSlug)}}, value.OfList(text("A")), `holds "A", which is not a slug`},
		{"a map", Attribute{Type: TypeMap, Domain: Domain{Attributes: []*Attribute{named("x", TypeInteger), maybe}}}, value.OfMap(value.Field{Name: "x", Value: number("1")}), ""},
		{"a map without", Attribute{Type: TypeMap, Domain: Domain{Attributes: []*Attribute{named("x", TypeInteger)}}}, value.OfMap(), "lacks `x`"},
		{"a map with", Attribute{Type: TypeMap, Domain: Domain{Attributes: []*Attribute{maybe}}}, value.OfMap(value.Field{Name: "y", Value: text("")}), "has a `y` that is text, not a number"},
	}
	for _, test := range tests {
		err := test.a.Check(test.v)
		switch {
		case err == nil && test.want != "":
			t.Errorf("%s: %v is in the domain, want %q", test.name, test.v, test.want)
		case err != nil && (test.want == "" || !strings.Contains(err.Error(), test.want)):
			t.Errorf("%s: %v %v, want %q", test.name, test.v, err, test.want)
		}
	}
}

func TestWellFormed(t *testing.T) {
	tests := []struct {
		a         Attribute
		good, bad []string
	}{
		{Attribute{Type: TypeUUID}, []string{"0b0e7a3c-6d2f-4f6e-9c1d-2a5b8e4f7a10"}, []string{"", "0b0e7a3c6d2f4f6e9c1d2a5b8e4f7a10"}},
		{Attribute{Type: TypeUUID7}, []string{"01932c07-a5b4-7c3e-8f21-4d6e8a9b0c1d"}, []string{"0b0e7a3c-6d2f-4f6e-9c1d-2a5b8e4f7a10"}},
		{Attribute{Type: TypeULID}, []string{"01J8ZQ6V3N5T0K2R4M6P8S0A1B"}, []string{"81J8ZQ6V3N5T0K2R4M6P8S0A1B", "01j8zq6v3n5t0k2r4m6p8s0a1b", "01J8ZQ6V3N5T0K2R4M6P8S0A1U"}},
		{Attribute{Type: TypeKSUID}, []string{"0ujtsYcgvSTl8PAuAdqWYSMnLOv"}, []string{"0ujtsYcgvSTl8PAuAdqWYSMnLO-"}},
		{Attribute{Type: TypeSlug}, []string{"a-1"}, []string{"", "a#b", "A"}},
		{Attribute{Type: TypeEmail}, []string{"ada@example.com"}, []string{"ada", "@x", "ada@", "a b@c"}},
		{Attribute{Type: TypeURL}, []string{"https://example.com/?x=y", "urn:isbn:1"}, []string{"example.com", "/x", ":"}},
		{Attribute{Type: TypeMonth}, []string{"2026-01"}, []string{"2026-1", "2026-13", "2026-01-01"}},
		{Attribute{Type: TypeDate}, []string{"2024-02-29"}, []string{"2026-02-29", "2026-2-1"}},
		{Attribute{Type: TypeDatetime}, []string{"2026-01-05T09:00:00Z"}, []string{"2026-01-05", "2026-01-05T09:00:00", "2026-01-05T09:00:00.0Z", "2026-01-05T09:00:00+01:00"}},
		{Attribute{Type: TypeDatetime, Domain: Domain{Precision: PrecisionMilli, NoZone: true}}, []string{"2026-01-05T09:00:00.123"}, []string{"2026-01-05T09:00:00.123Z", "2026-01-05T09:00:00.12"}},
		{Attribute{Type: TypeDatetime, Domain: Domain{Precision: PrecisionMinute}}, []string{"2026-01-05T09:00Z"}, []string{"2026-01-05T09:00:00Z"}},
		{Attribute{Type: TypeDatetime, Domain: Domain{Precision: PrecisionVariable, AnyZone: true}}, []string{"2026-01-05T09:00Z", "2026-01-05T09:00:00.1234+01:00"}, []string{"2026-01-05", "2026-01-05T09:00:00"}},
		{Attribute{Type: TypeString}, []string{"", "anything"}, nil},
	}
	for _, test := range tests {
		for _, good := range test.good {
			if ok, want := test.a.wellFormed(good); !ok {
				t.Errorf("%q is not %s", good, want)
			}
		}
		for _, bad := range test.bad {
			if ok, _ := test.a.wellFormed(bad); ok {
				t.Errorf("%q is taken for %s", bad, test.a.Type)
			}
		}
	}
}
