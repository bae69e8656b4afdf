package targets_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/dynmodel/dynmodel/generate"
	"github.com/dynmodel/dynmodel/generate/targets"
	"github.com/dynmodel/dynmodel/model/diag"
	"github.com/dynmodel/dynmodel/model/parse"
	"github.com/dynmodel/dynmodel/model/source"
)

const small = `version: 1
table: {name: notes, partition_key: PK}
entities:
  Note:
    attributes: {note: ulid}
    keys: {PK: "NOTE#{note}"}
access_patterns:
  - {name: add-note, create: Note}
generate:
`

// block is what is found in a model with a generate block of the given lines.
func block(t *testing.T, lines ...string) []diag.Finding {
	t.Helper()
	m, found := parse.File(source.NewFile("notes.yaml", small+"  "+strings.Join(lines, "\n  ")+"\n"), os.DirFS("."))
	if m == nil || found.Len() > 0 {
		t.Fatalf("%+v", found.All())
	}
	return targets.Block(m)
}

// Every target, with every value of every option, may stand in a model.
func TestBlockAccepts(t *testing.T) {
	for _, target := range targets.All() {
		if found := block(t, fmt.Sprintf("%s: out/%s", target.Name, target.Name)); len(found) > 0 {
			t.Errorf("%s: %+v", target.Name, found)
		}
		for _, o := range target.Options {
			for _, v := range append(o.Values, o.Default) {
				if v == "" {
					continue
				}
				line := fmt.Sprintf("%s: {path: out, %s: %q}", target.Name, o.Name, v)
				if found := block(t, line); len(found) > 0 {
					t.Errorf("%s: %+v", line, found)
				}
			}
		}
	}
}

func TestBlockRefuses(t *testing.T) {
	for _, c := range []struct {
		lines []string
		want  string // the place in the last line, and the message
	}{
		{[]string{"cloudformation: {path: t.yaml, format: xml}"}, "10:42 the option `format` of `cloudformation` cannot be `xml`; write `yaml` or `json`"},
		{[]string{"cloudformation: {path: t.yaml, formt: json}"}, "10:34 the target `cloudformation` has no option `formt`; did you mean `format`?"},
		{[]string{"terraform: {path: t.tf, a: b}"}, "10:27 the target `terraform` has no option `a`; it has none"},
		{[]string{"terraform: a/../t", "cli: ./t"}, "11:3 `terraform` and `cli` would both write t"},
	} {
		found := block(t, c.lines...)
		if len(found) != 1 {
			t.Errorf("%v: %+v", c.lines, found)
			continue
		}
		at := found[0].Span.From()
		if got := fmt.Sprintf("%d:%d %s", at.Line, at.Column, found[0].Message); got != c.want {
			t.Errorf("%v: got %q, want %q", c.lines, got, c.want)
		}
	}
}

// A target is whole: it says what it is, and where its files go; options have
// values or a text that says what may be said.
func TestTargets(t *testing.T) {
	var names []string
	for _, target := range targets.All() {
		if target.Name == "" || target.Title == "" || target.Text == "" || target.Path == "" || target.Files == nil {
			t.Errorf("%s lacks something", target.Name)
		}
		if slices.Contains(names, target.Name) {
			t.Errorf("%s is there twice", target.Name)
		}
		names = append(names, target.Name)
		for _, o := range target.Options {
			if o.Name == "" || o.Text == "" || o.Values != nil && !slices.Contains(o.Values, o.Default) {
				t.Errorf("%s: option %q lacks something", target.Name, o.Name)
			}
		}
	}
}

func TestFilesDefaults(t *testing.T) {
	target := generate.Target{Name: "x", Options: []generate.Option{{Name: "a", Default: "1"}, {Name: "b", Default: "2"}},
		Files: func(in generate.Input) ([]generate.File, error) {
			return []generate.File{{Content: []byte(in.Options["a"] + in.Options["b"])}}, nil
		}}
	files, err := targets.Files(target, generate.Input{Options: map[string]string{"b": "3"}})
	if err != nil || string(files[0].Content) != "13" {
		t.Errorf("%s, %v", files[0].Content, err)
	}
}
