package load_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/load"
	"github.com/dynmodel/dynmodel/model/modeltest"
	"github.com/dynmodel/dynmodel/model/plan"
)

func loaded(t *testing.T, text string) (*model.Model, *load.Load) {
	t.Helper()
	m := modeltest.Model(t, text)
	planner := plan.New(m)
	plans := planner.All()
	return m, load.Of(m, planner, plans)
}

const day = `version: 1
table: {name: notes, partition_key: id}
entities:
  Note: {attributes: {id: ulid, text: {type: string, length: 100..100}}, volume: {count: 1k}}
access_patterns:
  - {name: note, get: Note, %s}
`

// A day's calls add up to the rate, and its busiest hour is the peak, as far as
// hours can show one.
func TestDay(t *testing.T) {
	for _, test := range []struct {
		traffic            string
		average, peak, top float64
	}{
		{"rate: 10/s", 10, 10, 10},
		{"rate: 10/s, peak: 20/s", 10, 20, 20},
		{"rate: 10/s, peak: 80/s", 10, 80, 80},
		{"rate: 10/s, peak: 1000/s", 10, 1000, 240}, // all of the day in one hour, and a burst in that
		{"peak: 30/s", 30, 30, 30},
		{"rate: 10/s, daily: flat", 10, 10, 10},
		{"rate: 10/s, daily: [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]", 10, 160, 160},
		{"rate: {each: Note, value: 1/min}", 1000.0 / 60, 1000.0 / 60, 1000.0 / 60},
		{"rate: 0/s, peak: 5/s", 0, 5, 0},
	} {
		_, l := loaded(t, fmt.Sprintf(day, test.traffic))
		got := l.Traffic[0]
		sum, top := 0.0, 0.0
		for _, x := range got.Day {
			sum, top = sum+x, max(top, x)
		}
		if !near(got.Average, test.average) || !near(got.Peak, test.peak) || !near(sum/24, test.average) || !near(top, test.top) {
			t.Errorf("%s: average %v, peak %v, mean of the day %v, top %v", test.traffic, got.Average, got.Peak, sum/24, top)
		}
	}
}

func near(a, b float64) bool { return math.Abs(a-b) <= 1e-6*max(1, math.Abs(b)) }

const shares = `version: 1
table:
  name: orders
  partition_key: PK
  sort_key: SK
  indexes:
    ByStatus: {partition_key: StatusPK, sort_key: SK}
    ByDay: {partition_key: DayPK, sort_key: SK}
    ByShop: {partition_key: [shop, status], sort_key: SK}
entities:
  Customer:
    attributes: {customerId: ulid, email: email}
    keys: {PK: "CUSTOMER#{customerId}", SK: CUSTOMER}
    unique: [email]
    volume: {count: 500}
  Order:
    attributes: {customerId: {ref: Customer}, orderId: ulid, status: {values: {open: 20%, done: 80%}}, at: datetime, shop: {type: integer, min: 1, max: 4}}
    keys: {PK: "CUSTOMER#{customerId}", SK: "ORDER#{orderId}", StatusPK: "STATUS#{status}", DayPK: "{at|day}#{orderId|shard(4)}"}
    volume: {per: Customer, rate: 100/day, keep: 10d}
access_patterns:
  - {name: customer, get: Customer, rate: 100/s}
  - {name: customer-skewed, get: Customer, rate: 100/s, skew: {hottest: 30%}}
  - {name: customer-zipf, get: Customer, rate: 100/s, skew: zipf}
  - {name: orders, query: Order, where: customerId = $customerId, rate: 1/s}
  - {name: in-status, query: Order, where: status = $status, index: ByStatus, page: 10, rate: 1/s}
  - {name: open, query: Order, where: status = 'open', index: ByStatus, page: 10, rate: 1/s}
  - {name: of-day, query: Order, where: at BETWEEN $from AND $to, index: ByDay, span: 1d, page: 10, rate: 1/s}
  - {name: of-shop, query: Order, where: shop = $shop AND status = $status, index: ByShop, page: 10, rate: 1/s}
  - {name: place, create: Order, with: {status: open, at: $now}, rate: 10/s}
  - {name: register, create: Customer, rate: 1/s, skew: {hottest: 50%}}
  - {name: finish, update: Order, change: SET status = 'done', if: status = 'open', rate: 10/s}
  - {name: everything, scan: all, rate: 1/day}
`

