package format_test

import (
	"testing"

	"github.com/dynmodel/dynmodel/model/diag"
	"github.com/dynmodel/dynmodel/model/format"
	"github.com/dynmodel/dynmodel/model/source"
	"github.com/dynmodel/dynmodel/model/source/yamltree"
)

func TestScalar(t *testing.T) {
	for text, want := range map[string]string{
		"":                       `""`,
		"NO":                     "NO",
		"1.10":                   "1.10",
		"~":                      "~",
		"string?":                "string?",
		"CUSTOMER#{customerId}":  `"CUSTOMER#{customerId}"`,
		"{placedAt}#{orderId}":   `"{placedAt}#{orderId}"`,
		"ORDER #1":               `"ORDER #1"`,
		"#META":                  `"#META"`,
		"CUSTOMER#":              "CUSTOMER#",
		"status = 'placed'":      `"status = 'placed'"`,
		`say "it's"`:             `'say "it''s"'`,
		"a: b":                   `"a: b"`,
		"a:":                     `"a:"`,
		"a, b":                   `"a, b"`,
		" x":                     `" x"`,
		"x ":                     `"x "`,
		"*x":                     `"*x"`,
		"- x":                    `"- x"`,
		"`type` = $t":            "\"`type` = $t\"",
		"two\nlines":             `"two\nlines"`,
		"bell\a":                 `"bell\u0007"`,
		"Größe":                  "Größe",
		"emoji 😀":                "emoji 😀",
		"\u2028":                 `"\u2028"`,
		"customerId = $id AND x": "customerId = $id AND x",
	} {
		if got := format.Scalar(text); got != want {
			t.Errorf("Scalar(%q) = %s, want %s", text, got, want)
		}
	}
}

func FuzzScalar(f *testing.F) {
	for _, text := range []string{"", "a", "{a}", "\u2028", "? ", "\U0010FFFD?", "a\r\nb", "'\"\\"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		text = string([]rune(text)) // text of a model is UTF-8
		if len(text) > 100 {
			return // escaped, too long for a key
		}
		s := format.Scalar(text)
		for _, place := range []struct {
			text string
			read func(root *yamltree.Node) string
		}{
			{"k: " + s + "\n", func(root *yamltree.Node) string { return root.Get("k").Text }},
			{s + ": v\n", func(root *yamltree.Node) string { return root.Entries[0].Key.Text }},
			{"- " + s + "\n", func(root *yamltree.Node) string { return root.Items[0].Text }},
			{"- {k: " + s + ", l: m}\n", func(root *yamltree.Node) string { return root.Items[0].Get("k").Text }},
			{"[x, " + s + "]\n", func(root *yamltree.Node) string { return root.Items[1].Text }},
		} {
			list := &diag.List{}
			root := yamltree.Parse(source.NewFile("", place.text), list)
			if list.Len() > 0 {
				t.Fatalf("%q: %s", place.text, list.All()[0].Message)
			}
			if got := place.read(root); got != text {
				t.Errorf("%q is read as %q", place.text, got)
			}
		}
	})
}
