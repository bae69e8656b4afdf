package modeltest

import (
	"flag"
	"os"
	"testing"

	"github.com/rogpeppe/go-internal/diff"
)

var update = flag.Bool("update", false, "write golden files anew; read the change before it is committed")

// Update tells whether golden files are to be written anew.
func Update() bool { return *update }

// Golden holds a text against the golden file at a path, or writes it there.
func Golden(t testing.TB, path, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("%v; go test -update writes it", err)
	}
	if got != string(want) {
		t.Errorf("not as in %s; go test -update writes it anew\n%s", path, diff.Diff("want", want, "got", []byte(got)))
	}
}
