package check

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/dynmodel/dynmodel/model/modeltest"
	"github.com/dynmodel/dynmodel/model/source"
	"github.com/dynmodel/dynmodel/validate/report"
)

// TestExamples checks every model in examples and compares the report with the
// golden file beside it. Designs as they were published, and broken ones,
// are there for their faults; in all others nothing is found.
func TestExamples(t *testing.T) {
	root := filepath.Join("..", "..")
	for _, path := range exampleModels(t, root) {
		t.Run(strings.TrimSuffix(path, ".yaml"), func(t *testing.T) {
			t.Parallel()
			full := filepath.Join(root, path)
			text, err := os.ReadFile(full)
			if err != nil {
				t.Fatal(err)
			}
			r := checked(t, source.NewFile(filepath.ToSlash(path), string(text)), os.DirFS(filepath.Dir(full))).Report
			flawed := strings.HasSuffix(path, "as-published.yaml") || strings.Contains(path, "-broken/")
			if faults(r.Findings) != flawed {
				t.Errorf("%d findings: is the model in the right file?", len(r.Findings))
			}
			compareGolden(t, strings.TrimSuffix(full, ".yaml")+".golden", r)
		})
	}
}

func exampleModels(t *testing.T, root string) (paths []string) {
	t.Helper()
	err := fs.WalkDir(os.DirFS(root), "examples", func(path string, d fs.DirEntry, err error) error {
		if err == nil && filepath.Ext(path) == ".yaml" {
			paths = append(paths, path)
		}
		return err
	})
	if err != nil || len(paths) == 0 {
		t.Fatalf("no examples: %v", err)
	}
	return paths
}

func compareGolden(t *testing.T, golden string, m report.Model) {
	t.Helper()
	var out strings.Builder
	if err := report.Text(&out, report.Report{Models: []report.Model{m}}, report.TextOptions{}); err != nil {
		t.Fatal(err)
	}
	got := calls.ReplaceAllString(out.String(), "")
	modeltest.Golden(t, golden, got)
}

// calls are how often patterns were run, which says nothing of the designs.
var calls = regexp.MustCompile(`, \d+ cases?\b|\d+ calls?, `)
