package simulation_test

import (
	"context"
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/dynmodel/dynmodel/model/load"
	"github.com/dynmodel/dynmodel/model/modeltest"
	"github.com/dynmodel/dynmodel/model/parse"
	"github.com/dynmodel/dynmodel/model/plan"
	"github.com/dynmodel/dynmodel/model/simulation"
	"github.com/dynmodel/dynmodel/model/source"
)

// orders is a table of orders with an index by status.
const orders = `version: 1
name: orders
table:
  name: orders
  partition_key: PK
  indexes:
    ByStatus: {partition_key: StatusPK, sort_key: placedAt}
  capacity: CAPACITY
entities:
  Order:
    attributes: {orderId: ulid, status: [placed, done], placedAt: datetime}
    keys: {PK: "ORDER#{orderId}", StatusPK: "STATUS#{status}SHARD"}
    volume: {count: 1M, size: 500B}
access_patterns:
  - name: place
    create: Order
    with: {status: placed, placedAt: $now}
    RATE
  - name: order
    get: Order
    rate: 10/s
`

func text(capacity, rate, shard string) string {
	return strings.NewReplacer("CAPACITY", capacity, "RATE", rate, "SHARD", shard).Replace(orders)
}

func simulate(t *testing.T, text string, c simulation.Config) *simulation.Result {
	t.Helper()
	m := modeltest.Model(t, text)
	planner := plan.New(m)
	plans := planner.All()
	c.Model, c.Planner, c.Load = m, planner, load.Of(m, planner, plans)
	r, err := simulation.Run(context.Background(), c)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// throttled is the part of a pattern's calls that is throttled, and the first cause.
func throttled(r *simulation.Result, pattern string) (part float64, why string) {
	for _, p := range r.Patterns {
		if p.Pattern.Name.Text != pattern {
			continue
		}
		if len(p.Causes) > 0 {
			place := "table"
			if x := p.Causes[0].Index; x != nil {
				place = x.Name.Text
			}
			why = fmt.Sprintf("%s of %s", p.Causes[0].Reason, place)
		}
		return p.Throttled / p.Calls, why
	}
	return math.NaN(), ""
}

func TestThrottling(t *testing.T) {
	for _, test := range []struct {
		name, capacity, rate, shard string
		config                      simulation.Config
		least, most                 float64
		why                         string
	}{
		{name: "a calm table", capacity: "on_demand", rate: "rate: 100/s"},
		{name: "one status takes all writes of an index", capacity: "on_demand", rate: "rate: 2000/s", least: 0.495, most: 0.505, why: "hot partition of ByStatus"},
		{name: "the same in shards", capacity: "on_demand", rate: "rate: 2000/s", shard: "#{orderId|shard(8)}", most: 0.001},
		{name: "too few shards", capacity: "on_demand", rate: "rate: 9000/s", shard: "#{orderId|shard(4)}", least: 0.5, most: 0.6, why: "hot partition of ByStatus"},
		{name: "on the brink at ten times the traffic", capacity: "on_demand", rate: "rate: 150/s", config: simulation.Config{Scale: 10}, least: 0.32, most: 0.35, why: "hot partition of ByStatus"},
		{name: "enough provisioned", capacity: "{provisioned: {read: 50, write: 120}}", rate: "rate: 100/s"},
		// What is saved up lasts for five minutes: 300 s * 100 units, 100 more a second than there are.
		{name: "half of what is needed", capacity: "{provisioned: {read: 50, write: 100}}", rate: "rate: 200/s", least: 0.495, most: 0.5, why: "provisioned capacity of ByStatus"},
		{name: "auto scaling follows a day", capacity: "{provisioned: {read: 50, write: 50, autoscaling: {min: 20, max: 2000, target: 70}}}", rate: "rate: 100/s\n    peak: 300/s"},
		{name: "auto scaling is at its end", capacity: "{provisioned: {read: 50, write: 50, autoscaling: {min: 20, max: 100, target: 70}}}", rate: "rate: 200/s", least: 0.49, most: 0.5, why: "provisioned capacity of ByStatus"},
		{name: "a maximum on demand", capacity: "{on_demand: {max_write: 50}}", rate: "rate: 100/s", least: 0.45, most: 0.55, why: "on-demand maximum of ByStatus"},
		{name: "a new table does not serve everything at once", capacity: "on_demand", rate: "rate: 16000/s", shard: "#{orderId|shard(64)}", config: simulation.Config{New: true}, least: 0.01, most: 0.08, why: "on-demand ramp of ByStatus"},
		{name: "one that has served it does", capacity: "on_demand", rate: "rate: 16000/s", shard: "#{orderId|shard(64)}", most: 0.005, why: ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := simulate(t, text(test.capacity, test.rate, test.shard), test.config)
			part, why := throttled(r, "place")
			if part < test.least || part > test.most {
				t.Errorf("%.4f of the calls are throttled, want %.4f to %.4f", part, test.least, test.most)
			}
			if test.least > 0 && why != test.why {
				t.Errorf("because of %q, want %q", why, test.why)
			}
			if part, why := throttled(r, "order"); part > 0 {
				t.Errorf("reads are throttled too: %v, %s", part, why)
			}
		})
	}
}

