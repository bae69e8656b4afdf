package rules

import (
	"github.com/dynmodel/dynmodel/model/diag"
	"github.com/dynmodel/dynmodel/validate"
)

func unknownReference() *validate.Rule {
	return &validate.Rule{
		Name: diag.UnknownReference, Severity: diag.Error, FoundBy: validate.ByLanguage,
		Title: "a name refers to nothing",
		Text: "A template, an expression or an option names an entity, attribute, index, parameter or pattern that the model does not have, most often because of a slip of the pen or after a renaming. " +
			"DynamoDB would not notice: an attribute that does not exist simply never matches, and the query comes back empty.",
		Bad: `version: 1
table: notes
entities:
  Note:
    attributes: {userId: ulid, noteId: ulid, text: string}
    keys: {PK: "USER#{userId}", SK: "NOTE#{noteId}"}
access_patterns:
  - {name: add-note, create: Note}
  - {name: notes-of-user, query: Note, where: userID = $userId}
`,
		Good: `version: 1
table: notes
entities:
  Note:
    attributes: {userId: ulid, noteId: ulid, text: string}
    keys: {PK: "USER#{userId}", SK: "NOTE#{noteId}"}
access_patterns:
  - {name: add-note, create: Note}
  - {name: notes-of-user, query: Note, where: userId = $userId}
`,
		Fix: "write the name as it is declared, or declare it",
	}
}
