package typescript

import (
	"os"
	"testing"

	"github.com/dynmodel/dynmodel/model/modeltest"
	"github.com/dynmodel/dynmodel/model/parse"
	"github.com/dynmodel/dynmodel/model/source"
)

// BenchmarkFiles makes the files of a model of 60 entities.
func BenchmarkFiles(b *testing.B) {
	m, found := parse.File(source.NewFile("big.yaml", modeltest.Big(60, 120)), os.DirFS("."))
	if m == nil {
		b.Fatalf("%+v", found.All())
	}
	for b.Loop() {
		if _, err := filesOf(m); err != nil {
			b.Fatal(err)
		}
	}
}

// TestBig type-checks the code of a model of 60 entities: that the types of ElectroDB
// bear a service of so many.
func TestBig(t *testing.T) {
	folder := nodeFolder(t)
	m, found := parse.File(source.NewFile("big.yaml", modeltest.Big(60, 120)), os.DirFS("."))
	if m == nil {
		t.Fatalf("%+v", found.All())
	}
	files, err := filesOf(m)
	if err != nil {
		t.Fatal(err)
	}
	compile(t, folder, []*generated{{name: "big", files: files}})
}
