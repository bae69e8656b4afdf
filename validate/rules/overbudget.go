package rules

import (
	"github.com/dynmodel/dynmodel/model/diag"
	"github.com/dynmodel/dynmodel/validate"
)

func overBudget() *validate.Rule {
	return &validate.Rule{
		Name: diag.OverBudget, Severity: diag.Error, FoundBy: validate.ByProof,
		Title: "the access pattern takes more than its budget",
		Text:  "`budget` says what one call may take: requests, items read, read and write units. At the declared volume the call takes more. The figures come from the plan and from sizes and volumes, never from the data that the check makes.",
		Bad: `version: 1
table: shop
entities:
  Customer:
    attributes: {customerId: ulid}
    keys: {PK: "CUSTOMER#{customerId}", SK: CUSTOMER}
    volume: {count: 5000}
  Order:
    attributes: {customerId: {ref: Customer}, orderId: ulid}
    keys: {PK: "CUSTOMER#{customerId}", SK: "ORDER#{orderId}"}
    volume: {per: Customer, count: 100}
access_patterns:
  - {name: orders-of-customer, query: Order, where: customerId = $customerId, budget: {items_read: 50}}
`,
		Good: `version: 1
table: shop
entities:
  Customer:
    attributes: {customerId: ulid}
    keys: {PK: "CUSTOMER#{customerId}", SK: CUSTOMER}
    volume: {count: 5000}
  Order:
    attributes: {customerId: {ref: Customer}, orderId: ulid}
    keys: {PK: "CUSTOMER#{customerId}", SK: "ORDER#{orderId}"}
    volume: {per: Customer, count: 100}
access_patterns:
  - {name: orders-of-customer, query: Order, where: customerId = $customerId, limit: 50, budget: {items_read: 50}}
`,
		Fix: "read less: a limit, a tighter range, a sparse index; or raise the budget",
	}
}
