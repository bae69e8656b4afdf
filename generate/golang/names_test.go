package golang

import (
	"go/token"
	"strings"
	"testing"
)

func TestExported(t *testing.T) {
	for name, want := range map[string]string{
		"customerId":    "CustomerID",
		"customer_id":   "CustomerID",
		"recent-orders": "RecentOrders",
		"State#Date":    "StateDate",
		"123abc":        "X123abc",
		"größe":         "Größe",
		"日本":            "X日本",
		"type":          "Type",
		"GSI1PK":        "GSI1PK",
		"HTTPServer":    "HTTPServer",
		"userIDs":       "UserIDs",
		"ids":           "IDs",
		"ttl":           "TTL",
		"a b c":         "ABC",
		"#":             "X",
		"":              "X",
		"x":             "X",
		"ABCDef":        "ABCDef",
		"urlOfJson":     "URLOfJSON",
		"--dashes--":    "Dashes",
		"éclair":        "Éclair",
	} {
		got := exported(name)
		if got != want {
			t.Errorf("exported(%q) = %q, not %q", name, got, want)
		}
		if !token.IsIdentifier(got) || !token.IsExported(got) {
			t.Errorf("%q is no exported identifier", got)
		}
	}
}

func TestLocal(t *testing.T) {
	for name, want := range map[string]string{
		"customerId": "customerID", "type": "type_", "range": "range_", "ID": "id", "URL": "url", "len": "len_", "string": "string_", "f": "f_",
		"time": "time_", "GSI1PK": "gsi1pk", "日本": "x日本", "address.city": "addressCity", "123": "x123",
	} {
		if got := local(name); got != want || !token.IsIdentifier(got) {
			t.Errorf("local(%q) = %q, not %q", name, got, want)
		}
	}
}

func TestTypeName(t *testing.T) {
	for name, want := range map[string]string{"Order": "Order", "order_item": "OrderItem", "UnmarshalOrder": "XUnmarshalOrder"} {
		if got := typeName(name); got != want {
			t.Errorf("typeName(%q) = %q, not %q", name, got, want)
		}
	}
}

func TestScope(t *testing.T) {
	s := scope{"Table": true}
	for _, c := range []struct{ got, want string }{
		{s.takeOr("Table", "Item"), "TableItem"}, {s.takeOr("Order", "Item"), "Order"}, {s.takeOr("Table", "Item"), "TableItem2"},
		{s.take("Order"), "Order2"}, {s.take("Order"), "Order3"}, {s.take("X"), "X"},
	} {
		if c.got != c.want {
			t.Errorf("%q, not %q", c.got, c.want)
		}
	}
}

func TestSingular(t *testing.T) {
	for name, want := range map[string]string{"items": "item", "entries": "entry", "address": "addressMember", "s": "sMember", "sheep": "sheepMember"} {
		if got := singular(name); got != want {
			t.Errorf("singular(%q) = %q, not %q", name, got, want)
		}
	}
}

// TestRefusals holds what the generator cannot make: an error that names the place
// and says what to do.
func TestRefusals(t *testing.T) {
	const head = `
version: 1
table: {name: things, partition_key: PK, sort_key: SK, entity_type: none}
entities:
  A:
    attributes: {id: ulid, name: string, email: email?, state: [on, off], at: {type: map, attributes: {day: datetime}}}
    keys: {PK: "A#{id}", SK: A}
    unique: [[name]]
  B:
    attributes: {id: ulid, name: string, gone: datetime?}
    keys: {PK: "A#{id}", SK: B}
    live: attribute_not_exists(gone)
access_patterns:
`
	for pattern, want := range map[string]string{
		"{name: x, delete: A, read_first: true, returns: old}":                             "returns: old",
		"{name: x, update_each: B, where: id = $id, change: \"SET name = $name?\"}":        "optional parameters",
		"{name: x, batch_get: [{get: A}, {get: B}], select: [id]}":                         "select",
		"{name: x, get: A, filter: \"name = $name? AND state = $state\"}":                  "optional parameters",
		"{name: x, update: A, change: \"SET name = $name, state = $state\", upsert: true}": "",
	} {
		m := modelOfText(t, head+"  - "+pattern+"\n")
		_, err := Target().Files(inputOf(m, nil))
		switch {
		case want == "" && err != nil:
			t.Errorf("%s: %v", pattern, err)
		case want == "":
		case err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "model.yaml:1") || !strings.Contains(err.Error(), "access pattern x"):
			t.Errorf("%s: %v, not one of %q with its place", pattern, err, want)
		}
	}
	for _, name := range []string{"Store", "my-store", "func", "1a"} {
		if _, err := Target().Files(inputOf(modelOfText(t, head+"  - {name: x, get: A}\n"), map[string]string{"package": name})); err == nil {
			t.Errorf("the package may be called %s", name)
		}
	}
}
