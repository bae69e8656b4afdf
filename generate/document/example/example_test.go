package example_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/dynmodel/dynmodel/generate/document/example"
	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/modeltest"
	"github.com/dynmodel/dynmodel/model/plan"
)

// rooms has reads of every kind, and entities without samples.
const rooms = `version: 1
name: rooms
table:
  name: rooms
  partition_key: PK
  sort_key: SK
  indexes:
    ByDay: {partition_key: DayPK, sort_key: DaySK}
    Two: {partition_key: [building, floor], sort_key: [kind, roomId]}
entities:
  Room:
    attributes: {roomId: slug, building: slug, floor: {type: integer, min: 0, max: 99}, kind: [office, hall], note: string?}
    keys: {PK: "ROOM#{roomId}", SK: ROOM}
  Booking:
    attributes:
      roomId: {ref: Room}
      startsAt: datetime
      by: {type: email, stored: lower}
      endsAt: {type: datetime, derive: startsAt + 2h}
      gone: {type: epoch, derive: startsAt + 1d}
      state: [asked, fixed, gone]
    keys: {PK: "ROOM#{roomId}", SK: "BOOKING#{startsAt}", DayPK: "DAY#{startsAt|day}", DaySK: "{startsAt}#{roomId}"}
  Key:
    attributes: {roomId: {ref: Room}, holder: {ref: Person.name}}
    keys: {PK: "ROOM#{roomId}", SK: "KEY#{holder}"}
  Person:
    attributes: {name: slug, seenAt: epoch}
    keys: {PK: "PERSON#{name}", SK: PERSON}
    live: seenAt > $now - 30d
access_patterns:
  - {name: room, query: [Room, Booking], where: roomId = $roomId}
  - {name: newest, query: Booking, where: roomId = $roomId, order: startsAt desc, limit: 1}
  - {name: fixed, query: Booking, where: "roomId = $roomId AND state = 'fixed'", allow_filter: true}
  - {name: of-days, query: Booking, where: "startsAt BETWEEN $from AND $to", span: 3d, order: startsAt asc, limit: 2}
  - {name: on-floor, query: Room, where: "building = $building AND floor = $floor AND kind = $kind"}
  - {name: people, batch_get: Person, params: {keys: {max: 10}}}
  - {name: holders, query: Key, where: roomId = $roomId, then: {batch_get: Person}}
  - {name: rename, update_each: Booking, where: roomId = $roomId, change: SET by = $by}
  - {name: book, create: Booking}
  - {name: fix, update: Booking, change: SET state = 'fixed', if: state = 'asked'}
samples:
  Room:
    - {roomId: blue, building: main, floor: 2, kind: office}
    - {roomId: red, building: main, floor: 2, kind: hall}
  Booking:
    - {roomId: blue, startsAt: 2026-03-02T09:00:00Z, by: Ada@example.com, state: fixed}
    - {roomId: blue, startsAt: 2026-03-03T09:00:00Z, by: bob@example.com, state: asked}
    - {roomId: blue, startsAt: 2026-03-03T12:00:00Z, by: bob@example.com, state: gone}
`

// name says in short which item it is.
func name(w *example.World, n int) string {
	item := w.Items[n]
	return strings.TrimSpace(item.Stored["PK"].Text() + " " + item.Stored["SK"].Text())
}

func names(w *example.World, items []int) []string {
	var out []string
	for _, n := range items {
		out = append(out, name(w, n))
	}
	return out
}

