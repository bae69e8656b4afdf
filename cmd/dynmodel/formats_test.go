package main_test

import (
	"bytes"
	"encoding/xml"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/dynmodel/dynmodel/model/modeltest"
	"github.com/dynmodel/dynmodel/validate/report"
)

// counts are how many calls were made, which depends on the data alone.
var counts = regexp.MustCompile(`, \d+ cases?|\d+ calls, `)

// TestFormatsOfBrokenShop holds what each report format says of the broken shop
// against goldens.
func TestFormatsOfBrokenShop(t *testing.T) {
	golden, err := filepath.Abs("testdata/formats")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(repository)
	for _, format := range []string{"sarif", "junit", "github", "markdown"} {
		t.Run(format, func(t *testing.T) {
			code, out, errs := run("", "check", "--format", format, "examples/shop-broken")
			if code != 1 || errs != "" {
				t.Fatalf("exit code %d, want 1; standard error: %s", code, errs)
			}
			out = counts.ReplaceAllString(out, "")
			path := filepath.Join(golden, "shop-broken."+format)
			modeltest.Golden(t, path, out)
		})
	}
}

// TestFormatsOfBrokenShops holds that whatever goes wrong with a shop makes a
// report that the readers of each format take.
func TestFormatsOfBrokenShops(t *testing.T) {
	sound, err := os.ReadFile(shop)
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob("testdata/broken/*.txt")
	if err != nil {
		t.Fatal(err)
	}
	sarif := compile(t, filepath.Join(repository, "validate", "report", "testdata", "sarif-schema-2.1.0.json"))
	readers := map[string]func(t *testing.T, text string){
		"sarif":    func(t *testing.T, text string) { validates(t, sarif, text) },
		"junit":    wellFormed,
		"github":   annotations,
		"markdown": fits,
	}
	for _, path := range files {
		archive, err := txtar.ParseFile(path)
		if err != nil {
			t.Fatal(err)
		}
		broken := filepath.Join(t.TempDir(), "shop.yaml")
		if err := os.WriteFile(broken, []byte(breakShop(t, string(sound), archive)), 0o644); err != nil {
			t.Fatal(err)
		}
		for format, read := range readers {
			t.Run(filepath.Base(path)+"/"+format, func(t *testing.T) {
				code, out, errs := run("", "check", "--format", format, broken)
				if code != 1 || errs != "" {
					t.Fatalf("exit code %d, want 1; standard error: %s", code, errs)
				}
				read(t, out)
			})
		}
	}
}

func compile(t *testing.T, path string) *jsonschema.Schema {
	t.Helper()
	s, err := jsonschema.NewCompiler().Compile(path)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func validates(t *testing.T, s *jsonschema.Schema, text string) {
	t.Helper()
	value, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Validate(value); err != nil {
		t.Error(err)
	}
	if strings.Count(text, `"ruleId"`) == 0 || !strings.Contains(text, `"startLine"`) {
		t.Error("no result with a place")
	}
}

// wellFormed reads XML to its end; there must be a test that fails.
func wellFormed(t *testing.T, text string) {
	t.Helper()
	failures := 0
	d := xml.NewDecoder(bytes.NewReader([]byte(text)))
	for {
		token, err := d.Token()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if start, ok := token.(xml.StartElement); ok && start.Name.Local == "failure" {
			failures++
		}
	}
	if failures == 0 {
		t.Error("no test fails")
	}
}

// annotations holds that every line but the last is a command with a place.
func annotations(t *testing.T, text string) {
	t.Helper()
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	for _, line := range lines[:len(lines)-1] {
		if !strings.HasPrefix(line, "::") || !strings.Contains(line, "shop.yaml,line=") {
			t.Errorf("no annotation: %s", line)
		}
	}
	if len(lines) < 2 {
		t.Error("no annotation")
	}
}

func fits(t *testing.T, text string) {
	t.Helper()
	if len(text) > report.MarkdownLimit || strings.Count(text, "<details>") != strings.Count(text, "</details>") || !strings.Contains(text, "<b>error</b>") {
		t.Errorf("%d bytes, or blocks that are not closed, or no error in\n%.200s", len(text), text)
	}
}
