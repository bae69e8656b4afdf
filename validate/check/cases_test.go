package check

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/dynmodel/dynmodel/engine"
	"github.com/dynmodel/dynmodel/model/diag"
	"github.com/dynmodel/dynmodel/model/diag/diagtest"
	"github.com/dynmodel/dynmodel/model/source"
	"github.com/dynmodel/dynmodel/validate"
	"github.com/dynmodel/dynmodel/validate/rules"
	"github.com/dynmodel/dynmodel/validate/verify"
)

// TestCases checks models of faults that people made, and of designs that they
// doubted, one archive a case. A model wants its findings in comments, as in
// package diagtest, and no others; a model whose name begins with "sound" may
// want remarks of severity info only.
func TestCases(t *testing.T) {
	paths, err := filepath.Glob("testdata/cases/*.txtar")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	for _, path := range paths {
		archive, err := txtar.ParseFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range archive.Files {
			name := strings.TrimSuffix(filepath.Base(path), ".txtar") + "/" + f.Name
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				testCase(t, source.NewFile(name, string(f.Data)), strings.HasPrefix(f.Name, "sound"))
			})
		}
	}
}

func testCase(t *testing.T, file *source.File, sound bool) {
	if rule := awaited(file); rule != "" {
		t.Logf("waits for the rule %s", rule)
		return
	}
	findings := checked(t, file, os.DirFS("testdata")).Report.Findings
	diagtest.Check(t, findings, file)
	switch {
	case sound && faults(findings):
		t.Error("a sound model has findings")
	case !sound && len(findings) == 0:
		t.Error("nothing was found")
	}
}

// faults tells whether there are errors or warnings among findings.
func faults(findings []diag.Finding) bool {
	return slices.ContainsFunc(findings, func(f diag.Finding) bool { return f.Severity > diag.Info })
}

var wanted = regexp.MustCompile(`# want\S* ([a-z-]+)`)

// awaited is the first rule a file wants a finding of that does not exist yet.
func awaited(file *source.File) string {
	for _, m := range wanted.FindAllStringSubmatch(file.Text(), -1) {
		if !slices.ContainsFunc(rules.All(), func(r *validate.Rule) bool { return r.Name == m[1] }) {
			return m[1]
		}
	}
	return ""
}

// checked checks a model on a DynamoDB of its own. How tables are backed up is
// no matter of these models.
func checked(t *testing.T, file *source.File, includes fs.FS) *Result {
	t.Helper()
	db := engine.New()
	t.Cleanup(func() { db.Close() })
	tables := 0
	r, err := File(context.Background(), file, includes, Options{
		Skip: []string{diag.NoBackup},
		Endpoint: func() verify.Endpoint {
			return verify.Endpoint{Client: db.Client(), Table: func() string {
				tables++
				return fmt.Sprintf("case-%d", tables)
			}}
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	return r
}
