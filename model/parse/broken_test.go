package parse_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/diag"
	"github.com/dynmodel/dynmodel/model/modeltest"
	"github.com/dynmodel/dynmodel/model/parse"
	"github.com/dynmodel/dynmodel/model/source"
)

func names(m *model.Model) (entities, patterns []string) {
	for _, e := range m.Entities {
		entities = append(entities, e.Name.Text)
	}
	for _, p := range m.Patterns {
		patterns = append(patterns, p.Name.Text)
	}
	return entities, patterns
}

// A broken part is reported once, and left out with what needs it; the rest of
// the model stays whole.
func TestBrokenPartsAreLeftOut(t *testing.T) {
	tests := []struct {
		name, old, new string
		message        string // of the only finding
		without        string // the names that are left out
	}{
		{"attribute type", "orderId: ulid\n      status", "orderId: ulidd\n      status", "there is no type `ulidd`", "Order OrderItem recent-orders customer-with-orders order-with-items open-orders place-order ship-order"},
		{"enumeration", "[placed, paid, shipped, delivered]", "[placed, placed]", "`placed` is listed twice", "Order recent-orders customer-with-orders order-with-items open-orders place-order ship-order"},
		{"key template", "SK: ORDER#{placedAt}#{orderId}", "SK: ORDER#{placedAt#{orderId}", "expected | and a function, or }", "Order recent-orders customer-with-orders order-with-items open-orders place-order ship-order"},
		{"key with unknown attribute", "ORDER#{placedAt}#{orderId}", "ORDER#{placedOn}#{orderId}", "Order has no attribute `placedOn`", "Order recent-orders customer-with-orders order-with-items open-orders place-order ship-order"},
		{"when", "when: status = 'placed'", "when: state = 'placed'", "Order has no attribute `state`", "Order recent-orders customer-with-orders order-with-items open-orders place-order ship-order"},
		{"condition", "where: email = $email", "where: mail = $email", "Customer has no attribute `mail`", "customer-by-email"},
		{"syntax of a condition", "where: email = $email", "where: email == $email", "== is not a comparison", "customer-by-email"},
		{"YAML of a condition", "where: email = $email", "where: `email` = $email", "a value cannot start with a backquote", "customer-by-email"},
		{"change", "change: SET status = 'shipped'", "change: SET status = 'sent'", "is not one of its values", "ship-order"},
		{"step", "change: SET orderCount = orderCount + 1", "change: SET orderCounts = orderCount + 1", "Customer has no attribute `orderCounts`", "place-order"},
		{"volume", "volume: {count: 2M}", "volume: {count: many}", "this is a whole number", ""},
		{"rate", "rate: 300/s", "rate: 300", "this is a rate", ""},
		{"sample", "name: Ada,", "nam: Ada,", "Customer has no attribute `nam`", ""},
		{"stream", "stream: new_and_old_images", "stream: all", "`all` is not possible here", ""},
		{"unknown key of a pattern", "one: true", "single: true", "here it is `one`", "customer-by-email"},
		{"tab", "    order: placedAt desc", "\torder: placedAt desc", "this line is indented with a tab", "recent-orders"},
		{"unique", "unique: [email]", "unique: [mail]", "Customer has no attribute `mail`", "Customer register-customer customer-by-id customer-by-email customer-with-orders place-order"},
		{"YAML of keys", "    keys:\n      PK: CUSTOMER#{customerId}\n      SK: PROFILE\n      GSI1PK: EMAIL#{email}\n      GSI1SK: CUSTOMER\n", "    keys: {PK: \"CUSTOMER#{customerId}, SK: PROFILE}\n",
			"a quote inside the brackets is not closed", "Customer register-customer customer-by-id customer-by-email customer-with-orders place-order"},
		{"entity name", "query: [Order, OrderItem]", "query: [Order, OrderItems]", "there is no entity `OrderItems`", "order-with-items"},
	}
	whole, _ := parse.File(source.NewFile("shop.yaml", modeltest.Shop()), nil)
	allEntities, allPatterns := names(whole)
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if strings.Count(modeltest.Shop(), test.old) != 1 {
				t.Fatalf("%q is not once in the shop", test.old)
			}
			m, list := parse.File(source.NewFile("shop.yaml", strings.Replace(modeltest.Shop(), test.old, test.new, 1)), nil)
			all := list.All()
			if len(all) != 1 || !strings.Contains(all[0].Message, test.message) {
				t.Errorf("got %d findings %q, want one with %q", len(all), messages(all), test.message)
			}
			if m == nil {
				t.Fatal("no model")
			}
			entities, patterns := names(m)
			left := append(entities, patterns...)
			for _, name := range append(slices.Clone(allEntities), allPatterns...) {
				want := !slices.Contains(strings.Fields(test.without), name)
				if got := slices.Contains(left, name); got != want {
					t.Errorf("%s is in the model: %v, want %v", name, got, want)
				}
			}
			checkWhole(t, m)
		})
	}
}

func messages(all []diag.Finding) []string {
	var out []string
	for _, f := range all {
		out = append(out, f.Message)
	}
	return out
}

