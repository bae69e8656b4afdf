package plan_test

import (
	"strings"
	"testing"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/modeltest"
	"github.com/dynmodel/dynmodel/model/plan"
	"github.com/dynmodel/dynmodel/model/value"
)

const published = `version: 1
name: published
table:
  name: published
  partition_key: PK
  sort_key: SK
  indexes:
    Lean: {partition_key: LeanPK, sort_key: LeanSK, projection: [total]}
entities:
  Order:
    attributes: {customerId: slug, orderId: slug, rank: {type: integer, min: 10, max: 99}, total: integer, body: string, note: string?}
    keys: {PK: "C#{customerId}", SK: "{orderId}", LeanPK: "LEAN#{customerId}", LeanSK: "{rank|pad(2)}"}
    volume: {count: 2..2, size: 2560B}
access_patterns:
  - {name: eventual, get: Order}
  - {name: consistent, get: Order, consistent: true}
  - {name: transactional, transact_get: Order, params: {keys: {max: 1}}}
  - {name: put, create: Order}
  - {name: put-in-transaction, transact_write: [{create: Order}, {check: Order, with: {customerId: $other, orderId: $otherOrder}, if: attribute_exists(rank)}]}
  - {name: query, query: Order, where: customerId = $customerId}
  - {name: shrink, update: Order, change: SET body = $short}
  - {name: move, update: Order, change: SET rank = $rank}
  - {name: untouched, update: Order, change: SET note = $note}
samples:
  Order: []
`

// sized is an order whose item has exactly so many bytes.
func sized(t *testing.T, m *model.Model, p *plan.Planner, id string, bytes int) model.Args {
	t.Helper()
	args := model.Args{"customerId": value.OfString("c"), "orderId": value.OfString(id), "rank": value.OfInt(20), "total": value.OfInt(1234)}
	for body := bytes; body > 0; body-- {
		args["body"] = value.OfString(strings.Repeat("x", body))
		requests, err := p.Pattern(m.Pattern("put")).Variants[0].Requests(plan.Call{Args: args, Now: now})
		if err != nil {
			t.Fatal(err)
		}
		if plan.Size(requests[0].Item) == bytes {
			return args
		}
	}
	t.Fatalf("no item of %d bytes", bytes)
	return nil
}

// TestPublishedExamples are the examples that AWS gives of an item of 2.5 KB,
// and what it says of queries, of updates and of index keys, on the engine.
func TestPublishedExamples(t *testing.T) {
	m := modeltest.Model(t, published)
	p := plan.New(m)
	with := func(args model.Args, name string, v value.Value) model.Args {
		out := model.Args{}
		for n, w := range args {
			out[n] = w
		}
		out[name] = v
		return out
	}
	meter := newMeter(t, m, p)
	stored, other, fresh := sized(t, m, p, "a", 2560), sized(t, m, p, "b", 2560), sized(t, m, p, "n", 2560)
	put := p.Pattern(m.Pattern("put")).Variants[0]
	for _, args := range []model.Args{stored, other} {
		meter.call(put, args)
	}
	key := value.OfMap(value.Field{Name: "customerId", Value: value.OfString("c")}, value.Field{Name: "orderId", Value: value.OfString("a")})
	for _, test := range []struct {
		pattern string
		args    model.Args
		table   float64
		index   float64
	}{
		{"eventual", stored, 0.5, 0},
		{"consistent", stored, 1, 0},
		{"transactional", with(stored, "keys", value.OfList(key)), 2, 0},
		{"query", stored, 1, 0}, // two items of 2.5 KB are 5 KB: two units, halved
		{"untouched", with(stored, "note", value.OfString("")), 3, 0},
		{"move", with(stored, "rank", value.OfInt(30)), 3, 2}, // deleted and put
		{"put", fresh, 3, 1},
		{"put-in-transaction", with(with(sized(t, m, p, "m", 2560), "other", value.OfString("c")), "otherOrder", value.OfString("a")), 6 + 6, 1},
		{"shrink", with(stored, "short", value.OfString("x")), 3, 0}, // by the larger image
		{"shrink", with(stored, "short", value.OfString("y")), 1, 0},
	} {
		got := meter.call(p.Pattern(m.Pattern(test.pattern)).Variants[0], test.args)
		if got["table"] != test.table || got["Lean"] != test.index {
			t.Errorf("%s takes %v, want %v of the table and %v of the index", test.pattern, got, test.table, test.index)
		}
	}
}
