package rules

import (
	"fmt"
	"slices"
	"strings"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/diag"
	"github.com/dynmodel/dynmodel/model/encode"
	"github.com/dynmodel/dynmodel/model/keytext"
	"github.com/dynmodel/dynmodel/validate"
)

func redundantIndex() *validate.Rule {
	return &validate.Rule{
		Name: diag.RedundantIndex, Severity: diag.Warning, FoundBy: validate.ByRule, Check: checkRedundantIndex,
		Title: "another index, or the table, already offers the index's keys",
		Text: "Whatever can be asked of this index can be asked of another one, or of the table: the partition key is made alike, and the sort key there begins with the one here. " +
			"Every write is paid for twice and nothing is gained. An index that holds fewer items (sparse) or offers consistent reads is not taken for redundant.",
		Bad: `version: 1
table:
  name: orders
  partition_key: orderId
  indexes:
    ByCustomer: {partition_key: customerId}
    ByCustomerDate: {partition_key: customerId, sort_key: placedAt}
entities:
  Order:
    attributes: {orderId: ulid, customerId: ulid, placedAt: datetime}
access_patterns:
  - {name: order, get: Order}
  - {name: orders-of-customer, query: Order, where: customerId = $customerId, index: ByCustomer}
  - {name: recent-orders, query: Order, where: customerId = $customerId, order: placedAt desc, limit: 10}
`,
		Good: `version: 1
table:
  name: orders
  partition_key: orderId
  indexes:
    ByCustomerDate: {partition_key: customerId, sort_key: placedAt}
entities:
  Order:
    attributes: {orderId: ulid, customerId: ulid, placedAt: datetime}
access_patterns:
  - {name: order, get: Order}
  - {name: orders-of-customer, query: Order, where: customerId = $customerId}
  - {name: recent-orders, query: Order, where: customerId = $customerId, order: placedAt desc, limit: 10}
`,
		Fix: "take the index out and let its patterns use the other one",
	}
}

func checkRedundantIndex(p *validate.Pass) {
	t := p.Model.Table
	var gone []*model.Index // reported: they replace nothing any more
	for i := len(t.Indexes) - 1; i >= 0; i-- {
		x := t.Indexes[i]
		entities := residents(p.Model, x)
		if len(entities) == 0 || len(p.Plans) > 0 && len(users(p, x)) == 0 {
			continue // it is empty or unused, which is said elsewhere
		}
		for _, by := range append([]*model.Index{nil}, t.Indexes...) {
			if by == x || by != nil && slices.Contains(gone, by) || !replaces(p, by, x, entities) {
				continue
			}
			gone = append(gone, x)
			f := diag.Finding{Span: x.Name.At, Index: x.Name.Text,
				Message: fmt.Sprintf("%s offers everything that index %s does: the same partition key, and a sort key that begins with the same", placeName(by), x.Name.Text),
				Fix:     "take it out; its patterns are served without it"}
			if by != nil {
				f.Related = []diag.Related{{Span: by.Name.At, Text: "the index that replaces it"}}
			}
			p.Report(f)
			break
		}
	}
}

// replaces tells whether a place (nil: the table) serves whatever an index does.
func replaces(p *validate.Pass, by, x *model.Index, entities []*model.Entity) bool {
	t := p.Model.Table
	if by != nil && (!projects(by, x) || x.Local && !by.Local && consistentUse(p, x)) {
		return false
	}
	for _, e := range entities {
		if !lives(t, e, by) || sparse(t, e, by) || sparse(t, e, x) {
			return false
		}
		partition, sort := keyText(t, e, x)
		otherPartition, otherSort := keyText(t, e, by)
		if partition != otherPartition || !strings.HasPrefix(otherSort, sort) {
			return false
		}
		for _, other := range p.Model.Entities {
			if other != e && !slices.Contains(entities, other) && lives(t, other, by) && meet(t, e, other, by) {
				return false // its items lie between those of the index
			}
		}
	}
	return true
}

// projects tells whether an index projects at least what another one does.
func projects(by, x *model.Index) bool {
	switch {
	case by.Projection.Type == model.ProjectAll:
		return true
	case x.Projection.Type == model.ProjectAll:
		return false
	}
	return !slices.ContainsFunc(x.Projection.Attributes, func(n model.Name) bool {
		return !slices.ContainsFunc(by.Projection.Attributes, func(o model.Name) bool { return o.Text == n.Text })
	})
}

// keyText is an entity's partition and sort key in a place, as texts to compare:
// attributes of a key are kept apart.
func keyText(t *model.Table, e *model.Entity, x *model.Index) (partition, sort string) {
	of := func(keys []model.KeyAttribute) (out string) {
		for _, k := range keys {
			template, _ := encode.KeyTemplate(t, e, k.Name)
			out += template.Text + "\x00"
		}
		return out
	}
	p, s := keyAttributes(t, x)
	return of(p), of(s)
}

// meet tells whether items of two entities can be in one partition of a place.
func meet(t *model.Table, e, other *model.Entity, x *model.Index) bool {
	partition, _ := keyAttributes(t, x)
	return !slices.ContainsFunc(partition, func(k model.KeyAttribute) bool {
		a, _ := encode.KeyTemplate(t, e, k.Name)
		b, _ := encode.KeyTemplate(t, other, k.Name)
		return !keytext.Meet(a, b)
	})
}
