package initialise

import (
	"context"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/dynmodel/dynmodel/engine"
	"github.com/dynmodel/dynmodel/model/format"
	"github.com/dynmodel/dynmodel/model/source"
	"github.com/dynmodel/dynmodel/validate/check"
	"github.com/dynmodel/dynmodel/validate/report"
	"github.com/dynmodel/dynmodel/validate/verify"
)

// TestTemplates holds that what people begin with is sound, says why it is as it
// is, and is laid out.
func TestTemplates(t *testing.T) {
	db := engine.New()
	defer db.Close()
	tables := 0
	endpoint := func() verify.Endpoint {
		return verify.Endpoint{Client: db.Client(), Table: func() string { tables++; return fmt.Sprintf("check-%d", tables) }}
	}
	for _, name := range templates {
		t.Run(name, func(t *testing.T) {
			text := content("templates/" + name + ".yaml")
			file := source.NewFile(name+".yaml", text)
			result, err := check.File(context.Background(), file, nil, check.Options{Endpoint: endpoint})
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range result.Report.Findings {
				t.Errorf("%s %s: %s", f.Severity, f.Rule, f.Message)
			}
			if s := result.Report.Summary(); s.Verified != s.Patterns || s.Patterns < 3 {
				t.Errorf("%d of %d patterns verified", s.Verified, s.Patterns)
			}
			if unused := slices.IndexFunc(result.Report.Patterns, func(p report.Pattern) bool { return p.Verdict != report.Pass }); unused >= 0 {
				t.Errorf("%+v", result.Report.Patterns[unused])
			}
			if canonical, list := format.Text(file); list.Len() > 0 || canonical != text {
				t.Errorf("not in canonical layout: %v", list.All())
			}
			if !strings.HasPrefix(text, "# yaml-language-server: $schema=https://") || strings.Count(text, "#") < 10 {
				t.Error("no schema for editors, or hardly a comment")
			}
		})
	}
}

// TestTemplatesAreOffered holds that every embedded template can be asked for.
func TestTemplatesAreOffered(t *testing.T) {
	entries, err := fs.ReadDir(files, "templates")
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, strings.TrimSuffix(e.Name(), path.Ext(e.Name())))
	}
	if slices.Sort(names); !slices.Equal(names, slices.Sorted(slices.Values(templates))) {
		t.Errorf("embedded are %v, offered %v", names, templates)
	}
}

func TestRevision(t *testing.T) {
	for version, want := range map[string]string{"1.2.3": "v1.2.3", "devel": "main", "0.0.0-20260105090000-abcdef123456": "main", "1.2.3+dirty": "main"} {
		if got := revision(version); got != want {
			t.Errorf("%s: got %s, want %s", version, got, want)
		}
	}
}
