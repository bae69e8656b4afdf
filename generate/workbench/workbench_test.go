package workbench_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/dynmodel/dynmodel/generate"
	"github.com/dynmodel/dynmodel/generate/workbench"
	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/diag"
	"github.com/dynmodel/dynmodel/model/encode"
	"github.com/dynmodel/dynmodel/model/importer/draft"
	"github.com/dynmodel/dynmodel/model/importer/infer"
	"github.com/dynmodel/dynmodel/model/importer/printer"
	reader "github.com/dynmodel/dynmodel/model/importer/workbench"
	"github.com/dynmodel/dynmodel/model/parse"
	"github.com/dynmodel/dynmodel/model/source"
	"github.com/dynmodel/dynmodel/model/value"
)

// TestThereAndBack: what is exported and imported again is the same model, byte
// for byte.
func TestThereAndBack(t *testing.T) {
	each(t, func(t *testing.T, m *model.Model, exported string) {
		d := read(t, exported)
		if got := printer.Text(d, "workbench.json"); got != m.File.Text() {
			t.Errorf("the model came back as\n%s", got)
		}
		if notes := d.All(); len(notes) > 0 {
			t.Errorf("notes: %v", notes)
		}
	})
}

// TestWhatTheFormatCarries: without the model that the file carries, as after a
// change in Workbench, what the format itself has comes back: table, keys, global
// indexes of one attribute, entities, templates of table keys, attributes with
// DynamoDB's types, and samples.
func TestWhatTheFormatCarries(t *testing.T) {
	each(t, func(t *testing.T, m *model.Model, exported string) {
		d := read(t, strings.Replace(exported, `"TableName"`, `"Changed": true, "TableName"`, 1))
		if d.Text != "" {
			t.Fatal("the change was not noticed")
		}
		infer.Missing(d)
		text := printer.Text(d, "workbench.json")
		back, found := parse.File(source.NewFile("back.yaml", text), nil)
		for _, f := range found.All() {
			if f.Severity == diag.Error {
				t.Errorf("line %d: %s", f.Span.From().Line, f.Message)
			}
		}
		if back == nil {
			t.Fatalf("no model:\n%s", text)
		}
		sameTable(t, back, m)
		sameEntities(t, back, m)
		sameSamples(t, back, m)
	})
}

// each runs a test on every example and its export.
func each(t *testing.T, test func(t *testing.T, m *model.Model, exported string)) {
	var paths []string
	err := filepath.WalkDir("../../examples", func(path string, d fs.DirEntry, err error) error {
		if err == nil && filepath.Ext(path) == ".yaml" {
			paths = append(paths, path)
		}
		return err
	})
	if err != nil || len(paths) < 10 {
		t.Fatalf("%d examples, %v", len(paths), err)
	}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		m, _ := parse.File(source.NewFile(path, string(text)), os.DirFS(filepath.Dir(path)))
		if m == nil {
			continue // no model, but what another tool reads
		}
		t.Run(strings.TrimPrefix(filepath.ToSlash(path), "../../examples/"), func(t *testing.T) {
			files, err := workbench.Target().Files(generate.Input{Model: m})
			if err != nil || len(files) != 1 {
				t.Fatalf("%d files, %v", len(files), err)
			}
			test(t, m, string(files[0].Content))
		})
	}
}

func read(t *testing.T, exported string) *draft.Draft {
	t.Helper()
	drafts, err := reader.Read(source.NewFile("workbench.json", exported))
	if err != nil || len(drafts) != 1 {
		t.Fatalf("%d drafts, %v", len(drafts), err)
	}
	return drafts[0]
}

func sameTable(t *testing.T, got, want *model.Model) {
	t.Helper()
	if got.Table.Name.Text != want.Table.Name.Text {
		t.Errorf("table %s, want %s", got.Table.Name.Text, want.Table.Name.Text)
	}
	if g, w := keysText(got.Table.Keys()), keysText(want.Table.Keys()); g != w {
		t.Errorf("keys %s, want %s", g, w)
	}
	for _, x := range want.Table.Indexes {
		if x.Local || len(x.PartitionKey) > 1 || len(x.SortKey) > 1 {
			continue
		}
		y := got.Table.Index(x.Name.Text)
		if y == nil || keysText(y.Keys()) != keysText(x.Keys()) {
			t.Errorf("index %s: %+v", x.Name.Text, y)
		}
	}
}

func keysText(keys []model.KeyAttribute) string {
	out := ""
	for _, k := range keys {
		out += k.Name + ":" + k.Kind.String() + " "
	}
	return out
}

func sameEntities(t *testing.T, got, want *model.Model) {
	t.Helper()
	if len(got.Entities) != len(want.Entities) {
		t.Errorf("%d entities, want %d", len(got.Entities), len(want.Entities))
	}
	for _, w := range want.Entities {
		g := got.Entity(w.Name.Text)
		if g == nil {
			t.Errorf("%s is lost", w.Name.Text)
			continue
		}
		for _, k := range want.Table.Keys() {
			gk, _ := encode.KeyTemplate(got.Table, g, k.Name)
			wk, _ := encode.KeyTemplate(want.Table, w, k.Name)
			if gk.Text != wk.Text {
				t.Errorf("%s.%s: %s, want %s", w.Name.Text, k.Name, gk.Text, wk.Text)
			}
		}
		for _, a := range w.Attributes {
			b := g.Attribute(a.Name.Text)
			if b == nil || a.Type.Kind() != value.None && b.Type.Kind() != a.Type.Kind() {
				t.Errorf("%s.%s: %+v, want %s", w.Name.Text, a.Name.Text, b, a.Type)
			}
		}
	}
}

func sameSamples(t *testing.T, got, want *model.Model) {
	t.Helper()
	stored := func(m *model.Model, s *model.Sample) string {
		item, err := encode.Item(m, s.Entity, s.Item, nil)
		if err != nil {
			return err.Error()
		}
		var out []string
		for name, v := range item {
			out = append(out, name+"="+v.String())
		}
		slices.Sort(out)
		return strings.Join(out, " ")
	}
	have := map[string]bool{}
	for _, s := range got.Samples {
		have[stored(got, s)] = true
	}
	for _, s := range want.Samples {
		if text := stored(want, s); !have[text] {
			t.Errorf("a sample of %s is lost: %s", s.Entity.Name.Text, text)
		}
	}
}
