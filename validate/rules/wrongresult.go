package rules

import (
	"github.com/dynmodel/dynmodel/model/diag"
	"github.com/dynmodel/dynmodel/validate"
)

func wrongResult() *validate.Rule {
	return &validate.Rule{
		Name: diag.WrongResult, Severity: diag.Error, FoundBy: validate.ByProof,
		Title: "the access pattern returns other items than it should",
		Text: "The pattern was run, and what came back is not what `where` says: items are returned that do not belong to the answer, or items that do are missing. DynamoDB does not notice, for it only compares keys. " +
			"The counterexample is the smallest one that was found: the items, the call, and the key range that caught too much or too little.",
		Bad: `version: 1
table: chat
entities:
  Message:
    attributes: {room: slug, messageId: ulid}
    keys: {PK: "ROOM#{room}", SK: "M#{messageId}"}
  Member:
    attributes: {room: slug, user: slug}
    keys: {PK: "ROOM#{room}", SK: "M#U#{user}"}
access_patterns:
  - {name: messages, query: Message, where: room = $room, page: 50}
  - {name: join, create: Member}
`,
		Good: `version: 1
table: chat
entities:
  Message:
    attributes: {room: slug, messageId: ulid}
    keys: {PK: "ROOM#{room}", SK: "MESSAGE#{messageId}"}
  Member:
    attributes: {room: slug, user: slug}
    keys: {PK: "ROOM#{room}", SK: "USER#{user}"}
access_patterns:
  - {name: messages, query: Message, where: room = $room, page: 50}
  - {name: join, create: Member}
`,
		Fix: "what the finding says: most often a delimiter after a prefix, a tighter type for what stands before a delimiter, or another index",
	}
}
