package cost_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/dynmodel/dynmodel/model/cost"
	"github.com/dynmodel/dynmodel/model/modeltest"
)

// finite reports every figure of an estimate that is no figure.
func finite(t *testing.T, e *cost.Estimate) {
	t.Helper()
	check := func(what string, figures ...float64) {
		for _, x := range figures {
			if math.IsNaN(x) || math.IsInf(x, 0) || x < 0 {
				t.Errorf("%s is %v", what, x)
			}
		}
	}
	for _, p := range e.Patterns {
		check(p.Pattern.Name.Text, p.Call.Reads, p.Call.Writes, p.Million, p.Calls, p.Month)
	}
	for _, p := range e.Places {
		check("a place", p.Units.Reads, p.Units.Writes, p.Items, p.Bytes, p.Storage, p.Throughput[cost.OnDemand], p.Throughput[cost.Provisioned])
	}
	for _, m := range e.Modes {
		check(m.Name, m.Month, m.Capacity.Reads, m.Capacity.Writes)
	}
	for _, m := range e.Months {
		check(fmt.Sprintf("month %d", m.Number), m.Bytes, m.Storage, m.Services)
		for mode, x := range m.Total {
			check(mode, x)
		}
	}
	check("the recommendation", e.Recommended.Utilisation, e.Recommended.BreakEven, e.Recommended.Spikiness)
}

// edge is a model whose volume and traffic are at an edge.
func edge(volume, traffic string) string {
	return `version: 1
table: {name: edge, partition_key: PK, sort_key: SK, stream: new_and_old_images, point_in_time_recovery: true}
entities:
  Device:
    attributes: {deviceId: {type: slug, minted: true}, name: {type: string, length: 100..100}}
    keys: {PK: "DEVICE#{deviceId}", SK: DEVICE}
    ` + volume + `
  Reading:
    attributes: {deviceId: {ref: Device}, readingId: ulid}
    keys: {PK: "DEVICE#{deviceId}", SK: "READING#{readingId}"}
    volume: {per: Device, count: 0..1, average: 0.5}
access_patterns:
  - {name: device, get: Device` + traffic + `}
  - {name: readings, query: Reading, where: deviceId = $deviceId}
`
}

// Whatever is declared, figures are figures, and what is not known is said.
func TestEdges(t *testing.T) {
	for _, test := range []struct {
		name, volume, traffic string
		note                  string  // of the pattern
		calls                 float64 // a month
	}{
		{"no items", "volume: {count: 0}", ", rate: 1/s", "", 2628000},
		{"no volume", "", ", rate: 1/s", "", 2628000},
		{"no rate", "volume: {count: 1k}", "", "no rate", 0},
		{"a rate of zero", "volume: {count: 1k}", ", rate: 0/s", "", 0},
		{"a peak alone", "volume: {count: 1k}", ", peak: 2/s", "a peak alone: taken as its rate", 5256000},
		{"a rate for each of none", "volume: {count: 0}", ", rate: {each: Device, value: 1/min}", "", 0},
		{"a rate for each of unknown", "", ", rate: {each: Device, value: 1/min}", "its rate is for each Device, and no volume says how many there are", 0},
		{"a billion a second", "volume: {count: 1B}", ", rate: 1B/s, peak: 5B/s", "", 1e9 * 2628000},
		{"a burst", "volume: {count: 1k}", ", rate: 1/day, peak: 1M/s", "", 2628000.0 / 86400},
		{"halves", "volume: {count: 1..2, average: 1.5}", ", rate: 0.5/s", "", 1314000},
		{"five years", "volume: {count: 1k, growth: 10%/month}", ", rate: 1/s", "", 2628000},
		{"absurd growth", "volume: {count: 1B, growth: 1000%/day}", ", rate: {each: Device, value: 1/s}", "", 1e9 * 2628000},
	} {
		t.Run(test.name, func(t *testing.T) {
			e := estimated(t, edge(test.volume, test.traffic), cost.Options{Months: 60})
			finite(t, e)
			if p := e.Patterns[0]; p.Note != test.note || !near(p.Calls, test.calls) {
				t.Errorf("%v calls, %q; want %v, %q", p.Calls, p.Note, test.calls, test.note)
			}
			if len(e.Months) != 60 || e.Recommended.Reason == "" {
				t.Errorf("%d months; %q", len(e.Months), e.Recommended.Reason)
			}
		})
	}
}

