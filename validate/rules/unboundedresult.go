package rules

import (
	"fmt"

	"github.com/dynmodel/dynmodel/model/diag"
	"github.com/dynmodel/dynmodel/model/plan"
	"github.com/dynmodel/dynmodel/validate"
)

// pageBytes is how much one page of a query or scan reads (DynamoDB Developer
// Guide, quotas: 1 MB).
const pageBytes = 1 << 20

func unboundedResult() *validate.Rule {
	return &validate.Rule{
		Name: diag.UnboundedResult, Severity: diag.Warning, FoundBy: validate.ByRule, Check: checkUnboundedResult,
		Title: "the result is larger than a page and nothing bounds it",
		Text:  "DynamoDB ends a query after 1 MB and says where to go on. At the declared volume this pattern's result is larger, and the pattern has neither a `limit` nor a `page`: a caller that does not go on gets a part and takes it for the whole, and one that does reads everything into memory.",
		Bad: `version: 1
table: log
entities:
  Event:
    attributes: {device: slug, eventId: ulid, data: {type: string, length: 500..1500}}
    keys: {PK: "DEVICE#{device}", SK: "EVENT#{eventId}"}
    volume: {per: device, count: 0..10k, average: 5000}
access_patterns:
  - {name: events, query: Event, where: device = $device}
`,
		Good: `version: 1
table: log
entities:
  Event:
    attributes: {device: slug, eventId: ulid, data: {type: string, length: 500..1500}}
    keys: {PK: "DEVICE#{device}", SK: "EVENT#{eventId}"}
    volume: {per: device, count: 0..10k, average: 5000}
access_patterns:
  - {name: events, query: Event, where: device = $device, page: 100}
`,
		Fix: "add `limit` (the first so many) or `page` (callers page through all), or narrow the range",
	}
}

func checkUnboundedResult(p *validate.Pass) {
	for _, pl := range p.Plans {
		v := pl.Variants[0]
		r := v.Read
		if r == nil || r.API != plan.Query && r.API != plan.Scan || r.Limit > 0 || r.Page > 0 || r.Count {
			continue
		}
		if cost := v.Cost(); cost.Known && cost.Bytes > pageBytes {
			p.Report(diag.Finding{
				Span: pl.Pattern.Name.At, Pattern: pl.Pattern.Name.Text, Index: indexName(r.Index),
				Message: fmt.Sprintf("%s reads %s MB on average, in %s pages, and has neither a `limit` nor a `page`", pl.Pattern.Name.Text, amount(cost.Bytes/pageBytes), amount(cost.Pages)),
				Fix:     "add `limit` or `page`, or narrow the range",
			})
		}
	}
}
