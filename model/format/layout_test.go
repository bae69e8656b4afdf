package format_test

import (
	"strings"
	"testing"
)

// TestLayout shows what becomes of each way of writing.
func TestLayout(t *testing.T) {
	long := strings.Repeat("x", 100)
	for _, test := range []struct{ name, before, after string }{
		{"nothing", "", ""},
		{"comments alone", "# a\n\n\n# b", "# a\n\n# b\n"},
		{"text alone", "just text # c\n", "just text  # c\n"},
		{"order of sections", "table: notes\nversion: 1\n", "version: 1\ntable: notes\n"},
		{"comment of the file stays on top", "# File.\n\ntable: notes\n# One.\nversion: 1\n", "# File.\n\n# One.\nversion: 1\ntable: notes\n"},
		{"order of an index", "table:\n  indexes:\n    I: {sort_key: b, partition_key: a}\n", "table:\n  indexes:\n    I: {partition_key: a, sort_key: b}\n"},
		{"order of a pattern", "access_patterns:\n- where: a = $a\n  query: A\n  # Why.\n  name: p # so\n",
			"access_patterns:\n  # Why.\n  - name: p  # so\n    query: A\n    where: a = $a\n"},
		{"order of steps", "access_patterns:\n  - transact_write:\n      - steps: [{with: {b: 1}, put: A}]\n        for_each: $x\n",
			"access_patterns:\n  - transact_write:\n      - for_each: $x\n        steps: [{put: A, with: {b: 1}}]\n"},
		{"order of what is named freely stays", "entities:\n  B:\n    attributes: {z: string, a: string}\n  A: {}\n",
			"entities:\n  B:\n    attributes: {z: string, a: string}\n\n  A: {}\n"},
		{"unknown keys come last", "tabel: x\nversion: 1\n", "version: 1\ntabel: x\n"},
		{"indentation", "entities:\n      A:\n          keys:\n           PK: x\n", "entities:\n  A:\n    keys:\n      PK: x\n"},
		{"lists are indented", "include:\n- a\n-   b\n", "include:\n  - a\n  - b\n"},
		{"lists of lists", "x:\n- - a\n  - b\n-\n  - c\n", "x:\n  - - a\n    - b\n  - - c\n"},
		{"sections are set apart", "version: 1\ntable:\n  name: a\nentities:\n  A: {}\n", "version: 1\n\ntable:\n  name: a\n\nentities:\n  A: {}\n"},
		{"blank lines", "a: 1\n\n\n\nb: 2\n\nc:\n\n  d: 3\n\n\n", "a: 1\n\nb: 2\n\nc:\n  d: 3\n"},
		{"brackets", "a: {  b : [1,2 ,3], c: {} , d: }\n", "a: {b: [1, 2, 3], c: {}, d: }\n"},
		{"brackets on several lines", "a: [\n  b,\n  c: d,\n]\n", "a: [b, {c: d}]\n"},
		{"comments in brackets", "a: { # one\n  b: c, # two\n  # three\n  d: [e] # four\n  # five\n}\n",
			"a:  # one\n  b: c  # two\n  # three\n  d: [e]  # four\n  # five\n"},
		{"comment in empty brackets", "a: [ # none\n]\n", "a: []  # none\n"},
		{"brackets that are too wide", "a: {b: " + long + ", c: [d, {e: " + long + ", f: g}]}\n",
			"a:\n  b: " + long + "\n  c:\n    - d\n    - {e: " + long + ", f: g}\n"},
		{"samples are rows", "samples:\n  A:\n    - {a: " + long + ", b: " + long + "}\n", "samples:\n  A:\n    - {a: " + long + ", b: " + long + "}\n"},
		{"comments are aligned", "a: 1 # x\nbcd: 2      # y\ne: 3\nf: 4 # z\n", "a: 1    # x\nbcd: 2  # y\ne: 3\nf: 4  # z\n"},
		{"wide lines align nothing", "a: " + long + " # x\nb: 2 # y\n", "a: " + long + "  # x\nb: 2  # y\n"},
		{"comments keep their block", "z:\n  a:\n    b: 1\n    # of b\n  # of c\n  c: 1\n    # end\n", "z:\n  a:\n    b: 1\n    # of b\n  # of c\n  c: 1\n  # end\n"},
		{"comments below a list that is not indented", "z:\n  a:\n  - b\n  # of c\n  c: 1\n", "z:\n  a:\n    - b\n  # of c\n  c: 1\n"},
		{"comments below a root that is indented", "  a: 1\n# end\n", "a: 1\n# end\n"},
		{"comment behind a dash", "a:\n  - # why\n    b: 1\n", "a:\n  # why\n  - b: 1\n"},
		{"comment behind a key", "a:   # why\n  b: 1\n", "a:  # why\n  b: 1\n"},
		{"number signs in values", "a: \"x # y\"\nb: x#y\nc: '# z'\n", "a: \"x # y\"\nb: x#y\nc: '# z'\n"},
		{"quotes stay", "a: \"x\"\n'b': 'it''s'\nc: {\"d\":\"e\\\" }\"}\n", "a: \"x\"\n'b': 'it''s'\nc: {\"d\": \"e\\\" }\"}\n"},
		{"anchors", "a: &x {k: v}\nb:\n  <<: *x\n  l: *x\n\nc: &y\n  m: 1\nd:\n  - &z\n    n: 1\n  - &w o\n", "a: &x {k: v}\n\nb:\n  <<: *x\n  l: *x\n\nc: &y\n  m: 1\n\nd:\n  - &z\n    n: 1\n  - &w o\n"},
		{"an alias before its anchor keeps the order", "entities: &e {}\ntable: *e\nversion: 1\n", "entities: &e {}\ntable: *e\nversion: 1\n"},
		{"tags", "a: !!str 1\nb: &x !!map {c: d}\n", "a: !!str 1\nb: &x !!map {c: d}\n"},
		{"nothing as a value", "a:\nb: # none\nc: ~\nd:\n  -\n  - x\n", "a:\nb:  # none\nc: ~\n\nd:\n  -\n  - x\n"},
		{"long text", "a: one\n     two\n\n     three # c\nb: \"one\n\n  two\"\n", "a: one\n  two\n\n  three  # c\nb: \"one\n\n  two\"\n"},
		{"text below its key", "a:\n    one\n    two\n", "a: one\n  two\n"},
		{"blocks of text", "a: |  # c\n      x\n        y\n\n      z\nb:\n  c: >-\n   p\n\n\n  d: |2-\n      q\n  e: |+\n    r\n\nf: 1\n",
			"a: |  # c\n  x\n    y\n\n  z\nb:\n  c: >-\n    p\n\n  d: |2-\n      q\n  e: |+\n    r\n\nf: 1\n"},
		{"blocks of text in lists", "a:\n- |\n  x\n-  b: |\n     y\n", "a:\n  - |\n    x\n  - b: |\n      y\n"},
		{"byte order mark and line ends", "\uFEFFa: 1\r\nb: |\r\n  x\r\n", "a: 1\nb: |\n  x\n"},
		{"start and end of the document", "%YAML 1.2\n# c\n---\n\na: 1\n...\n", "%YAML 1.2\n# c\n---\na: 1\n"},
		{"one collection in brackets", `{"version": 1, "table": "notes"}`, "{\"version\": 1, \"table\": \"notes\"}\n"},
		{"a model in JSON", `{"table": {"name": "` + long[:90] + `"}, "version": 1}`, "\"version\": 1\n\"table\": {\"name\": \"" + long[:90] + "\"}\n"},
		{"wide characters", "ä: 1 # x\nbb: 日本 # y\n", "ä: 1    # x\nbb: 日本  # y\n"},
		{"optional types", "a: {b: string?, c: [number?]}\n", "a: {b: string?, c: [number?]}\n"},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, list := text(test.before)
			if list.Len() > 0 {
				t.Fatal(list.All()[0].Message)
			}
			if got != test.after {
				t.Errorf("got\n%s\nwant\n%s", got, test.after)
			}
			if again, _ := text(got); again != got {
				t.Errorf("then\n%s", again)
			}
		})
	}
}

// TestRefused are the texts that are left alone, and what is said of them.
func TestRefused(t *testing.T) {
	for before, want := range map[string]string{
		"a: b: c\n":             "a colon and a space inside a value",
		"a: {b: 1\n":            "the bracket `{` is not closed",
		"a: 1\na: 2\n":          "the key \"a\" is already given in line 1",
		"? a\n: b\n":            "write `key: value`",
		"a: {b, c: d}\n":        "this member of {…} has no colon",
		"a:\n  &x\n  b: c\n":    "an anchor or a tag stands on the line of its key",
		"--- {a: b}\n":          "the mark --- stands on a line of its own",
		"a: |\n  no line's end": "without a change of what it says",
		"\x00":                  "zero byte",
	} {
		t.Run(before, func(t *testing.T) {
			got, list := text(before)
			if list.Len() == 0 || !strings.Contains(list.All()[0].Message, want) || got != "" {
				t.Errorf("got %q and %v, want %q", got, list.All(), want)
			}
		})
	}
}
