package check

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/dynmodel/dynmodel/model/parse"
	"github.com/dynmodel/dynmodel/model/plan"
	"github.com/dynmodel/dynmodel/model/source"
)

// TestExamplesAreReached holds that the generated data reaches everything there
// is to reach in every example, whatever the seed.
func TestExamplesAreReached(t *testing.T) {
	root := filepath.Join("..", "..")
	for _, path := range exampleModels(t, root) {
		full := filepath.Join(root, path)
		text, err := os.ReadFile(full)
		if err != nil {
			t.Fatal(err)
		}
		m, _ := parse.File(source.NewFile(path, string(text)), os.DirFS(filepath.Dir(full)))
		planner := plan.New(m)
		plans := planner.All()
		for _, seed := range []uint64{1, 2} {
			for _, c := range (Options{Seed: seed}).coverage(m, plans) {
				for _, missing := range c.Missing {
					t.Errorf("%s, seed %d: %s: %s", path, seed, c.Measure, missing)
				}
			}
		}
	}
}
