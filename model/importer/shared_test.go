package importer_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/diag"
	"github.com/dynmodel/dynmodel/model/encode"
	"github.com/dynmodel/dynmodel/model/importer"
	"github.com/dynmodel/dynmodel/model/importer/datamodel"
	"github.com/dynmodel/dynmodel/model/importer/workbench"
	"github.com/dynmodel/dynmodel/model/parse"
	"github.com/dynmodel/dynmodel/model/source"
	"github.com/dynmodel/dynmodel/model/value"
)

// modelsFolder names the folder with real models of other tools, too large and
// not ours to keep here.
const modelsFolder = "DYNMODEL_REAL_MODELS"

func TestRealModels(t *testing.T) {
	folder := os.Getenv(modelsFolder)
	if folder == "" {
		t.Skipf("%s is not set: it names the folder with models of other tools", modelsFolder)
	}
	var total tally
	for _, path := range glob(t, filepath.Join(folder, "workbench", "*.json")) {
		t.Run(filepath.Base(path), func(t *testing.T) {
			drafts, err := workbench.Read(source.NewFile(filepath.Base(path), read(t, path)))
			if err != nil {
				t.Fatal(err)
			}
			for _, d := range drafts {
				n := imported(t, d, path)
				t.Logf("%s %s: %+v", filepath.Base(path), d.Table.Name.Text, n)
				total.add(n)
			}
		})
	}
	for _, path := range glob(t, filepath.Join(folder, "aws-data-model", "*.json")) {
		if strings.HasSuffix(path, "_usage_data.json") {
			continue // read with the schema it belongs to
		}
		t.Run(filepath.Base(path), func(t *testing.T) {
			var usage *source.File
			if companion := strings.TrimSuffix(path, "_schema.json") + "_usage_data.json"; companion != path {
				if text, err := os.ReadFile(companion); err == nil {
					usage = source.NewFile(filepath.Base(companion), string(text))
				}
			}
			drafts, err := datamodel.Read(source.NewFile(filepath.Base(path), read(t, path)), usage)
			if err != nil {
				t.Fatal(err)
			}
			for _, d := range drafts {
				n := imported(t, d, path)
				t.Logf("%s %s: %+v", filepath.Base(path), d.Table.Name.Text, n)
				total.add(n)
			}
		})
	}
	t.Logf("in all: %+v", total)
}

// tally counts what came out of an import.
type tally struct {
	tables, entities, templates, patterns, items, samples, faults, lost int
}

func (t *tally) add(n tally) {
	t.tables += n.tables
	t.entities += n.entities
	t.templates += n.templates
	t.patterns += n.patterns
	t.items += n.items
	t.samples += n.samples
	t.faults += n.faults
	t.lost += n.lost
}

// imported turns a draft into a model and holds it to what every import promises.
func imported(t *testing.T, d *importer.Draft, path string) tally {
	t.Helper()
	stored := itemsOf(d)
	importer.Infer(d)
	text := importer.Print(d, path)
	if out := os.Getenv("IMPORT_OUT"); out != "" {
		os.WriteFile(filepath.Join(out, strings.TrimSuffix(filepath.Base(path), ".json")+"__"+d.Table.Name.Text+".yaml"), []byte(text), 0o666)
	}
	m, list := parse.File(source.NewFile("import.yaml", text), nil)
	for _, f := range list.All() {
		if f.Severity == diag.Error {
			t.Errorf("%s: line %d: %s: %s", d.Table.Name.Text, f.Span.From().Line, f.Message, f.Span.File.Line(f.Span.From().Line))
		}
	}
	if m == nil {
		t.Fatalf("no model:\n%s", text)
	}
	n := tally{tables: 1, entities: len(m.Entities), patterns: len(m.Patterns), items: len(stored)}
	for _, e := range m.Entities {
		for _, k := range e.Keys {
			if !k.Implied {
				n.templates++
			}
		}
	}
	for _, note := range d.All() {
		if note.Kind == importer.Fault {
			n.faults++
		} else {
			n.lost++
		}
	}
	n.samples = recovered(t, m, stored)
	return n
}

func itemsOf(d *importer.Draft) []map[string]value.Value {
	var out []map[string]value.Value
	add := func(items []*importer.Item) {
		for _, i := range items {
			copied := map[string]value.Value{}
			for k, v := range i.Values {
				copied[k] = v
			}
			out = append(out, copied)
		}
	}
	for _, e := range d.Entities {
		add(e.Items)
	}
	add(d.Items)
	return out
}

// recovered counts the samples of a model that are stored as an item of the input
// was, with what the model adds.
func recovered(t *testing.T, m *model.Model, stored []map[string]value.Value) int {
	t.Helper()
	n := 0
	for _, s := range m.Samples {
		item, err := encode.Item(m, s.Entity, s.Item, nil)
		if err != nil {
			t.Errorf("a sample of %s cannot be stored: %v", s.Entity.Name.Text, err)
			continue
		}
		found := false
		for _, was := range stored {
			if holds(item, was, m.Table.EntityType) {
				found = true
				break
			}
		}
		if found {
			n++
		} else {
			t.Errorf("a sample of %s at line %d is stored as no item was: %v", s.Entity.Name.Text, s.At.From().Line, difference(item, stored, m.Table))
		}
	}
	return n
}

func holds(item, was map[string]value.Value, typeAttribute string) bool {
	for name, v := range was {
		if !value.Equal(item[name], v) {
			return false
		}
	}
	return true
}

// difference names what the item of the same key has otherwise.
func difference(item map[string]value.Value, stored []map[string]value.Value, table *model.Table) string {
	for _, was := range stored {
		same := true
		for _, k := range table.Keys() {
			same = same && value.Equal(item[k.Name], was[k.Name])
		}
		if !same {
			continue
		}
		for name, v := range was {
			if !value.Equal(item[name], v) {
				return name + " is " + item[name].String() + ", was " + v.String()
			}
		}
	}
	return "no item has its key"
}

func glob(t *testing.T, pattern string) []string {
	t.Helper()
	paths, err := filepath.Glob(pattern)
	if err != nil || len(paths) == 0 {
		t.Fatalf("%s: no files (%v)", pattern, err)
	}
	return paths
}

func read(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