func TestAnIndexHoldsBackItsTable(t *testing.T) {
	model := strings.Replace(text("{provisioned: {read: 100, write: 1000}}", "rate: 200/s", ""), "sort_key: placedAt}", "sort_key: placedAt, capacity: {provisioned: {read: 10, write: 50}}}", 1)
	r := simulate(t, model, simulation.Config{})
	part, why := throttled(r, "place")
	if why != "provisioned capacity of ByStatus" || part < 0.74 || part > 0.75 {
		t.Errorf("got %.3f throttled by %q, want three quarters by the index", part, why)
	}
}

func TestAHotKeyIsLeftAloneBySplits(t *testing.T) {
	model := strings.Replace(orders, "    get: Order\n    rate: 10/s\n", "    get: Order\n    rate: 9000/s\n    skew: {hottest: 60%}\n", 1)
	r := simulate(t, strings.NewReplacer("CAPACITY", "on_demand", "RATE", "rate: 1/s", "SHARD", "").Replace(model), simulation.Config{})
	table := r.Places[0]
	if table.PartitionsAtEnd <= table.Partitions {
		t.Errorf("%d partitions became %d; the hot one must split", table.Partitions, table.PartitionsAtEnd)
	}
	// 9,000 reads of half a unit, 60 % of them of one key: 2,700 of 3,000 units.
	if k := table.Keys[0]; math.Abs(k.Peak.Reads-2700) > 60 || k.Throttled == 0 || k.Throttled > 0.02 {
		t.Errorf("the hottest key gets %v and %.3f of it is throttled, want about 2700 RCU and nothing once it is alone", k.Peak, k.Throttled)
	}
}

func TestCallsAreThoseDeclared(t *testing.T) {
	for _, rate := range []string{"rate: 0.01/s", "rate: 3/min", "rate: 40/s", "rate: 40/s\n    peak: 400/s", "rate: 40/s\n    daily: office", "rate: 40/s\n    daily: flat\n    peak: 80/s"} {
		r := simulate(t, text("on_demand", rate, ""), simulation.Config{Days: 2})
		per := map[string]float64{"rate: 0.01/s": 0.01, "rate: 3/min": 0.05}[rate]
		if per == 0 {
			per = 40
		}
		got, want := r.Patterns[0].Calls, per*2*86400
		if math.Abs(got-want) > 0.02*want+4*math.Sqrt(want) {
			t.Errorf("%s: %v calls in two days, want about %v", rate, got, want)
		}
	}
}

// A scan of a large table reads for minutes: it is no hot second.
func TestAScanTakesItsTime(t *testing.T) {
	model := text("on_demand", "rate: 1/s", "") + "  - {name: report, scan: Order, rate: 4/day}\n"
	r := simulate(t, model, simulation.Config{Days: 2})
	if part, why := throttled(r, "report"); part > 0 {
		t.Errorf("%.3f of the scans are throttled by %s", part, why)
	}
}

