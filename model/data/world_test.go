package data_test

import (
	"embed"
	"io/fs"
	"maps"
	"reflect"
	"sync"
	"testing"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/data"
	"github.com/dynmodel/dynmodel/model/diag"
	"github.com/dynmodel/dynmodel/model/encode"
	"github.com/dynmodel/dynmodel/model/modeltest"
	"github.com/dynmodel/dynmodel/model/parse"
	"github.com/dynmodel/dynmodel/model/source"
	"github.com/dynmodel/dynmodel/model/value"
)

//go:embed testdata/*.yaml
var testdata embed.FS

// read reads a model that has no errors in it.
func read(t testing.TB, name, text string) *model.Model {
	t.Helper()
	m, list := parse.File(source.NewFile(name, text), nil)
	for _, f := range list.All() {
		if f.Severity == diag.Error {
			t.Fatalf("%s:%d: %s", name, f.Span.From().Line, f.Message)
		}
	}
	return m
}

// models are the shop and those of testdata.
func models(t testing.TB) []*model.Model {
	t.Helper()
	out := []*model.Model{read(t, "shop.yaml", modeltest.Shop())}
	names, err := fs.Glob(testdata, "testdata/*.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		text, err := testdata.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, read(t, name, string(text)))
	}
	return out
}

// each runs a test for every pattern of every model.
func each(t *testing.T, test func(t *testing.T, m *model.Model, p *model.Pattern)) {
	for _, m := range models(t) {
		for _, p := range m.Patterns {
			t.Run(m.Name+"/"+p.Name.Text, func(t *testing.T) { test(t, m, p) })
		}
	}
}

// Every world agrees with its model, whatever the seed and the room.
func TestWorldsAreConsistent(t *testing.T) {
	each(t, func(t *testing.T, m *model.Model, p *model.Pattern) {
		for _, o := range []data.Options{{}, {Seed: 7}, {Items: 12}, {Items: 200}} {
			g := data.New(m, o)
			w := g.World(p)
			if err := g.Consistent(w.Instances); err != nil {
				t.Errorf("%+v: %v", o, err)
			}
			most := o.Items
			if most == 0 {
				most = 60
			}
			if n := len(w.Instances); n > most+most/2 {
				t.Errorf("%+v: %d items", o, n)
			}
			for _, e := range p.Entities {
				if len(w.Of(e)) < 2 {
					t.Errorf("%+v: %d items of %s", o, len(w.Of(e)), e.Name.Text)
				}
			}
		}
	})
}

// The same seed gives the same worlds and calls, also side by side.
func TestDeterministic(t *testing.T) {
	each(t, func(t *testing.T, m *model.Model, p *model.Pattern) {
		g := data.New(m, data.Options{Seed: 3})
		want := g.World(p)
		calls := g.Bindings(p, want)
		var wait sync.WaitGroup
		for range 3 {
			wait.Go(func() {
				w := g.World(p)
				if !reflect.DeepEqual(w, want) || !reflect.DeepEqual(g.Bindings(p, w), calls) {
					t.Error("another world, or other calls")
				}
			})
		}
		wait.Wait()
		if other := data.New(m, data.Options{Seed: 3}); !reflect.DeepEqual(other.Bindings(p, other.World(p)), calls) {
			t.Error("another generator makes other calls")
		}
	})
}

// world is the world of a pattern of one of the models.
func world(t *testing.T, file, pattern string) (*model.Model, *data.World) {
	t.Helper()
	for _, m := range models(t) {
		if p := m.Pattern(pattern); m.Name == file && p != nil {
			return m, data.New(m, data.Options{}).World(p)
		}
	}
	t.Fatalf("no pattern %s in %s", pattern, file)
	return nil, nil
}

// has counts the items of an entity with the attributes given.
func has(m *model.Model, w *data.World, entity string, want model.Item) int {
	n := 0
	for _, i := range w.Of(m.Entity(entity)) {
		matches := true
		for name, v := range want {
			matches = matches && value.Equal(i.Item[name], v)
		}
		if matches {
			n++
		}
	}
	return n
}

