package main_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/dynmodel/dynmodel/model/modeltest"
)

// TestReadme runs the README's first example and holds what it shows against
// what the check says.
func TestReadme(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(repository, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	const prompt = "```\n$ dynmodel check -q chat.yaml\n"
	model, shown := block(t, string(text), "```yaml\n"), block(t, string(text), prompt)
	t.Chdir(t.TempDir())
	if err := os.WriteFile("chat.yaml", []byte(model), 0o644); err != nil {
		t.Fatal(err)
	}
	code, out, errs := run("", "check", "-q", "chat.yaml")
	if code != 1 || errs != "" {
		t.Fatalf("exit code %d, want 1; standard error: %s", code, errs)
	}
	if out == shown {
		return
	}
	if !modeltest.Update() {
		t.Fatalf("the README shows something else (run with -update and read the change); got:\n%s", out)
	}
	if err := os.WriteFile(filepath.Join(repository, "README.md"), []byte(strings.Replace(string(text), prompt+shown, prompt+out, 1)), 0o644); err != nil {
		t.Fatal(err)
	}
}

// repository is the module's root, found before any test changes its folder.
var repository, _ = filepath.Abs("../..")

// block is the text from after start to the end of its fence.
func block(t *testing.T, text, start string) string {
	t.Helper()
	_, rest, found := strings.Cut(text, start)
	inside, _, closed := strings.Cut(rest, "```")
	if !found || !closed {
		t.Fatalf("the README has no block that starts with %q", start)
	}
	return inside
}

// TestReadmeCommands holds that the commands of the README's first screen are
// those that CI runs, and that the model they name is sound.
func TestReadmeCommands(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(repository, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, command := range []string{"go run ./cmd/dynmodel check examples/shop/access-patterns.yaml\n", "go test ./...\n"} {
		if !strings.Contains(block(t, string(text), "```sh\n"), command) {
			t.Errorf("the README's first commands lack %q", command)
		}
	}
	code, out, _ := run("", "check", shop)
	if code != 0 || !strings.Contains(out, "35 access patterns, 35 verified") || !strings.Contains(out, "0 errors, 0 warnings") {
		t.Errorf("the shop is not sound: exit code %d\n%s", code, out)
	}
}
