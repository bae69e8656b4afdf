package rules

import (
	"github.com/dynmodel/dynmodel/model/diag"
	"github.com/dynmodel/dynmodel/validate"
)

func mutableKey() *validate.Rule {
	return &validate.Rule{
		Name: diag.MutableKey, Severity: diag.Error, FoundBy: validate.ByPlan,
		LeadsTo: []string{diag.WrongWrite, diag.KeyCollision, diag.DuplicateIdentity},
		Title:   "an update changes what the primary key is made of",
		Text: "An item's primary key cannot be changed: DynamoDB has no request for it. An update that sets an attribute inside a key template of the table would leave the item under its old key, where it is no longer found by its new value, " +
			"and a later write by the new value would make a second item.",
		Bad: `version: 1
table: tasks
entities:
  Task:
    attributes: {board: ulid, taskId: ulid, status: [todo, doing, done], title: string}
    keys: {PK: "BOARD#{board}", SK: "{status}#{taskId}"}
    identity: [board, status, taskId]
access_patterns:
  - {name: tasks-by-status, query: Task, where: board = $board AND status = $status}
  - {name: move-task, update: Task, change: SET status = $newStatus}
`,
		Good: `version: 1
table:
  name: tasks
  partition_key: PK
  sort_key: SK
  indexes:
    ByStatus: {partition_key: PK, sort_key: StatusSK}
entities:
  Task:
    attributes: {board: ulid, taskId: ulid, status: [todo, doing, done], title: string}
    keys: {PK: "BOARD#{board}", SK: "TASK#{taskId}", StatusSK: "{status}#{taskId}"}
access_patterns:
  - {name: tasks-by-status, query: Task, where: board = $board AND status = $status}
  - {name: move-task, update: Task, change: SET status = $newStatus}
`,
		Fix: "key the table by what never changes and put the attribute into the key of an index, or delete the item and create the new one in one transaction",
	}
}
