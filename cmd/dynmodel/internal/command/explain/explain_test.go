package explain

import (
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/diag"
	"github.com/dynmodel/dynmodel/model/parse"
	"github.com/dynmodel/dynmodel/model/source"
)

var update = flag.Bool("update", false, "write the golden files anew")

func parsed(t *testing.T, path string) *model.Model {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	m, found := parse.File(source.NewFile("model.yaml", string(text)), os.DirFS(filepath.Dir(path)))
	if found.Has(diag.Error) {
		t.Fatal(found.All()[0].Message)
	}
	return m
}

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
			got := pageOf(parsed(t, modelPath(test.model)), test.name)
			golden := filepath.Join("testdata", test.name+".golden")
			if *update {
				if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if got != string(want) {
				t.Errorf("the page is not that of %s (run with -update and read the change); got\n%s", golden, got)
			}
		})
	}
}

// Every pattern and entity of the examples has a page, the broken ones too.
func TestEveryNameHasAPage(t *testing.T) {
	for _, name := range []string{"shop", "shop-broken", "telemetry", "device-status", "github", "social-network", "online-shop", "gaming-profile"} {
		m := parsed(t, modelPath(name))
		for _, e := range entries(m) {
			if page := pageOf(m, e.name); len(page) < 100 {
				t.Errorf("%s: the page of %s is %q", name, e.name, page)
			}
		}
	}
}
