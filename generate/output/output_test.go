package output_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/dynmodel/dynmodel/generate"
	"github.com/dynmodel/dynmodel/generate/output"
)

const mark = "# " + generate.Mark + "\n"

func TestCompare(t *testing.T) {
	for _, c := range []struct {
		name  string
		disk  map[string]string
		files []generate.File
		want  []output.State
	}{
		{"nothing there", nil, []generate.File{{Content: []byte(mark)}}, []output.State{output.Missing}},
		{"the same", map[string]string{"": mark + "a\n"}, []generate.File{{Content: []byte(mark + "a\n")}}, []output.State{output.Current}},
		{"other ends of lines", map[string]string{"": "# " + generate.Mark + "\r\na\r\n"},
			[]generate.File{{Content: []byte(mark + "a\n")}}, []output.State{output.Current}},
		{"older", map[string]string{"": mark + "a\n"}, []generate.File{{Content: []byte(mark + "b\n")}}, []output.State{output.Stale}},
		{"by hand", map[string]string{"": "a\n"}, []generate.File{{Content: []byte(mark + "b\n")}}, []output.State{output.Foreign}},
		{"by hand, and the same", map[string]string{"": "a\n"}, []generate.File{{Content: []byte("a\n")}}, []output.State{output.Current}},
		{"the mark far down", map[string]string{"": string(make([]byte, 5000)) + mark}, []generate.File{{Content: []byte(mark)}}, []output.State{output.Foreign}},
		{"named by a marked file", map[string]string{"README": mark + "a.json\n", "a.json": "{}"},
			[]generate.File{{Path: "README", Content: []byte(mark + "a.json\n")}, {Path: "a.json", Content: []byte("[]")}},
			[]output.State{output.Current, output.Stale}},
		{"not named by the marked file there is", map[string]string{"README": mark, "a.json": "{}"},
			[]generate.File{{Path: "README", Content: []byte(mark + "a.json\n")}, {Path: "a.json", Content: []byte("[]")}},
			[]output.State{output.Stale, output.Foreign}},
		{"a marked file has to have its own", map[string]string{"README": mark + "a.go\n", "a.go": "package a"},
			[]generate.File{{Path: "README", Content: []byte(mark + "a.go\n")}, {Path: "a.go", Content: []byte("//" + mark)}},
			[]output.State{output.Current, output.Foreign}},
		{"a name within another", map[string]string{"README": mark + "b-a.json\n", "a.json": "{}"},
			[]generate.File{{Path: "README", Content: []byte(mark)}, {Path: "a.json", Content: []byte("[]")}},
			[]output.State{output.Stale, output.Foreign}},
		{"no longer made", map[string]string{"README": mark + "(a.json) b.json", "a.json": "{}", "b.json": "{}", "c.json": "{}", "d.txt": ""},
			[]generate.File{{Path: "README", Content: []byte(mark + "(b.json)")}, {Path: "b.json", Content: []byte("{}")}},
			[]output.State{output.Stale, output.Current, output.Left}},
		{"not executable", map[string]string{"": mark}, []generate.File{{Content: []byte(mark), Executable: true}}, []output.State{output.Stale}},
	} {
		t.Run(c.name, func(t *testing.T) {
			base := filepath.Join(t.TempDir(), "out")
			for name, text := range c.disk {
				write(t, filepath.Join(base, name), text)
			}
			entries, err := output.Compare(base, c.files)
			if err != nil {
				t.Fatal(err)
			}
			var got []output.State
			for _, e := range entries {
				got = append(got, e.State)
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("got %v, want %v", got, c.want)
			}
		})
	}
}

func TestCompareOutside(t *testing.T) {
	if _, err := output.Compare(t.TempDir(), []generate.File{{Path: "../x"}}); err == nil {
		t.Error("a file outside of the target's folder is accepted")
	}
	if _, err := output.Compare(t.TempDir(), []generate.File{{Path: ""}}); err == nil {
		t.Error("a file in place of a folder is accepted")
	}
}

func TestWrite(t *testing.T) {
	base := t.TempDir()
	write(t, filepath.Join(base, "mine"), "by hand\n")
	files := []generate.File{
		{Path: "sub/run.sh", Content: []byte(mark), Executable: true},
		{Path: "mine", Content: []byte(mark)},
	}
	entries, err := output.Compare(base, files)
	if err != nil {
		t.Fatal(err)
	}
	var foreign *output.Foreigners
	if err := output.Write(entries, false); !errors.As(err, &foreign) || len(foreign.Paths) != 1 {
		t.Fatalf("got %v, want that mine is no generated file", err)
	}
	if _, err := os.Stat(filepath.Join(base, "sub")); err == nil {
		t.Error("something was written although a file may not be overwritten")
	}
	if err := output.Write(entries, true); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(filepath.Join(base, "sub", "run.sh"))
	if err != nil || info.Mode().Perm() != 0o755 {
		t.Errorf("run.sh: %v, %v", info.Mode(), err)
	}
	if entries, _ = output.Compare(base, files); entries[0].State != output.Current || entries[1].State != output.Current {
		t.Errorf("after writing: %v", entries)
	}
	if left, _ := filepath.Glob(filepath.Join(base, ".dynmodel-*")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

// TestInTheWay is about files where folders should be.
func TestInTheWay(t *testing.T) {
	base := filepath.Join(t.TempDir(), "out")
	files := []generate.File{{Path: "sub/a", Content: []byte(mark)}}
	entries, err := output.Compare(base, files)
	if err != nil {
		t.Fatal(err)
	}
	write(t, base, "by hand\n")
	path := filepath.Join(base, "sub", "a")
	if err := output.Write(entries, true); err == nil || !strings.HasPrefix(err.Error(), path+" cannot be written: ") {
		t.Errorf("got %v", err)
	}
	_, err = output.Compare(base, files)
	if want := base + " is a file, and " + path + " needs a folder there; name another place"; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

func TestWriteLeftOver(t *testing.T) {
	base := t.TempDir()
	write(t, filepath.Join(base, "README"), mark+"a.json, b.json")
	for _, name := range []string{"a.json", "b.json", "mine.json"} {
		write(t, filepath.Join(base, name), "{}")
	}
	entries, err := output.Compare(base, []generate.File{{Path: "README", Content: []byte(mark + "a.json")}, {Path: "a.json", Content: []byte("[]")}})
	if err != nil {
		t.Fatal(err)
	}
	if err := output.Write(entries, false); err != nil {
		t.Fatal(err)
	}
	left, _ := filepath.Glob(filepath.Join(base, "*.json"))
	if len(left) != 2 || filepath.Base(left[0]) != "a.json" || filepath.Base(left[1]) != "mine.json" {
		t.Errorf("there are %v", left)
	}
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}
