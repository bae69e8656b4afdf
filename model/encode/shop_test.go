package encode_test

import (
	_ "embed"
	"testing"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/encode"
	"github.com/dynmodel/dynmodel/model/parse"
	"github.com/dynmodel/dynmodel/model/source"
)

//go:embed testdata/shop.yaml
var shopText string

func shop(t testing.TB) *model.Model {
	t.Helper()
	m, findings := parse.File(source.NewFile("shop.yaml", shopText), nil)
	for _, f := range findings.All() {
		t.Errorf("%v: %s", f.Span.From(), f.Message)
	}
	if t.Failed() {
		t.FailNow()
	}
	return m
}

// TestShop encodes items of a model as it is read from YAML.
func TestShop(t *testing.T) {
	m := shop(t)
	const (
		customer = "01J8ZQ6V3N5T0K2R4M6P8S0A1B"
		order    = "01J8ZQ6V3N5T0K2R4M6P8S0A1C"
	)
	tests := []struct {
		entity string
		item   map[string]any
		keys   map[string]any
		guards int
		in     string
	}{
		{"Customer", map[string]any{"customerId": customer, "email": "ada@example.com", "name": "Ada", "createdAt": "2026-01-05T09:00:00Z"},
			map[string]any{"EntityType": "Customer", "PK": "CUSTOMER#" + customer, "SK": "PROFILE", "GSI1PK": "EMAIL#ada@example.com", "GSI1SK": "CUSTOMER"},
			1, "GSI1 ByType"},
		{"Order", map[string]any{"customerId": customer, "orderId": order, "status": "placed", "total": number(t, "12.50"), "placedAt": "2026-01-05T09:00:00Z"},
			map[string]any{"EntityType": "Order", "PK": "CUSTOMER#" + customer, "SK": "ORDER#2026-01-05T09:00:00Z#" + order, "GSI1PK": "ORDER#" + order, "GSI1SK": "ORDER",
				"OpenPK": "OPEN#2026-01-05", "OpenSK": "2026-01-05T09:00:00Z#" + order},
			0, "GSI1 OpenOrders"},
		{"Order", map[string]any{"customerId": customer, "orderId": order, "status": "paid", "region": "eu", "total": 3, "placedAt": "2026-01-05T09:00:00Z"},
			map[string]any{"EntityType": "Order", "PK": "CUSTOMER#" + customer, "SK": "ORDER#2026-01-05T09:00:00Z#" + order, "GSI1PK": "ORDER#" + order, "GSI1SK": "ORDER"},
			0, "GSI1 Largest"},
		{"OrderItem", map[string]any{"orderId": order, "line": 7, "quantity": 1},
			map[string]any{"EntityType": "OrderItem", "PK": "ORDER#" + order, "SK": "ITEM#007", "GSI1PK": "ORDER#" + order, "GSI1SK": "ITEM#007"},
			0, "GSI1"},
	}
	for _, tt := range tests {
		e, it := m.Entity(tt.entity), item(tt.item)
		stored, err := encode.Item(m, e, it, noRandom)
		if err != nil {
			t.Errorf("%s: %v", tt.entity, err)
			continue
		}
		for name, v := range tt.item {
			tt.keys[name] = v
		}
		same(t, tt.entity, stored, tt.keys)
		if got := indexesOf(m, e, it); got != tt.in {
			t.Errorf("%s: in %s, want %s", tt.entity, got, tt.in)
		}
		if guards, err := encode.Guards(m, e, it); err != nil || len(guards) != tt.guards {
			t.Errorf("%s: guards %v, %v", tt.entity, guards, err)
		}
		back, ok := encode.Decode(m.Table, m.Entities, stored)
		if !ok || back.Entity != e {
			t.Errorf("%s: read back as %v", tt.entity, back)
			continue
		}
		same(t, tt.entity+" read back", back.Item, tt.item)
	}
}

func TestShopGuard(t *testing.T) {
	m := shop(t)
	guards, err := encode.Guards(m, m.Entity("Customer"), item(map[string]any{"email": "Ada@Example.com"}))
	if err != nil || len(guards) != 1 {
		t.Fatalf("got %v, %v", guards, err)
	}
	same(t, "guard", guards[0].Key, map[string]any{"PK": "UNIQUE#Customer#email#ada@example.com", "SK": "UNIQUE#Customer#email#ada@example.com"})
}
