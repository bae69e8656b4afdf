package targets_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/dynmodel/dynmodel/generate/targets"
	"github.com/dynmodel/dynmodel/model/modeltest"
)

// TestDocsTargets holds the list of targets in docs/generating.md against the
// targets there are.
func TestDocsTargets(t *testing.T) {
	path := filepath.Join("..", "..", "docs", "generating.md")
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	const heading = "\n## Targets\n"
	before, _, found := strings.Cut(string(text), heading)
	if !found {
		t.Fatalf("%s has no section Targets", path)
	}
	want := before + heading + reference()
	modeltest.Golden(t, path, want)
}

// reference is what help says of every target.
func reference() string {
	var b strings.Builder
	for _, target := range targets.All() {
		fmt.Fprintf(&b, "\n### `%s`\n\n%s.\n\n```text\n%s\n```\n", target.Name, target.Title, strings.TrimSpace(target.Text))
		if len(target.Options) == 0 {
			continue
		}
		b.WriteString("\n| option | values | |\n|---|---|---|\n")
		for _, o := range target.Options {
			values := "any text"
			if o.Values != nil {
				values = "`" + strings.Join(o.Values, "`, `") + "`"
			}
			if o.Default != "" {
				values += " (default `" + o.Default + "`)"
			}
			fmt.Fprintf(&b, "| `%s` | %s | %s |\n", o.Name, values, o.Text)
		}
	}
	return b.String()
}
