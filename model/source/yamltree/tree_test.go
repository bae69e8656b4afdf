package yamltree

import (
	"fmt"
	"strings"
	"testing"

	"github.com/dynmodel/dynmodel/model/diag"
	"github.com/dynmodel/dynmodel/model/source"
)

// dump writes a tree, one node a line: its kind, its place, and its text.
func dump(b *strings.Builder, n *Node, indent string) {
	from, to := n.At.From(), n.At.To()
	fmt.Fprintf(b, "%d:%d-%d:%d ", from.Line, from.Column, to.Line, to.Column)
	switch n.Kind {
	case Scalar:
		fmt.Fprintf(b, "%q", n.Text)
	case Null:
		b.WriteString("null")
	case Broken:
		b.WriteString("broken")
	case Mapping:
		b.WriteString("mapping")
	case Sequence:
		b.WriteString("list")
	}
	if n.Incomplete {
		b.WriteString(" incomplete")
	}
	b.WriteString("\n")
	for _, e := range n.Entries {
		merged := ""
		if e.Merged {
			merged = " (merged)"
		}
		fmt.Fprintf(b, "%s  %s%s: ", indent, e.Key.Text, merged)
		dump(b, e.Value, indent+"  ")
	}
	for _, item := range n.Items {
		b.WriteString(indent + "  - ")
		dump(b, item, indent+"  ")
	}
}

// parse reads a text and writes the tree and what was found.
func parse(text string) string {
	var list diag.List
	var b strings.Builder
	if root := Parse(source.NewFile("m.yaml", text), &list); root != nil {
		dump(&b, root, "")
	} else {
		b.WriteString("nothing\n")
	}
	for _, f := range list.All() {
		from := f.Span.From()
		fmt.Fprintf(&b, "! %d:%d %s: %s\n", from.Line, from.Column, f.Message, f.Span.Text())
	}
	return b.String()
}

