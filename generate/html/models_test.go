package html_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/dynmodel/dynmodel/generate"
	"github.com/dynmodel/dynmodel/generate/document"
	"github.com/dynmodel/dynmodel/generate/html"
	"github.com/dynmodel/dynmodel/model/parse"
	"github.com/dynmodel/dynmodel/model/source"
)

// text is a model as it is written.
type text struct{ name, folder, yaml string }

// models are the example models of the repository.
func models(t testing.TB) (all []text) {
	t.Helper()
	examples := filepath.Join("..", "..", "examples")
	err := filepath.WalkDir(examples, func(path string, d fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".yaml" {
			return err
		}
		yaml, err := os.ReadFile(path)
		name, _ := filepath.Rel(examples, path)
		all = append(all, text{filepath.ToSlash(name), filepath.Dir(path), string(yaml)})
		return err
	})
	if err != nil || len(all) == 0 {
		t.Fatal("no example models", err)
	}
	return all
}

func (m text) input(t testing.TB) generate.Input {
	t.Helper()
	var includes fs.FS
	if m.folder != "" {
		includes = os.DirFS(m.folder)
	}
	parsed, findings := parse.File(source.NewFile(m.name, m.yaml), includes)
	if parsed == nil {
		t.Fatalf("%s: %+v", m.name, findings.All())
	}
	return generate.NewInput(parsed)
}

// page is a model's page.
func (m text) page(t testing.TB) []byte {
	t.Helper()
	page, err := html.Render(document.New(m.input(t)))
	if err != nil {
		t.Fatal(err)
	}
	return page
}
