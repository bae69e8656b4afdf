package rules

import (
	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/diag"
	"github.com/dynmodel/dynmodel/validate"
)

func noBackup() *validate.Rule {
	return &validate.Rule{
		Name: diag.NoBackup, Severity: diag.Info, FoundBy: validate.ByRule, Check: checkNoBackup,
		Title: "nothing brings the data back",
		Text:  "Point-in-time recovery restores a table as it was at any second of the last 35 days, for about four fifths of what storing it costs; deletion protection keeps a mistaken command from deleting it, for nothing. The rule speaks up where a model has neither, and a declared volume says that there is something to lose.",
		Bad: `version: 1
table: notes
entities:
  Note:
    attributes: {user: slug, noteId: ulid, text: string}
    keys: {PK: "USER#{user}", SK: "NOTE#{noteId}"}
    volume: {count: 10M}
access_patterns:
  - {name: add-note, create: Note}
  - {name: note, get: Note}
`,
		Good: `version: 1
table: {name: notes, partition_key: PK, sort_key: SK, point_in_time_recovery: true, deletion_protection: true}
entities:
  Note:
    attributes: {user: slug, noteId: ulid, text: string}
    keys: {PK: "USER#{user}", SK: "NOTE#{noteId}"}
    volume: {count: 10M}
access_patterns:
  - {name: add-note, create: Note}
  - {name: note, get: Note}
`,
		Fix: "add `point_in_time_recovery: true`, `deletion_protection: true`, or both; an `ignore` where the data can be made again",
	}
}

func checkNoBackup(p *validate.Pass) {
	t := p.Model.Table
	if t.PointInTimeRecovery.Enabled || t.DeletionProtection || !holdsSomething(p.Model) {
		return
	}
	p.Report(diag.Finding{
		Span:    t.Name.At,
		Message: "the table has neither point-in-time recovery nor deletion protection: what is deleted by mistake is gone",
		Fix:     "add `point_in_time_recovery: true`, `deletion_protection: true`, or both",
	})
}

// holdsSomething tells whether a volume is declared: without one a model is a
// sketch.
func holdsSomething(m *model.Model) bool {
	for _, e := range m.Entities {
		if len(e.Volumes) > 0 {
			return true
		}
	}
	return false
}
