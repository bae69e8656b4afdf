package importer_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/dynmodel/dynmodel/model/diag"
	"github.com/dynmodel/dynmodel/model/importer"
	"github.com/dynmodel/dynmodel/model/importer/draft"
	"github.com/dynmodel/dynmodel/model/importer/infer"
	"github.com/dynmodel/dynmodel/model/importer/printer"
	"github.com/dynmodel/dynmodel/model/modeltest"
	"github.com/dynmodel/dynmodel/model/parse"
	"github.com/dynmodel/dynmodel/model/source"
)

// documents are the test documents with the format that each is of.
func documents() map[string]string {
	return map[string]string{
		"orders.workbench.json":  "workbench",
		"shop.create-table.json": "data-model",
		"billing.estimate.json":  "data-model",
		"game.schema.json":       "data-model",
		"tables.yaml":            "cloudformation",
		"tables.tf":              "terraform",
		"orders.describe.json":   "describe-table",
		"schema.ts":              "onetable",
	}
}

// TestGolden holds the models of the test documents, with all there is to say
// about them, against what was read and accepted.
func TestGolden(t *testing.T) {
	for name, want := range documents() {
		t.Run(name, func(t *testing.T) {
			file := source.NewFile(name, read(t, filepath.Join("testdata", name)))
			format, err := importer.Recognise(file)
			if err != nil || format.Name != want {
				t.Fatalf("recognised as %q, %v; want %s", format.Name, err, want)
			}
			drafts, err := format.Read(file, nil)
			if err != nil {
				t.Fatal(err)
			}
			var out strings.Builder
			for _, d := range drafts {
				out.WriteString(modelOf(t, d, name))
				for _, n := range d.All() {
					out.WriteString("## " + n.String() + "\n")
				}
				out.WriteString("## " + draft.Count(d).String() + "\n\n")
			}
			modeltest.Golden(t, filepath.Join("testdata", name+".golden"), out.String())
		})
	}
}

// modelOf is the text of a draft's model, which must be one.
func modelOf(t *testing.T, d *draft.Draft, name string) string {
	t.Helper()
	infer.Missing(d)
	text := printer.Text(d, name)
	m, found := parse.File(source.NewFile("import.yaml", text), nil)
	for _, f := range found.All() {
		if f.Severity == diag.Error {
			t.Errorf("line %d: %s", f.Span.From().Line, f.Message)
		}
	}
	if m == nil {
		t.Errorf("the import is no model:\n%s", text)
	}
	return text
}

func read(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestRefused: what is no design is one error that says where and what.
func TestRefused(t *testing.T) {
	for _, c := range []struct{ format, name, text, want string }{
		{"workbench", "a.json", `{"DataModel": 1}`, "no NoSQL Workbench model"},
		{"workbench", "a.json", `{"DataModel": []}`, "has no table"},
		{"workbench", "a.json", `{"DataModel": [`, "a.json:1:15: the `[` here is not closed by a `]`"},
		{"workbench", "a.json", strings.Repeat("[", 1000), "a.json:1:102: more than 100 levels"},
		{"data-model", "a.json", `{"tables": [{}]}`, "no AWS data model"},
		{"cloudformation", "a.yaml", "Resources: {}", "no DynamoDB table"},
		{"cloudformation", "a.yaml", "", "the file is empty"},
		{"cloudformation", "a.yaml", "a: [1", "a.yaml:1:"},
		{"terraform", "a.tf", `resource "x" {`, "a.tf:1,"},
		{"terraform", "a.tf", "x = " + strings.Repeat("(", 1000), "a.tf:1:205: more than 200 brackets"},
		{"terraform", "a.tf", `locals { a = 1 }`, "no aws_dynamodb_table"},
		{"describe-table", "a.json", `{}`, "no description of a table"},
		{"describe-table", "a.json", `{"a": tru}`, "a.json:1:7: `tru` is no JSON value"},
		{"onetable", "a.js", `const a = {b: 1}`, "no OneTable schema"},
		{"onetable", "a.js", `const a = {b: `, "a.js:1:15: the text ends"},
		{"cloudformation", "a.yaml", strings.Repeat("#\n", 3<<20), "larger than 4 MB, which no template is"},
	} {
		format, ok := importer.Find(c.format)
		if !ok {
			t.Fatal(c.format)
		}
		_, err := format.Read(source.NewFile(c.name, c.text), nil)
		if err == nil || !strings.Contains(err.Error(), c.want) || strings.Count(err.Error(), "\n") > 0 {
			t.Errorf("%s of %.40q: %v, want %q", c.format, c.text, err, c.want)
		}
	}
	for _, c := range []struct{ name, text, want string }{
		{"a.json", `{}`, "of no format that is known"},
		{"a.json", "\xff\xfe{", "no text in UTF-8"},
		{"a.txt", "hello", "the format is not recognised"},
	} {
		if _, err := importer.Recognise(source.NewFile(c.name, c.text)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%.40q: %v, want %q", c.text, err, c.want)
		}
	}
}

// FuzzImport: whatever is read ends in an error or in a model without a fault.
func FuzzImport(f *testing.F) {
	names := []string{}
	for _, format := range importer.Formats() {
		names = append(names, format.Name)
	}
	for name, format := range documents() {
		text, err := os.ReadFile(filepath.Join("testdata", name))
		if err != nil {
			f.Fatal(err)
		}
		for i, n := range names {
			if n == format {
				f.Add(string(text), uint8(i))
			}
		}
	}
	f.Fuzz(func(t *testing.T, text string, which uint8) {
		if len(text) > 20_000 {
			return // larger ones are for TestHuge
		}
		format := importer.Formats()[int(which)%len(names)]
		file := source.NewFile("fuzz", text)
		if importer.Sound(file) != nil {
			return
		}
		drafts, err := format.Read(file, nil)
		if err != nil {
			return
		}
		for _, d := range drafts {
			modelOf(t, d, "fuzz")
		}
	})
}
