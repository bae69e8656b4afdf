package parse_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/dynmodel/dynmodel/model/diag/diagtest"
	"github.com/dynmodel/dynmodel/model/parse"
	"github.com/dynmodel/dynmodel/model/source"
	"github.com/dynmodel/dynmodel/model/source/yamltree"
)

const includeHead = "version: 1\ntable: {name: notes, partition_key: id}\n"

// folder makes files of a map from names to texts.
func folder(files map[string]string) fstest.MapFS {
	out := fstest.MapFS{}
	for name, text := range files {
		out[name] = &fstest.MapFile{Data: []byte(text)}
	}
	return out
}

func TestIncludeMergesFragments(t *testing.T) {
	files := folder(map[string]string{
		"entities/a.yaml":   "entities: {A: {attributes: {id: uuid, b: {ref: B}}}}\naccess_patterns: [{name: get-a, get: A}]\nignore: [{rule: x, reason: y}]\n",
		"entities/b.yaml":   "version: 1\ndescription: the second\nentities: {B: {attributes: {id: uuid}}}\ninclude: ../more/*.yaml\n",
		"more/samples.yaml": "samples: {B: [{id: 0b0e7a3c-6d2f-4f6e-9c1d-2a5b8e4f7a10}]}\ngenerate: {docs: t.md}\n",
	})
	file := source.NewFile("models/notes.yaml", includeHead+"include: [entities/*.yaml, entities/a.yaml]\naccess_patterns: [{name: get-b, get: B, after: put-a}, {name: put-a, put: A}]\n")
	m, list := parse.File(file, files)
	diagtest.Check(t, list.All(), file)
	if m == nil {
		t.Fatal("no model")
	}
	var names []string
	for _, f := range m.Files {
		names = append(names, f.Name())
	}
	if got, want := strings.Join(names, " "), "models/notes.yaml models/entities/a.yaml models/entities/b.yaml models/more/samples.yaml"; got != want {
		t.Errorf("files: %s, want %s", got, want)
	}
	if len(m.Entities) != 2 || len(m.Patterns) != 3 || len(m.Samples) != 1 || len(m.Ignores) != 1 || len(m.Generate) != 1 {
		t.Errorf("got %d entities, %d patterns, %d samples, %d ignores, %d targets", len(m.Entities), len(m.Patterns), len(m.Samples), len(m.Ignores), len(m.Generate))
	}
	if m.Description != "" {
		t.Errorf("a fragment's description is not the model's: %q", m.Description)
	}
	if m.Entity("A").Attribute("b").Ref.Entity != m.Entity("B") {
		t.Error("a reference into another file leads nowhere")
	}
}

func TestIncludeMistakes(t *testing.T) {
	big := strings.Repeat("# x\n", yamltree.MaxSize/4+1)
	tests := []struct {
		name, include string
		files         map[string]string
		want          []string // place and part of the message
	}{
		{"missing", "none.yaml", nil, []string{"notes.yaml:3:10: there is no file `none.yaml`"}},
		{"no match", "parts/*.yaml", nil, []string{"notes.yaml:3:10: there is no file `parts/*.yaml`"}},
		{"outside", "../x.yaml", nil, []string{"notes.yaml:3:10: `../x.yaml` leads out of the model's folder"}},
		{"absolute", "/etc/passwd", nil, []string{"notes.yaml:3:10: `/etc/passwd` leads out of the model's folder"}},
		{"pattern", "'[a'", nil, []string{"notes.yaml:3:10: `[a` is no pattern"}},
		{"folder", "parts", map[string]string{"parts/a.yaml": ""}, []string{"notes.yaml:3:10: `parts` cannot be read: it is a folder"}},
		{"itself", "notes.yaml", map[string]string{"notes.yaml": ""}, []string{"notes.yaml:3:10: `notes.yaml` includes itself: notes.yaml → notes.yaml"}},
		{"cycle", "a.yaml", map[string]string{"a.yaml": "include: b.yaml", "b.yaml": "include: a.yaml"}, []string{"b.yaml:1:10: `a.yaml` includes itself: notes.yaml → a.yaml → b.yaml → a.yaml"}},
		{"empty", "a.yaml", map[string]string{"a.yaml": ""}, nil},
		{"list", "a.yaml", map[string]string{"a.yaml": "- a"}, []string{"a.yaml:1:1: a model is a mapping, not a list"}},
		{"table", "a.yaml", map[string]string{"a.yaml": "table: other"}, []string{"a.yaml:1:8: an included file is a part of a model and has no table of its own; the table is in notes.yaml"}},
		{"same entity", "a.yaml", map[string]string{"a.yaml": "entities: {Note: {attributes: {id: uuid}}}"}, []string{"a.yaml:1:12: there is already an entity `Note`, in notes.yaml line 4"}},
		{"same pattern", "a.yaml", map[string]string{"a.yaml": "access_patterns: [{name: get-note, get: Note}]"}, []string{"a.yaml:1:26: there is already a pattern `get-note`"}},
		{"too large", "a.yaml", map[string]string{"a.yaml": big}, []string{"a.yaml:1:1: the file has 4.0 MB; a model may have at most 4 MB"}},
		{"not text", "{a: b}", nil, []string{"notes.yaml:3:10: text is wanted here"}},
		{"syntax", "a.yaml", map[string]string{"a.yaml": "entities:\n  A: `x\n  B: {attributes: {id: uuid, x: nope}}"}, []string{"a.yaml:2:6: a value cannot start with a backquote", "a.yaml:3:33: there is no type `nope`"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			text := includeHead + "include: " + test.include + "\nentities: {Note: {attributes: {id: uuid}}}\naccess_patterns: [{name: get-note, get: Note}]\n"
			_, list := parse.File(source.NewFile("notes.yaml", text), folder(test.files))
			var got []string
			for _, f := range list.All() {
				got = append(got, diagtest.Place(f.Span)+": "+f.Message)
			}
			if len(got) != len(test.want) {
				t.Fatalf("got %q, want %q", got, test.want)
			}
			for i := range got {
				if !strings.HasPrefix(got[i], test.want[i]) {
					t.Errorf("got %q, want %q", got[i], test.want[i])
				}
			}
		})
	}
}

func TestStandardInputIncludesNothing(t *testing.T) {
	_, list := parse.File(source.NewFile("-", includeHead+"include: a.yaml\nentities: {Note: {attributes: {id: uuid}}}\n"), nil)
	if got := fmt.Sprint(list.Len()); got != "1" || !strings.Contains(list.All()[0].Message, "standard input") {
		t.Errorf("got %v", list.All())
	}
}

// TestPartAlone: what is missing in a part of a model is the model.
func TestPartAlone(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"entities", "entities: {A: {attributes: {id: uuid}}}\n", "this is a part of a model"},
		{"patterns, with a version", "version: 1\naccess_patterns: []\n", "this is a part of a model"},
		{"nothing that a part has", "version: 1\nname: x\n", "a model needs `table`"},
		{"a table of another name", "version: 1\ntabel: {name: notes, partition_key: id}\nentities: {A: {attributes: {id: uuid}}}\n", "did you mean `table`"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, list := parse.File(source.NewFile("part.yaml", test.text), nil)
			if all := list.All(); len(all) != 1 || !strings.Contains(all[0].Message, test.want) {
				t.Errorf("got %v, want one finding: %s", all, test.want)
			}
		})
	}
}
