package keytext_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/keytext"
	"github.com/dynmodel/dynmodel/model/parse"
	"github.com/dynmodel/dynmodel/model/source"
)

// template reads a template over attributes declared as in a model, such as
// "a: string; b: slug".
func template(t *testing.T, attributes, text string) model.Template {
	t.Helper()
	var b strings.Builder
	b.WriteString("version: 1\nname: m\ntable: table\nentities:\n  E:\n    attributes:\n      id: ulid\n")
	for _, a := range strings.Split(attributes, ";") {
		fmt.Fprintf(&b, "      %s\n", strings.TrimSpace(a))
	}
	fmt.Fprintf(&b, "    keys: {PK: \"E#{id}\", SK: %q}\naccess_patterns: []\n", text)
	m, found := parse.File(source.NewFile("m.yaml", b.String()), nil)
	for _, f := range found.All() {
		t.Fatalf("%s: %s\n%s", f.Rule, f.Message, b.String())
	}
	return m.Entities[0].Key("SK").Template
}

func TestAmbiguous(t *testing.T) {
	tests := []struct {
		attributes, template string
		want                 string // the text and its readings, "" when there is none
	}{
		{"a: string; b: string", "{a}#{b}", "a##a [a #a] [a# a]"},
		{"a: string; b: slug", "{a}#{b}", ""}, // the last # is the delimiter
		{"a: slug; b: string", "{a}#{b}", ""},
		{"a: slug; b: slug", "{a}-{b}", "a--a [a -a] [a- a]"},
		{"a: slug; b: slug", "{a}{b}", "aaa [a aa] [aa a]"},
		{"a: string; b: ulid", "{a}#{b}", ""}, // the last 26 characters
		{"a: string; b: ulid; c: string", "{a}#{b}#{c}", "a#AAAAAAAAAAAAAAAAAAAAAAAAAA#AAAAAAAAAAAAAAAAAAAAAAAAAA#a"},
		{"a: string", "X#{a}", ""},
		{"a: string", "{a}", ""},
		{"a: integer; b: integer", "{a}-{b}", ""},
		{"a: integer; b: integer", "{a}{b}", "111 [1 11] [11 1]"},
		{"a: {type: integer, min: 10, max: 99}; b: integer", "{a}{b}", ""},
		{"a: integer; b: integer", "{a|pad(4)}{b}", ""},
		{"a: [x, xy]; b: [z, yz]", "{a}{b}", "xyz [x yz] [xy z]"},
		{"a: [x, yy]; b: string", "{a}{b}", ""},
		{`a: {type: string, pattern: "[A-Z]{2}"}; b: string`, "{a}{b}", ""},
		{`a: {type: string, pattern: "[A-Z]{2,3}"}; b: string`, "{a}{b}", "AAAa [AA Aa] [AAA a]"},
		{`a: {type: string, pattern: "[^#]+"}; b: string`, "{a}#{b}", ""},
		{"a: {type: string, length: 4}; b: string", "{a}#{b}", ""},
		{"a: datetime; b: string", "{a}#{b}", ""},
		{"a: datetime; b: string", "{a|day}{b}", ""},
		{"a: string; b: string", "{a|prefix(3)}#{b}", "a##a [a #a] [a# a]"},
		{"a: ulid; b: string", "{a|prefix(3)}#{b}", ""},
		{"a: string; b: string", "{a|shard(8)}#{b}", ""},
		{"a: string; b: string", "{a|lower}x{b}", "axxa [a xa] [ax a]"},
		{"a: string; b: string", "{a|lower}X{b|lower}", ""},
		{"a: email; b: email", "{a}#{b}", "a@a##a@a [a@a #a@a] [a@a# a@a]"},
		{"a: {type: string, length: 0..5}; b: string", "{a}#{b}", "##a [ #a] [# a]"},
	}
	for _, test := range tests {
		tp := template(t, test.attributes, test.template)
		text, one, two, found := keytext.Ambiguous(tp)
		got := ""
		if found {
			if strings.Join(one, "") != text || strings.Join(two, "") != text {
				t.Errorf("%s with %s: %q and %q are no readings of %q", test.template, test.attributes, one, two, text)
			}
			got = fmt.Sprint(text, " ", readings(tp, one), " ", readings(tp, two))
		}
		if test.want == "" && got != "" || !strings.HasPrefix(got, test.want) {
			t.Errorf("%s with %s: got %q, want %q", test.template, test.attributes, got, test.want)
		}
	}
}

