package dynmodel_test

import (
	"io/fs"
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

// TestRooms holds the table of docs/architecture.md to the packages that there are.
func TestRooms(t *testing.T) {
	rooms, packages := rooms(t), packages(t)
	for _, pkg := range packages {
		if !slices.Contains(rooms, pkg) && !slices.Contains(rooms, path.Dir(pkg)+"/<format>") {
			t.Errorf("docs/architecture.md has no room for %s", pkg)
		}
	}
	for _, room := range rooms {
		if path.Base(room) != "<format>" && !slices.Contains(packages, room) {
			t.Errorf("docs/architecture.md has a room for %s, which is no package", room)
		}
	}
}

// packages are the folders with Go code, but for the inside of the command line,
// which is one room, and examples.
func packages(t *testing.T) []string {
	t.Helper()
	var out []string
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && path != "." && (strings.HasPrefix(d.Name(), ".") || slices.Contains([]string{"testdata", "examples", "node_modules"}, d.Name())):
			return fs.SkipDir
		case filepath.Ext(path) == ".go":
			out = append(out, filepath.ToSlash(filepath.Dir(path)))
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(out)
	return slices.DeleteFunc(slices.Compact(out), func(pkg string) bool { return pkg == "." || within(pkg, "cmd/dynmodel/internal") })
}

// rooms are the packages that the rows of the table name: `a/b`, `c` are a/b and a/c.
func rooms(t *testing.T) []string {
	t.Helper()
	_, section, _ := strings.Cut(documents(t)["docs/architecture.md"], "\n## Rooms\n")
	section, _, _ = strings.Cut(section, "\n## ")
	row := regexp.MustCompile("(?m)^\\| (`[^|]*`) \\|")
	name := regexp.MustCompile("`([^`]+)`")
	var out []string
	for _, cells := range row.FindAllStringSubmatch(section, -1) {
		folder := ""
		for _, word := range name.FindAllStringSubmatch(cells[1], -1) {
			room := word[1]
			if folder != "" && !strings.Contains(room, "/") {
				room = path.Join(folder, room)
			}
			folder = path.Dir(room)
			out = append(out, room)
		}
	}
	return out
}
