package engine_test

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/dynmodel/dynmodel/engine"
	"github.com/dynmodel/dynmodel/engine/api"
	"github.com/dynmodel/dynmodel/engine/attr"
)

// Querying an index gives what scanning the table and choosing by hand gives,
// in the same order, however the table came to be as it is and however the
// query is paged.
func TestIndexQueryEqualsScanAndFilter(t *testing.T) {
	indexes := []indexSpec{
		{name: "byG", key: "g, n:N", projects: "ALL"},
		{name: "byN", key: "n:N", projects: "KEYS_ONLY"},
		{name: "multi", key: "g, n:N | s, b:B", projects: "x"},
		{name: "local", key: "pk, s", projects: "x", local: true},
	}
	for seed := range uint64(12) {
		r := rand.New(rand.NewPCG(seed, 1))
		db := newDB(t)
		createTable(t, db, "pk, sk:N", indexes...)
		for range 400 {
			randomWrite(t, db, r)
		}
		all := readAll(t, func(start *attr.Item) (*api.ReadOutput, error) {
			return db.Scan(context.Background(), &api.ScanInput{ReadInput: api.ReadInput{TableName: ptr("tab"), ExclusiveStartKey: start, Limit: ptr(int64(7))}})
		})
		for _, x := range indexes {
			for range 60 {
				checkIndex(t, db, r, x, all)
			}
		}
	}
}

// pick returns one of a few values that collide often: of the types of keys,
// and nothing in one of four cases.
func pick(r *rand.Rand, typ attr.Type) attr.Value {
	switch typ {
	case attr.N:
		v, _ := attr.ParseNumber([]string{"0", "-1", "1e1", "2", "10.5", "-0.001", "1e20"}[r.IntN(7)])
		return v
	case attr.B:
		return attr.Binary([]byte{byte(r.IntN(3)), 0, 0xff}[:1+r.IntN(3)])
	}
	return attr.String([]string{"a", "ab", "a\x00", "a\x00b", "b", "é"}[r.IntN(6)])
}

func randomItem(r *rand.Rand) attr.Item {
	entries := []attr.Entry{{Name: "pk", Value: attr.String(string(rune('a' + r.IntN(4))))}, {Name: "sk", Value: attr.Int(int64(r.IntN(12) - 6))}}
	for _, a := range []struct {
		name string
		typ  attr.Type
	}{{"g", attr.S}, {"n", attr.N}, {"s", attr.S}, {"b", attr.B}, {"x", attr.S}, {"y", attr.S}} {
		if r.IntN(4) > 0 {
			entries = append(entries, attr.Entry{Name: a.name, Value: pick(r, a.typ)})
		}
	}
	return attr.NewItem(entries...)
}

func keyOf(item attr.Item) attr.Item {
	return item.Project(func(name string) bool { return name == "pk" || name == "sk" })
}

func randomWrite(t *testing.T, db *engine.DB, r *rand.Rand) {
	ctx, item := context.Background(), randomItem(r)
	key, err := keyOf(item), error(nil)
	switch r.IntN(5) {
	case 0:
		_, err = db.DeleteItem(ctx, &api.DeleteItemInput{TableName: ptr("tab"), Key: &key})
	case 1:
		_, err = db.UpdateItem(ctx, &api.UpdateItemInput{TableName: ptr("tab"), Key: &key, UpdateExpression: ptr("REMOVE g, s, x")})
	case 2:
		values := attr.NewItem(attr.Entry{Name: ":s", Value: pick(r, attr.S)}, attr.Entry{Name: ":n", Value: pick(r, attr.N)})
		in := &api.UpdateItemInput{TableName: ptr("tab"), Key: &key, UpdateExpression: ptr("SET s = :s, n = :n")}
		in.ExpressionAttributeValues = &values
		_, err = db.UpdateItem(ctx, in)
	default:
		_, err = db.PutItem(ctx, &api.PutItemInput{TableName: ptr("tab"), Item: &item})
	}
	if err != nil {
		t.Fatal(err)
	}
}

// readAll reads all pages and returns their items.
func readAll(t *testing.T, read func(start *attr.Item) (*api.ReadOutput, error)) []attr.Item {
	t.Helper()
	var all []attr.Item
	var start *attr.Item
	for {
		out, err := read(start)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, out.Items...)
		if out.LastEvaluatedKey.IsEmpty() {
			return all
		}
		start = &out.LastEvaluatedKey
	}
}

