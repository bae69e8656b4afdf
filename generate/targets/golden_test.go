package targets_test

import (
	"bytes"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/dynmodel/dynmodel/generate"
	"github.com/dynmodel/dynmodel/generate/targets"
	"github.com/dynmodel/dynmodel/model/modeltest"
	"github.com/dynmodel/dynmodel/model/parse"
	"github.com/dynmodel/dynmodel/model/source"
)

// TestGolden makes every target of every example and compares it with the
// golden files. For one target: -run 'TestGolden/.*/^docs$'.
func TestGolden(t *testing.T) {
	for _, e := range examples(t) {
		t.Run(e.name, func(t *testing.T) {
			in := e.input(t)
			for _, target := range targets.All() {
				t.Run(target.Name, func(t *testing.T) {
					files := made(t, target, in)
					if again := made(t, target, e.input(t)); !slices.EqualFunc(files, again, same) {
						t.Error("made twice, it differs")
					}
					checkFiles(t, target, files)
					compareGolden(t, filepath.Join("testdata", "golden", e.name, target.Name), target, compareFixed(t, target, files))
				})
			}
		})
	}
}

// TestGoldenLeftOver finds golden files of examples and targets that are no more.
func TestGoldenLeftOver(t *testing.T) {
	var names []string
	for _, e := range examples(t) {
		names = append(names, e.name)
	}
	folders, err := filepath.Glob(filepath.Join("testdata", "golden", "*", "*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, folder := range folders {
		_, known := targets.Named(filepath.Base(folder))
		if !known || !slices.Contains(names, filepath.Base(filepath.Dir(folder))) {
			t.Errorf("%s is of no example and target", folder)
		}
	}
}

type example struct{ name, path string }

// examples are the models in examples: shop, and shop-by-date for a model of another name beside it.
func examples(t testing.TB) (all []example) {
	t.Helper()
	root := os.DirFS(filepath.Join("..", ".."))
	err := fs.WalkDir(root, "examples", func(p string, _ fs.DirEntry, err error) error {
		if err != nil || path.Ext(p) != ".yaml" {
			return err
		}
		name := strings.TrimPrefix(strings.TrimSuffix(p, ".yaml"), "examples/")
		name = strings.ReplaceAll(strings.TrimSuffix(name, "/access-patterns"), "/", "-")
		all = append(all, example{name, p})
		return nil
	})
	if err != nil || len(all) == 0 {
		t.Fatalf("no examples: %v", err)
	}
	return all
}

func (e example) input(t testing.TB) generate.Input {
	t.Helper()
	full := filepath.Join("..", "..", filepath.FromSlash(e.path))
	text, err := os.ReadFile(full)
	if err != nil {
		t.Fatal(err)
	}
	return input(t, e.path, string(text), os.DirFS(filepath.Dir(full)))
}

func input(t testing.TB, name, text string, includes fs.FS) generate.Input {
	t.Helper()
	m, found := parse.File(source.NewFile(name, text), includes)
	if m == nil {
		t.Fatalf("%s: %+v", name, found.All())
	}
	return generate.NewInput(m)
}

func made(t testing.TB, target generate.Target, in generate.Input) []generate.File {
	t.Helper()
	files, err := targets.Files(target, in)
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func same(a, b generate.File) bool {
	return a.Path == b.Path && a.Executable == b.Executable && bytes.Equal(a.Content, b.Content)
}

// checkFiles holds what every generated file is to be: text that ends its last
// line, and that is known as generated, by itself or by a file that names it.
func checkFiles(t *testing.T, target generate.Target, files []generate.File) {
	t.Helper()
	if !targets.Several(target) && (len(files) != 1 || files[0].Path != "") {
		t.Errorf("%d files, of a target that makes one", len(files))
	}
	seen := map[string]bool{}
	for _, f := range files {
		if key := strings.ToLower(f.Path); seen[key] {
			t.Errorf("%s: made twice, where file names have no case", f.Path)
		} else {
			seen[key] = true
		}
		if !utf8.Valid(f.Content) || !bytes.HasSuffix(f.Content, []byte("\n")) || bytes.HasSuffix(f.Content, []byte("\n\n")) {
			t.Errorf("%q: no text that ends its last line once", f.Path)
		}
		if !known(f, files) {
			t.Errorf("%q: neither has it the mark in its first lines, nor is it named in a file beside it that does", f.Path)
		}
	}
}

func known(f generate.File, files []generate.File) bool {
	mark := []byte(generate.Mark)
	if bytes.Contains(f.Content[:min(len(f.Content), 4096)], mark) {
		return true
	}
	return slices.ContainsFunc(files, func(other generate.File) bool {
		return path.Dir(other.Path) == path.Dir(f.Path) && bytes.Contains(other.Content, mark) &&
			bytes.Contains(other.Content, []byte(path.Base(f.Path)))
	})
}

// isFixed tells which files are the same whatever the model: the parts of generated
// code that only know DynamoDB. Their golden file is one for all examples.
func isFixed(target generate.Target, name string) bool {
	return target.Name == "go" && name == "dynmodel.go" || target.Name == "typescript" && strings.HasPrefix(name, "runtime/")
}

// TestGoldenFixedParts holds the fixed parts of an example's files to their golden
// files; TestGolden sees that those of the others are the same.
func TestGoldenFixedParts(t *testing.T) {
	e := examples(t)[0]
	for _, target := range targets.All() {
		files := slices.DeleteFunc(made(t, target, e.input(t)), func(f generate.File) bool { return !isFixed(target, f.Path) })
		if len(files) > 0 {
			compareGolden(t, filepath.Join("testdata", "fixed", target.Name), target, files)
		}
	}
}

// compareFixed holds the fixed parts among files to their golden files and returns
// the other files.
func compareFixed(t *testing.T, target generate.Target, files []generate.File) (others []generate.File) {
	t.Helper()
	for _, f := range files {
		if !isFixed(target, f.Path) {
			others = append(others, f)
			continue
		}
		golden, err := os.ReadFile(filepath.Join("testdata", "fixed", target.Name, filepath.FromSlash(f.Path)))
		if err != nil || !bytes.Equal(golden, f.Content) {
			t.Errorf("%s is not the same for every model, or stale: %v", f.Path, err)
		}
	}
	return others
}

func compareGolden(t *testing.T, folder string, target generate.Target, files []generate.File) {
	t.Helper()
	want := map[string][]byte{}
	for _, f := range files {
		name := f.Path
		if name == "" {
			name = path.Base(target.Path)
		}
		want[filepath.FromSlash(name)] = f.Content
	}
	if modeltest.Update() {
		rewrite(t, folder, want)
	}
	for name, content := range want {
		golden, err := os.ReadFile(filepath.Join(folder, name))
		switch {
		case err != nil:
			t.Error(err)
		case !bytes.Equal(golden, content):
			t.Errorf("%s is stale (run with -update and read the change); got\n%s", filepath.Join(folder, name), content)
		}
	}
	err := filepath.WalkDir(folder, func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		if name, _ := filepath.Rel(folder, p); want[name] == nil {
			t.Errorf("%s is no longer made", p)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}

func rewrite(t *testing.T, folder string, files map[string][]byte) {
	t.Helper()
	if err := os.RemoveAll(folder); err != nil {
		t.Fatal(err)
	}
	for name, content := range files {
		p := filepath.Join(folder, name)
		if err := os.MkdirAll(filepath.Dir(p), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(p, content, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// BenchmarkEverything makes all targets of a model of 60 entities.
func BenchmarkEverything(b *testing.B) {
	text := modeltest.Big(60, 120)
	for b.Loop() {
		in := input(b, "big.yaml", text, nil)
		for _, target := range targets.All() {
			made(b, target, in)
		}
	}
}
