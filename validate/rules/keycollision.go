package rules

import (
	"github.com/dynmodel/dynmodel/model/diag"
	"github.com/dynmodel/dynmodel/validate"
)

func keyCollision() *validate.Rule {
	return &validate.Rule{
		Name: diag.KeyCollision, Severity: diag.Error, FoundBy: validate.ByProof,
		Title: "two different items share a primary key",
		Text: "The table's keys do not tell all items apart: two items that differ in what identifies them come to the same partition and sort key. " +
			"The second write then replaces the first without a word or, with a condition, is refused although nothing is wrong with it. " +
			"A key that is only a time is the usual cause: two events in one tick are one item. Others are an attribute of the identity that no key holds, and texts that run into each other.",
		Bad: `version: 1
table: revenue
entities:
  Event:
    attributes: {userId: ulid, eventId: ulid, at: {type: datetime, precision: ms}, amount: integer}
    keys: {PK: "USER#{userId}", SK: "EVENT#{at}"}
    identity: [userId, eventId]
access_patterns:
  - {name: events-of-user, query: Event, where: userId = $userId, order: at desc}
`,
		Good: `version: 1
table: revenue
entities:
  Event:
    attributes: {userId: ulid, eventId: ulid, at: {type: datetime, precision: ms}, amount: integer}
    keys: {PK: "USER#{userId}", SK: "EVENT#{at}#{eventId}"}
access_patterns:
  - {name: events-of-user, query: Event, where: userId = $userId, order: at desc}
`,
		Fix: "put every attribute of the identity into the table's keys, after what gives the order, with delimiters that the values cannot contain",
	}
}
