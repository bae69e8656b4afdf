package rules

import (
	"fmt"
	"math"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/diag"
	"github.com/dynmodel/dynmodel/model/load"
	"github.com/dynmodel/dynmodel/validate"
)

func indexUnderprovisioned() *validate.Rule {
	return &validate.Rule{
		Name: diag.IndexUnderprovisioned, Severity: diag.Warning, FoundBy: validate.ByRule, Check: checkIndexUnderprovisioned,
		Title: "an index cannot keep up with the table's writes",
		Text: "A global index has capacity of its own, and every write of the table that touches it takes some of that too. When it runs short, DynamoDB throttles the table's writes, however much the table has. The rule holds an index's write units (the most that its auto scaling reaches) against what the patterns put on it at their declared peaks; " +
			"where no rates are declared, against its share when the table's writes are used up by the pattern that touches the index least of those that do.",
		Bad: `version: 1
table:
  name: orders
  partition_key: PK
  sort_key: SK
  capacity: {provisioned: {read: 100, write: 100, autoscaling: {min: 10, max: 100}}}
  indexes:
    ByStore: {partition_key: store, sort_key: orderId, capacity: {provisioned: {read: 10, write: 5, autoscaling: {min: 5, max: 10}}}}
entities:
  Order:
    attributes: {customer: slug, orderId: ulid, store: slug}
    keys: {PK: "CUSTOMER#{customer}", SK: "ORDER#{orderId}"}
access_patterns:
  - {name: place-order, create: Order}
  - {name: orders-of-store, query: Order, where: store = $store, page: 20}
  - {name: order, get: Order}
`,
		Good: `version: 1
table:
  name: orders
  partition_key: PK
  sort_key: SK
  capacity: {provisioned: {read: 100, write: 100, autoscaling: {min: 10, max: 100}}}
  indexes:
    ByStore: {partition_key: store, sort_key: orderId, capacity: {provisioned: {read: 10, write: 100, autoscaling: {min: 10, max: 100}}}}
entities:
  Order:
    attributes: {customer: slug, orderId: ulid, store: slug}
    keys: {PK: "CUSTOMER#{customer}", SK: "ORDER#{orderId}"}
access_patterns:
  - {name: place-order, create: Order}
  - {name: orders-of-store, query: Order, where: store = $store, page: 20}
  - {name: order, get: Order}
`,
		Fix: "give the index as many write units as its share of the writes takes, or leave its `capacity` out, so that it has the table's",
	}
}

func checkIndexUnderprovisioned(p *validate.Pass) {
	t := p.Model.Table
	if t.Capacity.OnDemand {
		return
	}
	for _, x := range t.Indexes {
		if x.Local || x.Capacity == nil || x.Capacity.OnDemand {
			continue
		}
		has := float64(mostWrites(*x.Capacity))
		needs, why := indexNeeds(p, x)
		if needs <= has {
			continue
		}
		at := x.Capacity.At
		if !at.Known() {
			at = x.Name.At
		}
		p.Report(diag.Finding{
			Span: at, Index: x.Name.Text,
			Message: fmt.Sprintf("index %s takes %s write units a second %s and has %.0f: DynamoDB then throttles the table's own writes", x.Name.Text, amount(needs), why, has),
			Fix:     fmt.Sprintf("give the index %.0f write units, as the most of its auto scaling too", math.Ceil(needs)),
		})
	}
}

// mostWrites are the write units that a capacity reaches.
func mostWrites(c model.Capacity) int64 {
	if c.AutoScaling != nil {
		return max(c.Write, c.AutoScaling.Max)
	}
	return c.Write
}

// indexNeeds are the write units a second that an index needs, and when.
func indexNeeds(p *validate.Pass, x *model.Index) (float64, string) {
	if peak := p.Load.Peak(x); peak.Writes > 0 {
		return peak.Writes, "at the declared peak"
	}
	least := math.Inf(1)
	for _, t := range p.Load.Traffic {
		table, index := load.PerCall(t.Plan.Variants[0], nil), load.PerCall(t.Plan.Variants[0], x)
		if table.Writes > 0 && index.Writes > 0 {
			least = min(least, index.Writes/table.Writes)
		}
	}
	if math.IsInf(least, 1) {
		return 0, ""
	}
	return least * float64(mostWrites(p.Model.Table.Capacity)), "when the table's are used up"
}
