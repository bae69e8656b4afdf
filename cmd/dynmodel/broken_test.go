package main_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/dynmodel/dynmodel/cmd/dynmodel/internal/cli"
	"github.com/dynmodel/dynmodel/cmd/dynmodel/internal/terminal"
	"github.com/dynmodel/dynmodel/model/modeltest"
)

const shop = "../../examples/shop/access-patterns.yaml"

// TestBrokenShops breaks the sound shop in one place each, as people do, and
// holds what the check says against goldens. A file in testdata/broken says what
// to replace (old, new), and what is then reported (want).
func TestBrokenShops(t *testing.T) {
	sound, err := os.ReadFile(shop)
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob("testdata/broken/*.txt")
	if err != nil {
		t.Fatal(err)
	}
	if len(files) < 12 {
		t.Fatalf("found %d broken shops, want 12 or more", len(files))
	}
	for _, path := range files {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txt"), func(t *testing.T) {
			archive, err := txtar.ParseFile(path)
			if err != nil {
				t.Fatal(err)
			}
			code, out, errs := run(breakShop(t, string(sound), archive), "check", "-q", "-")
			if code != 1 || errs != "" {
				t.Errorf("exit code %d, want 1; standard error: %s", code, errs)
			}
			goldenSection(t, path, archive, "want", out)
		})
	}
}

// breakShop applies the archive's replacements, each of which must fit in exactly one place.
func breakShop(t *testing.T, model string, archive *txtar.Archive) string {
	t.Helper()
	for i, f := range archive.Files {
		if f.Name != "old" {
			continue
		}
		old := strings.TrimSuffix(string(f.Data), "\n")
		if n := strings.Count(model, old); n != 1 {
			t.Fatalf("the shop has %d places like this, want 1:\n%s", n, old)
		}
		model = strings.Replace(model, old, strings.TrimSuffix(string(archive.Files[i+1].Data), "\n"), 1)
	}
	return model
}

// goldenSection compares got with a section of an archive, or rewrites it.
func goldenSection(t *testing.T, path string, archive *txtar.Archive, name, got string) {
	t.Helper()
	for i, f := range archive.Files {
		if f.Name != name {
			continue
		}
		if string(f.Data) != got && !modeltest.Update() {
			t.Errorf("differs from section %q of %s (run with -update and read the change); got:\n%s", name, path, got)
		}
		archive.Files[i].Data = []byte(got)
		rewrite(t, path, archive)
		return
	}
	if !modeltest.Update() {
		t.Fatalf("%s has no section %q (run with -update)", path, name)
	}
	archive.Files = append(archive.Files, txtar.File{Name: name, Data: []byte(got)})
	rewrite(t, path, archive)
}

func rewrite(t *testing.T, path string, archive *txtar.Archive) {
	t.Helper()
	if !modeltest.Update() {
		return
	}
	if err := os.WriteFile(path, txtar.Format(archive), 0o644); err != nil {
		t.Fatal(err)
	}
}

// run runs the command line in process.
func run(stdin string, args ...string) (code int, stdout, stderr string) {
	var out, errs bytes.Buffer
	code = cli.Main(args, &terminal.Streams{In: strings.NewReader(stdin), Out: &out, Err: &errs, Env: func(string) string { return "" }})
	return code, out.String(), errs.String()
}
