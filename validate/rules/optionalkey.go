package rules

import (
	"fmt"

	"github.com/dynmodel/dynmodel/model/diag"
	"github.com/dynmodel/dynmodel/model/keytext"
	"github.com/dynmodel/dynmodel/validate"
)

func optionalKey() *validate.Rule {
	return &validate.Rule{
		Name: diag.OptionalKey, Severity: diag.Error, FoundBy: validate.ByRule, Check: checkOptionalKey,
		LeadsTo: []string{diag.WrongResult, diag.WrongWrite},
		Title:   "a key of the table holds an attribute that may be missing",
		Text: "Every item needs the table's keys. Where a template of theirs holds an optional attribute, an item without it has no key and cannot be written at all; " +
			"code that fills the gap with an empty text or the word null puts many different items under one key instead. In the keys of an index an optional attribute is fine: the item is left out of the index.",
		Bad: `version: 1
table: library
entities:
  Book:
    attributes: {shelf: slug, isbn: "slug?", title: string}
    keys: {PK: "SHELF#{shelf}", SK: "BOOK#{isbn}"}
access_patterns:
  - {name: books-on-shelf, query: Book, where: shelf = $shelf}
`,
		Good: `version: 1
table: library
entities:
  Book:
    attributes: {shelf: slug, bookId: ulid, isbn: "slug?", title: string}
    keys: {PK: "SHELF#{shelf}", SK: "BOOK#{bookId}"}
access_patterns:
  - {name: books-on-shelf, query: Book, where: shelf = $shelf}
`,
		Fix: "make the attribute required, or build the key from one that is always there",
	}
}

func checkOptionalKey(p *validate.Pass) {
	for _, k := range keysOf(p.Model) {
		if k.in(inTable) == nil {
			continue
		}
		for _, part := range k.template.Parts {
			if part.Attribute == nil || !part.Attribute.Optional && !keytext.Leaf(part).Optional {
				continue
			}
			name := part.Path.String()
			p.Report(diag.Finding{
				Span: part.At, Entity: k.entity.Name.Text, Cause: k.template.At,
				Message: fmt.Sprintf("%s of %s holds %s, which is optional: any %s without it has no primary key and cannot be stored",
					k.written(), k.entity.Name.Text, name, k.entity.Name.Text),
				Fix: fmt.Sprintf("make %s required, or build %s from attributes that are always there", name, k.attribute.Name),
			})
		}
	}
}
