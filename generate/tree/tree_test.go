package tree_test

import (
	"encoding/json"
	"testing"

	"gopkg.in/yaml.v3"

	"github.com/dynmodel/dynmodel/generate/tree"
)

// awkward are texts that one syntax or the other could take for something else.
var awkward = []string{
	"", " ", "a", "true", "No", "null", "~", "1", "1.5", "0x1f", "1e3", "2026-01-01", "12:30:45", "-", "- a", "a: b", "a:", "a #b", "#a",
	"!Ref x", "&a", "*a", "{a}", "[a]", "a, b", "'a'", `"a"`, `a\b`, "a\nb", "a\tb", "größe", "日本", "\u2028", "%a", "@a", "`a", "|", ">", "?", "=", "<<",
	"a.b", "State#Date", "a b ", " a", "arn:aws:dynamodb:*:*:table/x", "a::b", "${x}", "..", "...", "---", "a:b", "12:a", "y", "N", "a<b>&c", "\x00", "\u0085", "\ufeff",
}

// FuzzText reads texts back from both syntaxes, as a value, a key, and in a list.
func FuzzText(f *testing.F) {
	for _, s := range awkward {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		s = string([]rune(s)) // any text is valid UTF-8
		doc := tree.Map{{Key: "value", Value: tree.Text(s)}, {Key: "list", Value: tree.List{tree.Text(s), tree.Map{{Key: s, Value: tree.Text(s)}, {Key: s + "2", Value: tree.Map{}}}}}}
		for name, read := range map[string]func([]byte, any) error{"JSON": json.Unmarshal, "YAML": yaml.Unmarshal} {
			text := tree.JSON(doc)
			if name == "YAML" {
				text = tree.YAML(doc)
			}
			var got struct {
				Value string
				List  []any
			}
			if err := read(text, &got); err != nil {
				t.Fatalf("%s: %v in\n%s", name, err, text)
			}
			member, _ := got.List[1].(map[string]any)
			if got.Value != s || got.List[0] != s || member[s] != s {
				t.Errorf("%s: %q is read as %q, %q, %q from\n%s", name, s, got.Value, got.List[0], member[s], text)
			}
		}
	})
}

func TestLayout(t *testing.T) {
	doc := tree.Map{
		{Key: "empty", Value: tree.Map{}},
		{Key: "none", Value: tree.List{}},
		{Key: "count", Value: tree.Number(-3)},
		{Key: "lists", Value: tree.List{tree.List{tree.Bool(true), tree.List{}}, tree.Map{{Key: "a", Value: tree.Texts("b")}}}},
		{Key: "call", Value: tree.Call{Function: "GetAtt", Argument: "Table.Arn"}},
	}
	wantYAML := `empty: {}
none: []
count: -3
lists:
  - - true
    - []
  - a:
      - b
call: !GetAtt Table.Arn
`
	wantJSON := `{
  "empty": {},
  "none": [],
  "count": -3,
  "lists": [
    [
      true,
      []
    ],
    {
      "a": ["b"]
    }
  ],
  "call": {
    "Fn::GetAtt": ["Table", "Arn"]
  }
}
`
	if got := string(tree.YAML(doc)); got != wantYAML {
		t.Errorf("got\n%s", got)
	}
	if got := string(tree.JSON(doc)); got != wantJSON {
		t.Errorf("got\n%s", got)
	}
}