func TestTrees(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"block", "a: 1\nb:\n  - x\n  -\n  - y: z\n    w: v\n", `
1:1-6:9 mapping
  a: 1:4-1:5 "1"
  b: 3:3-6:9 list
    - 3:5-3:6 "x"
    - 4:4-4:4 null
    - 5:5-6:9 mapping
      y: 5:8-5:9 "z"
      w: 6:8-6:9 "v"
`},
		{"flow", "a: [1, {b: c, d: }, \"x\\\"]\" ] # end\nb: {\n  c: 'it''s', # }\n}\nc: {}\nd: []\n", `
1:1-6:6 mapping
  a: 1:4-1:29 list
    - 1:5-1:6 "1"
    - 1:8-1:19 mapping
      b: 1:12-1:13 "c"
      d: 1:18-1:18 null
    - 1:21-1:27 "x\"]"
  b: 2:4-4:2 mapping
    c: 3:6-3:13 "it's"
  c: 5:4-5:6 mapping
  d: 6:4-6:6 list
`},
		{"scalars keep their text", "a: NO\nb: 1.10\nc: 0080\nd: 12E4567\ne: 2026-01-05\nf: ~\ng: \"\"\nh: string?\ni: {j: string?, k: http://x?y=z}\n", `
1:1-9:33 mapping
  a: 1:4-1:6 "NO"
  b: 2:4-2:8 "1.10"
  c: 3:4-3:8 "0080"
  d: 4:4-4:11 "12E4567"
  e: 5:4-5:14 "2026-01-05"
  f: 6:4-6:5 "~"
  g: 7:4-7:6 ""
  h: 8:4-8:11 "string?"
  i: 9:4-9:33 mapping
    j: 9:8-9:15 "string?"
    k: 9:20-9:32 "http://x?y=z"
`},
		{"long scalars", "a: one\n  two\n\n  three\nb: |\n  x\n   y\n\n  z\n\n# c\nc: >-\n  p\n  q\nd: \"a\n  b\"\n", `
1:1-16:5 mapping
  a: 1:4-4:8 "one two\nthree"
  b: 5:4-9:4 "x\n y\n\nz\n"
  c: 12:4-14:4 "p q"
  d: 15:4-16:5 "a b"
`},
		{"anchors", "a: &x {k: v}\nb: *x\nc:\n  <<: *x\n  l: w\nd: {<<: [*x, {m: n, k: o}], k: p}\n", `
1:1-6:34 mapping
  a: 1:7-1:13 mapping
    k: 1:11-1:12 "v"
  b: 1:7-1:13 mapping
    k: 1:11-1:12 "v"
  c: 4:3-5:7 mapping
    k (merged): 1:11-1:12 "v"
    l: 5:6-5:7 "w"
  d: 6:4-6:34 mapping
    m (merged): 6:18-6:19 "n"
    k: 6:32-6:33 "p"
`},
		{"wide characters", "é: ü # x\n\"ñ\": {日: 本, x: [語]}\n", `
1:1-2:20 mapping
  é: 1:4-1:5 "ü"
  ñ: 2:6-2:20 mapping
    日: 2:10-2:11 "本"
    x: 2:16-2:19 list
      - 2:17-2:18 "語"
`},
		{"YAML's other line breaks", "a: \"x\u2028  y\"\nb: z\n", "\n1:1-2:5 mapping\n  a: 1:4-1:11 \"x\\u2028y\"\n  b: 2:4-2:5 \"z\"\n"},
		{"byte order mark and CRLF", "\uFEFFa: b\r\nc: [d,\r\n e]\r\n", `
1:2-3:4 mapping
  a: 1:5-1:6 "b"
  c: 2:4-3:4 list
    - 2:5-2:6 "d"
    - 3:2-3:3 "e"
`},
		{"version", "\uFEFF# of the language\n%YAML 1.2\n---\na: b\n", "\n4:1-4:5 mapping\n  a: 4:4-4:5 \"b\"\n"},
		{"version of another time", "%YAML 3.0\n---\na: b\n", "\nnothing\n! 1:1 this cannot be read as YAML: found incompatible YAML document: %YAML 3.0\n"},
		{"no directive", "a: |\n  %YAML 1.2\n", "\n1:1-2:12 mapping\n  a: 1:4-2:12 \"%YAML 1.2\\n\"\n"},
		{"empty", "# nothing\n", "\nnothing\n"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got, want := parse(test.text), test.want[1:]; got != want {
				t.Errorf("got\n%s\nwant\n%s", got, want)
			}
		})
	}
}

