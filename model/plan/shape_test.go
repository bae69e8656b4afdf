package plan

import (
	"fmt"
	"regexp"
	"testing"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/diag"
	"github.com/dynmodel/dynmodel/model/parse"
	"github.com/dynmodel/dynmodel/model/source"
)

// TestShapes tells which templates can make one key.
func TestShapes(t *testing.T) {
	for _, test := range []struct {
		a, b string
		want bool
	}{
		{"ORDER#{slug}", "ORDER#{slug}", true},
		{"ORDER#{slug}", "ORDERS#{slug}", false},
		{"ORDER#{text}", "ORDER#{slug}#X", true},  // a text can hold #
		{"ORDER#{slug}", "ORDER#{slug}#X", false}, // a slug cannot
		{"{slug}", "X#{ulid}", false},
		{"{text}", "{ulid}", true},
		{"{uuid}", "{ulid}", false},
		{"{uuid}", "{slug}", true},
		{"A{n|pad(3)}", "A{n|pad(4)}", false},
		{"A{n|pad(3)}", "A{n}", true},
		{"A#{at|day}", "A#{at}", false},
		{"A#{at|day}", "A#{at|month}-{n|pad(2)}", true},
		{"{random(8)}#X", "{n}#X", true},
		{"{random(8)}#X", "{slug}#Y", false},
		{"{code}", "AB-{n|pad(2)}", true},
		{"{code}", "AB-{slug}", true},
		{"{code}", "ABC-{n}", true}, // of a pattern only the characters count
		{"{code}", "AB_{n}", false},
		{"{slug|upper}", "abc", false},
		{"{state}", "open", true},
		{"USER#{email}", "USER#{slug}@x", true},
		{"", "", true},
		{"X", "", false},
		{"{text}{text}", "{slug}{slug}", true},
	} {
		a, b := templateOf(t, test.a), templateOf(t, test.b)
		if got := shapeOf(a).meets(shapeOf(b)); got != test.want {
			t.Errorf("%s and %s can make one key: %t, want %t", test.a, test.b, got, test.want)
		}
		if got := shapeOf(b).meets(shapeOf(a)); got != test.want {
			t.Errorf("%s and %s can make one key: %t, want %t", test.b, test.a, got, test.want)
		}
	}
}

// templateOf is a template over attributes of every kind.
func templateOf(t *testing.T, text string) model.Template {
	t.Helper()
	if text == "" {
		return model.Template{}
	}
	m, findings := parse.File(source.NewFile("m.yaml", fmt.Sprintf(`version: 1
name: m
table: {name: mmm, partition_key: PK}
entities:
  E:
    attributes:
      slug: slug
      text: string
      ulid: ulid
      uuid: uuid
      n: {type: integer, min: 0}
      at: datetime
      email: email
      state: [open, held]
      code: {type: string, pattern: "[A-Z]{2}-[a-z0-9]+"}
    keys: {PK: %q}
`, text)), nil)
	for _, f := range findings.All() {
		if f.Severity == diag.Error {
			t.Fatal(text, f.Message)
		}
	}
	return m.Entities[0].Keys[0].Template
}

func TestPatternText(t *testing.T) {
	for _, test := range []struct {
		pattern string
		width   int
		in, out string
	}{
		{"[A-Z]{3}", 3, "AZ", "a0#"},
		{"[0-9]{2}-[0-9]{2}", 5, "09-", "#a"},
		{"a|bc", 0, "abc", "d"},
		{"(ab)?c+", 0, "abc", "d"},
		{"x{2,4}", 0, "x", "y"},
		{"(ab|cd)e", 3, "abcde", "f"},
		{".", 1, "#a~", ""},
		{"(?i)ab", 2, "abAB#", ""}, // more than can be
		{"[^#]{4}", 4, "a~", "#"},
		{"", 0, "", "a"},
	} {
		got := patternText(regexp.MustCompile(test.pattern))
		if got.width != test.width {
			t.Errorf("%s has width %d, want %d", test.pattern, got.width, test.width)
		}
		for _, b := range []byte(test.in) {
			if !got.chars.has(b) {
				t.Errorf("%s lacks %q", test.pattern, b)
			}
		}
		for _, b := range []byte(test.out) {
			if got.chars.has(b) {
				t.Errorf("%s has %q", test.pattern, b)
			}
		}
	}
}