// Five years of 10% a month are 304 times as much after 60 months; what is
// counted by the grown entity grows with it.
func TestGrowth(t *testing.T) {
	e := estimated(t, edge("volume: {count: 1k, growth: 10%/month}", ", rate: {each: Device, value: 1/min}"), cost.Options{Months: 60})
	factor := math.Pow(1.1, 59*730.0/(30*24))
	first, last := e.Months[0], e.Months[59]
	if got := last.Bytes / first.Bytes; math.Abs(got-factor)/factor > 0.05 {
		t.Errorf("storage grows to %v times, want about %v", got, factor)
	}
	if got := last.Units.Reads / first.Units.Reads; math.Abs(got-factor)/factor > 0.05 {
		t.Errorf("reads grow to %v times, want about %v", got, factor)
	}
	if e.Places[0].Items != 1500 {
		t.Errorf("%v items, want 1000 and half as many readings", e.Places[0].Items)
	}
}

const traffic = `version: 1
table: {name: notes, partition_key: PK, sort_key: SK%s}
entities:
  Note:
    attributes: {user: slug, noteId: ulid}
    keys: {PK: "USER#{user}", SK: "NOTE#{noteId}"}
    volume: {count: 1M, size: 500B}
access_patterns:
  - {name: note, get: Note, %s}
`

// The recommended mode follows from how evenly the traffic comes.
func TestRecommendation(t *testing.T) {
	for _, test := range []struct{ table, traffic, mode, reason string }{
		{"", "rate: 1000/s, peak: 2000/s", cost.Provisioned, "with auto scaling traffic uses 6"},
		{"", "rate: 1000/s, daily: flat", cost.Provisioned, "traffic uses 69% of what is provisioned, and above 29%"},
		{"", "rate: 1000/s", cost.OnDemand, "neither `peak` nor `daily`"},
		{"", "rate: 1000/s, peak: 8000/s", cost.OnDemand, "peaks of 8 times the average come faster than auto scaling follows"},
		{"", "rate: 1000/s, peak: 2000/s, daily: night", cost.Provisioned, "cheaper than on demand"},
		{"", "rate: 1/s, peak: 2/s", cost.OnDemand, "below 29% that costs more"},
		{"", "rate: 20/s, peak: 40/s", cost.OnDemand, "which is not worth looking after it"},
		{"", "rate: 0/s", cost.OnDemand, "no traffic is declared that takes units"},
		{", class: infrequent_access", "rate: 1000/s, peak: 2000/s", cost.Provisioned, "cheaper than on demand"},
	} {
		e := estimated(t, fmt.Sprintf(traffic, test.table, test.traffic), cost.Options{})
		if e.Recommended.Mode != test.mode || !strings.Contains(e.Recommended.Reason, test.reason) {
			t.Errorf("%s: %s; %s", test.traffic, e.Recommended.Mode, e.Recommended.Reason)
		}
	}
}

// Modes are there for the tables that can have them, and cost what they should.
func TestModes(t *testing.T) {
	mode := func(e *cost.Estimate, name string) cost.Mode {
		for _, m := range e.Modes {
			if m.Name == name {
				return m
			}
		}
		return cost.Mode{}
	}
	e := estimated(t, fmt.Sprintf(traffic, "", "rate: 1000/s, daily: flat"), cost.Options{})
	one, three := mode(e, cost.Reserved1), mode(e, cost.Reserved3)
	// 715 units at 70%, of which 700 are reserved.
	if one.Reserved.Reads != 700 || !near(one.Month, 730*(715*0.00013-700*0.00013*0.54+0.00065)) || !near(three.Month, 730*(715*0.00013-700*0.00013*0.77+0.00065)) {
		t.Errorf("%+v %+v", one, three)
	}
	for _, test := range []struct{ table, why string }{
		{", class: infrequent_access", "infrequent access"},
		{", replicas: [us-west-2], stream: new_and_old_images", "replicated writes"},
	} {
		e := estimated(t, fmt.Sprintf(traffic, test.table, "rate: 1000/s, daily: flat"), cost.Options{})
		if m := mode(e, cost.Reserved1); m.Available || !strings.Contains(m.Why, test.why) {
			t.Errorf("%s: %+v", test.table, m)
		}
	}
	e = estimated(t, fmt.Sprintf(traffic, ", capacity: {provisioned: {read: 300, write: 10}}", "rate: 100/s"), cost.Options{})
	if m := mode(e, cost.Fixed); !near(m.Month, 730*(300*0.00013+10*0.00065)) || e.Declared != cost.Provisioned {
		t.Errorf("%+v", m)
	}
	e = estimated(t, fmt.Sprintf(traffic, ", capacity: {provisioned: {read: 300, write: 10, autoscaling: {min: 200, max: 400, target: 50}}}", "rate: 100/s"), cost.Options{})
	if m := mode(e, cost.Provisioned); !near(m.Capacity.Reads, 200) || !near(m.Capacity.Writes, 200) {
		t.Errorf("auto scaling stays not within its bounds: %+v", m)
	}
}

