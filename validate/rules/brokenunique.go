package rules

import (
	"github.com/dynmodel/dynmodel/model/diag"
	"github.com/dynmodel/dynmodel/validate"
)

func brokenUnique() *validate.Rule {
	return &validate.Rule{
		Name: diag.BrokenUnique, Severity: diag.Error, FoundBy: validate.ByPlan,
		LeadsTo: []string{diag.WrongWrite},
		Title:   "a unique attribute changes or goes without its guard",
		Text:    "DynamoDB has no unique constraint: each unique value is kept by a guard item, written and deleted in the transaction that writes the item. A write that does not know the old value leaves its guard behind, so that nobody can take the value again, and one that writes no guard lets two items have the same value.",
		Bad: `version: 1
table: users
entities:
  User:
    attributes: {userId: ulid, email: {type: email, stored: lower}}
    keys: {PK: "USER#{userId}", SK: USER}
    unique: [email]
access_patterns:
  - {name: register, create: User}
  - {name: change-email, update: User, change: SET email = $email}
`,
		Good: `version: 1
table: users
entities:
  User:
    attributes: {userId: ulid, email: {type: email, stored: lower}}
    keys: {PK: "USER#{userId}", SK: USER}
    unique: [email]
access_patterns:
  - {name: register, create: User}
  - {name: change-email, update: User, change: SET email = $email, old: {email: $oldEmail}}
`,
		Fix: "give the old value with `old`, or set `read_first: true`; do not write such entities in a `batch_write`",
	}
}
