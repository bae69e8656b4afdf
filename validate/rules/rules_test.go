package rules_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/dynmodel/dynmodel/engine"
	"github.com/dynmodel/dynmodel/model/diag"
	"github.com/dynmodel/dynmodel/model/diag/diagtest"
	"github.com/dynmodel/dynmodel/model/source"
	"github.com/dynmodel/dynmodel/validate"
	"github.com/dynmodel/dynmodel/validate/check"
	"github.com/dynmodel/dynmodel/validate/rules"
	"github.com/dynmodel/dynmodel/validate/verify"
)

// checked is what a whole check finds in a model.
func checked(t *testing.T, file *source.File) []diag.Finding {
	t.Helper()
	db := engine.New()
	defer db.Close()
	tables := 0
	r, err := check.File(context.Background(), file, os.DirFS("testdata"), check.Options{
		Endpoint: func() verify.Endpoint {
			return verify.Endpoint{Client: db.Client(), Table: func() string { tables++; return fmt.Sprintf("table-%d", tables) }}
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	return r.Report.Findings
}

// beside are the findings that the failing example of a rule cannot do without:
// what one fault leads to in several places.
var beside = map[string][]string{}

// TestExamples holds every rule against its own examples: the failing one gives
// the rule's finding and no other worth a warning, the passing one gives none.
func TestExamples(t *testing.T) {
	for _, r := range rules.All() {
		t.Run(r.Name, func(t *testing.T) {
			t.Parallel()
			found := checked(t, source.NewFile("bad.yaml", r.Bad))
			if !slices.ContainsFunc(found, func(f diag.Finding) bool { return f.Rule == r.Name && f.Severity == r.Severity }) {
				t.Errorf("the failing example gives no %s of severity %s", r.Name, r.Severity)
			}
			for _, f := range found {
				switch {
				case f.Rule != r.Name && f.Severity >= diag.Warning && !slices.Contains(beside[r.Name], f.Rule):
					t.Errorf("the failing example gives %s", show(f))
				case f.Rule == r.Name && f.Message == "":
					t.Error("a finding has no message")
				case f.Rule == r.Name && r.FoundBy == validate.ByRule && f.Fix == "":
					t.Errorf("a finding does not say what to change: %s", show(f))
				}
			}
			for _, f := range checked(t, source.NewFile("good.yaml", r.Good)) {
				if f.Severity >= diag.Warning || f.Rule == r.Name {
					t.Errorf("the passing example gives %s", show(f))
				}
			}
		})
	}
}

func show(f diag.Finding) string {
	return fmt.Sprintf("%s: %s[%s] %s", diagtest.Place(f.Span), f.Severity, f.Rule, diagtest.Message(f))
}

// TestAll holds the list of rules against the names: every name has its rule,
// in the same order.
func TestAll(t *testing.T) {
	var names []string
	for _, r := range rules.All() {
		names = append(names, r.Name)
	}
	if want := diag.RuleNames(); !slices.Equal(names, want) {
		t.Errorf("the rules are not those of the names, in their order:\n%v\n%v", names, want)
	}
}

// TestDocumentation checks that every rule's page is whole.
func TestDocumentation(t *testing.T) {
	for _, r := range rules.All() {
		if r.Title == "" || r.Text == "" || r.Fix == "" || r.Bad == "" || r.Good == "" || r.Severity == 0 {
			t.Errorf("%s: a part of its documentation is missing", r.Name)
		}
		if strings.Contains(r.Text, "\n") {
			t.Errorf("%s: its text is more than one paragraph", r.Name)
		}
		if (r.FoundBy == validate.ByRule) != (r.Check != nil) {
			t.Errorf("%s is found by %q, and its Check does not agree", r.Name, r.FoundBy)
		}
	}
}

// ofTheTable tells the remarks on how a table is run, which are no matter of
// models of something else.
func ofTheTable(rule string) bool { return rule == diag.NoBackup || rule == diag.CapacityMode }

// TestNeighbours holds the rules against models around their examples: other
// types, indexes, operators, and what must stay silent. In them, comments say
// what is found: `# want rule "text"`.
func TestNeighbours(t *testing.T) {
	files, err := filepath.Glob("testdata/*.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range files {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".yaml"), func(t *testing.T) {
			t.Parallel()
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			// A file may hold several models, each behind a line of three hyphens.
			own := strings.TrimSuffix(filepath.Base(path), ".yaml")
			for i, part := range strings.Split("\n"+string(text), "\n---\n") {
				file := source.NewFile(fmt.Sprintf("%s, model %d", path, i+1), part)
				found := slices.DeleteFunc(checked(t, file), func(f diag.Finding) bool { return ofTheTable(f.Rule) && f.Rule != own })
				diagtest.Check(t, found, file)
			}
		})
	}
}
