package modeltest_test

import (
	"testing"
	"time"

	"github.com/dynmodel/dynmodel/model/diag/diagtest"
	"github.com/dynmodel/dynmodel/model/modeltest"
	"github.com/dynmodel/dynmodel/model/parse"
	"github.com/dynmodel/dynmodel/model/source"
)

func TestModelsHaveNoFindings(t *testing.T) {
	for name, text := range map[string]string{"shop": modeltest.Shop(), "big": modeltest.Big(60, 300)} {
		file := source.NewFile(name, text)
		m, list := parse.File(file, nil)
		diagtest.Check(t, list.All(), file)
		if m == nil {
			t.Fatalf("%s: no model", name)
		}
		if name == "big" && (len(m.Entities) != 60 || len(m.Patterns) != 300) {
			t.Errorf("big has %d entities and %d patterns, want 60 and 300", len(m.Entities), len(m.Patterns))
		}
	}
}

// A check is used after every edit: reading is the smallest part of it.
func TestBigModelIsReadInTime(t *testing.T) {
	file := source.NewFile("big", modeltest.Big(60, 300))
	best := time.Hour
	for range 10 { // the machine may be busy with other things
		start := time.Now()
		parse.File(file, nil)
		best = min(best, time.Since(start))
	}
	if best > 100*time.Millisecond {
		t.Errorf("reading 60 entities and 300 patterns took %v, want at most 100ms", best)
	}
	t.Logf("read in %v", best)
}

func BenchmarkBig(b *testing.B) {
	file := source.NewFile("big", modeltest.Big(60, 300))
	b.SetBytes(int64(len(file.Text())))
	for b.Loop() {
		parse.File(file, nil)
	}
}
