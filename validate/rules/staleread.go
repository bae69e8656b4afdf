package rules

import (
	"fmt"

	"github.com/dynmodel/dynmodel/model/diag"
	"github.com/dynmodel/dynmodel/validate"
)

func staleRead() *validate.Rule {
	return &validate.Rule{
		Name: diag.StaleRead, Severity: diag.Warning, FoundBy: validate.ByRule, Check: checkStaleRead,
		Title: "what was just written is read through a global index",
		Text:  "A global index follows its table with a delay, usually of milliseconds, at times of much more. A pattern that reads right after a write, as `after` says, can find the state from before: the new item is missing, the changed one is old.",
		Bad: `version: 1
table:
  name: shop
  partition_key: orderId
  indexes:
    ByCustomer: {partition_key: customer, sort_key: orderId}
entities:
  Order:
    attributes: {orderId: ulid, customer: slug}
access_patterns:
  - {name: place-order, create: Order}
  - {name: orders-of-customer, query: Order, where: customer = $customer, page: 20, after: place-order}
`,
		Good: `version: 1
table:
  name: shop
  partition_key: customer
  sort_key: orderId
entities:
  Order:
    attributes: {orderId: ulid, customer: slug}
access_patterns:
  - {name: place-order, create: Order}
  - {name: orders-of-customer, query: Order, where: customer = $customer, page: 20, after: place-order, consistent: true}
`,
		Fix: "read through the table's keys with `consistent: true`, or keep the written item at hand instead of reading it back",
	}
}

func checkStaleRead(p *validate.Pass) {
	for _, pl := range p.Plans {
		r := pl.Variants[0].Read
		if pl.Pattern.After == nil || r == nil || r.Index == nil || r.Index.Local {
			continue
		}
		p.Report(diag.Finding{
			Span: pl.Pattern.Name.At, Pattern: pl.Pattern.Name.Text, Index: indexName(r.Index),
			Message: fmt.Sprintf("%s reads what %s wrote through global index %s, which may not have it yet", pl.Pattern.Name.Text, pl.Pattern.After.Name.Text, r.Index.Name.Text),
			Fix:     "read through the table's keys with `consistent: true`, or use what was written without reading it back",
		})
	}
}
