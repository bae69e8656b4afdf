package rules

import (
	"github.com/dynmodel/dynmodel/model/diag"
	"github.com/dynmodel/dynmodel/validate"
)

func outOfDomain() *validate.Rule {
	return &validate.Rule{
		Name: diag.OutOfDomain, Severity: diag.Error, FoundBy: validate.ByProof,
		Title: "an accepted write leaves an attribute outside its declared domain",
		Text: "A sum or difference is computed by DynamoDB, which knows nothing of the model's bounds. Without a condition that stops it at the edge, stock goes below zero and a counter beyond its limit; two calls at once do it even where the application looked before. " +
			"The same goes for an item that is left without one of its invariants: an end before its beginning, more members than seats.",
		Bad: `version: 1
table: shop
entities:
  Product:
    attributes: {sku: slug, stock: {type: integer, min: 0}}
    keys: {PK: "PRODUCT#{sku}", SK: PRODUCT}
access_patterns:
  - {name: product, get: Product}
  - {name: take-one, update: Product, change: SET stock = stock - 1}
`,
		Good: `version: 1
table: shop
entities:
  Product:
    attributes: {sku: slug, stock: {type: integer, min: 0}}
    keys: {PK: "PRODUCT#{sku}", SK: PRODUCT}
access_patterns:
  - {name: product, get: Product}
  - {name: take-one, update: Product, change: SET stock = stock - 1, if: stock >= 1}
`,
		Fix: "add the condition that the finding names, or widen the domain",
	}
}
