package jsontree_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/dynmodel/dynmodel/model/source"
	"github.com/dynmodel/dynmodel/model/source/jsontree"
	"github.com/dynmodel/dynmodel/model/source/yamltree"
)

// dump writes a tree in short: texts in quotes, other scalars as they are.
func dump(n *yamltree.Node) string {
	switch n.Kind {
	case yamltree.Null:
		return "null"
	case yamltree.Mapping:
		var out []string
		for _, e := range n.Entries {
			out = append(out, e.Key.Text+":"+dump(e.Value))
		}
		return "{" + strings.Join(out, " ") + "}"
	case yamltree.Sequence:
		var out []string
		for _, item := range n.Items {
			out = append(out, dump(item))
		}
		return "[" + strings.Join(out, " ") + "]"
	}
	if n.Style == yamltree.Plain {
		return n.Text
	}
	return "'" + n.Text + "'"
}

func TestParse(t *testing.T) {
	for _, c := range []struct{ text, want, remarks string }{
		{`{"a": [1, -2.5e3, true, null, "x"], "b": {}}`, "{a:[1 -2.5e3 true null 'x'] b:{}}", ""},
		{`"\" \\ \/ \b \f \n \r \t \u00e9 \ud83d\ude00"`, "'\" \\ / \b \f \n \r \t é 😀'", ""},
		{`"\ud83d x"`, "'\uFFFD x'", ""},
		{"\ufeff[]", "[]", ""},
		{`{"a": 1, "a": 2}`, "{a:1 a:2}", ""},
		{`[True, False, None]`, "[true false null]", "1:2 `True` is Python; JSON has `true`|1:8 `False` is Python; JSON has `false`|1:15 `None` is Python; JSON has `null`"},
		{"[1, // one\n 2, /* two */ ]", "[1 2]", "1:5 JSON has no comments|2:5 JSON has no comments|2:3 JSON has no comma before `]`"},
	} {
		n, remarks, err := jsontree.Parse(source.NewFile("f", c.text))
		if err != nil {
			t.Errorf("%s: %v", c.text, err)
			continue
		}
		var said []string
		for _, r := range remarks {
			from := r.At.From()
			said = append(said, fmt.Sprintf("%d:%d %s", from.Line, from.Column, r.Text))
		}
		if got := dump(n); got != c.want || strings.Join(said, "|") != c.remarks {
			t.Errorf("%s\n got %s, %s\nwant %s, %s", c.text, got, strings.Join(said, "|"), c.want, c.remarks)
		}
	}
}

func TestRefused(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", "f:1:1: the text ends where a value should stand"},
		{"{", "f:1:1: the `{` here is not closed by a `}`"},
		{`{"a" 1}`, "f:1:2: a colon and a value should follow this key"},
		{"{a: 1}", "f:1:2: a key in double quotes should stand here"},
		{"[1 2]", "f:1:4: a comma or `]` should stand here"},
		{"[01]", "f:1:2: `01` is no JSON value; text needs double quotes"},
		{"'x'", "f:1:1: this is no JSON value; text needs double quotes"},
		{"[\"a\nb\"]", "f:1:2: the text that begins here is not closed by the end of the line"},
		{`"\x"`, "f:1:2: JSON has no escape `\\x`"},
		{`"\u12"`, "f:1:2: four hexadecimal digits should follow `\\u`"},
		{"1 2", "f:1:3: the document ends here, but more text follows"},
		{"/* x", "f:1:1: the comment that begins here is not closed"},
		{strings.Repeat("[", 200), "f:1:102: more than 100 levels of lists and objects"},
		{strings.Repeat(" ", jsontree.MaxSize+1), "f:1:1: larger than 16 MB, which no model is"},
	} {
		if _, _, err := jsontree.Parse(source.NewFile("f", c.text)); err == nil || err.Error() != c.want {
			t.Errorf("%.40s: %v, want %s", c.text, err, c.want)
		}
	}
}

func TestScript(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"{a: String, 'b': `x`, \"c\": 1,}", "{a:String b:'x' c:1}"},
		{`{a: /^[{},]+$/i, b: () => ulid({c: 1}), d: "x".concat("y")}`, `{a:/^[{},]+$/i b:() => ulid({c: 1}) d:"x".concat("y")}`},
		{`{a, ...rest, [key]: 1, run() { return {} }, b: {c: 1} as const}`, "{a:a ...rest:...rest [key]:1 run:() { return {} } b:{c:1}}"},
		{"{// one\n a: 'it\\'s' /* two */, b: [1, 'x' as string]}", "{a:'it's' b:[1 'x']}"},
	} {
		n, err := jsontree.Script(source.NewFile("f", c.text), 0)
		if err != nil || dump(n) != c.want {
			t.Errorf("%s: %v, %v; want %s", c.text, n, err, c.want)
			if n != nil {
				t.Logf("got %s", dump(n))
			}
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, text := range []string{`{"a": [1, "x", null]}`, "{a: /x/, b: () => 1}", "[True, // x\n]"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		file := source.NewFile("f", text)
		if n, _, err := jsontree.Parse(file); (n == nil) == (err == nil) {
			t.Errorf("%v and %v", n, err)
		}
		if n, err := jsontree.Script(file, 0); (n == nil) == (err == nil) {
			t.Errorf("as a script: %v and %v", n, err)
		}
	})
}
