package golang

import "github.com/dynmodel/dynmodel/generate"

// testFile is the opt-in test of the package.
func (g *generator) testFile(pkg string) (generate.File, error) {
	w := &writer{path: "store_test.go"}
	return w.file(pkg)
}
