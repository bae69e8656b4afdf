package rules

import (
	"github.com/dynmodel/dynmodel/model/diag"
	"github.com/dynmodel/dynmodel/validate"
)

func limitExceeded() *validate.Rule {
	return &validate.Rule{
		Name: diag.LimitExceeded, Severity: diag.Error, FoundBy: validate.ByPlan,
		Title: "a request goes beyond a limit of DynamoDB",
		Text:  "DynamoDB refuses a transaction of more than 100 actions or 4 MB, an IN of more than 100 values, an expression of more than 4 KB or 300 operators, whole. With test data a list is short; the call that fails is the largest customer's.",
		Bad: `version: 1
table: shop
entities:
  Line:
    attributes: {orderId: uuid, line: {type: integer, min: 1, max: 999}}
    keys: {PK: "ORDER#{orderId}", SK: "LINE#{line|pad(3)}"}
access_patterns:
  - name: place-order
    transact_write:
      - for_each: $lines
        count: 1..150
        steps: [{create: Line}]
`,
		Good: `version: 1
table: shop
entities:
  Line:
    attributes: {orderId: uuid, line: {type: integer, min: 1, max: 999}}
    keys: {PK: "ORDER#{orderId}", SK: "LINE#{line|pad(3)}"}
access_patterns:
  - name: place-order
    transact_write:
      - for_each: $lines
        count: 1..100
        steps: [{create: Line}]
`,
		Fix: "lower the count, or split the work into several calls that can each fail on their own",
	}
}
