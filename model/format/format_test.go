package format_test

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/dynmodel/dynmodel/model/diag"
	"github.com/dynmodel/dynmodel/model/format"
	"github.com/dynmodel/dynmodel/model/parse"
	"github.com/dynmodel/dynmodel/model/source"
)

func text(s string) (string, *diag.List) { return format.Text(source.NewFile("m.yaml", s)) }

// corpus are the models in the repository, sound and broken ones.
func corpus(t testing.TB) map[string]string {
	t.Helper()
	texts := map[string]string{}
	err := filepath.WalkDir("../..", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(path) != ".yaml" {
			return err
		}
		data, err := os.ReadFile(path)
		texts[filepath.ToSlash(path)] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return texts
}

// stable formats a text and holds that the result says the same and is canonical.
func stable(t *testing.T, before string) {
	t.Helper()
	after, list := text(before)
	if list.Len() > 0 {
		if after != "" {
			t.Errorf("text beside findings: %q", after)
		}
		return
	}
	if again, list := text(after); list.Len() > 0 || again != after {
		t.Errorf("not idempotent (%v):\n%s\n--- then\n%s", list.All(), after, again)
	}
	if was, is := meaning(before), meaning(after); was != is {
		t.Errorf("the model changed: %s\n--- from\n%s\n--- to\n%s", firstDifference(was, is), before, after)
	}
	if strings.Contains(after, "\r") {
		t.Errorf("untidy: %q", after)
	}
	for word := range strings.FieldsSeq(before) {
		if i := strings.IndexAny(word, "\"'{}[],"); i >= 0 {
			word = word[:i] // the end of a scalar in brackets, which may stand apart afterwards
		}
		if strings.HasPrefix(word, "#") && !strings.Contains(after, word) {
			t.Errorf("the comment %s is lost in\n%s", word, after)
		}
	}
}

func TestCorpus(t *testing.T) {
	for path, before := range corpus(t) {
		t.Run(path, func(t *testing.T) { stable(t, before) })
	}
}

// TestExamples holds that what people copy from is laid out.
func TestExamples(t *testing.T) {
	for path, before := range corpus(t) {
		if after, _ := text(before); strings.HasPrefix(path, "../../examples/") && after != before {
			t.Errorf("%s is not in canonical layout; run dynmodel fmt on it", path)
		}
	}
}

func FuzzText(f *testing.F) {
	for _, before := range corpus(f) {
		if len(before) < 1<<16 {
			f.Add(before)
		}
	}
	f.Fuzz(func(t *testing.T, before string) {
		start := time.Now()
		stable(t, before)
		if took := time.Since(start); took > 10*time.Second {
			t.Errorf("took %v", took)
		}
	})
}

// meaning is everything that a sound text says, without the places of it. Of one
// with mistakes in it nothing is said but that: which of two contradicting keys
// is taken may be a matter of their order.
func meaning(text string) string {
	m, list := parse.File(source.NewFile("m.yaml", text), nil)
	if list.Has(diag.Error) {
		return "mistakes"
	}
	d := &dumper{seen: map[uintptr]int{}}
	d.dump(reflect.ValueOf(m), 0)
	return d.out.String()
}

// firstDifference shows the first lines in which two texts differ.
func firstDifference(a, b string) string {
	left, right := strings.Split(a, "\n"), strings.Split(b, "\n")
	for i := range min(len(left), len(right)) {
		if left[i] != right[i] {
			return fmt.Sprintf("%q became %q", left[i], right[i])
		}
	}
	return fmt.Sprintf("%d lines became %d", len(left), len(right))
}
