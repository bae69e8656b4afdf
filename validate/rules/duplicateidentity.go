package rules

import (
	"github.com/dynmodel/dynmodel/model/diag"
	"github.com/dynmodel/dynmodel/validate"
)

func duplicateIdentity() *validate.Rule {
	return &validate.Rule{
		Name: diag.DuplicateIdentity, Severity: diag.Error, FoundBy: validate.ByProof,
		Title: "one thing can be stored under two primary keys",
		Text: "The table's keys hold an attribute that does not identify the item. Written once more with another value of it, the same thing gets a second primary key: a condition against overwriting looks only at the new key and sees nothing, " +
			"and from then on two items claim to be the one, each read by some patterns and updated by others.",
		Bad: `version: 1
table: shop
entities:
  Invoice:
    attributes: {customerId: ulid, number: slug, issuedOn: date}
    keys: {PK: "CUSTOMER#{customerId}", SK: "INVOICE#{issuedOn}#{number}"}
    identity: [customerId, number]
access_patterns:
  - {name: invoices-of-customer, query: Invoice, where: customerId = $customerId, order: issuedOn desc}
  - {name: add-invoice, create: Invoice}
`,
		Good: `version: 1
table:
  name: shop
  partition_key: PK
  sort_key: SK
  indexes:
    ByDate: {partition_key: PK, sort_key: issuedOn}
entities:
  Invoice:
    attributes: {customerId: ulid, number: slug, issuedOn: date}
    keys: {PK: "CUSTOMER#{customerId}", SK: "INVOICE#{number}"}
access_patterns:
  - {name: invoices-of-customer, query: Invoice, where: customerId = $customerId, order: issuedOn desc}
  - {name: add-invoice, create: Invoice}
`,
		Fix: "take the attribute out of the table's keys (an index can give its order), or add it to `identity` if two such items are different things",
	}
}
