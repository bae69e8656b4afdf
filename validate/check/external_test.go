package check

import (
	"os"
	"slices"
	"testing"

	"github.com/dynmodel/dynmodel/model/source"
	"github.com/dynmodel/dynmodel/validate/report"
)

const withSearch = `version: 1
table: {name: notes, partition_key: PK, sort_key: SK, ttl: expiresAt, isolate_by: tenant}
entities:
  Note:
    attributes: {tenant: slug, note: ulid, text: string, expiresAt: epoch}
    keys: {PK: "TENANT#{tenant}", SK: "NOTE#{note}"}
access_patterns:
  - {name: add-note, create: Note}
  - name: search-notes
    external: OpenSearch
    returns: Note
    where: contains(text, $words)
    rate: 5/s
  - {name: metrics, external: CloudWatch}
`

// What is served elsewhere is neither planned nor a fault, and it is said that
// nobody looked at it.
func TestServedElsewhere(t *testing.T) {
	r := checked(t, source.NewFile("notes.yaml", withSearch), os.DirFS("testdata")).Report
	for _, f := range r.Findings {
		if f.Pattern == "search-notes" || f.Pattern == "metrics" {
			t.Errorf("unwanted %s: %s", f.Rule, f.Message)
		}
	}
	if p := r.Patterns[1]; p.Verdict != report.Skipped || p.Reason != "served by OpenSearch" || p.Cases != 0 {
		t.Errorf("search-notes: %+v", p)
	}
	if want := "served elsewhere: search-notes (OpenSearch), metrics (CloudWatch)"; !slices.Contains(r.NotChecked, want) {
		t.Errorf("not checked: %q, want %q", r.NotChecked, want)
	}
	if p := r.Patterns[0]; p.Verdict != report.Pass {
		t.Errorf("add-note: %+v", p)
	}
}