func TestErrorsCostTheSmallestEntry(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"a value", "a:\n  b: 1\n  c: `x\n  d: 2\ne: 3\n", `
1:1-5:5 mapping
  a: 2:3-4:7 mapping
    b: 2:6-2:7 "1"
    c: 3:6-3:8 broken
    d: 4:6-4:7 "2"
  e: 5:4-5:5 "3"
! 3:6 a value cannot start with a backquote in YAML; put it in quotes: ` + "`x" + `
`},
		{"items", "- a: 1\n  b: @x # why\n- \"c\n- d\n- {e\n", `
1:1-5:5 list incomplete
  - 1:3-2:14 mapping
    a: 1:6-1:7 "1"
    b: 2:6-2:14 broken
  - 4:3-4:4 "d"
! 2:6 a value cannot start with ` + "`@`" + ` in YAML; put it in quotes: @x
! 3:3 the quote that opens this value is not closed: "c
! 5:3 the bracket ` + "`{`" + ` is not closed: {e
`},
		{"quotes inside brackets", "a: {b: \"c, d: e}\nf: [it's, g\nh: i\n", `
1:1-3:5 mapping
  a: 1:4-1:17 broken
  f: 2:4-2:12 broken
  h: 3:4-3:5 "i"
! 1:4 a quote inside the brackets is not closed: {b: "c, d: e}
! 2:4 the bracket ` + "`[`" + ` is not closed: [it's, g
`},
		{"a quote that another line closes", "a:\n  b: \"c\n  d: \"#e\"\n  f: g\n", `
1:1-4:7 mapping
  a: 2:3-4:7 mapping incomplete
    b: 2:6-3:7 broken
    f: 4:6-4:7 "g"
! 2:6 the quote that opens this value is not closed: "c
`},
		{"a quote over several lines", "a:\n  b: \"c\n    d: e\"\n  f: g\n", `
1:1-4:7 mapping
  a: 2:3-4:7 mapping
    b: 2:6-3:10 "c d: e"
    f: 4:6-4:7 "g"
`},
		{"an item without its bracket", "a:\n  - b: c, d: e}\n", `
1:1-2:16 mapping
  a: 2:3-2:16 list
    - 2:5-2:16 mapping incomplete
      b: 2:8-2:16 broken
! 2:8 a colon and a space inside a value start another mapping in YAML; put the value in quotes: c, d: e}
`},
		{"a list under its key", "a:\n- b: 1\n- c: 'x' y\nd: e\n", `
1:1-4:5 mapping
  a: 2:1-3:11 list
    - 2:3-2:7 mapping
      b: 2:6-2:7 "1"
    - 3:3-3:11 mapping
      c: 3:6-3:11 broken
  d: 4:4-4:5 "e"
! 3:6 the value starts with a quote, so YAML ends it at the next one; put the whole value in quotes of the other kind: 'x' y
`},
		{"an alias before its anchor", "a: *x\nb: &x 1\nc: `y\nd: *x\n", `
1:1-4:6 mapping
  a: 1:4-1:6 broken
  b: 2:7-2:8 "1"
  c: 3:4-3:6 broken
  d: 2:7-2:8 "1"
! 1:4 ` + "`*`" + ` at the start of a value makes a YAML alias, and there is no such anchor; put text in quotes: *x
! 3:4 a value cannot start with a backquote in YAML; put it in quotes: ` + "`y" + `
`},
		{"a line too far left", "a:\n  b:\n    c: 1\n   d: 2\n  e: 3\n", `
1:1-5:7 mapping
  a: 2:3-5:7 mapping
    b: 3:5-4:8 mapping incomplete
      c: 3:8-3:9 "1"
    e: 5:6-5:7 "3"
! 4:4 the indentation of this line fits none of the lines above it: d: 2
`},
		{"an alias in itself", "a: &x [*x]\n", "\n1:1-1:11 mapping\n  a: 1:7-1:11 list\n    - 1:8-1:10 broken\n! 1:8 the alias *x stands inside the value it names: *x\n"},
		{"a tag", "a: !x\nb: !!str 5\n", "\n1:1-2:11 mapping\n  a: 2:1-2:1 broken\n  b: 2:10-2:11 \"5\"\n! 1:4 `!` at the start of a value makes a YAML tag; put the value in quotes: !x\n"},
		{"keys that are no names", "{a: 1}: b\nc: d\n", "\n1:1-2:5 mapping incomplete\n  c: 2:4-2:5 \"d\"\n! 1:1 a key must be a plain name. A value that starts with `{` or `[` needs quotes: {a: 1}\n"},
		{"twice", "a: 1\nb: 2\na: 3\n", "\n1:1-3:5 mapping\n  a: 1:4-1:5 \"1\"\n  b: 2:4-2:5 \"2\"\n! 3:1 the key \"a\" is already given in line 1: a\n"},
		{"a second document", "a: 1\n---\nb: 2\n", "\n1:1-1:5 mapping\n  a: 1:4-1:5 \"1\"\n! 2:1 a second YAML document starts here; a file holds one. Put it into a file of its own and `include` it: ---\n"},
		{"a broken second document", "a: 1\n---\nb: `\n", "\n1:1-1:5 mapping\n  a: 1:4-1:5 \"1\"\n! 2:1 a second YAML document starts here; a file holds one. Put it into a file of its own and `include` it: ---\n"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got, want := parse(test.text), test.want[1:]; got != want {
				t.Errorf("got\n%s\nwant\n%s", got, want)
			}
		})
	}
}

