package dynmodel_test

import (
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"
)

// documents are the Markdown files that are written by hand, by path.
func documents(t *testing.T) map[string]string {
	t.Helper()
	out := map[string]string{}
	for _, pattern := range []string{"*.md", "docs/*.md", "examples/*.md", "examples/*/*.md"} {
		names, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			out[filepath.ToSlash(name)] = prose(string(text))
		}
	}
	if len(out) < 10 {
		t.Fatalf("found only %d documents; is the test run at the root of the module?", len(out))
	}
	return out
}

// prose is a document without its blocks of code.
func prose(text string) string {
	parts := regexp.MustCompile("(?m)^ *```").Split(text, -1)
	var out strings.Builder
	for i := 0; i < len(parts); i += 2 {
		out.WriteString(parts[i])
	}
	return out.String()
}

var link = regexp.MustCompile(`\]\(([^)\s]+)\)`)

// TestLinks holds that every link of a document to another file, or to a
// heading, leads somewhere.
func TestLinks(t *testing.T) {
	docs := documents(t)
	for name, text := range docs {
		for _, found := range link.FindAllStringSubmatch(text, -1) {
			if strings.Contains(found[1], ":") {
				continue // the world outside
			}
			file, heading, _ := strings.Cut(found[1], "#")
			target := name
			if file != "" {
				target = path.Join(path.Dir(name), file)
			}
			if _, err := os.Stat(target); err != nil {
				t.Errorf("%s links to %s: there is no such file", name, found[1])
				continue
			}
			if heading != "" && !slices.Contains(headings(docs[target]), heading) {
				t.Errorf("%s links to %s: there is no such heading", name, found[1])
			}
		}
	}
}

// headings are the anchors of a document's headings, as GitHub makes them.
func headings(text string) []string {
	var out []string
	for _, line := range regexp.MustCompile(`(?m)^#+ (.*)$`).FindAllStringSubmatch(text, -1) {
		out = append(out, strings.Map(func(r rune) rune {
			switch {
			case r == ' ':
				return '-'
			case unicode.IsLetter(r) || unicode.IsDigit(r) || r == '-' || r == '_':
				return unicode.ToLower(r)
			}
			return -1
		}, line[1]))
	}
	return out
}

// TestReadmeNamesAll holds that the README leads to every document, and names
// every command.
func TestReadmeNamesAll(t *testing.T) {
	docs := documents(t)
	for name := range docs {
		if n := strings.Count(docs["README.md"], "["+name+"]("+name+")"); path.Dir(name) == "docs" && n != 1 {
			t.Errorf("README.md has %d rows for %s, want 1", n, name)
		}
	}
	folders, err := os.ReadDir("cmd/dynmodel/internal/command")
	if err != nil {
		t.Fatal(err)
	}
	verbs := map[string]string{"format": "fmt", "importer": "import", "initialise": "init"} // where Go has the word for itself
	for _, f := range folders {
		verb := f.Name()
		if verbs[verb] != "" {
			verb = verbs[verb]
		}
		if f.IsDir() && !strings.Contains(docs["README.md"], "`dynmodel "+verb) {
			t.Errorf("README.md does not name `dynmodel %s`", verb)
		}
	}
}
