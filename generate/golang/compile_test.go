package golang

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/dynmodel/dynmodel/generate"
	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/parse"
	"github.com/dynmodel/dynmodel/model/source"
)

// TestCompiles generates packages of models that have between them whatever code
// there is, and compiles, vets and checks them in a module that has nothing but the
// SDK. TestAnswers compiles those of all others.
func TestCompiles(t *testing.T) {
	dir := moduleOf(t)
	for _, file := range append(hardModels(t), "../../examples/course-platform/access-patterns.yaml", "../../examples/shop-broken/access-patterns.yaml") {
		write(t, filepath.Join(dir, packageOf(file)), generated(t, file, packageOf(file)))
	}
	run(t, dir, "go", "vet", "./...")
	if staticcheck, err := exec.LookPath(staticcheckPath()); err == nil && !testing.Short() {
		run(t, dir, staticcheck, "./...")
	}
}

// hardModels are the models in testdata.
func hardModels(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob("testdata/*.yaml")
	if err != nil || len(files) < 5 {
		t.Fatal(files, err)
	}
	return files
}

func staticcheckPath() string {
	home, err := os.UserHomeDir()
	if err != nil {
		return "staticcheck"
	}
	return filepath.Join(home, "go", "bin", "staticcheck")
}

// moduleOf is a folder with a module that requires what this one does.
func moduleOf(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	mod, err := os.ReadFile("../../go.mod")
	if err != nil {
		t.Fatal(err)
	}
	sum, err := os.ReadFile("../../go.sum")
	if err != nil {
		t.Fatal(err)
	}
	text := regexp.MustCompile(`(?m)^module .*$`).ReplaceAllString(string(mod), "module example.com/generated")
	for name, content := range map[string]string{"go.mod": text, "go.sum": string(sum)} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// run runs a command in a folder; what it says when it fails is the failure.
func run(t *testing.T, dir, name string, args ...string) {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOFLAGS=-mod=mod", "GOPROXY=off")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%s %s: %v\n%s", filepath.Base(name), strings.Join(args, " "), err, out)
	}
}

// write puts files into a folder.
func write(t *testing.T, dir string, files []generate.File) {
	t.Helper()
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if err := os.WriteFile(filepath.Join(dir, filepath.FromSlash(f.Path)), f.Content, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// models are the files of all examples that are sound, and of the models in testdata.
func models(t *testing.T) []string {
	t.Helper()
	var out []string
	for _, root := range []string{"../../examples", "testdata"} {
		err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if err == nil && filepath.Ext(path) == ".yaml" && !strings.Contains(path, "broken") {
				out = append(out, path)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if len(out) < 10 {
		t.Fatalf("found only %d models", len(out))
	}
	return out
}

var nonLetters = regexp.MustCompile(`[^a-z0-9]+`)

// packageOf is the name of the package of a model's file.
func packageOf(file string) string {
	name := strings.TrimSuffix(filepath.ToSlash(file), ".yaml")
	name = strings.TrimPrefix(strings.TrimPrefix(name, "../../examples/"), "testdata/")
	return nonLetters.ReplaceAllString(strings.TrimSuffix(name, "/access-patterns"), "")
}

// modelOf reads a model.
func modelOf(t *testing.T, file string) *model.Model {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	m, found := parse.File(source.NewFile(file, string(text)), os.DirFS(filepath.Dir(file)))
	if m == nil {
		t.Fatalf("%s: %v", file, found.All())
	}
	return m
}

// modelOfText reads a model that is written in a test.
func modelOfText(t *testing.T, text string) *model.Model {
	t.Helper()
	m, found := parse.File(source.NewFile("model.yaml", strings.TrimSpace(text)+"\n"), nil)
	if m == nil {
		t.Fatal(found.All())
	}
	return m
}

// inputOf is what is generated from.
func inputOf(m *model.Model, options map[string]string) generate.Input {
	in := generate.NewInput(m)
	in.Options = options
	return in
}

// generated are the files of a model's package.
func generated(t *testing.T, file, pkg string) []generate.File {
	t.Helper()
	return generatedWith(t, file, map[string]string{"package": pkg})
}

func generatedWith(t *testing.T, file string, options map[string]string) []generate.File {
	t.Helper()
	files, err := Target().Files(inputOf(modelOf(t, file), options))
	if err != nil {
		t.Errorf("%s: %v", file, err)
	}
	return files
}
