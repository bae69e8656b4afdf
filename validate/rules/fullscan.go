package rules

import (
	"fmt"
	"regexp"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/diag"
	"github.com/dynmodel/dynmodel/validate"
)

func fullScan() *validate.Rule {
	return &validate.Rule{
		Name: diag.FullScan, Severity: diag.Warning, FoundBy: validate.ByRule, Check: checkFullScan,
		Title: "the access pattern reads everything there is",
		Text: "A scan reads and pays for every item of the table or index, whatever its filter then drops, and takes longer with every item that is added. The same holds for a PartiQL statement whose WHERE does not fix the full partition key, though it looks like a query. " +
			"That is fine for a small sparse index or a nightly export, and ruinous behind a page of an application.",
		Bad: `version: 1
table: shop
entities:
  Order:
    attributes: {orderId: ulid, open: boolean}
    keys: {PK: "ORDER#{orderId}", SK: ORDER}
access_patterns:
  - {name: order, get: Order}
  - {name: all-orders, scan: Order, page: 100}
`,
		Good: `version: 1
table: shop
entities:
  Order:
    attributes: {orderId: ulid, open: boolean}
    keys: {PK: "ORDER#{orderId}", SK: ORDER}
access_patterns:
  - {name: order, get: Order}
  - name: all-orders
    scan: Order
    page: 100
    ignore: [{rule: full-scan, reason: nightly export}]
`,
		Fix: "query an index instead, a sparse one if few items are wanted; where the scan is meant, say why in an `ignore`",
	}
}

func checkFullScan(p *validate.Pass) {
	for _, pattern := range p.Model.Patterns {
		what := ""
		switch {
		case pattern.Operation == model.Scan:
			what = placeName(pattern.Index)
		case pattern.Operation == model.PartiQL && scansByStatement(p.Model, pattern.Statement.Text):
			what = "what its FROM names, since its WHERE does not fix the partition key,"
		default:
			continue
		}
		p.Report(diag.Finding{
			Span: pattern.OperationAt, Pattern: pattern.Name.Text, Index: indexName(pattern.Index),
			Message: fmt.Sprintf("%s reads every item of %s and pays for it, whatever is returned", pattern.Name.Text, what),
			Fix:     "query by a key, or accept it with an `ignore` that says why",
		})
	}
}

var (
	selecting = regexp.MustCompile(`(?is)^\s*select\b`)
	condition = regexp.MustCompile(`(?is)\bwhere\b(.*)$`)
)

// scansByStatement tells whether a SELECT does not fix the partition key of the
// table or of the index that it names.
func scansByStatement(m *model.Model, text string) bool {
	if !selecting.MatchString(text) {
		return false
	}
	keys := m.Table.Keys()[:1]
	for _, x := range m.Table.Indexes {
		if regexp.MustCompile(`(?i)"\s*\.\s*"?` + regexp.QuoteMeta(x.Name.Text) + `\b`).MatchString(text) {
			keys = x.PartitionKey
		}
	}
	where := condition.FindString(text)
	for _, k := range keys {
		fixed := regexp.MustCompile(`(?i)(^|[^\w."])"?` + regexp.QuoteMeta(k.Name) + `"?\s*(=|in\b)`)
		if !fixed.MatchString(where) {
			return true
		}
	}
	return false
}
