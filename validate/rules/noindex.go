package rules

import (
	"github.com/dynmodel/dynmodel/model/diag"
	"github.com/dynmodel/dynmodel/validate"
)

func noIndex() *validate.Rule {
	return &validate.Rule{
		Name: diag.NoIndex, Severity: diag.Error, FoundBy: validate.ByPlan,
		LeadsTo: []string{diag.WrongResult},
		Title:   "no index can serve the access pattern",
		Text: "A query reads one partition, whose key it must know in full, and one range of the sort key. The pattern fixes no index's partition key, or what is left over after the key condition is no filter that DynamoDB accepts. " +
			"An application would have to scan the table, which reads and pays for every item. The finding says of each index why it does not serve, and proposes keys that would.",
		Bad: `version: 1
table: shop
entities:
  Order:
    attributes: {orderId: ulid, customerId: ulid, total: integer}
    keys: {PK: "ORDER#{orderId}", SK: ORDER}
access_patterns:
  - {name: order, get: Order}
  - {name: orders-of-customer, query: Order, where: customerId = $customerId, page: 20}
`,
		Good: `version: 1
table:
  name: shop
  partition_key: PK
  sort_key: SK
  indexes:
    ByCustomer: {partition_key: customerId, sort_key: orderId}
entities:
  Order:
    attributes: {orderId: ulid, customerId: ulid, total: integer}
    keys: {PK: "ORDER#{orderId}", SK: ORDER}
access_patterns:
  - {name: order, get: Order}
  - {name: orders-of-customer, query: Order, where: customerId = $customerId, page: 20}
`,
		Fix: "add the proposed key templates to an index, or declare a `scan` where reading everything is meant",
	}
}
