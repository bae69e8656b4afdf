package parse_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/dynmodel/dynmodel/model/diag/diagtest"
	"github.com/dynmodel/dynmodel/model/parse"
	"github.com/dynmodel/dynmodel/model/source"
)

// files reads the test models of a folder.
func files(t testing.TB, pattern string) []*source.File {
	t.Helper()
	names, err := filepath.Glob(pattern)
	if err != nil || len(names) == 0 {
		t.Fatalf("no files %s: %v", pattern, err)
	}
	var out []*source.File
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, source.NewFile(name, string(text)))
	}
	return out
}

// Every finding of an invalid model is wanted by a comment on its line, and
// every want is met.
func TestInvalidModels(t *testing.T) {
	for _, file := range files(t, "testdata/invalid/*.yaml") {
		t.Run(filepath.Base(file.Name()), func(t *testing.T) {
			_, list := parse.File(file, nil)
			diagtest.Check(t, list.All(), file)
		})
	}
}

func TestValidModels(t *testing.T) {
	for _, file := range files(t, "testdata/valid/*.yaml") {
		t.Run(filepath.Base(file.Name()), func(t *testing.T) {
			m, list := parse.File(file, nil)
			diagtest.Check(t, list.All(), file)
			if m == nil {
				t.Error("no model")
			}
		})
	}
}