// checkIndex queries an index with a random condition and compares.
func checkIndex(t *testing.T, db *engine.DB, r *rand.Rand, x indexSpec, all []attr.Item) {
	key, defined := keySpec(x.key)
	var names []string
	var hashes int
	for i, e := range key {
		names = append(names, e.AttributeName)
		if key[i].KeyType == api.Hash {
			hashes++
		}
	}
	var conditions []string
	var values []attr.Entry
	var tests []func(attr.Item) bool
	named := hashes + r.IntN(len(names)-hashes+1)
	for i, n := range names[:named] {
		typ, _ := attr.ParseType(defined[i].AttributeType)
		op := "="
		if i >= hashes && i == named-1 {
			op = []string{"=", "<", "<=", ">", ">=", "BETWEEN"}[r.IntN(6)]
		}
		low, high := pick(r, typ), pick(r, typ)
		if n == "pk" {
			low = attr.String(string(rune('a' + r.IntN(4))))
		}
		if order, _ := attr.Compare(low, high); order > 0 {
			low, high = high, low
		}
		values = append(values, attr.Entry{Name: ":" + n, Value: low})
		condition := fmt.Sprintf("%s %s :%s", n, op, n)
		if op == "BETWEEN" {
			condition += fmt.Sprintf(" AND :%shigh", n)
			values = append(values, attr.Entry{Name: ":" + n + "high", Value: high})
		}
		conditions = append(conditions, condition)
		tests = append(tests, func(item attr.Item) bool {
			v, _ := item.Get(n)
			toLow, ok := attr.Compare(v, low)
			toHigh, _ := attr.Compare(v, high)
			return ok && map[string]bool{"=": toLow == 0, "<": toLow < 0, "<=": toLow <= 0, ">": toLow > 0, ">=": toLow >= 0, "BETWEEN": toLow >= 0 && toHigh <= 0}[op]
		})
	}
	want := chosen(x, names, hashes, all, tests)
	down := r.IntN(2) == 0
	if down {
		slices.Reverse(want)
	}
	in := &api.QueryInput{KeyConditionExpression: ptr(strings.Join(conditions, " AND ")), ScanIndexForward: ptr(!down)}
	in.TableName, in.IndexName, in.Limit = ptr("tab"), &x.name, ptr(int64(1+r.IntN(5)))
	in.ExpressionAttributeValues = ptr(attr.NewItem(values...))
	got := readAll(t, func(start *attr.Item) (*api.ReadOutput, error) {
		in.ExclusiveStartKey = start
		return db.Query(context.Background(), in)
	})
	if !slices.Equal(got, want) {
		t.Errorf("index %s, %s with %s, down %v:\ngot  %s\nwant %s", x.name, *in.KeyConditionExpression, in.ExpressionAttributeValues.AppendJSON(nil), down, list(got), list(want))
	}
}

// chosen returns the items that are in the index and pass the tests, in its
// order and as it projects them.
func chosen(x indexSpec, names []string, hashes int, all []attr.Item, tests []func(attr.Item) bool) []attr.Item {
	var want []attr.Item
	for _, item := range all {
		in := true
		for _, n := range names {
			_, has := item.Get(n)
			in = in && has
		}
		for _, test := range tests {
			in = in && test(item)
		}
		if in {
			want = append(want, item)
		}
	}
	order := append(slices.Clone(names[hashes:]), "pk", "sk")
	slices.SortFunc(want, func(a, b attr.Item) int {
		c := 0
		for _, n := range order {
			v, _ := a.Get(n)
			w, _ := b.Get(n)
			step, _ := attr.Compare(v, w)
			c = cmp.Or(c, step)
		}
		return c
	})
	if x.projects != "ALL" {
		keep := append(slices.Clone(names), "pk", "sk")
		if x.projects != "KEYS_ONLY" {
			keep = append(keep, strings.Fields(x.projects)...)
		}
		for i, item := range want {
			want[i] = item.Project(func(n string) bool { return slices.Contains(keep, n) })
		}
	}
	return want
}

func list(items []attr.Item) string {
	var b []byte
	for _, it := range items {
		b = append(it.AppendJSON(append(b, "\n  "...)), ' ')
	}
	return string(b)
}
