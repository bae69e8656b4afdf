package cost

import (
	"bytes"
	"encoding/csv"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/dynmodel/dynmodel/model/cost"
	"github.com/dynmodel/dynmodel/model/modeltest"
	"github.com/dynmodel/dynmodel/schemas"
)

// examples are the models in examples that hold, by their path without .yaml.
func examples(t *testing.T) (paths []string) {
	t.Helper()
	root := filepath.Join("..", "..", "..", "..", "..", "examples")
	err := filepath.WalkDir(root, func(path string, _ fs.DirEntry, err error) error {
		if err == nil && filepath.Base(path) == "access-patterns.yaml" && !strings.Contains(path, "broken") {
			paths = append(paths, strings.TrimSuffix(path, ".yaml"))
		}
		return err
	})
	if err != nil || len(paths) < 10 {
		t.Fatalf("%d examples: %v", len(paths), err)
	}
	return paths
}

func estimated(t *testing.T, path string, months int) *cost.Estimate {
	t.Helper()
	m := modeltest.File(t, path+".yaml")
	e, err := cost.Of(m, cost.Options{Months: months})
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// TestExamples compares what is said of the examples with the golden files
// beside them.
func TestExamples(t *testing.T) {
	for _, path := range examples(t) {
		var out bytes.Buffer
		if err := writeText(&out, estimated(t, path, 1), options{}); err != nil {
			t.Fatal(err)
		}
		golden := filepath.Join(filepath.Dir(path), "cost.golden")
		modeltest.Golden(t, golden, out.String())
	}
}

// TestDocs holds what docs/capacity.md shows against what the command says.
func TestDocs(t *testing.T) {
	root := filepath.Join("..", "..", "..", "..", "..")
	path := filepath.Join(root, "docs", "capacity.md")
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	const prompt = "```\n$ dynmodel cost -f examples/shop/access-patterns.yaml\n"
	before, rest, found := strings.Cut(string(text), prompt)
	shown, after, closed := strings.Cut(rest, "```")
	if !found || !closed {
		t.Fatal("the document shows no command")
	}
	var out bytes.Buffer
	if err := writeText(&out, estimated(t, filepath.Join(root, "examples", "shop", "access-patterns"), 1), options{}); err != nil {
		t.Fatal(err)
	}
	if out.String() == shown {
		return
	}
	if !modeltest.Update() {
		t.Fatalf("%s shows something else (run with -update and read the change); got:\n%s", path, out.String())
	}
	if err := os.WriteFile(path, []byte(before+prompt+out.String()+"```"+after), 0o644); err != nil {
		t.Fatal(err)
	}
}

// What programs read is as the schema says, of every example and month.
func TestJSON(t *testing.T) {
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(schemas.Cost()))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	c.DefaultDraft(jsonschema.Draft2020)
	if err := c.AddResource("cost.schema.json", doc); err != nil {
		t.Fatal(err)
	}
	schema, err := c.Compile("cost.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range examples(t) {
		var out bytes.Buffer
		if err := writeJSON(&out, estimated(t, path, 36), options{}); err != nil {
			t.Fatal(err)
		}
		value, err := jsonschema.UnmarshalJSON(&out)
		if err != nil {
			t.Fatal(err)
		}
		if err := schema.Validate(value); err != nil {
			t.Errorf("%s: %v", path, err)
		}
	}
}

// Every line of the CSV has the columns of the first.
func TestCSV(t *testing.T) {
	for _, path := range examples(t) {
		var out bytes.Buffer
		if err := writeCSV(&out, estimated(t, path, 2), options{}); err != nil {
			t.Fatal(err)
		}
		rows, err := csv.NewReader(&out).ReadAll()
		if err != nil || len(rows) < 20 || strings.Join(rows[0], " ") != "section name month measure value" {
			t.Errorf("%s: %d rows of %v: %v", path, len(rows), rows[0], err)
		}
	}
}

// A Markdown table has one cell under each column.
func TestMarkdown(t *testing.T) {
	for _, path := range examples(t) {
		var out bytes.Buffer
		if err := writeMarkdown(&out, estimated(t, path, 2), options{}); err != nil {
			t.Fatal(err)
		}
		cells := 0
		for line := range strings.Lines(out.String()) {
			n := strings.Count(line, " |")
			switch {
			case !strings.HasPrefix(line, "|"):
				cells = 0
			case cells == 0:
				cells = n
			case n != cells:
				t.Errorf("%s: %d cells, not %d, in %s", path, n, cells, line)
			}
		}
	}
}

// On a terminal notes are wrapped to its width, and keep their words.
func TestNarrow(t *testing.T) {
	root := filepath.Join("..", "..", "..", "..", "..", "examples", "shop", "access-patterns")
	var wide, narrow bytes.Buffer
	e := estimated(t, root, 1)
	if err := writeText(&wide, e, options{}); err != nil {
		t.Fatal(err)
	}
	if err := writeText(&narrow, e, options{width: 100}); err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(narrow.String()) {
		if len(line) > 101 {
			t.Errorf("too wide: %s", line)
		}
	}
	if got, want := len(strings.Fields(narrow.String())), len(strings.Fields(wide.String())); got != want {
		t.Errorf("%d words, want %d", got, want)
	}
}
