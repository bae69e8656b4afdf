package plan

import (
	"fmt"
	"strings"
	"testing"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/diag"
	"github.com/dynmodel/dynmodel/model/parse"
	"github.com/dynmodel/dynmodel/model/source"
)

const unserved = `version: 1
name: m
table:
  name: mmm
  partition_key: PK
  sort_key: SK
  indexes:%s
entities:
  Task:
    attributes:
      id: ulid
      list: slug
      email: {type: email, stored: lower}
      nick: string
      at: datetime
      day: date
      rank: {type: integer, min: 0, max: 999}
      count: {type: integer, min: 0}
      state: [open, closed]
    keys: {PK: "TASK#{id}", SK: TASK%s}
  Note:
    attributes: {id: ulid, list: slug, at: datetime}
    keys: {PK: "NOTE#{id}", SK: NOTE%s}
access_patterns:
  - {name: p, %s}
`

// TestProposalsServe gives a model the keys that the plan proposes, after which
// the pattern must be served.
func TestProposalsServe(t *testing.T) {
	for _, pattern := range []string{
		"query: Task, where: list = $list",
		"query: Task, where: email = $email",
		"query: Task, where: lower(nick) = lower($nick)",
		"query: Task, where: list = $list AND at >= $since",
		"query: Task, where: list = $list AND rank > 5",
		"query: Task, where: list = $list AND count > 5",
		"query: Task, where: list = $list, order: at desc, limit: 5",
		"query: Task, where: list = $list AND state = 'open', order: rank",
		"query: Task, where: 'list = $list AND begins_with(nick, $nick)'",
		"query: Task, where: 'list = $list AND begins_with(lower(nick), lower($nick))'",
		"query: Task, where: 'list = $list AND begins_with(lower(nick), $nick)'",
		"query: Task, where: 'list = $list AND lower(nick) >= $nick'",
		"query: Task, where: list = $list, order: nick",
		"query: Task, where: at BETWEEN $from AND $to, span: 2d",
		"query: Task, where: day BETWEEN $from AND $to, span: 2d, order: day",
		"query: Task, where: at >= $since",
		"query: Task, order: at desc, limit: 5",
		"query: Task, where: 'list IN ($a, $b) AND at < $until', order: at",
		"query: '[Task, Note]', where: list = $list",
		"query: '[Task, Note]', where: list = $list AND at > $since",
	} {
		pattern = strings.ReplaceAll(pattern, "'[Task, Note]'", "[Task, Note]")
		t.Run(pattern, func(t *testing.T) {
			before := unservedModel(t, " {}", "", "", pattern)
			plan := New(before).Pattern(before.Patterns[0])
			if len(plan.Findings) != 1 || plan.Findings[0].Rule != diag.NoIndex {
				t.Fatalf("before: %v", plan.Findings)
			}
			q := newQuery(before, before.Patterns[0], nil)
			partition, sort, _ := q.room(keyspaces(before.Table))
			keys := map[string]string{}
			for _, terms := range q.terms {
				k := terms.propose(before.Patterns[0].Order, len(q.terms) > 1)
				keys[terms.entity.Name.Text] = fmt.Sprintf(", %s: %q, %s: %q", partition, k.partition, sort, k.sort)
				if !strings.Contains(plan.Findings[0].Fix, k.partition) || !strings.Contains(plan.Findings[0].Fix, k.sort) {
					t.Errorf("the fix does not name the keys: %s", plan.Findings[0].Fix)
				}
			}
			index := fmt.Sprintf("\n    GSI1: {partition_key: %s, sort_key: %s}", partition, sort)
			after := unservedModel(t, index, keys["Task"], keys["Note"], pattern)
			served := New(after).Pattern(after.Patterns[0])
			if !served.Variants[0].Sound() {
				t.Errorf("not served by %s: %v", keys, served.Findings)
			}
		})
	}
}

func TestProposalsUseRoom(t *testing.T) {
	m := unservedModel(t, "\n    Taken: {partition_key: A, sort_key: B}\n    Lean: {partition_key: C, sort_key: D, projection: keys_only}\n    Free: {partition_key: E, sort_key: F}",
		`, A: "{list}", B: "{id}"`, "", "query: Task, where: email = $email")
	findings := New(m).Pattern(m.Patterns[0]).Findings
	want := `give Task the keys E: "TASK#{email}" and F: "{id}", in index Free, where there is room`
	if len(findings) != 1 || findings[0].Fix != want {
		t.Errorf("got %v, want the fix %s", findings, want)
	}
}

func unservedModel(t *testing.T, index, task, note, pattern string) *model.Model {
	t.Helper()
	m, findings := parse.File(source.NewFile("m.yaml", fmt.Sprintf(unserved, index, task, note, pattern)), nil)
	for _, f := range findings.All() {
		if f.Severity == diag.Error {
			t.Fatal(f.Message)
		}
	}
	return m
}