func text(s string) value.Value { return value.OfString(s) }

// Items of different identity that read the same in a key are there.
func TestTwins(t *testing.T) {
	tests := []struct {
		file, pattern, entity string
		keys                  []string
	}{
		{"tenants", "docs", "Doc", []string{"PK", "SK"}},
		{"parcels", "parcel-by-code", "Parcel", []string{"GSI1PK", "GSI1SK"}},
		{"parcels", "add-parcel", "Parcel", []string{"GSI1PK", "GSI1SK"}},
	}
	for _, tt := range tests {
		m, w := world(t, tt.file, tt.pattern)
		seen, twins := map[string]bool{}, 0
		for _, i := range w.Of(m.Entity(tt.entity)) {
			stored, err := encode.Item(m, i.Entity, i.Item, nil)
			if err != nil {
				t.Fatal(err)
			}
			key := ""
			for _, name := range tt.keys {
				key += stored[name].String()
			}
			if seen[key] {
				twins++
			}
			seen[key] = true
		}
		if twins == 0 {
			t.Errorf("%s/%s: no two items of %s read the same in %v", tt.file, tt.pattern, tt.entity, tt.keys)
		}
	}
}

// What each world must hold, by pattern.
func TestWorldsAreTelling(t *testing.T) {
	tests := []struct {
		file, pattern, entity, what string
		want                        model.Item
		atLeast                     int
	}{
		{"tenants", "users", "User", "an identifier that is a prefix of another", model.Item{"tenantId": text("a"), "userId": text("ab")}, 1},
		{"tenants", "users", "User", "the same identifier in another tenant", model.Item{"tenantId": text("ab"), "userId": text("a")}, 1},
		{"tenants", "users", "User", "a delimiter inside", model.Item{"tenantId": text("a"), "userId": text("a#")}, 1},
		{"tenants", "users", "User", "soft-deleted", model.Item{"deletedAt": value.Value{}}, 2},
		{"tenants", "live-users", "User", "mostly live", model.Item{"deletedAt": value.Value{}}, 15},
		{"tenants", "users-by-plan", "User", "a number of one digit more", model.Item{"tenantId": text("a"), "score": value.OfInt(100)}, 1},
		{"tenants", "users-by-plan", "User", "the least number", model.Item{"tenantId": text("a"), "score": value.OfInt(0)}, 1},
		{"tenants", "users-by-plan", "User", "ties", model.Item{"tenantId": text("a"), "score": value.OfInt(1)}, 2},
		{"tenants", "docs-since", "Doc", "not in the index", model.Item{"title": text("x")}, 1},
		{"tenants", "docs-since", "Doc", "where buckets begin", model.Item{"createdAt": text("2026-01-01T00:00:00Z")}, 1},
		{"tenants", "docs-since", "Doc", "just before they do", model.Item{"createdAt": text("2025-12-31T23:59:59Z")}, 1},
		{"kinds", "sessions", "Session", "expiring now", model.Item{"expires": value.OfInt(1767225600)}, 1},
		{"kinds", "sessions", "Session", "just expired", model.Item{"expires": value.OfInt(1767225599)}, 1},
		{"kinds", "settings", "Settings", "one of each theme", model.Item{"theme": text("dark")}, 1},
		{"kinds", "members", "Member", "without a manager", model.Item{"managerId": value.Value{}}, 1},
		{"kinds", "events-of-day", "Event", "the least amount", model.Item{"amount": value.OfInt(-100)}, 1},
		{"shop", "open-orders", "Order", "not open", model.Item{"status": text("paid")}, 1},
		{"shop", "open-orders", "Order", "open", model.Item{"status": text("placed")}, 10},
		{"shop", "customer-by-email", "Customer", "the sample", model.Item{"email": text("ada@example.com")}, 1},
	}
	for _, tt := range tests {
		m, w := world(t, tt.file, tt.pattern)
		if n := has(m, w, tt.entity, tt.want); n < tt.atLeast {
			t.Errorf("%s/%s: %d of %s with %v, want %d or more: %s", tt.file, tt.pattern, n, tt.entity, tt.want, tt.atLeast, tt.what)
		}
	}
}

