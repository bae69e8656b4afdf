package cost_test

import (
	"math"
	"testing"

	"github.com/dynmodel/dynmodel/model/cost"
	"github.com/dynmodel/dynmodel/model/modeltest"
)

func estimated(t *testing.T, text string, o cost.Options) *cost.Estimate {
	t.Helper()
	e, err := cost.Of(modeltest.Model(t, text), o)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func near(a, b float64) bool { return math.Abs(a-b) <= 1e-6*max(1, math.Abs(b)) }

const notes = `version: 1
table: {name: notes, partition_key: PK, sort_key: SK, indexes: {ByDay: {partition_key: day, sort_key: SK, projection: keys_only}}}
entities:
  Note:
    attributes: {user: slug, noteId: ulid, day: date, text: {type: string, length: 900..900}}
    keys: {PK: "USER#{user}", SK: "NOTE#{noteId}"}
    volume: {count: 1M, size: 1000B}
access_patterns:
  - {name: note, get: Note, rate: 100/s}
  - {name: add, create: Note, rate: 10/s}
`

// A million items of 1000 bytes, 100 reads of half a unit and 10 writes of a
// unit with one more in the index.
func TestFirstMonth(t *testing.T) {
	e := estimated(t, notes, cost.Options{})
	const seconds = 730 * 3600
	for _, test := range []struct {
		what      string
		got, want float64
	}{
		{"calls of note", e.Patterns[0].Calls, 100 * seconds},
		{"a million of note", e.Patterns[0].Million, 0.5 * 0.125},
		{"note", e.Patterns[0].Month, 50 * seconds * 0.125 / 1e6},
		{"add", e.Patterns[1].Month, 20 * seconds * 0.625 / 1e6},
		{"writes of the table", e.Places[0].Units.Writes, 10 * seconds},
		{"writes of the index", e.Places[1].Units.Writes, 10 * seconds},
		{"bytes of the table", e.Places[0].Bytes, 1e6 * 1100},
		{"storage of the table", e.Places[0].Storage, 1.1e9 / (1 << 30) * 0.25},
		{"on demand", e.Modes[0].Month, (50*0.125 + 20*0.625) * seconds / 1e6},
		{"provisioned", e.Modes[1].Month, 730 * (73*0.00013 + 30*0.00065)}, // at 70%, and one read unit of the index
	} {
		if !near(test.got, test.want) {
			t.Errorf("%s: %v, want %v", test.what, test.got, test.want)
		}
	}
}
