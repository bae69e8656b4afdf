package rules

import (
	"fmt"
	"slices"
	"strings"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/diag"
	"github.com/dynmodel/dynmodel/model/plan"
	"github.com/dynmodel/dynmodel/validate"
)

func duplicatePattern() *validate.Rule {
	return &validate.Rule{
		Name: diag.DuplicatePattern, Severity: diag.Info, FoundBy: validate.ByRule, Check: checkDuplicatePattern,
		Title: "two access patterns are one",
		Text:  "Both send the same requests and want the same attributes in the same order. One of them is superfluous, or one of them does not say what makes it different.",
		Bad: `version: 1
table: shop
entities:
  Order:
    attributes: {customer: slug, orderId: ulid}
    keys: {PK: "CUSTOMER#{customer}", SK: "ORDER#{orderId}"}
access_patterns:
  - {name: orders, query: Order, where: customer = $customer, page: 20}
  - {name: order-history, query: Order, where: customer = $who, page: 20}
`,
		Good: `version: 1
table: shop
entities:
  Order:
    attributes: {customer: slug, orderId: ulid}
    keys: {PK: "CUSTOMER#{customer}", SK: "ORDER#{orderId}"}
access_patterns:
  - {name: orders, query: Order, where: customer = $customer, page: 20}
  - {name: newest-order, query: Order, where: customer = $customer, order: orderId desc, limit: 1}
`,
		Fix: "take one out, or state what makes it different",
	}
}

func checkDuplicatePattern(p *validate.Pass) {
	seen := map[string]*model.Pattern{}
	for _, pl := range p.Plans {
		if pl.Variants[0].Read == nil {
			continue
		}
		requests := fingerprint(pl)
		first, again := seen[requests]
		if !again {
			seen[requests] = pl.Pattern
			continue
		}
		p.Report(diag.Finding{
			Span: pl.Pattern.Name.At, Pattern: pl.Pattern.Name.Text,
			Message: fmt.Sprintf("%s sends the same requests as %s and wants the same", pl.Pattern.Name.Text, first.Name.Text),
			Fix:     "take one out, or state what makes it different",
			Related: []diag.Related{{Span: first.Name.At, Text: first.Name.Text + " is here"}},
		})
	}
}

// fingerprint is the pattern's requests as a text that does not depend on how
// parameters are called.
func fingerprint(pl *plan.Plan) string {
	var b strings.Builder
	for _, v := range pl.Variants {
		r := v.Read
		if r == nil {
			continue
		}
		projection := slices.Clone(r.Projection)
		slices.Sort(projection)
		fmt.Fprintln(&b, v.Text(), names(r.Entities), projection, r.Limit, r.Page, r.One, r.Count, r.Consistent, r.Descending, r.FilterText(), pl.Pattern.Span, pl.Pattern.IncludeDead)
		for _, o := range r.Order {
			fmt.Fprint(&b, o.Attribute, o.Desc, " ")
		}
	}
	text := b.String()
	for i, q := range pl.Pattern.Parameters {
		number := fmt.Sprintf("parameter %d", i+1)
		for _, mark := range []string{"{" + q.Name + "}", "{" + q.Name + "|", "$" + q.Name} {
			text = strings.ReplaceAll(text, mark, strings.Replace(mark, q.Name, number, 1))
		}
	}
	return text
}

func names(entities []*model.Entity) (out []string) {
	for _, e := range entities {
		out = append(out, e.Name.Text)
	}
	return out
}
