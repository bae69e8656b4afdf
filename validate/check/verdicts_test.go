package check

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/dynmodel/dynmodel/model/diag"
	"github.com/dynmodel/dynmodel/model/source"
	"github.com/dynmodel/dynmodel/validate/report"
)

// A pattern that is not proved leaves an error, or it is said that it was not checked.
func TestUnprovedIsSaid(t *testing.T) {
	for _, test := range []struct {
		name, table, pattern string
		verdict              report.Verdict
		finding, notChecked  string // what one of each holds; "" for none
	}{
		{"no request can be made", "notes", "{name: it, query: Note, where: day = $day AND at = $at, params: {at: string}}",
			report.Fail, "it makes no request of a call that the model allows: ", ""},
		{"the table is refused", "{name: notes, partition_key: PK, sort_key: SK, indexes: {" + wideIndexes() + "}}", "{name: it, get: Note}",
			report.Error, "no access pattern can be run, as DynamoDB refuses the table: ", "it, which was not run"},
		{"no call meets the condition", "notes", "{name: it, update: Note, change: SET n = 1, if: \"size(t) > 150 AND begins_with(t, 'abc') AND contains(t, 'zzz')\"}",
			report.Skipped, "", "it: no generated call meets its conditions, so that nothing was written: give an example that does"},
		{"a statement without meaning", "notes", "{name: it, partiql: \"DELETE FROM notes WHERE PK = 'a' AND SK = 'b'\"}",
			report.Skipped, "", "it, which was not run"},
		{"no index serves a combination", "notes", "{name: it, query: Note, where: day = $day? AND at = $at}",
			report.Fail, "no index can serve it, when day is left out", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			text := "version: 1\ntable: " + test.table + `
entities:
  Note:
    attributes: {day: slug, at: datetime, t: string, n: integer?}
    keys: {PK: "NOTE#{day}#{at|day}", SK: "{at}"}
access_patterns:
  - ` + test.pattern + "\n"
			r := checked(t, source.NewFile("notes.yaml", text), os.DirFS("testdata")).Report
			if p := r.Patterns[0]; p.Verdict != test.verdict {
				t.Errorf("verdict %s (%s), want %s", p.Verdict, p.Reason, test.verdict)
			}
			found := slices.ContainsFunc(r.Findings, func(f diag.Finding) bool {
				return f.Severity == diag.Error && f.Span.Known() && f.Fix != "" && strings.HasPrefix(f.Message, test.finding)
			})
			if found != (test.finding != "") {
				t.Errorf("findings: %v", r.Findings)
			}
			if !slices.Equal(r.NotChecked, slices.DeleteFunc([]string{test.notChecked}, func(s string) bool { return s == "" })) {
				t.Errorf("not checked: %q, want %q", r.NotChecked, test.notChecked)
			}
		})
	}
}

// wideIndexes project more attributes than DynamoDB allows all indexes together.
func wideIndexes() string {
	var names, indexes []string
	for i := range 60 {
		names = append(names, fmt.Sprintf("a%d", i))
	}
	for i := range 2 {
		indexes = append(indexes, fmt.Sprintf("GSI%d: {partition_key: t, projection: [%s]}", i, strings.Join(names, ", ")))
	}
	return strings.Join(indexes, ", ")
}
