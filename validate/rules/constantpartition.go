package rules

import (
	"fmt"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/diag"
	"github.com/dynmodel/dynmodel/model/load"
	"github.com/dynmodel/dynmodel/model/source"
	"github.com/dynmodel/dynmodel/validate"
)

func constantPartition() *validate.Rule {
	return &validate.Rule{
		Name: diag.ConstantPartition, Severity: diag.Warning, FoundBy: validate.ByRule, Check: checkConstantPartition,
		Title: "all items of an entity are in one partition",
		Text: "A partition key without any attribute is the same for every item. One partition takes 1000 write and 3000 read units a second, whatever the table's capacity, so that the entity cannot grow beyond it. " +
			"For a small set that is read as a whole it is the right key: declare its volume (up to 1000 items) and the rule is silent, as long as the declared rates stay under half of a partition's throughput.",
		Bad: `version: 1
table:
  name: companies
  partition_key: companyId
  indexes:
    Newest: {partition_key: AllPK, sort_key: createdAt}
entities:
  Company:
    attributes: {companyId: ulid, createdAt: datetime, name: string}
    keys: {AllPK: COMPANIES}
    volume: {count: 200k}
access_patterns:
  - {name: company, get: Company}
  - {name: newest-companies, query: Company, where: createdAt >= $since, order: createdAt desc, page: 20}
`,
		Good: `version: 1
table:
  name: companies
  partition_key: companyId
  indexes:
    Newest: {partition_key: AllPK, sort_key: createdAt}
entities:
  Company:
    attributes: {companyId: ulid, createdAt: datetime, name: string}
    keys: {AllPK: COMPANIES}
    volume: {count: 800}
access_patterns:
  - {name: company, get: Company}
  - {name: newest-companies, query: Company, where: createdAt >= $since, order: createdAt desc, page: 20}
`,
		Fix: "add a shard ({companyId|shard(10)}) or a time bucket to the key; or declare the small volume",
	}
}

func checkConstantPartition(p *validate.Pass) {
	for _, e := range p.Model.Entities {
		for _, x := range homes(p.Model.Table, e) {
			if x != nil && x.Local {
				continue // it shares the table's partitions
			}
			s := spreadOf(p, e, x)
			l := busiest(p, e, x)
			if len(s.attributes) > 0 || s.known && s.busiest <= fewItems && !heavy(l) || l.Use() >= 1 {
				continue
			}
			p.Report(diag.Finding{
				Span: partitionSpan(p.Model.Table, e, x), Entity: e.Name.Text, Index: indexName(x),
				Message: fmt.Sprintf("every %s has the same partition key in %s, and %s share one partition's throughput", e.Name.Text, placeName(x), whatShares(s, l)),
				Fix:     "add a shard or a time bucket to the key; of a small set declare the `volume`",
			})
		}
	}
}

func whatShares(s spread, l load.Units) string {
	switch {
	case l.Writes > halfWrites:
		return fmt.Sprintf("about %.0f write units a second", l.Writes)
	case l.Reads > halfReads:
		return fmt.Sprintf("about %.0f read units a second", l.Reads)
	case s.known:
		return fmt.Sprintf("about %s items", short(s.busiest))
	}
	return "all of them (how many, no volume says)"
}

// partitionSpan is where an entity says its partition key in a place.
func partitionSpan(t *model.Table, e *model.Entity, x *model.Index) source.Span {
	partition, _ := keyAttributes(t, x)
	for _, k := range partition {
		if key := e.Key(k.Name); key != nil {
			return key.At
		}
	}
	return e.Name.At
}