// Parents have none, some and many children.
func TestChildren(t *testing.T) {
	m, w := world(t, "shop", "recent-orders")
	count := map[string]int{}
	for _, c := range w.Of(m.Entity("Customer")) {
		count[c.Item["customerId"].Text()] = 0
	}
	for _, o := range w.Of(m.Entity("Order")) {
		count[o.Item["customerId"].Text()]++
	}
	least, most := 1000, 0
	for _, n := range count {
		least, most = min(least, n), max(most, n)
	}
	if least != 0 || most < 10 {
		t.Errorf("customers have from %d to %d orders", least, most)
	}
}

func TestConsistentFindsFaults(t *testing.T) {
	m, w := world(t, "tenants", "docs")
	g := data.New(m, data.Options{})
	faults := map[string]func(i model.Instance){
		"no target":         func(i model.Instance) { i.Item["userId"] = text("nobody") },
		"out of domain":     func(i model.Instance) { i.Item["title"] = value.OfInt(1) },
		"missing":           func(i model.Instance) { delete(i.Item, "title") },
		"copy":              func(i model.Instance) { i.Item["planCopy"] = text("pro") },
		"derived":           func(i model.Instance) { i.Item["createdAt"] = text("2026-01-01T00:00:07Z") },
		"identity is taken": func(i model.Instance) { maps.Copy(i.Item, w.Of(m.Entity("Doc"))[1].Item) },
	}
	for name, fault := range faults {
		var changed []model.Instance
		done := false
		for _, i := range w.Instances {
			i.Item = maps.Clone(i.Item)
			if !done && i.Entity.Name.Text == "Doc" {
				fault(i)
				done = true
			}
			changed = append(changed, i)
		}
		if g.Consistent(changed) == nil {
			t.Errorf("%s: not found", name)
		}
	}
}

func BenchmarkWorld(b *testing.B) {
	m := read(b, "shop.yaml", modeltest.Shop())
	g := data.New(m, data.Options{})
	for b.Loop() {
		for _, p := range m.Patterns {
			g.World(p)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N*len(m.Patterns)), "µs/pattern")
}

func BenchmarkBindings(b *testing.B) {
	m := read(b, "shop.yaml", modeltest.Shop())
	g := data.New(m, data.Options{})
	worlds := make([]*data.World, len(m.Patterns))
	for i, p := range m.Patterns {
		worlds[i] = g.World(p)
	}
	for b.Loop() {
		for i, p := range m.Patterns {
			g.Bindings(p, worlds[i])
		}
	}
	b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N*len(m.Patterns)), "µs/pattern")
}

// Every item can be stored: its keys are neither empty nor too long.
func TestItemsCanBeStored(t *testing.T) {
	each(t, func(t *testing.T, m *model.Model, p *model.Pattern) {
		limits := map[string]int{"PK": 2048, "SK": 1024, "GSI1PK": 2048, "GSI1SK": 1024, "OpenPK": 2048, "OpenSK": 1024}
		for _, i := range data.New(m, data.Options{}).World(p).Instances {
			stored, err := encode.Item(m, i.Entity, i.Item, nil)
			if err != nil {
				t.Errorf("%s %v: %v", i.Entity.Name.Text, i.Item, err)
			}
			for key, most := range limits {
				if v := stored[key]; v.Kind() == value.String && (v.Text() == "" || len(v.Text()) > most) {
					t.Errorf("%s: %s has %d bytes", i.Entity.Name.Text, key, len(v.Text()))
				}
			}
		}
	})
}
