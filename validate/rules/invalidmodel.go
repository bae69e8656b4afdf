package rules

import (
	"github.com/dynmodel/dynmodel/model/diag"
	"github.com/dynmodel/dynmodel/validate"
)

func invalidModel() *validate.Rule {
	return &validate.Rule{
		Name: diag.InvalidModel, Severity: diag.Error, FoundBy: validate.ByLanguage,
		Title: "the model is not written as the language wants it",
		Text: "The text is no YAML, a key is unknown, a value has the wrong type, something is missing or stands there twice, a template or an expression cannot be read. " +
			"The broken part is left out and the rest of the model is still checked, so that what is reported beside it can be trusted; what depends on the broken part is not judged until it is repaired.",
		Bad: `version: 1
table:
  name: notes
  hash_key: PK
entities:
  Note:
    attributes: {PK: ulid, text: string}
access_patterns:
  - {name: add-note, create: Note}
  - {name: note, get: Note}
`,
		Good: `version: 1
table:
  name: notes
  partition_key: PK
entities:
  Note:
    attributes: {PK: ulid, text: string}
access_patterns:
  - {name: add-note, create: Note}
  - {name: note, get: Note}
`,
		Fix: "follow the message: it names the place and, where one is near, the word that was meant",
	}
}
