package encode_test

import (
	"testing"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/encode"
	"github.com/dynmodel/dynmodel/model/value"
)

func TestDecode(t *testing.T) {
	customer := entity(t, "Customer", []*model.Attribute{attr("customerId: string"), attr("name: string?")}, "PK: C#{customerId}", "SK: PROFILE")
	order := entity(t, "Order", []*model.Attribute{attr("customerId: string"), attr("orderId: string")}, "PK: C#{customerId}", "SK: ORDER#{orderId}")
	note := entity(t, "Note", []*model.Attribute{attr("customerId: string"), attr("text: string")}, "PK: C#{customerId}", "SK: {text}")
	event := entity(t, "Event", []*model.Attribute{attr("id: string")}, "PK: E#{random(4)}", "SK: {id}")
	order.Type = "ord"
	all := []*model.Entity{customer, order, note, event}
	m := table(all)
	tests := []struct {
		name   string
		stored map[string]any
		want   string
		item   map[string]any
	}{
		{"by its type", map[string]any{"EntityType": "ord", "PK": "C#1", "SK": "ORDER#2", "customerId": "1", "orderId": "2", "G": "x"},
			"Order", map[string]any{"customerId": "1", "orderId": "2"}},
		{"of no known type", map[string]any{"EntityType": "Order", "PK": "C#1", "SK": "ORDER#2"}, "", nil},
		{"type not a string", map[string]any{"EntityType": 5, "PK": "C#1", "SK": "ORDER#2"}, "", nil},
		{"by the keys it makes", map[string]any{"PK": "C#1", "SK": "PROFILE", "customerId": "1"}, "Customer", map[string]any{"customerId": "1"}},
		{"a note that looks like an order", map[string]any{"PK": "C#1", "SK": "ORDER#2", "customerId": "1", "text": "ORDER#2"},
			"Note", map[string]any{"customerId": "1", "text": "ORDER#2"}},
		{"by its keys alone", map[string]any{"PK": "C#1", "SK": "ORDER#2"}, "Order", map[string]any{}},
		{"by the most fixed text", map[string]any{"PK": "C#1", "SK": "PROFILE"}, "Customer", map[string]any{}},
		{"by what is left", map[string]any{"PK": "C#1", "SK": "hello"}, "Note", map[string]any{}},
		{"with a drawn shard", map[string]any{"PK": "E#3", "SK": "9", "id": "9"}, "Event", map[string]any{"id": "9"}},
		{"a guard", map[string]any{"PK": "UNIQUE#x", "SK": "UNIQUE#x"}, "", nil},
		{"without keys", map[string]any{"customerId": "1"}, "", nil},
	}
	for _, tt := range tests {
		got, ok := encode.Decode(m.Table, all, item(tt.stored))
		if ok != (tt.want != "") {
			t.Errorf("%s: got %v, %v", tt.name, got, ok)
			continue
		}
		if ok && got.Entity.Name.Text != tt.want {
			t.Errorf("%s: got %s, want %s", tt.name, got.Entity.Name.Text, tt.want)
		}
		same(t, tt.name, got.Item, tt.item)
	}
	if _, ok := encode.Decode(m.Table, nil, item(map[string]any{"PK": "C#1", "SK": "PROFILE"})); ok {
		t.Error("there is no entity to be of")
	}
}

// TestDecodeTemplates holds that keys fit the templates that can make them.
func TestDecodeTemplates(t *testing.T) {
	tests := []struct {
		template, text string
		want           bool
	}{
		{"A#{x}#B", "A#1#B", true},
		{"A#{x}#B", "A#1#B#2", false},
		{"A#{x}#B", "A##B#B", true},
		{"A#{x}#B", "A#B", false},
		{"A#{x}#{y}", "A#1", false},
		{"A#{x}#{y}", "A#1#2#3", true},
		{"{x}-{y}-z", "a-z", false},
		{"{x}-{y}-z", "a--z", true},
		{"FIXED", "FIXED", true},
		{"FIXED", "FIXED2", false},
		{"{x}{y}", "", true},
	}
	for _, tt := range tests {
		e := entity(t, "E", []*model.Attribute{attr("x: string"), attr("y: string")}, "PK: "+tt.template, "SK: S")
		_, ok := encode.Decode(table(nil).Table, []*model.Entity{e}, item(map[string]any{"PK": tt.text, "SK": "S"}))
		if ok != tt.want {
			t.Errorf("%s and %q: got %v", tt.template, tt.text, ok)
		}
	}
}

// FuzzItem holds that an item that can be stored is read back as it is, from
// the whole item and from its keys and attributes without the type.
func FuzzItem(f *testing.F) {
	f.Add("c", "o", int64(5), uint8(3))
	f.Add("a#b", "", int64(-1), uint8(0))
	f.Add("\xff", "é#", int64(1000), uint8(7))
	f.Fuzz(func(t *testing.T, a, b string, n int64, shard uint8) {
		attributes := []*model.Attribute{attr("a: string"), attr("b: string?"), attr("n: integer")}
		e := entity(t, "E", attributes, "PK: E#{a}", "SK: {n|pad(3)}#{b}#{random(8)}", "G: {a|lower}{random(8)}", "H: {b}")
		m := table([]*model.Entity{e}, index("GI", "G", "H"))
		given := item(map[string]any{"a": a, "b": b, "n": int(n)})
		stored, err := encode.Item(m, e, given, func(string, int) int { return int(shard % 8) })
		if err != nil {
			if fault(err) == "" {
				t.Fatal(err)
			}
			return
		}
		for range 2 {
			got, ok := encode.Decode(m.Table, m.Entities, stored)
			if !ok {
				t.Fatalf("%v is of no entity", stored)
			}
			same(t, "read back", got.Item, map[string]any{"a": a, "b": b, "n": int(n)})
			again, err := encode.Item(m, e, got.Item, encode.Drawn(m.Table, e, stored))
			if err != nil {
				t.Fatal(err)
			}
			for _, key := range []string{"PK", "SK", "G", "H"} {
				if !value.Equal(again[key], stored[key]) {
					t.Fatalf("%s: %s, encoded again as %s", key, stored[key], again[key])
				}
			}
			delete(stored, "EntityType")
		}
	})
}
