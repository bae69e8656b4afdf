package rules

import (
	"github.com/dynmodel/dynmodel/model/diag"
	"github.com/dynmodel/dynmodel/validate"
)

func wrongOrder() *validate.Rule {
	return &validate.Rule{
		Name: diag.WrongOrder, Severity: diag.Error, FoundBy: validate.ByPlan,
		Title: "items do not come in the order asked for",
		Text: "A query returns items in the order of the sort key, forwards or backwards, and in no other. Where the attribute to order by does not lead what is left of the sort key, or stands there in a form that sorts differently, a page of the newest or the cheapest is a page of something else, " +
			"and sorting in the application only sorts the wrong page.",
		Bad: `version: 1
table: shop
entities:
  Review:
    attributes: {product: slug, user: ulid, stars: {type: integer, min: 1, max: 5}}
    keys: {PK: "PRODUCT#{product}", SK: "REVIEW#{user}"}
access_patterns:
  - {name: best-reviews, query: Review, where: product = $product, order: stars desc, limit: 10}
`,
		Good: `version: 1
table:
  name: shop
  partition_key: PK
  sort_key: SK
  indexes:
    ByStars: {partition_key: product, sort_key: stars}
entities:
  Review:
    attributes: {product: slug, user: ulid, stars: {type: integer, min: 1, max: 5}}
    keys: {PK: "PRODUCT#{product}", SK: "REVIEW#{user}"}
access_patterns:
  - {name: best-reviews, query: Review, where: product = $product, order: stars desc, limit: 10}
`,
		Fix: "put the attribute first in the part of a sort key that `where` leaves open, padded or at fixed width",
	}
}
