package rules

import (
	"github.com/dynmodel/dynmodel/model/diag"
	"github.com/dynmodel/dynmodel/validate"
)

func exampleMismatch() *validate.Rule {
	return &validate.Rule{
		Name: diag.ExampleMismatch, Severity: diag.Error, FoundBy: validate.ByProof,
		Title: "an example does not give the stated items",
		Text:  "Examples run on the samples alone. This one gives other items than it states, or gives them in another order: either the statement is wrong, or the pattern does not do what was meant, which no other rule can know.",
		Bad: `version: 1
table: shop
entities:
  Order:
    attributes: {customer: slug, number: {type: integer, min: 1, max: 99999}}
    keys: {PK: "CUSTOMER#{customer}", SK: "ORDER#{number|pad(5)}"}
access_patterns:
  - name: newest-orders
    query: Order
    where: customer = $customer
    order: number asc
    limit: 1
    examples:
      - {with: {customer: ada}, expect: [{number: 12}]}
samples:
  Order:
    - {customer: ada, number: 7}
    - {customer: ada, number: 12}
`,
		Good: `version: 1
table: shop
entities:
  Order:
    attributes: {customer: slug, number: {type: integer, min: 1, max: 99999}}
    keys: {PK: "CUSTOMER#{customer}", SK: "ORDER#{number|pad(5)}"}
access_patterns:
  - name: newest-orders
    query: Order
    where: customer = $customer
    order: number desc
    limit: 1
    examples:
      - {with: {customer: ada}, expect: [{number: 12}]}
samples:
  Order:
    - {customer: ada, number: 7}
    - {customer: ada, number: 12}
`,
		Fix: "correct the pattern, or the example",
	}
}
