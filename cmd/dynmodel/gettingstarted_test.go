package main_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestGettingStarted walks the path of docs/getting-started.md: it saves each
// model it shows, adds and changes what it says, runs its commands, and holds
// what they say against what is shown.
func TestGettingStarted(t *testing.T) {
	path := filepath.Join(repository, "docs", "getting-started.md")
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	const file, prompt = "tickets.yaml", "$ dynmodel "
	model, doc, commands := "", string(text), 0
	for i, part := range strings.Split(doc, "```") {
		language, body, _ := strings.Cut(part, "\n")
		switch {
		case i%2 == 0: // the text between two blocks
		case language == "yaml" && strings.HasPrefix(body, "# "+file):
			model = body
		case language == "yaml":
			model = strings.Replace(model, "SK: TICKET#{openedAt}\n", "SK: TICKET#{openedAt}#{ticket}\n", 1) + "\n" + body
		case strings.HasPrefix(body, prompt):
			command, shown, _ := strings.Cut(strings.TrimPrefix(body, prompt), "\n")
			if err := os.WriteFile(file, []byte(model), 0o644); err != nil {
				t.Fatal(err)
			}
			commands++
			_, out, errs := run("", strings.Fields(command)...)
			if errs != "" {
				t.Fatalf("%s: %s", command, errs)
			}
			if out == shown {
				continue
			}
			if !*update {
				t.Errorf("%s: the document shows something else (run with -update and read the change); got:\n%s", command, out)
			}
			doc = strings.Replace(doc, shown, out, 1)
		}
	}
	if commands != 3 {
		t.Errorf("%d commands, want 3", commands)
	}
	if *update {
		if err := os.WriteFile(path, []byte(doc), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
