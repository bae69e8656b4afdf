package modeltest

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/diag"
	"github.com/dynmodel/dynmodel/model/diag/diagtest"
	"github.com/dynmodel/dynmodel/model/parse"
	"github.com/dynmodel/dynmodel/model/source"
)

// Model reads a model that is without errors.
func Model(t testing.TB, text string) *model.Model {
	t.Helper()
	return sound(t, source.NewFile("model.yaml", text), ".")
}

// File reads the model in a file, with what it includes; it is without errors.
func File(t testing.TB, path string) *model.Model {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return sound(t, source.NewFile(path, string(text)), filepath.Dir(path))
}

func sound(t testing.TB, file *source.File, folder string) *model.Model {
	t.Helper()
	m, found := parse.File(file, os.DirFS(folder))
	for _, f := range found.All() {
		if f.Severity == diag.Error {
			t.Fatalf("%s: %s: %s", diagtest.Place(f.Span), f.Rule, diagtest.Message(f))
		}
	}
	if m == nil {
		t.Fatalf("%s: no model", file.Name())
	}
	return m
}
