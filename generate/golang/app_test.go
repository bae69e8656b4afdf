package golang

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/dynmodel/dynmodel/model/modeltest"
)

// TestApp holds the package of the example application against what is generated now.
func TestApp(t *testing.T) {
	const app = "../../examples/app"
	files := generated(t, filepath.Join(app, "access-patterns.yaml"), "store")
	if modeltest.Update() {
		write(t, filepath.Join(app, "store"), files)
	}
	for _, f := range files {
		name := filepath.Join(app, "store", f.Path)
		if got, err := os.ReadFile(name); err != nil || !bytes.Equal(got, f.Content) {
			t.Errorf("%s is not what is generated (%v); run go test ./generate/golang -run TestApp -update", name, err)
		}
	}
	entries, err := os.ReadDir(filepath.Join(app, "store"))
	if err != nil || len(entries) != len(files) {
		t.Errorf("%s has %d files, not %d (%v)", app, len(entries), len(files), err)
	}
}
