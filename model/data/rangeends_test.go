package data_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/dynmodel/dynmodel/model/data"
	"github.com/dynmodel/dynmodel/model/encode"
)

// The ends of a range may be declared with a type of their own: times by days
// or months, texts by their beginnings. They are tried near the items; where
// nothing of that type can be an end, there are no calls.
func TestRangesByEndsOfAnotherType(t *testing.T) {
	for _, tt := range []struct {
		attribute, end string
		width          int // of the ends' texts; 0: no calls
	}{
		{"datetime", "date", 10},
		{"{type: datetime, zone: none, precision: ms}", "date", 10},
		{"datetime", "month", 7},
		{"date", "month", 7},
		{"ulid", "{type: string, length: 3..3}", 3},
		{"date", "{type: string, pattern: x}", 0},
	} {
		m := read(t, "log.yaml", fmt.Sprintf(`version: 1
table: {name: log, partition_key: device, sort_key: at}
entities:
  Entry:
    attributes: {device: slug, at: %s, text: string?}
access_patterns:
  - {name: both, query: Entry, where: device = $device AND at BETWEEN $from AND $to, params: {from: %[2]s, to: %[2]s}}
  - {name: one, query: Entry, where: device = $device AND at >= $from AND at < $to, params: {from: %[2]s}}
`, tt.attribute, tt.end))
		for _, p := range m.Patterns {
			g := data.New(m, data.Options{})
			bindings := g.Bindings(p, g.World(p))
			ends := map[string]bool{}
			for _, b := range bindings {
				from := b.Args["from"].Text()
				if len(from) != tt.width {
					t.Errorf("%s by %s: %s is called from %q", tt.attribute, tt.end, p.Name.Text, from)
				}
				ends[from] = true
			}
			if tt.width > 0 && len(ends) < 3 || tt.width == 0 && len(bindings) > 0 {
				t.Errorf("%s by %s: %s has %d calls from %d places", tt.attribute, tt.end, p.Name.Text, len(bindings), len(ends))
			}
		}
	}
}

// A range over the periods of a partition key that no span bounds is called
// with ends that leave few periods to walk through.
func TestRangesOverPeriodsAreShort(t *testing.T) {
	const day = 24 * time.Hour
	for _, tt := range []struct {
		attribute, key, place string
		most                  time.Duration // 0: any
	}{
		{"datetime", "{at|day}", "partition_key: PeriodPK", 40 * day},
		{"epoch_ms", "{kind}#{at|hour}", "partition_key: PeriodPK", 40 * time.Hour},
		{"date", "{at|month}", "partition_key: PeriodPK", 40 * 31 * day},
		{"datetime", "{at|bucket(15m)}", "partition_key: [kind, PeriodPK]", 10 * time.Hour},
		{"datetime", "{at|day}", "partition_key: kind, sort_key: PeriodPK", 0},
	} {
		m := read(t, "log.yaml", fmt.Sprintf(`version: 1
table:
  name: log
  partition_key: id
  indexes:
    ByPeriod: {%s}
entities:
  Entry:
    attributes: {id: ulid, kind: slug, at: %s}
    keys: {PeriodPK: "%s"}
access_patterns:
  - {name: between, query: Entry, where: kind = $kind AND at BETWEEN $from AND $to}
`, tt.place, tt.attribute, tt.key))
		p := m.Patterns[0]
		g := data.New(m, data.Options{})
		bindings := g.Bindings(p, g.World(p))
		var longest time.Duration
		for _, b := range bindings {
			at := m.Entities[0].Attribute("at").Type
			from, _ := encode.Time(b.Args["from"], at)
			to, _ := encode.Time(b.Args["to"], at)
			longest = max(longest, to.Sub(from))
		}
		if len(bindings) < 20 || tt.most > 0 && longest > tt.most || tt.most == 0 && longest < 1000*day {
			t.Errorf("%s in %s: %d calls, over %v at the longest", tt.key, tt.place, len(bindings), longest)
		}
	}
}
