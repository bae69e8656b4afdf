package rules

import (
	"github.com/dynmodel/dynmodel/model/diag"
	"github.com/dynmodel/dynmodel/validate"
)

func missingProjection() *validate.Rule {
	return &validate.Rule{
		Name: diag.MissingProjection, Severity: diag.Error, FoundBy: validate.ByPlan,
		LeadsTo: []string{diag.WrongResult},
		Title:   "the index does not hold an attribute that the access pattern needs",
		Text: "A global index holds the keys and what its projection names, nothing else. An attribute that is not there is missing from the answer without a word, and naming it in a filter or a projection expression is refused. " +
			"A projection cannot be changed: the index has to be made anew.",
		Bad: `version: 1
table:
  name: shop
  partition_key: orderId
  indexes:
    ByCustomer: {partition_key: customerId, sort_key: orderId, projection: keys_only}
entities:
  Order:
    attributes: {orderId: ulid, customerId: ulid, total: integer}
access_patterns:
  - {name: orders-of-customer, query: Order, where: customerId = $customerId, select: [orderId, total], page: 20}
`,
		Good: `version: 1
table:
  name: shop
  partition_key: orderId
  indexes:
    ByCustomer: {partition_key: customerId, sort_key: orderId, projection: [total]}
entities:
  Order:
    attributes: {orderId: ulid, customerId: ulid, total: integer}
access_patterns:
  - {name: orders-of-customer, query: Order, where: customerId = $customerId, select: [orderId, total], page: 20}
`,
		Fix: "add the attribute to the index's projection, or say in `select` what the pattern really needs",
	}
}
