package rules

import (
	"github.com/dynmodel/dynmodel/model/diag"
	"github.com/dynmodel/dynmodel/validate"
)

func unusedIgnore() *validate.Rule {
	return &validate.Rule{
		Name: diag.UnusedIgnore, Severity: diag.Warning, FoundBy: validate.ByIgnore,
		Title: "an `ignore` silences nothing",
		Text: "The rule that the entry names does not fire on the part it stands on: what it once accepted has been repaired, or it stands in the wrong place. " +
			"Left in, it would silence the next fault of that kind, which nobody has looked at. Entries are judged by a whole check only, not with `--static` or `--pattern`; one that names no rule there is, by every check.",
		Bad: `version: 1
table: notes
entities:
  Note:
    attributes: {userId: ulid, noteId: ulid, text: string}
    keys: {PK: "USER#{userId}", SK: "NOTE#{noteId}"}
    ignore: [{rule: constant-partition, reason: "five notes, for the administrator only"}]
access_patterns:
  - {name: notes-of-user, query: Note, where: userId = $userId}
`,
		Good: `version: 1
table: notes
entities:
  Note:
    attributes: {userId: ulid, noteId: ulid, text: string}
    keys: {PK: "USER#{userId}", SK: "NOTE#{noteId}"}
access_patterns:
  - {name: notes-of-user, query: Note, where: userId = $userId}
`,
		Fix: "take the entry out",
	}
}