// Every byte of a scalar's text is traced to its place in the file.
func TestOffsets(t *testing.T) {
	tests := []struct{ name, text, word string }{
		{"plain", "a: one two\n", "two"},
		{"plain, folded", "a: one\n\n    two three\n", "three"},
		{"single quotes", "a: 'it''s two'\n", "two"},
		{"double quotes", "a: \"\\u00e9\\t\\x41\\U0001F600 two\"\n", "two"},
		{"double quotes, folded", "a: \"one\n   two three\"\n", "three"},
		{"literal", "a: |\n    one\n      two\n", "two"},
		{"folded", "a: >-\n  one\n  two\n\n  three\n", "three"},
		{"wide characters", "a: 日本 two\n", "two"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var list diag.List
			n := Parse(source.NewFile("m.yaml", test.text), &list).Get("a")
			i := strings.Index(n.Text, test.word)
			if i < 0 {
				t.Fatalf("%q is not in %q", test.word, n.Text)
			}
			if got := n.Sub(i, i+len(test.word)).Text(); got != test.word {
				t.Errorf("bytes %d to %d of %q are at %q", i, i+len(test.word), n.Text, got)
			}
		})
	}
}

func TestComments(t *testing.T) {
	text := "# head\na: b # one\nc: {d: e} # two\nf: 'g' #three\nh:\n"
	var list diag.List
	root := Parse(source.NewFile("m.yaml", text), &list)
	for key, want := range map[string]string{"a": "# one", "c": "# two", "f": "#three", "h": ""} {
		if got := root.Get(key).Comment().Text(); got != want {
			t.Errorf("the comment behind %s is %q, want %q", key, got, want)
		}
	}
	if got := root.Entries[0].Key.Head + root.Head; !strings.Contains(got, "# head") {
		t.Errorf("the comment above a is %q", got)
	}
}

func TestNestingIsBounded(t *testing.T) {
	for _, text := range []string{
		strings.Repeat("[", 200) + strings.Repeat("]", 200),
		"a: " + strings.Repeat("[", 200) + strings.Repeat("]", 200),
		"a: " + strings.Repeat("[", 20000) + strings.Repeat("]", 20000),
		"a: " + strings.Repeat("[", 20000),
		"- " + strings.Repeat("{a: ", 20000) + strings.Repeat("}", 20000),
	} {
		if got := parse(text); !strings.Contains(got, "nested deeper than 64 levels") {
			t.Errorf("%.10s…, %d bytes: got %.200s", text, len(text), got)
		}
	}
}

func TestAliasesAreBounded(t *testing.T) {
	var list diag.List
	Parse(source.NewFile("m.yaml", bomb()), &list)
	all := list.All()
	if len(all) != 1 || !strings.Contains(all[0].Message, "aliases expand to more than 100000 values") {
		t.Errorf("got %d findings: %v", len(all), all)
	}
}

func FuzzParse(f *testing.F) {
	for _, seed := range []string{"a: b", "a:\n  - {b: c}\n\td: `", "a: &x [*x]\n<<: *x", "? a\n: b", "a: |\n b\n--- \n", "{a: 'b', \"c\\x41\": >\n", "a: b: c\n- d\n  e", "%YAML 1.1\n---\n!a b"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		file := source.NewFile("m.yaml", text)
		var list diag.List
		root := Parse(file, &list)
		for _, finding := range list.All() {
			if at := finding.Span; !at.Known() || at.Start < 0 || at.Start > at.End || at.End > len(text) {
				t.Fatalf("%q: finding %q at %d to %d", text, finding.Message, at.Start, at.End)
			}
		}
		var walk func(n *Node)
		walk = func(n *Node) {
			if n.At.Start < 0 || n.At.Start > n.At.End || n.At.End > len(text) {
				t.Fatalf("%q: a node at %d to %d", text, n.At.Start, n.At.End)
			}
			n.Sub(0, len(n.Text)).Text()
			n.Comment()
			for _, item := range n.Items {
				walk(item)
			}
			for _, e := range n.Entries {
				walk(e.Key)
				walk(e.Value)
			}
		}
		if root != nil && size(root, 10_000) < 10_000 {
			walk(root)
		}
	})
}
