// Package infratest reads back what the generators of infrastructure make: with
// the tools it is for where they are installed, and by making each table on the
// engine, where all of them must come to the same.
package infratest

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/dynmodel/dynmodel/generate"
	"github.com/dynmodel/dynmodel/generate/targets"
	"github.com/dynmodel/dynmodel/model/parse"
	"github.com/dynmodel/dynmodel/model/source"
)

// sample is a model to generate from.
type sample struct {
	name string
	in   generate.Input
}

// samples are the models in testdata, which together have every setting and the
// most awkward names, and those of the examples.
func samples(t *testing.T) []sample {
	t.Helper()
	var out []sample
	add := func(root string) {
		err := filepath.WalkDir(root, func(path string, _ fs.DirEntry, err error) error {
			if err == nil && filepath.Ext(path) == ".yaml" {
				name := strings.TrimSuffix(strings.TrimPrefix(filepath.ToSlash(path), filepath.ToSlash(root)+"/"), ".yaml")
				out = append(out, sample{strings.ReplaceAll(name, "/", "-"), read(t, path)})
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	add("testdata")
	add(filepath.Join("..", "..", "examples"))
	return out
}

func read(t *testing.T, path string) generate.Input {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	m, found := parse.File(source.NewFile(path, string(text)), os.DirFS(filepath.Dir(path)))
	if m == nil {
		t.Fatalf("%s: %+v", path, found.All())
	}
	return generate.NewInput(m)
}

// made is the file that a target makes, or of one that makes several the file of
// that path; nil when there is none.
func made(t *testing.T, in generate.Input, target, path string, options map[string]string) []byte {
	t.Helper()
	tg, ok := targets.Named(target)
	if !ok {
		t.Fatalf("no target %s", target)
	}
	in.Options = options
	files, err := targets.Files(tg, in)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if f.Path == path {
			return f.Content
		}
	}
	return nil
}
