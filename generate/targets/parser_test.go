package targets_test

import (
	"os"
	"regexp"
	"slices"
	"testing"

	"github.com/dynmodel/dynmodel/generate/targets"
	"github.com/dynmodel/dynmodel/model/parse"
	"github.com/dynmodel/dynmodel/model/source"
)

// TestParserTargets holds the targets that the generate block of a model may name
// against those there are. Which ones the language knows, it says to one that it
// does not know.
func TestParserTargets(t *testing.T) {
	_, found := parse.File(source.NewFile("notes.yaml", small+"  no-such-target-at-all: x\n"), os.DirFS("."))
	if found.Len() != 1 {
		t.Fatalf("got %+v, want that there is no such target", found.All())
	}
	var known []string
	for _, m := range regexp.MustCompile("`([a-z-]+)`").FindAllStringSubmatch(found.All()[0].Message, -1)[1:] {
		known = append(known, m[1])
	}
	if len(known) == 0 {
		t.Fatalf("%q lists no targets", found.All()[0].Message)
	}
	for _, target := range targets.All() {
		i := slices.Index(known, target.Name)
		if i < 0 {
			t.Errorf("no model may name %q: it lacks in targets() of model/parse/tableoptions.go", target.Name)
			continue
		}
		known = slices.Delete(known, i, i+1)
	}
	for _, name := range known {
		t.Errorf("models may name %q, and no generator has that name: it lacks in All() of generate/targets/targets.go", name)
	}
}
