package explain

import (
	"path/filepath"
	"testing"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/modeltest"
)

func modelPath(name string) string {
	return filepath.Join("..", "..", "..", "..", "..", "examples", name, "access-patterns.yaml")
}

func pageOf(m *model.Model, name string) string {
	w := newWriter(false, 0)
	if p := m.Pattern(name); p != nil {
		explainPattern(w, m, p)
	} else {
		explainEntity(w, m, m.Entity(name))
	}
	return w.text.String()
}

// TestPages compares pages with golden files.
func TestPages(t *testing.T) {
	for _, test := range []struct{ model, name string }{
		{"shop", "customer-by-email"}, // an index
		{"shop", "recent-orders"},     // a range, the peak
		{"shop", "open-orders"},       // one request a day
		{"shop", "products-of-cart"},  // a batch
		{"shop", "place-order"},       // a transaction, one action for each
		{"shop", "ship-order"},        // a guard
		{"shop", "redeem-coupon"},     // a condition
		{"shop", "Order"},
		{"telemetry", "highest-of-day"}, // a local index
	} {
		t.Run(test.name, func(t *testing.T) {
			got := pageOf(modeltest.File(t, modelPath(test.model)), test.name)
			golden := filepath.Join("testdata", test.name+".golden")
			modeltest.Golden(t, golden, got)
		})
	}
}

// Every pattern and entity of the examples has a page, the broken ones too.
func TestEveryNameHasAPage(t *testing.T) {
	for _, name := range []string{"shop", "shop-broken", "telemetry", "device-status", "github", "social-network", "online-shop", "gaming-profile"} {
		m := modeltest.File(t, modelPath(name))
		for _, e := range entries(m) {
			if page := pageOf(m, e.name); len(page) < 100 {
				t.Errorf("%s: the page of %s is %q", name, e.name, page)
			}
		}
	}
}