// checkWhole checks that every reference of a model leads to a part of it.
func checkWhole(t *testing.T, m *model.Model) {
	t.Helper()
	in := func(what string, e *model.Entity) {
		if e != nil && !slices.Contains(m.Entities, e) {
			t.Errorf("%s leads to %s, which is not in the model", what, e.Name.Text)
		}
	}
	for _, e := range m.Entities {
		for _, k := range m.Table.Keys() {
			if e.Key(k.Name) == nil {
				t.Errorf("%s has no %s", e.Name.Text, k.Name)
			}
		}
		for _, a := range e.Attributes {
			for _, ref := range []*model.Ref{a.Ref, a.CopyOf, a.SnapshotOf} {
				if ref != nil {
					in(e.Name.Text+"."+a.Name.Text, ref.Entity)
				}
			}
		}
		for _, v := range e.Volumes {
			in("a volume of "+e.Name.Text, v.PerEntity)
		}
	}
	for _, p := range m.Patterns {
		for _, e := range p.Entities {
			in(p.Name.Text, e)
		}
		for _, s := range p.AllSteps() {
			if s.Entity == nil {
				t.Errorf("a step of %s has no entity", p.Name.Text)
			}
			in("a step of "+p.Name.Text, s.Entity)
		}
		if p.After != nil && !slices.Contains(m.Patterns, p.After) {
			t.Errorf("%s comes after a pattern that is not in the model", p.Name.Text)
		}
	}
	for _, s := range m.Samples {
		in("a sample", s.Entity)
	}
	for _, r := range m.Table.Roles {
		for _, p := range r.Patterns {
			if !slices.Contains(m.Patterns, p) {
				t.Errorf("role %s has a pattern that is not in the model", r.Name.Text)
			}
		}
	}
}

// Without a table there is no model, but what does not need one is checked.
func TestBrokenTable(t *testing.T) {
	tests := map[string]struct {
		old, new string
		want     []string
	}{
		"no partition key": {"  partition_key: PK\n", "", []string{"a table needs `partition_key`"}},
		"bad index":        {"sort_key: GSI1SK}", "range: GSI1SK}", []string{"an index has no key `range`"}},
		"indexes unread":   {"    GSI1: {partition_key: GSI1PK, sort_key: GSI1SK}", "    GSI1: {partition_key: GSI1PK, sort_key", []string{"is not closed"}},
		"no table":         {"table:\n", "tabel:\n", []string{"a model has no key `tabel`; did you mean `table`?"}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			text := strings.Replace(modeltest.Shop(), test.old, test.new, 1) + "    - {customerId: 1}\n"
			m, list := parse.File(source.NewFile("shop.yaml", text), nil)
			if m != nil {
				t.Error("there is a model")
			}
			want := append(test.want, "`1` of `customerId` is not a ULID")
			all := list.All()
			if len(all) != len(want) {
				t.Fatalf("got %q, want %q", messages(all), want)
			}
			for i, f := range all {
				if !strings.Contains(f.Message, want[i]) {
					t.Errorf("got %q, want %q", f.Message, want[i])
				}
			}
		})
	}
}

func TestEmptyAndForeignFiles(t *testing.T) {
	tests := map[string]struct{ text, want string }{
		"empty":        {"", "the file is empty"},
		"blank":        {"\n\n", "the file is empty"},
		"comment":      {"# nothing\n", "the file is empty"},
		"list":         {"- a\n", "a model is a mapping, not a list"},
		"text":         {"hello\n", "a model is a mapping, not `hello`"},
		"binary":       {"\x7fELF\x00\x01", "not allowed"},
		"zero":         {"version: 1\x00", "it is binary, not a model"},
		"UTF-16":       {"\xff\xfev\x00e\x00", "UTF-16"},
		"bare UTF-16":  {"v\x00e\x00r\x00", "UTF-16"},
		"not UTF-8":    {"version: 1\nname: caf\xe9\n", "this is not UTF-8 text (byte 0xE9)"},
		"control":      {"version: 1\nname: a\x1bb\n", "the control character U+001B"},
		"too large":    {strings.Repeat("a: b\n", 900_000), "a model may have at most 4 MB"},
		"many values":  {strings.Repeat("- a\n", 600_000), "more than 500000 values"},
		"no entities":  {"version: 1\ntable: notes\n", "the model has no entities"},
		"JSON":         {`{"version": 1, "table": "notes", "entities": {"A": {"attributes": {"PK": "uuid", "SK": "uuid"}}}}`, ""},
		"BOM":          {"\uFEFFversion: 1\ntable: notes\nentities: {A: {attributes: {PK: uuid, SK: uuid}}}", ""},
		"CRLF":         {"version: 1\r\ntable: notes\r\nentities:\r\n  A:\r\n    attributes: {PK: uuid, SK: uuid}\r\n", ""},
		"document end": {"---\nversion: 1\ntable: notes\nentities: {A: {attributes: {PK: uuid, SK: uuid}}}\n...\n", ""},
		"merge keys":   {"version: 1\ntable: notes\nentities:\n  A: &a {attributes: &at {PK: uuid, SK: uuid}}\n  B: {<<: *a, type: b}\n  C: {attributes: {<<: *at, n: integer}}\n", ""},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			_, list := parse.File(source.NewFile("m.yaml", test.text), nil)
			all := list.All()
			if test.want == "" {
				if len(all) > 0 {
					t.Errorf("got %q, want nothing", messages(all))
				}
				return
			}
			if len(all) != 1 || !strings.Contains(all[0].Message, test.want) || !all[0].Span.Known() {
				t.Errorf("got %q, want %q with a place", messages(all), test.want)
			}
		})
	}
}
