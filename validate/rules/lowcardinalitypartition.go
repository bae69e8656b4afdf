package rules

import (
	"fmt"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/diag"
	"github.com/dynmodel/dynmodel/validate"
)

func lowCardinalityPartition() *validate.Rule {
	return &validate.Rule{
		Name: diag.LowCardinalityPartition, Severity: diag.Warning, FoundBy: validate.ByRule, Check: checkLowCardinality,
		Title: "a partition key has few values for what stands behind them",
		Text: "All items of one partition key value share one partition's throughput: 3000 read and 1000 write units a second. A key of a few values, such as a status, gathers most of the table behind one of them; it grows for ever, and a busy day throttles every write, for an index just as for the table. " +
			"The rule speaks up for fewer than 100 values when over 100,000 items or half of that throughput stand behind one; without any declared volume, when the key is nothing but enumerations and booleans.",
		Bad: `version: 1
table:
  name: deposits
  partition_key: depositId
  indexes:
    ByStatus: {partition_key: status, sort_key: createdAt}
entities:
  Deposit:
    attributes: {depositId: ulid, status: {values: {pending: 5%, confirmed: 95%}}, createdAt: datetime, amount: integer}
    volume: {count: 4M}
access_patterns:
  - {name: deposit, get: Deposit}
  - {name: deposits-by-status, query: Deposit, where: status = $status, order: createdAt desc, page: 50}
`,
		Good: `version: 1
table:
  name: deposits
  partition_key: depositId
  indexes:
    Pending: {partition_key: PendingOn, sort_key: createdAt}
entities:
  Deposit:
    attributes: {depositId: ulid, status: {values: {pending: 5%, confirmed: 95%}}, createdAt: datetime, amount: integer}
    keys:
      PendingOn: {template: "{createdAt|day}", when: status = 'pending'}
    volume: {count: 4M}
access_patterns:
  - {name: deposit, get: Deposit}
  - name: pending-deposits
    query: Deposit
    where: status = 'pending' AND createdAt BETWEEN $from AND $to
    order: createdAt desc
    span: 2d
    page: 50
`,
		Fix: "index only the values that are asked for (`when`), or add a time bucket ({createdAt|day}) or a shard ({id|shard(10)}) to the partition key",
	}
}

// Below fewValues partition key values, more than manyItems items behind one of
// them are too many.
const (
	fewValues = 100
	manyItems = 100_000
)

func checkLowCardinality(p *validate.Pass) {
	for _, e := range p.Model.Entities {
		for _, x := range homes(p.Model.Table, e) {
			if x != nil && x.Local {
				continue // it shares the table's partitions
			}
			s := spreadOf(p, e, x)
			if len(s.attributes) == 0 || s.values >= fewValues || overloaded(p, e, x) {
				continue
			}
			if what := crowd(p, e, x, s); what != "" {
				p.Report(diag.Finding{
					Span: partitionSpan(p.Model.Table, e, x), Entity: e.Name.Text, Index: indexName(x),
					Message: fmt.Sprintf("the partition key of %s for %s, made of %s, has %s: %s",
						placeName(x), e.Name.Text, list(s.attributes), howMany(s.values), what),
					Fix: "index only the values asked for (`when`), or add a time bucket or a shard to the partition key",
				})
			}
		}
	}
}

func howMany(values float64) string {
	if values == 1 {
		return "one value"
	}
	return fmt.Sprintf("%.0f values", values)
}

// crowd says what stands behind one value that is too much; "" when nothing is.
func crowd(p *validate.Pass, e *model.Entity, x *model.Index, s spread) string {
	l := busiest(p, e, x)
	switch {
	case s.known && s.busiest > manyItems:
		return fmt.Sprintf("about %s items stand behind one of them and share one partition's throughput", short(s.busiest))
	case l.Writes > halfWrites:
		return fmt.Sprintf("about %.0f write units a second fall on one of them, of the 1000 that a partition takes", l.Writes)
	case l.Reads > halfReads:
		return fmt.Sprintf("about %.0f read units a second fall on one of them, of the 3000 that a partition takes", l.Reads)
	case !s.known && len(e.Volumes) == 0 && s.named && !sparse(p.Model.Table, e, x):
		return "as the table grows, all items gather behind these few and share their throughput (no volume is declared)"
	}
	return ""
}

// short writes a number of items: 3.8M.
func short(n float64) string {
	for _, unit := range []struct {
		size float64
		name string
	}{{1e9, "B"}, {1e6, "M"}, {1e3, "k"}} {
		if n >= unit.size {
			return fmt.Sprintf("%.3g%s", n/unit.size, unit.name)
		}
	}
	return fmt.Sprintf("%.0f", n)
}
