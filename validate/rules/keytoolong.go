package rules

import (
	"fmt"

	"github.com/dynmodel/dynmodel/model/diag"
	"github.com/dynmodel/dynmodel/model/encode"
	"github.com/dynmodel/dynmodel/model/keytext"
	"github.com/dynmodel/dynmodel/model/value"
	"github.com/dynmodel/dynmodel/validate"
)

func keyTooLong() *validate.Rule {
	return &validate.Rule{
		Name: diag.KeyTooLong, Severity: diag.Error, FoundBy: validate.ByRule, Check: checkKeyTooLong,
		LeadsTo: []string{diag.WrongWrite, diag.WrongResult},
		Title:   "a key can be longer than DynamoDB allows",
		Text: "A partition key has at most 2048 bytes and a sort key 1024, in the table and in every index. An item whose key is longer is refused when it is written. " +
			"A character of any text takes up to four bytes, so that 300 characters can be 1200 bytes. The rule adds up the lengths that are declared; an attribute without one counts nothing.",
		Bad: `version: 1
table: wiki
entities:
  Page:
    attributes: {space: slug, title: {type: string, length: 1..300}, body: string}
    keys: {PK: "SPACE#{space}", SK: "PAGE#{title}"}
access_patterns:
  - {name: pages-of-space, query: Page, where: space = $space}
`,
		Good: `version: 1
table: wiki
entities:
  Page:
    attributes: {space: slug, title: {type: string, length: 1..200}, body: string}
    keys: {PK: "SPACE#{space}", SK: "PAGE#{title}"}
access_patterns:
  - {name: pages-of-space, query: Page, where: space = $space}
`,
		Fix: "declare a smaller length (or `size`, which counts bytes), a type or pattern of ASCII characters, or key by prefix(n) or an id",
	}
}

func checkKeyTooLong(p *validate.Pass) {
	for _, k := range keysOf(p.Model) {
		if madeKind(k.template) == value.Number {
			continue
		}
		long := keytext.MaxBytes(k.template)
		for _, in := range k.places {
			limit := encode.MaxPartitionKey
			if in.sort {
				limit = encode.MaxSortKey
			}
			if long <= limit {
				continue
			}
			p.Report(diag.Finding{
				Span: k.at, Entity: k.entity.Name.Text, Index: indexName(in.index), Cause: k.template.At,
				Message: fmt.Sprintf("%s of %s can have %d bytes, and the %s has at most %d: DynamoDB refuses any %s with such a key",
					k.written(), k.entity.Name.Text, long, in.role(), limit, k.entity.Name.Text),
				Fix: "declare a smaller `length` or `size` for what is in it, or put prefix(n) of it or an id into the key",
			})
			break
		}
	}
}