// A replica pays for all writes again, for storage and for its backup.
func TestReplicas(t *testing.T) {
	e := estimated(t, `version: 1
table: {name: notes, partition_key: PK, sort_key: SK, region: us-east-1, replicas: [us-west-2], stream: new_and_old_images, point_in_time_recovery: true}
entities:
  Note:
    attributes: {user: slug, noteId: ulid}
    keys: {PK: "USER#{user}", SK: "NOTE#{noteId}"}
    volume: {count: 1M, size: 500B}
access_patterns:
  - {name: add, create: Note, rate: 10/s}
`, cost.Options{})
	gigabytes := 1e6 * (500 + 148) / float64(1<<30)
	want := 10*2628000*0.625/1e6 + gigabytes*0.25 + gigabytes*0.20
	for _, s := range e.Services {
		if s.Name == "replica us-west-2" && !near(s.Month, want) {
			t.Errorf("%v, want %v", s.Month, want)
		}
	}
	if len(e.Services) != 3 {
		t.Errorf("%d services, want backup, stream and replica", len(e.Services))
	}
}

// Prices that a file gives take the place of the published ones, and no others.
func TestPrices(t *testing.T) {
	p := cost.Published()
	for name, r := range p.Regions {
		if _, err := p.Region(name); err != nil || r.Standard.WriteMillion < 0.5 || r.Standard.Storage < 0.2 || r.InfrequentAccess.Storage > r.Standard.Storage || r.Replicated <= 0 || r.Reserved3 >= r.Reserved1 {
			t.Errorf("%s: %+v %v", name, r, err)
		}
	}
	own, err := p.Override([]byte(`{"date": "2030-01-01", "regions": {"us-east-1": {"standard": {"storage": 1}}, "moon-1": {"standard": {"write_million": 1, "read_million": 1, "write_hour": 1, "read_hour": 1, "storage": 1}}}}`))
	if err != nil {
		t.Fatal(err)
	}
	if r := own.Regions["us-east-1"]; own.Date != "2030-01-01" || r.Standard.Storage != 1 || r.Standard.WriteMillion != 0.625 || own.Regions["moon-1"].Standard.Storage != 1 || p.Regions["us-east-1"].Standard.Storage != 0.25 {
		t.Errorf("%+v", r)
	}
	for text, want := range map[string]string{
		`{`:             "it is no JSON",
		`{"region": 1}`: `unknown field "region"`,
		`{"regions": {"us-east-1": {"standard": {"storage": "1"}}}}`: "region us-east-1: ",
		`{"regions": {"us-east-1": {"standard": {"storage": 0}}}}`:   "region us-east-1: standard.storage is missing; it is a price above 0",
		`{"regions": {"moon-1": {}}}`:                                "region moon-1: standard.write_million is missing",
	} {
		if _, err := p.Override([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
	if _, err := cost.Of(modeltest.Model(t, notes), cost.Options{Region: "eu-wst-1"}); err == nil || !strings.Contains(err.Error(), "did you mean eu-west-1?") {
		t.Errorf("an unknown region gives %v", err)
	}
}

func TestFigures(t *testing.T) {
	for _, test := range []struct{ got, want string }{
		{cost.Money("USD", 0), "$0"}, {cost.Money("USD", 0.004), "$0.004"}, {cost.Money("USD", 12.345), "$12.35"},
		{cost.Money("USD", 1234567.8), "$1,234,568"}, {cost.Money("EUR", 999), "999.00 EUR"}, {cost.Money("USD", -3), "-$3.00"},
		{cost.Price("USD", 0.0625), "$0.0625"}, {cost.Price("EUR", 1.875), "1.88 EUR"}, {cost.Price("USD", 12), "$12.00"},
		{cost.Percent(0), "0%"}, {cost.Percent(2e-7), "under 0.01%"}, {cost.Percent(0.00012), "0.012%"}, {cost.Percent(0.00456), "0.46%"}, {cost.Percent(0.0123), "1.2%"},
		{cost.Percent(0.0996), "10%"}, {cost.Percent(0.125), "12%"}, {cost.Percent(1), "100%"}, {cost.Percent(12.3), "1230%"},
		{cost.Count(0), "0"}, {cost.Count(0.5), "0.5"}, {cost.Count(999), "999"}, {cost.Count(999.9), "1k"}, {cost.Count(1234567), "1.23M"}, {cost.Count(2.6e15), "2.6e15"},
		{cost.Bytes(10), "10 B"}, {cost.Bytes(1536), "1.5 KB"}, {cost.Bytes(3 << 40), "3 TB"},
	} {
		if test.got != test.want {
			t.Errorf("%s, want %s", test.got, test.want)
		}
	}
}