func TestSameSeedSameResult(t *testing.T) {
	a := simulate(t, text("on_demand", "rate: 1200/s", ""), simulation.Config{Seed: 7})
	b := simulate(t, text("on_demand", "rate: 1200/s", ""), simulation.Config{Seed: 7})
	a.Patterns, b.Patterns = a.Patterns[1:], b.Patterns[1:]
	if !reflect.DeepEqual(a.Places[1].Slots, b.Places[1].Slots) || a.Places[1].Keys[0].Peak != b.Places[1].Keys[0].Peak {
		t.Error("the same seed gives two results")
	}
}

func TestAbsurdTraffic(t *testing.T) {
	for _, rate := range []string{"rate: 1B/s", "rate: 0/s", "rate: 0.000001/day", "rate: {each: Order, value: 1000/s}"} {
		r := simulate(t, text("on_demand", rate, ""), simulation.Config{})
		for _, p := range r.Patterns {
			if math.IsNaN(p.Calls) || math.IsInf(p.Calls, 0) || p.Throttled > p.Calls || p.Throttled < 0 {
				t.Errorf("%s: %+v", rate, p)
			}
		}
		for _, p := range r.Places {
			for _, s := range p.Slots {
				if math.IsNaN(s.Served.Writes) || s.Served.Writes > s.Asked.Writes*1.0001 {
					t.Fatalf("%s: more is served than asked: %+v", rate, s)
				}
			}
		}
	}
}

func TestCollectionsGrow(t *testing.T) {
	m, _ := parse.File(source.NewFile("model.yaml", `version: 1
name: iot
table: iot
entities:
  Device:
    attributes: {deviceId: ulid}
    keys: {PK: "DEVICE#{deviceId}", SK: DEVICE}
    volume: {count: 100}
  Reading:
    attributes: {deviceId: {ref: Device}, at: datetime}
    keys: {PK: "DEVICE#{deviceId}", SK: "AT#{at}"}
    volume: {per: Device, rate: 1/min, keep: 90d, size: 100B}
access_patterns:
  - {name: device, get: Device}
`), nil)
	got := simulation.Collections(m, plan.New(m))
	if len(got) != 1 || got[0].Key != "DEVICE#{}" {
		t.Fatalf("got %+v", got)
	}
	const day = 24 * 60
	for i, want := range []float64{90*day + 1, 90*day + 1, 90*day + 1, 90*day + 1} {
		if s := got[0].Sizes[i]; s.Items != want || !s.Known {
			t.Errorf("age %d: %v items, want %v", i, s.Items, want)
		}
	}
}

func TestPartsOfAKeyDivideCollections(t *testing.T) {
	for key, want := range map[string]float64{
		"D#{deviceId}":                  90 * 24 * 60,
		"D#{deviceId}#{at|day}":         24 * 60,
		"D#{deviceId}#{kind}":           90 * 24 * 60 / 4,
		"D#{deviceId}#{kind}#{at|hour}": 60.0 / 4,
		"D#{deviceId}#{random(3)}":      90 * 24 * 60 / 3,
	} {
		m, found := parse.File(source.NewFile("model.yaml", `version: 1
name: iot
table: iot
entities:
  Device:
    attributes: {deviceId: ulid}
    keys: {PK: "DEVICE#{deviceId}", SK: DEVICE}
    volume: {count: 100}
  Reading:
    attributes: {deviceId: {ref: Device}, at: datetime, kind: [a, b, c, d]}
    keys: {PK: "`+key+`", SK: "AT#{kind}#{at}"}
    volume: {per: Device, rate: 1/min, keep: 90d, size: 100B}
access_patterns:
  - {name: device, get: Device}
`), nil)
		if m == nil {
			t.Fatal(found.All())
		}
		got := simulation.Collections(m, plan.New(m))
		if len(got) != 1 || got[0].Sizes[0].Items != want {
			t.Errorf("%s: got %+v, want %v items", key, got, want)
		}
	}
}

func BenchmarkShop(b *testing.B) {
	m, _ := parse.File(source.NewFile("shop.yaml", modeltest.Shop()), nil)
	planner := plan.New(m)
	plans := planner.All()
	l := load.Of(m, planner, plans)
	for b.Loop() {
		if _, err := simulation.Run(context.Background(), simulation.Config{Model: m, Planner: planner, Load: l}); err != nil {
			b.Fatal(err)
		}
	}
}
