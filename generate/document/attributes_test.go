package document_test

import (
	"strings"
	"testing"
)

// TestDomains holds that every way to bound the values of an attribute is said of it.
func TestDomains(t *testing.T) {
	d := documentOf(t, `
version: 1
table: tickets
common:
  madeAt: {type: datetime, precision: ms, default: $now, immutable: true}
  seenAt: {type: datetime, on_write: $now}
entities:
  Ticket:
    attributes:
      code: {type: string, pattern: "[A-Z]{2}"}
      state: {values: {open: 5%, solved: 95%}}
      cents: {type: integer, min: 1, max: 20000}
      left: {type: integer, max: 9}
      title: {type: string, length: 0..80}
      country: {type: string, length: 2}
      photo: {type: binary, size: 1KB..300KB}
      tags: {type: string_set, length: 1..5}
      local: {type: datetime, zone: none}
      closedAt: datetime?
      closedBy: {type: string, optional: true, present_with: closedAt}
      reopened: {ref: Ticket.code, optional: true}
    keys: {PK: "TICKET#{code}", SK: TICKET}
access_patterns:
  - {name: ticket, get: Ticket}
`)
	for name, want := range map[string]string{
		"code":     "matches [A-Z]{2}",
		"state":    "open 5%, solved 95%",
		"cents":    "1 to 20,000",
		"left":     "at most 9",
		"title":    "at most 80 characters",
		"country":  "2 characters",
		"photo":    "1 KB to 300 KB",
		"tags":     "1 to 5 members",
		"local":    "without a zone",
		"closedAt": "",
		"closedBy": "there exactly when closedAt is",
		"reopened": "refers to Ticket.code",
		"madeAt":   "precision ms; default $now; never changes",
		"seenAt":   "$now on every write",
	} {
		found := false
		for _, a := range d.Entities[0].Attributes {
			if a.Name == name {
				found = true
				is(t, name, strings.Join(a.Notes, "; "), want)
			}
		}
		if !found {
			t.Errorf("there is no %s", name)
		}
	}
}

// TestGuessedPrice holds that a price of units that nothing declares says so.
func TestGuessedPrice(t *testing.T) {
	d := documentOf(t, `
version: 1
table: {name: shop, partition_key: PK, sort_key: SK}
entities:
  Product:
    attributes: {category: slug, sku: slug}
    keys: {PK: "CATEGORY#{category}", SK: "SKU#{sku}"}
    volume: {count: 10k}
access_patterns:
  - {name: product, get: Product, rate: 10/s}
  - {name: products-of-category, query: Product, where: category = $category, rate: 1/s}
  - {name: products, query: Product, where: category = $category}
`)
	for i, want := range []string{"a month", "a month, a guess", "a million calls, a guess"} {
		is(t, d.Patterns[i].Name, d.Patterns[i].Price.Per, want)
	}
	facts := d.Glance
	is(t, "the month", facts[len(facts)-1].Label, "Cost a month, in part a guess")
}