// readings are the stretches of the attributes.
func readings(t model.Template, r keytext.Reading) (out []string) {
	for i, p := range t.Parts {
		if p.Attribute != nil {
			out = append(out, r[i])
		}
	}
	return out
}

// everyKind declares an attribute of every kind.
const everyKind = `slug: slug; text: string; ulid2: ulid; uuid: uuid; n: {type: integer, min: 0}; at: datetime; day: date; email: email; state: [open, held]; other: [held, gone]; code: {type: string, pattern: "[A-Z]{2}-[a-z0-9]+"}`

func TestMeet(t *testing.T) {
	tests := []struct {
		a, b string
		want bool
	}{
		{"ORDER#{slug}", "ORDER#{slug}", true},
		{"ORDER#{slug}", "ORDERS#{slug}", false},
		{"ORDER#{text}", "ORDER#{slug}#X", true},  // a text can hold #
		{"ORDER#{slug}", "ORDER#{slug}#X", false}, // a slug cannot
		{"A#{slug}", "A#B#{slug}", false},
		{"{slug}", "X#{ulid2}", false},
		{"{text}", "{ulid2}", true},
		{"{uuid}", "{ulid2}", false},
		{"{uuid}", "{slug}", true},
		{"A{n|pad(3)}", "A{n|pad(4)}", false},
		{"A{n|pad(3)}", "A{n}", true},
		{"A#{at|day}", "A#{at}", false},
		{"A#{at|day}", "A#{day}", true},
		{"A#{at|day}", "A#{at|month}-{n|pad(2)}", true},
		{"{random(8)}#X", "{n}#X", true},
		{"{random(8)}#X", "{slug}#Y", false},
		{"{code}", "AB-{n|pad(2)}", true},
		{"{code}", "AB-{slug}", true},
		{"{code}", "ABC-{n}", false},
		{"{code}", "AB_{n}", false},
		{"{slug|upper}", "abc", false},
		{"{slug|upper}", "ABC", true},
		{"{state}", "open", true},
		{"{state}", "openheld", false},
		{"{state}", "{other}", true},
		{"{state|upper}", "{other}", false},
		{"USER#{email}", "USER#{slug}@x", true},
		{"{text}{text}", "{slug}{slug}", true},
	}
	for _, test := range tests {
		a, b := template(t, everyKind, test.a), template(t, everyKind, test.b)
		if got := keytext.Meet(a, b); got != test.want {
			t.Errorf("%s and %s can make one key: %t, want %t", test.a, test.b, got, test.want)
		}
		if got := keytext.Meet(b, a); got != test.want {
			t.Errorf("%s and %s can make one key: %t, want %t", test.b, test.a, got, test.want)
		}
	}
}

