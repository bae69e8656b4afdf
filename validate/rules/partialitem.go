package rules

import (
	"github.com/dynmodel/dynmodel/model/diag"
	"github.com/dynmodel/dynmodel/validate"
)

func partialItem() *validate.Rule {
	return &validate.Rule{
		Name: diag.PartialItem, Severity: diag.Error, FoundBy: validate.ByProof,
		Title: "an upsert can create an item that lacks what it must have",
		Text:  "An UpdateItem on a key that is not there creates an item, of its key and what the update sets. If the entity has other required attributes or index keys, that item is one that no part of the application expects: reads of it fail, and indexes do not have it.",
		Bad: `version: 1
table: shop
entities:
  Cart:
    attributes: {user: slug, lines: {type: integer, min: 0}, currency: [EUR, USD]}
    keys: {PK: "USER#{user}", SK: CART}
access_patterns:
  - {name: cart, get: Cart}
  - {name: set-lines, update: Cart, change: SET lines = $lines, upsert: true}
`,
		Good: `version: 1
table: shop
entities:
  Cart:
    attributes: {user: slug, lines: {type: integer, min: 0}, currency: [EUR, USD]}
    keys: {PK: "USER#{user}", SK: CART}
access_patterns:
  - {name: cart, get: Cart}
  - {name: set-lines, update: Cart, change: "SET lines = $lines, currency = $currency", upsert: true}
`,
		Fix: "set every required attribute, leave `upsert` out, or declare the attributes optional",
	}
}
