package rules

import (
	"fmt"
	"slices"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/cost"
	"github.com/dynmodel/dynmodel/model/diag"
	"github.com/dynmodel/dynmodel/model/expr"
	"github.com/dynmodel/dynmodel/model/plan"
	"github.com/dynmodel/dynmodel/validate"
)

func filterDiscards() *validate.Rule {
	return &validate.Rule{
		Name: diag.FilterDiscards, Severity: diag.Warning, FoundBy: validate.ByRule, Check: checkFilterDiscards,
		Title: "a filter throws away most of what is read",
		Text: "A filter is applied after the read: what it drops has been read and paid for, and counts against the 1 MB of a page and against Limit. At the declared volume more than half is dropped here; or the pattern gives the values of something unique and reads all that share a key with it; or it has a `limit`, which the filter turns into pages that come back short or empty while more items follow. " +
			"`allow_filter: true` says that this is known and wanted. So does `live` of an entity: a filter that drops only what is not live is not counted against the design.",
		Bad: `version: 1
table: shop
entities:
  Order:
    attributes: {customer: slug, orderId: ulid, status: {type: string, values: {open: 5%, done: 95%}}}
    keys: {PK: "CUSTOMER#{customer}", SK: "ORDER#{orderId}"}
    volume: {per: customer, count: 100}
access_patterns:
  - {name: open-orders, query: Order, where: customer = $customer AND status = 'open'}
`,
		Good: `version: 1
table:
  name: shop
  partition_key: PK
  sort_key: SK
  indexes:
    Open: {partition_key: OpenPK, sort_key: OpenSK}
entities:
  Order:
    attributes: {customer: slug, orderId: ulid, status: {type: string, values: {open: 5%, done: 95%}}}
    keys:
      PK: CUSTOMER#{customer}
      SK: ORDER#{orderId}
      OpenPK: {template: "OPEN#{customer}", when: status = 'open'}
      OpenSK: "{orderId}"
    volume: {per: customer, count: 100}
access_patterns:
  - {name: open-orders, query: Order, where: customer = $customer AND status = 'open'}
`,
		Fix: "put the condition into a key, or make a sparse index of what is wanted; `allow_filter: true` accepts it",
	}
}

func checkFilterDiscards(p *validate.Pass) {
	for _, pl := range p.Plans {
		for _, v := range pl.Variants {
			if message := discards(v); message != "" {
				p.Report(diag.Finding{
					Span: pl.Pattern.Name.At, Pattern: pl.Pattern.Name.Text, Index: indexName(v.Read.Index), Message: message,
					Fix: fmt.Sprintf("move `%s` into a key or a sparse index, or accept it with `allow_filter: true`", v.Read.FilterText()),
				})
				break
			}
		}
	}
}

// discards says how a filter hurts a read, or "".
func discards(v *plan.Variant) string {
	r := v.Read
	if r == nil || r.API != plan.Query || v.Pattern.AllowFilter || (!r.Filtered() || r.OnlyLive) && r.UserFilter == nil {
		return ""
	}
	name := v.Pattern.Name.Text
	expected := v.Cost()
	switch {
	case r.Limit > 0:
		return fmt.Sprintf("%s filters after the read, so that a page can hold fewer than its %d items, or none, while more follow", name, r.Limit)
	case !expected.KeptKnown && looksUp(v.Pattern):
		return fmt.Sprintf("%s looks for one %s, and reads all that share its key: the filter drops the others after they were paid for", name, v.Pattern.Entities[0].Name.Text)
	case !expected.KeptKnown || expected.Kept >= 0.5:
		return ""
	case expected.Known:
		return fmt.Sprintf("%s reads %s items on average to return %s: the filter drops the rest after they were paid for", name, amount(expected.ItemsRead), amount(expected.Items))
	}
	return fmt.Sprintf("%s returns %s of what it reads: the filter drops the rest after it was paid for", name, cost.Percent(expected.Kept))
}

// looksUp tells whether a pattern gives all values of something unique, so that
// at most one item matches, however many share the key that is read.
func looksUp(p *model.Pattern) bool {
	if len(p.Entities) != 1 || p.Where == nil {
		return false
	}
	given := map[string]bool{}
	for _, c := range expr.Conjuncts(p.Where.Cond) {
		if equation, ok := c.(*expr.Compare); ok && equation.Op == expr.Eq {
			for _, a := range expr.Attrs(equation) {
				given[a.Path.String()] = true
			}
		}
	}
	return slices.ContainsFunc(p.Entities[0].Unique, func(u *model.Unique) bool {
		return !slices.ContainsFunc(u.Of, func(a *model.Attribute) bool { return !given[a.Name.Text] })
	})
}
