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

func TestMeet(t *testing.T) {
	tests := []struct {
		attributes, one, two string
		want                 bool
	}{
		{"a: string; b: slug", "A#{a}", "B#{b}", false},
		{"a: string; b: slug", "A#{a}", "A#{b}", true},
		{"a: slug; b: slug", "A#{a}", "A#B#{b}", false},
		{"a: string; b: slug", "A#{a}", "A#B#{b}", true},
		{"a: [x, y]; b: [y, z]", "{a}", "{b}", true},
		{"a: [x, y]; b: [z]", "{a}", "{b}", false},
		{"a: datetime; b: date", "{a}", "{b}", false},
		{"a: datetime; b: date", "{a|day}", "{b}", true},
	}
	for _, test := range tests {
		got := keytext.Meet(template(t, test.attributes, test.one), template(t, test.attributes, test.two))
		if got != test.want {
			t.Errorf("%s and %s with %s: got %v", test.one, test.two, test.attributes, got)
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