func TestText(t *testing.T) {
	tests := []struct {
		attribute string
		width     int
		in, out   string
		least     byte
	}{
		{`{type: string, pattern: "[A-Z]{3}"}`, 3, "AZ", "a0#", 'A'},
		{`{type: string, pattern: "[0-9]{2}-[0-9]{2}"}`, 5, "09-", "#a", '-'},
		{`{type: string, pattern: "a|bc"}`, 0, "abc", "d", 'a'},
		{`{type: string, pattern: "(ab)?c+"}`, 0, "abc", "d", 'a'},
		{`{type: string, pattern: "x{2,4}"}`, 0, "x", "y", 'x'},
		{`{type: string, pattern: "(ab|cd)e"}`, 3, "abcde", "f", 'a'},
		{`{type: string, pattern: "(?i)ab"}`, 2, "abAB", "#", 'A'},
		{`{type: string, pattern: "[^#]{4}"}`, 4, "a~\xff", "#", 0},
		{`{type: string, length: 7}`, 7, "a#", "", 0},
		{`{type: string, length: 700}`, 700, "a#", "", 0},
		{`{type: string, length: 1..7}`, 0, "a#", "", 0},
		{`{type: integer, min: 10, max: 99}`, 2, "09", "-.", '0'},
		{`{type: integer, min: 0}`, 0, "09", "-.", '0'},
		{`integer`, 0, "09-", ".", '-'},
		{`number`, 0, "09-.", "#", '-'},
		{`datetime`, 20, "09-:TZ", "#.", '-'},
		{`{type: datetime, precision: variable}`, 0, "09-:TZ.", "#", '+'},
		{`{type: datetime, zone: none, precision: ms}`, 23, "09-:T.", "Z#", '-'},
		{`{type: string, stored: lower, pattern: "[A-z]{3}"}`, 3, "az", "AZ", '['},
		{`[on, off]`, 0, "onf", "x", 'f'},
		{`[yes, not]`, 3, "yesnot", "x", 'e'},
		{`slug`, 0, "az09-", "A#", '-'},
	}
	for _, test := range tests {
		a := template(t, "a: "+test.attribute, "{a}#X").Parts[0].Attribute
		got := keytext.Of(a, nil)
		if got.Width() != test.width {
			t.Errorf("%s has width %d, want %d", test.attribute, got.Width(), test.width)
		}
		if got.Least() != test.least {
			t.Errorf("%s begins at %q, want %q", test.attribute, got.Least(), test.least)
		}
		for _, b := range []byte(test.in) {
			if !got.Has(b) {
				t.Errorf("%s lacks %q", test.attribute, b)
			}
		}
		for _, b := range []byte(test.out) {
			if got.Has(b) {
				t.Errorf("%s has %q", test.attribute, b)
			}
		}
	}
	for text, want := range map[string]bool{"0123": true, "": false, "1a": false} {
		if got := keytext.Literal(text).IsDigits(); got != want {
			t.Errorf("%q is digits: %v", text, got)
		}
	}
}

func TestLengths(t *testing.T) {
	tests := []struct {
		attributes, template string
		empty                bool
		most                 int
	}{
		{"a: string", "{a}", false, 0},
		{"a: {type: string, length: 0..5}", "{a}", true, 20},
		{"a: {type: string, length: 0..5}", "X#{a}", false, 22},
		{`a: {type: string, pattern: "[a-z]*"}`, "{a}", true, 0},
		{`a: {type: string, pattern: "[a-z]*", length: 1..10}`, "{a}#", false, 11},
		{"a: {type: slug, length: 1..100}", "{a}", false, 100},
		{"a: {type: string, length: 1..600}", "{a}", false, 2400},
		{"a: {type: string, length: 1..600, size: 1B..700B}", "{a}", false, 700},
		{"a: uuid", "A#{a}", false, 38},
		{"a: {type: string, length: 1..600}", "{a|prefix(3)}", false, 12},
		{"a: [on, off]", "{a|upper}#", false, 4},
		{"a: datetime", "{a}", false, 20},
	}
	for _, test := range tests {
		tp := template(t, test.attributes, test.template)
		if got := keytext.CanBeEmpty(tp); got != test.empty {
			t.Errorf("%s with %s: can be empty: %v", test.template, test.attributes, got)
		}
		if got := keytext.MaxBytes(tp); got != test.most {
			t.Errorf("%s with %s: got %d bytes, want %d", test.template, test.attributes, got, test.most)
		}
	}
}
