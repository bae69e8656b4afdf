package main_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/dynmodel/dynmodel/model/modeltest"
)

// TestDocsTranscripts goes through documents that show what commands say: it
// makes the files that they show, runs each command, and holds what it says
// against what is shown.
func TestDocsTranscripts(t *testing.T) {
	for name, commands := range map[string]int{"formatting.md": 3, "continuous-integration.md": 5, "getting-started.md": 6} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(repository, "docs", name)
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			t.Chdir(t.TempDir())
			doc, ran := replay(t, string(text))
			if ran != commands {
				t.Errorf("%d commands, want %d", ran, commands)
			}
			if modeltest.Update() {
				if err := os.WriteFile(path, []byte(doc), 0o644); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

// replay returns the document with what its commands say, and how many it ran.
func replay(t *testing.T, text string) (doc string, commands int) {
	t.Helper()
	parts := strings.Split(text, "```")
	for i := 1; i < len(parts); i += 2 {
		language, body, _ := strings.Cut(parts[i], "\n")
		command, shown, _ := strings.Cut(body, "\n")
		switch {
		case language == "yaml" && strings.HasPrefix(command, "# "):
			save(t, command, shown)
		case strings.HasPrefix(command, "$ "):
			commands++
			out := say(t, strings.Fields(strings.TrimPrefix(command, "$ ")))
			if out != shown && !modeltest.Update() {
				t.Errorf("%s: the document shows something else (run with -update and read the change); got:\n%s", command, out)
			}
			parts[i] = language + "\n" + command + "\n" + out
		}
	}
	return strings.Join(parts, "```"), commands
}

// save does with a block what its first line says: "# name.yaml" is a file, that
// line included; "# name.yaml, at its end" is added to it, and "# name.yaml,
// changed" takes the place of its line that has the same key.
func save(t *testing.T, title, block string) {
	t.Helper()
	name, what, _ := strings.Cut(strings.TrimPrefix(title, "# "), ", ")
	if filepath.Ext(name) != ".yaml" {
		return // a comment of the block
	}
	text, old := title+"\n"+block, ""
	if what != "" {
		read, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		old = string(read)
	}
	switch what {
	case "at its end":
		text = old + "\n" + block
	case "changed":
		key, _, _ := strings.Cut(block, ": ")
		before, rest, found := strings.Cut(old, "\n"+key+": ")
		_, after, _ := strings.Cut(rest, "\n")
		if !found || strings.Contains(after, "\n"+key+": ") {
			t.Fatalf("%s has not one line with the key %q", name, key)
		}
		text = before + "\n" + block + after
	}
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// say is what a command writes to standard output; it knows cat and dynmodel.
func say(t *testing.T, command []string) string {
	t.Helper()
	if command[0] == "cat" {
		text, err := os.ReadFile(command[1])
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	_, out, errs := run("", command[1:]...)
	if errs != "" {
		t.Errorf("%s: %s", strings.Join(command, " "), errs)
	}
	return out
}
