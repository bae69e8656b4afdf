package rules

import (
	"github.com/dynmodel/dynmodel/model/diag"
	"github.com/dynmodel/dynmodel/validate"
)

func wrongWrite() *validate.Rule {
	return &validate.Rule{
		Name: diag.WrongWrite, Severity: diag.Error, FoundBy: validate.ByProof,
		Title: "after a write, what is stored is not what the model says",
		Text: "The pattern was run on a small world of items, and afterwards the item, one of its index entries, a guard, a copy, or a count or sum of other items is not what it should be; or a condition let through a call that it should stop, or stopped one that it should let through. " +
			"Reads that came before such a write are right, and reads after it are not.",
		Bad: `version: 1
table: shop
entities:
  Product:
    attributes: {sku: slug, name: string}
    keys: {PK: "PRODUCT#{sku}", SK: PRODUCT}
  Favourite:
    attributes: {user: slug, sku: {ref: Product}, name: {type: string, copy_of: Product.name}}
    keys: {PK: "USER#{user}", SK: "FAVOURITE#{sku}"}
access_patterns:
  - name: rename-product
    transact_write:
      - {update: Product, change: SET name = $name}
      - {update: Favourite, change: "SET name = $favouriteName"}
  - {name: favourites, query: Favourite, where: user = $user}
`,
		Good: `version: 1
table: shop
entities:
  Product:
    attributes: {sku: slug, name: string}
    keys: {PK: "PRODUCT#{sku}", SK: PRODUCT}
  Favourite:
    attributes: {user: slug, sku: {ref: Product}, name: {type: string, snapshot_of: Product.name}}
    keys: {PK: "USER#{user}", SK: "FAVOURITE#{sku}"}
access_patterns:
  - name: rename-product
    transact_write:
      - {update: Product, change: SET name = $name}
      - {update: Favourite, change: "SET name = $favouriteName"}
  - {name: favourites, query: Favourite, where: user = $user}
`,
		Fix: "what the finding says: give the write what it lacks to keep keys, guards and copies in step",
	}
}