func TestCalls(t *testing.T) {
	m := modeltest.Model(t, rooms)
	w := example.New(m)
	planner := plan.New(m)
	for _, test := range []struct {
		pattern                           string
		read, returned, referred, written []string
	}{
		{pattern: "newest", read: []string{"ROOM#blue BOOKING#2026-03-03T12:00:00Z"}, returned: []string{"ROOM#blue BOOKING#2026-03-03T12:00:00Z"}},
		{pattern: "fixed", read: []string{"ROOM#blue BOOKING#2026-03-02T09:00:00Z", "ROOM#blue BOOKING#2026-03-03T09:00:00Z", "ROOM#blue BOOKING#2026-03-03T12:00:00Z"},
			returned: []string{"ROOM#blue BOOKING#2026-03-02T09:00:00Z"}},
		{pattern: "on-floor", read: []string{"ROOM#red ROOM"}, returned: []string{"ROOM#red ROOM"}},
		{pattern: "people", read: []string{"PERSON#name-1 PERSON", "PERSON#name-2 PERSON"}, returned: []string{"PERSON#name-1 PERSON", "PERSON#name-2 PERSON"}},
		{pattern: "fix", written: []string{"ROOM#blue BOOKING#2026-03-03T09:00:00Z"}}, // the one that is only asked for
		{pattern: "book"}, // where nothing is yet
	} {
		c := w.Call(planner.Pattern(m.Pattern(test.pattern)))
		if c == nil {
			t.Errorf("%s: no call", test.pattern)
			continue
		}
		for what, pair := range map[string][2][]string{
			"reads": {names(w, c.Read), test.read}, "returns": {names(w, c.Returned), test.returned},
			"reads then": {names(w, c.Referred), test.referred}, "writes": {names(w, c.Written), test.written},
		} {
			if !slices.Equal(pair[0], pair[1]) {
				t.Errorf("%s %s %q, want %q", test.pattern, what, pair[0], pair[1])
			}
		}
		if c.Refused {
			t.Errorf("%s is refused", test.pattern)
		}
	}
	each := w.Call(planner.Pattern(m.Pattern("rename")))
	if len(each.Written) != 3 || !slices.Equal(each.Written, each.Returned) || len(each.After) != 3 {
		t.Errorf("an update of each item found writes %v of %v, by %d requests", each.Written, each.Returned, len(each.After))
	}
	then := w.Call(planner.Pattern(m.Pattern("holders")))
	if got := names(w, then.Referred); len(then.Returned) == 0 || len(got) == 0 || !strings.HasPrefix(got[0], "PERSON#") {
		t.Errorf("%v refer to %q", names(w, then.Returned), got)
	}
	days := w.Call(planner.Pattern(m.Pattern("of-days")))
	if len(days.Returned) > 2 || len(days.Requests) < 1 || days.Variant.Read.Index.Name.Text != "ByDay" {
		t.Errorf("of two items %v come back, by %d requests", names(w, days.Returned), len(days.Requests))
	}
}

func TestMadeUp(t *testing.T) {
	w := example.New(modeltest.Model(t, rooms))
	var made []string
	for _, e := range w.Made {
		made = append(made, e.Name.Text)
	}
	if got := fmt.Sprint(made); got != "[Person Key]" {
		t.Errorf("made up are %s", got)
	}
	for n, item := range w.Items {
		if item.Entity.Name.Text == "Key" && !slices.ContainsFunc(w.Items, func(o example.Item) bool {
			return o.Entity.Name.Text == "Person" && o.Stored["name"].Text() == item.Stored["holder"].Text()
		}) {
			t.Errorf("%s refers to nobody", name(w, n))
		}
	}
}

func TestDerived(t *testing.T) {
	text := strings.Split(rooms, "  Booking:\n    - {")[0]
	w := example.New(modeltest.Model(t, text))
	for _, item := range w.Items {
		if item.Entity.Name.Text != "Booking" {
			continue
		}
		if item.Stored["startsAt"].Text() == "2026-03-02T09:00:00Z" && (item.Stored["endsAt"].Text() != "2026-03-02T11:00:00Z" || item.Stored["gone"].Text() != "1772528400") {
			t.Errorf("it is %v", item.Stored)
		}
		return
	}
	t.Error("no booking is made up")
}

func TestPartitions(t *testing.T) {
	m := modeltest.Model(t, rooms)
	w := example.New(m)
	var got []string
	for _, p := range w.Partitions(m.Table.Index("Two")) {
		got = append(got, strings.Join(names(w, p), ", "))
	}
	if want := "[ROOM#red ROOM, ROOM#blue ROOM]"; fmt.Sprint(got) != want { // hall before office
		t.Errorf("by several attributes: %v, want %v", got, want)
	}
}

// TestSame holds that the example is the same every time, and that no two of its
// items have one key.
func TestSame(t *testing.T) {
	for _, text := range []string{rooms, modeltest.Shop(), modeltest.Big(20, 80)} {
		m := modeltest.Model(t, text)
		first, second := describe(t, m), describe(t, m)
		if first != second {
			t.Error("it differs from time to time")
		}
	}
}

func describe(t *testing.T, m *model.Model) string {
	t.Helper()
	w := example.New(m)
	planner := plan.New(m)
	var b strings.Builder
	seen := map[string]bool{}
	for n := range w.Items {
		if key := name(w, n); seen[key] {
			t.Errorf("%s is there twice", key)
		} else {
			seen[key] = true
		}
		fmt.Fprintln(&b, w.Items[n].Stored)
	}
	for _, p := range m.Patterns {
		if c := w.Call(planner.Pattern(p)); c != nil {
			names, values := c.Arguments()
			fmt.Fprintln(&b, p.Name.Text, names, values, c.Read, c.Returned, c.Referred, c.Written, c.Refused)
		}
	}
	return b.String()
}