// The part of a pattern's units on the busiest value of each partition key.
func TestShares(t *testing.T) {
	m, l := loaded(t, shares)
	for _, test := range []struct {
		pattern, index string
		entity         string
		top            float64
		values         float64
	}{
		{"customer", "", "Customer", 1.0 / 500, 500},
		{"customer-skewed", "", "Customer", 0.3, 500},
		{"customer-zipf", "", "Customer", 1 / 6.792823, 500},
		{"orders", "", "Order", 1.0 / 500, 500},
		{"in-status", "ByStatus", "Order", 0.8, 2},
		{"open", "ByStatus", "Order", 1, 1},
		{"of-day", "ByDay", "Order", 1.0 / 8, 1}, // two days by four shards are eight requests
		{"of-shop", "ByShop", "Order", 0.25 * 0.8, 8},
		{"place", "", "Order", 1.0 / 500, 500},
		{"place", "ByStatus", "Order", 1, 1},
		{"place", "ByDay", "Order", 0.25, 1},
		{"place", "ByShop", "Order", 0.25, 4},
		{"register", "", "Customer", 0, math.Inf(1)},
		{"finish", "ByStatus", "Order", 0.5, 1}, // deleted from one value, put into the other
	} {
		found := false
		for _, g := range l.Groups {
			for _, p := range g.Loads {
				if p.Traffic.Plan.Pattern.Name.Text != test.pattern || g.Index != m.Table.Index(test.index) || p.Entity.Name.Text != test.entity {
					continue
				}
				found = true
				if !p.Known || math.Abs(p.Top-test.top) > 1e-4 || p.Values != test.values {
					t.Errorf("%s in %q by %s: %v of %v values (known %v), want %v of %v", test.pattern, test.index, g.Key, p.Top, p.Values, p.Known, test.top, test.values)
				}
			}
		}
		if !found {
			t.Errorf("%s has no load in %q", test.pattern, test.index)
		}
	}
	for _, g := range l.Groups {
		for _, p := range g.Loads {
			if p.Traffic.Plan.Pattern.Name.Text == "everything" {
				t.Error("a scan goes to no value in particular")
			}
		}
	}
}

// Items that can share a partition are one group, whatever their entities call
// the attribute; so are the patterns on them.
func TestGroups(t *testing.T) {
	m, l := loaded(t, shares)
	g := l.Group(m.Entity("Customer"), nil)
	if g == nil || g != l.Group(m.Entity("Order"), nil) || g.Key != "CUSTOMER#{customerId}" {
		t.Fatalf("%+v", g)
	}
	if u := g.Busiest(); u.Reads < 100*0.5*0.3 || u.Reads > 60 || u.Writes > 1 {
		t.Errorf("%+v", u)
	}
	if use := (load.Units{Reads: 1500, Writes: 900}).Use(); use != 0.9 {
		t.Errorf("%v", use)
	}
	for i := 1; i < len(l.Groups); i++ {
		if l.Groups[i].Index == nil && l.Groups[i-1].Index != nil {
			t.Error("the table's groups come first")
		}
	}
}

// The units of a place are those of its patterns; local indexes are the table's.
func TestPlaces(t *testing.T) {
	m, l := loaded(t, `version: 1
table:
  name: things
  partition_key: PK
  sort_key: SK
  indexes:
    Near: {local: true, sort_key: rank, projection: keys_only}
    Far: {partition_key: rank, sort_key: SK, projection: keys_only}
entities:
  Thing:
    attributes: {owner: slug, thingId: ulid, rank: {type: integer, min: 1, max: 9}}
    keys: {PK: "OWNER#{owner}", SK: "THING#{thingId}"}
    volume: {per: owner, count: 10}
access_patterns:
  - {name: add, create: Thing, rate: 10/s, peak: 30/s}
  - {name: near, query: Thing, where: owner = $owner AND rank = $rank, index: Near, select: [rank], consistent: true, rate: 5/s}
`)
	if got := l.Average(nil); got != (load.Units{Reads: 5, Writes: 20}) {
		t.Errorf("the table takes %+v", got)
	}
	if got := l.Peak(m.Table.Index("Far")); got != (load.Units{Writes: 30}) {
		t.Errorf("Far takes %+v at the peak", got)
	}
	hours := l.Hourly(m.Table.Index("Far"))
	if !near(hours[14].Writes, 30) || hours[2].Writes > 5 {
		t.Errorf("the day of Far is %v", hours)
	}
	if len(l.Groups) != 2 || l.Groups[0].Index != nil {
		t.Errorf("%d groups", len(l.Groups))
	}
}
