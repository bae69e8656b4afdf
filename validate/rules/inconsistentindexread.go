package rules

import (
	"github.com/dynmodel/dynmodel/model/diag"
	"github.com/dynmodel/dynmodel/validate"
)

func inconsistentIndexRead() *validate.Rule {
	return &validate.Rule{
		Name: diag.InconsistentIndexRead, Severity: diag.Error, FoundBy: validate.ByPlan,
		LeadsTo: []string{diag.WrongResult},
		Title:   "a consistent read is asked of a global index",
		Text:    "Global indexes are brought up to date after the write has been acknowledged, and DynamoDB refuses a consistent read of one. Only the table and local indexes have consistent reads.",
		Bad: `version: 1
table:
  name: shop
  partition_key: orderId
  indexes:
    ByCustomer: {partition_key: customerId, sort_key: orderId}
entities:
  Order:
    attributes: {orderId: ulid, customerId: ulid}
access_patterns:
  - {name: orders-of-customer, query: Order, where: customerId = $customerId, page: 20, consistent: true}
`,
		Good: `version: 1
table:
  name: shop
  partition_key: customerId
  sort_key: orderId
entities:
  Order:
    attributes: {orderId: ulid, customerId: ulid}
access_patterns:
  - {name: orders-of-customer, query: Order, where: customerId = $customerId, page: 20, consistent: true}
`,
		Fix: "read by the table's keys, or leave out `consistent` and let the caller cope with an answer that is a moment old",
	}
}
