package rules

import (
	"fmt"

	"github.com/dynmodel/dynmodel/model/diag"
	"github.com/dynmodel/dynmodel/validate"
)

func missingEntityType() *validate.Rule {
	return &validate.Rule{
		Name: diag.MissingEntityType, Severity: diag.Info, FoundBy: validate.ByRule, Check: checkMissingEntityType,
		Title: "items of a shared table do not say what they are",
		Text: "Several entities live in the table and none of their items names its type. Whoever reads an export, a stream record or an item collection has to guess it from the form of the keys, and a query over several entities cannot filter by it. " +
			"One short attribute per item settles it, and is hard to add to old items later.",
		Bad: `version: 1
table: {name: blog, partition_key: PK, sort_key: SK, entity_type: none}
entities:
  Author:
    attributes: {authorId: ulid, name: string}
    keys: {PK: "AUTHOR#{authorId}", SK: AUTHOR}
  Post:
    attributes: {authorId: {ref: Author}, postId: ulid, title: string}
    keys: {PK: "AUTHOR#{authorId}", SK: "POST#{postId}"}
access_patterns:
  - {name: author, get: Author}
  - {name: posts-of-author, query: Post, where: authorId = $authorId}
`,
		Good: `version: 1
table: {name: blog, partition_key: PK, sort_key: SK, entity_type: Type}
entities:
  Author:
    attributes: {authorId: ulid, name: string}
    keys: {PK: "AUTHOR#{authorId}", SK: AUTHOR}
  Post:
    attributes: {authorId: {ref: Author}, postId: ulid, title: string}
    keys: {PK: "AUTHOR#{authorId}", SK: "POST#{postId}"}
access_patterns:
  - {name: author, get: Author}
  - {name: posts-of-author, query: Post, where: authorId = $authorId}
`,
		Fix: "name the attribute with `entity_type`, or leave that line out: EntityType is the default",
	}
}

func checkMissingEntityType(p *validate.Pass) {
	t := p.Model.Table
	if t.EntityType != "" || len(p.Model.Entities) < 2 {
		return
	}
	p.Report(diag.Finding{
		Span: t.Name.At,
		Message: fmt.Sprintf("table %s holds %d entities, and nothing in an item says which one it is: readers of exports, streams and item collections have to guess from its keys",
			t.Name.Text, len(p.Model.Entities)),
		Fix: "name an attribute with `entity_type`",
	})
}
