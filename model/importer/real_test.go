package importer_test

import (
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/diag"
	"github.com/dynmodel/dynmodel/model/encode"
	"github.com/dynmodel/dynmodel/model/importer"
	"github.com/dynmodel/dynmodel/model/importer/draft"
	"github.com/dynmodel/dynmodel/model/importer/infer"
	"github.com/dynmodel/dynmodel/model/importer/printer"
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
	var total draft.Tally
	tables := 0
	for _, path := range glob(t, filepath.Join(folder, "*", "*.json")) {
		if strings.HasSuffix(path, usageSuffix) {
			continue // read with the schema it belongs to
		}
		t.Run(filepath.Base(path), func(t *testing.T) {
			file := source.NewFile(filepath.Base(path), read(t, path))
			format, err := importer.Recognise(file)
			if err != nil {
				t.Fatal(err)
			}
			drafts, err := format.Read(file, usageOf(path))
			if err != nil {
				t.Fatal(err)
			}
			for _, d := range drafts {
				n := imported(t, d, path)
				t.Logf("%s: %s", d.Table.Name.Text, n)
				tables++
				total.Add(n)
			}
		})
	}
	t.Logf("in all: %d tables, %s", tables, total)
	if total.Fitting*100 < total.Items*wanted {
		t.Errorf("%d of %d items are samples, want %d %%", total.Fitting, total.Items, wanted)
	}
}

// wanted is how many per cent of the items in real designs must fit the models
// that come out; the others have slips in them.
const wanted = 95

const usageSuffix = "_usage_data.json"

// usageOf is the companion with sample data of a schema; nil when there is none.
func usageOf(path string) *source.File {
	base, ok := strings.CutSuffix(path, "_schema.json")
	text, err := os.ReadFile(base + usageSuffix)
	if !ok || err != nil {
		return nil
	}
	return source.NewFile(filepath.Base(base+usageSuffix), string(text))
}

// imported turns a draft into a model and holds it to what every import promises:
// it reads without errors, every sample is an item of the input, stored as it was,
// and every complaint has a place.
func imported(t *testing.T, d *draft.Draft, path string) draft.Tally {
	t.Helper()
	stored := itemsOf(d)
	infer.Missing(d)
	text := printer.Text(d, path)
	m, found := parse.File(source.NewFile("import.yaml", text), nil)
	for _, f := range found.All() {
		if f.Severity == diag.Error {
			t.Errorf("%s: line %d: %s", d.Table.Name.Text, f.Span.From().Line, f.Message)
		}
	}
	if m == nil {
		t.Fatalf("no model:\n%s", text)
	}
	for _, n := range d.All() {
		if !n.At.Known() {
			t.Errorf("without a place: %s", n)
		}
	}
	n := draft.Count(d)
	if samples := again(t, m, stored); samples != n.Fitting {
		t.Errorf("%s: %d samples, and %d items are said to fit", d.Table.Name.Text, samples, n.Fitting)
	}
	return n
}

// itemsOf copies the items of a draft, as they are before anything is inferred.
func itemsOf(d *draft.Draft) []map[string]value.Value {
	var out []map[string]value.Value
	add := func(items []*draft.Item) {
		for _, i := range items {
			out = append(out, maps.Clone(i.Values))
		}
	}
	for _, e := range d.Entities {
		add(e.Items)
	}
	add(d.Items)
	return out
}

// again counts the samples of a model that are stored as an item of the input
// was, with what the model adds.
func again(t *testing.T, m *model.Model, stored []map[string]value.Value) int {
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
			if holds(item, was) {
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

func holds(item, was map[string]value.Value) bool {
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
