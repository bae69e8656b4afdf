package rules

import (
	"fmt"

	"github.com/dynmodel/dynmodel/model/diag"
	"github.com/dynmodel/dynmodel/model/keytext"
	"github.com/dynmodel/dynmodel/validate"
)

func emptyKey() *validate.Rule {
	return &validate.Rule{
		Name: diag.EmptyKey, Severity: diag.Error, FoundBy: validate.ByRule, Check: checkEmptyKey,
		LeadsTo: []string{diag.WrongWrite},
		Title:   "a key can be the empty text",
		Text: "DynamoDB refuses an item whose key is empty, and that holds for the keys of its indexes too: one empty attribute that happens to key an index makes the whole write fail. " +
			"Some local emulators let it pass, so that it is first seen in production. The rule looks at what is declared: a length that starts at 0, a pattern that the empty text matches.",
		Bad: `version: 1
table:
  name: users
  partition_key: userId
  indexes:
    ByNickname: {partition_key: nickname}
entities:
  User:
    attributes: {userId: ulid, nickname: {type: string, length: 0..30}}
access_patterns:
  - {name: user, get: User}
  - {name: users-by-nickname, query: User, where: nickname = $nickname}
`,
		Good: `version: 1
table:
  name: users
  partition_key: userId
  indexes:
    ByNickname: {partition_key: nickname}
entities:
  User:
    attributes: {userId: ulid, nickname: {type: string, length: 1..30, optional: true}}
access_patterns:
  - {name: user, get: User}
  - {name: users-by-nickname, query: User, where: nickname = $nickname}
`,
		Fix: "declare a length from 1 and make the attribute optional, so that it is left out instead of empty, or begin the template with a literal",
	}
}

func checkEmptyKey(p *validate.Pass) {
	for _, k := range keysOf(p.Model) {
		made := madeKind(k.template).String()
		if made != "S" && made != "B" || !keytext.CanBeEmpty(k.template) {
			continue
		}
		p.Report(diag.Finding{
			Span: k.at, Entity: k.entity.Name.Text, Index: indexName(k.places[0].index), Cause: k.template.At,
			Message: fmt.Sprintf("%s of %s, the %s, can be empty: DynamoDB then refuses to store the %s",
				k.written(), k.entity.Name.Text, k.places[0].role(), k.entity.Name.Text),
			Fix: "declare a length from 1 (and the attribute optional where it may be missing), or begin the template with a literal",
		})
	}
}
