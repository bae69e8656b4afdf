package dynmodel_test

import (
	"fmt"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const module = "github.com/dynmodel/dynmodel/"

// bans are the imports that no table may allow, each with its reason.
var bans = []struct{ from, to, why string }{
	{"validate/oracle", "model/plan", "the oracle would share the plan's mistakes"},
	{"validate/oracle", "model/encode", "the oracle would share the encoding's mistakes"},
	{"engine", "model", "the engine is a DynamoDB and no helper of the check"},
	{"validate", "engine", "the check talks to DynamoDB only through an SDK client"},
	{"generate", "engine", "a generator is a function of a model and its plans"},
	{"generate", "validate", "a generator is a function of a model and its plans"},
	{"model", "engine", "the model knows of no database"},
	{"model", "validate", "the model knows nobody who judges it"},
	{"model", "generate", "the model knows nobody who writes it"},
}

func TestBans(t *testing.T) {
	for pkg, imported := range importsByPackage(t) {
		for _, imp := range imported {
			for _, ban := range bans {
				if within(pkg, ban.from) && within(imp, ban.to) {
					t.Errorf("%s imports %s: %s", pkg, imp, ban.why)
				}
			}
		}
	}
}

// TestRooms holds the packages and their imports against the table in
// docs/architecture.md: each has one row, and a row allows what is used.
func TestRooms(t *testing.T) {
	imports := importsByPackage(t)
	rooms := readRooms(t, slices.Sorted(maps.Keys(imports)))
	for pkg, imported := range imports {
		r := rooms[pkg]
		if r == nil {
			t.Errorf("%s has no row", pkg)
			continue
		}
		for _, imp := range imported {
			if imp != pkg && !r.allows(imp) {
				t.Errorf("%s imports %s, which its row does not allow", pkg, imp)
			}
		}
	}
	for _, pkg := range slices.Sorted(maps.Keys(rooms)) {
		for may, used := range rooms[pkg].may {
			if !used {
				t.Errorf("the row of %s allows %s, which nothing in it imports", pkg, may)
				rooms[pkg].may[may] = true // once is enough
			}
		}
	}
}

// room is a row of the table: what its packages may import, by package or tree, and
// whether one of them does.
type room struct{ may map[string]bool }

// anything allows all imports.
const anything = "everything"

func (r *room) allows(imp string) bool {
	ok := false
	for may := range r.may {
		tree, isTree := strings.CutSuffix(may, "/…")
		if may == anything || may == imp || isTree && within(imp, tree) {
			r.may[may], ok = true, true
		}
	}
	return ok
}

var (
	roomRow    = regexp.MustCompile("(?m)^\\| (`[^|]*) \\|[^|]*\\|([^|]*)\\|$")
	quotedName = regexp.MustCompile("`([^`]+)`")
)

// readRooms reads the table of packages; each package has its row.
func readRooms(t *testing.T, packages []string) map[string]*room {
	t.Helper()
	text, err := os.ReadFile("docs/architecture.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(text), "\n## Rooms\n")
	table, _, _ = strings.Cut(table, "\n## ")
	rows := roomRow.FindAllStringSubmatch(table, -1)
	rooms := map[string]*room{}
	for _, row := range rows {
		r := &room{may: map[string]bool{}}
		if strings.TrimSpace(row[2]) == anything {
			r.may[anything] = false
		}
		for _, name := range quotedName.FindAllStringSubmatch(row[1], -1) {
			pkg := name[1]
			if !strings.Contains(pkg, "<") && !slices.Contains(packages, pkg) {
				t.Errorf("there is no package %s", pkg)
			}
			if rooms[pkg] != nil {
				t.Errorf("%s has two rows", pkg)
			}
			rooms[pkg] = r
			for _, may := range quotedName.FindAllStringSubmatch(row[2], -1) {
				full, err := fullName(may[1], pkg, packages)
				if err != nil {
					t.Errorf("the row of %s: %v", pkg, err)
				}
				r.may[full] = false
			}
		}
	}
	return expanded(rooms, packages)
}

// expanded gives every package that has no row of its own that of its siblings:
// `a/<b>` is of all packages in a.
func expanded(rooms map[string]*room, packages []string) map[string]*room {
	for name, r := range rooms {
		folder, _, siblings := strings.Cut(name, "/<")
		if !siblings {
			continue
		}
		delete(rooms, name)
		for _, pkg := range packages {
			if path.Dir(pkg) == folder && rooms[pkg] == nil {
				rooms[pkg] = r
			}
		}
	}
	return rooms
}

// fullName is the package or tree that a row names, maybe by its end alone: one in the
// same top folder, or in model.
func fullName(name, from string, packages []string) (string, error) {
	name, tree := strings.CutSuffix(name, "/…")
	own, _, _ := strings.Cut(from, "/")
	for _, top := range []string{own, "model", ""} {
		var found []string
		for _, pkg := range packages {
			if pkg == name || strings.HasSuffix(pkg, "/"+name) && within(pkg, top) {
				found = append(found, pkg)
			}
		}
		switch {
		case slices.Contains(found, name):
			found = []string{name}
		case len(found) != 1:
			continue
		}
		if tree {
			return found[0] + "/…", nil
		}
		return found[0], nil
	}
	return "", fmt.Errorf("`%s` is not the end of one package's name", name)
}

// within tells whether a package is a folder's, or below it; all are below "".
func within(pkg, folder string) bool {
	return folder == "" || pkg == folder || strings.HasPrefix(pkg, folder+"/")
}

// importsByPackage are the packages with what their files import of this module. Of
// tests nothing counts: they may bring parts together that the program keeps apart.
func importsByPackage(t *testing.T) map[string][]string {
	t.Helper()
	out := map[string][]string{}
	for _, file := range sources(t) {
		pkg := path.Dir(file.path)
		out[pkg] = append(out[pkg], nil...)
		for _, imp := range file.imports {
			if local, ok := strings.CutPrefix(imp, module); ok {
				out[pkg] = append(out[pkg], local)
			}
		}
	}
	delete(out, ".") // the root holds tests only
	for pkg, imported := range out {
		slices.Sort(imported)
		out[pkg] = slices.Compact(imported)
	}
	return out
}

// TestOneImporter holds each library that is to have one importer to it.
func TestOneImporter(t *testing.T) {
	only := map[string][]string{
		"gopkg.in/yaml.v3":              {"model/source/yamltree"},
		"github.com/spf13/cobra":        {"cmd"},
		"github.com/cockroachdb/apd/v3": {"model/value", "engine/attr"},
	}
	for _, file := range sources(t) {
		for library, folders := range only {
			uses := slices.ContainsFunc(file.imports, func(imp string) bool { return within(imp, library) })
			if uses && !slices.ContainsFunc(folders, func(f string) bool { return within(file.path, f) }) {
				t.Errorf("%s imports %s; only %s may", file.path, library, strings.Join(folders, ", "))
			}
		}
	}
}

// sourceFile is a file of Go; of a test the imports are left out.
type sourceFile struct {
	path    string
	imports []string
}

// sources are all files of Go but those under testdata.
func sources(t *testing.T) (all []sourceFile) {
	t.Helper()
	err := filepath.WalkDir(".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && name != "." && (strings.HasPrefix(d.Name(), ".") || slices.Contains([]string{"testdata", "node_modules"}, d.Name())):
			return fs.SkipDir
		case filepath.Ext(name) != ".go":
			return nil
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		file := sourceFile{path: filepath.ToSlash(name)}
		for _, spec := range parsed.Imports {
			imp, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				return err
			}
			if !strings.HasSuffix(name, "_test.go") {
				file.imports = append(file.imports, imp)
			}
		}
		all = append(all, file)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(all) < 100 {
		t.Fatalf("found only %d files; is the test run at the root of the module?", len(all))
	}
	return all
}
