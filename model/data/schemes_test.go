package data_test

import (
	"testing"
	"time"

	"github.com/dynmodel/dynmodel/model/data"
	"github.com/dynmodel/dynmodel/model/encode"
)

// Identifiers of people's own schemes are new in every item and in every call,
// and those that break keys are among them.
func TestOwnSchemes(t *testing.T) {
	m, w := world(t, "schemes", "invoices")
	seen := map[string]bool{}
	for _, i := range w.Of(m.Entity("Invoice")) {
		number := i.Item["number"].Text()
		if seen[number] {
			t.Errorf("two invoices %s", number)
		}
		seen[number] = true
	}
	if len(seen) < 5 {
		t.Errorf("only %d invoices", len(seen))
	}
	m, w = world(t, "schemes", "add-user")
	g := data.New(m, data.Options{})
	handles, delimited := map[string]bool{}, false
	for _, i := range w.Of(m.Entity("User")) {
		handles[i.Item["handle"].Text()] = true
	}
	for handle := range handles {
		delimited = delimited || len(handle) > 1 && handle != "USER"
	}
	if !delimited {
		t.Errorf("no handle that breaks a key: %v", handles)
	}
	fresh := 0
	for _, args := range g.Bindings(m.Pattern("add-user"), w) {
		if !handles[args.Args["handle"].Text()] {
			fresh++
		}
	}
	if fresh == 0 {
		t.Error("no call brings a new handle")
	}
}

// A reference to any of several entities leads to items of each.
func TestReferenceToSeveral(t *testing.T) {
	m, w := world(t, "schemes", "deed")
	of := func(entity, attribute string) int {
		n := 0
		for _, deed := range w.Of(m.Entity("Deed")) {
			for _, i := range w.Of(m.Entity(entity)) {
				if i.Item[attribute].Text() == deed.Item["actor"].Text() {
					n++
				}
			}
		}
		return n
	}
	if users, robots := of("User", "handle"), of("Robot", "code"); users == 0 || robots == 0 {
		t.Errorf("%d deeds of users, %d of robots", users, robots)
	}
}

// Times lie on both sides of where the periods in keys end, and maps of any
// names have none, one and several members.
func TestPeriodsAndMaps(t *testing.T) {
	m, _ := world(t, "schemes", "deed")
	deed := m.Entity("Deed")
	g := data.New(m, data.Options{})
	edges := map[string]bool{}
	for _, v := range g.Values(deed.Attribute("at")) {
		at, _ := encode.Time(v, deed.Attribute("at").Type)
		edges[at.Format("15:04:05")] = true
	}
	if !edges["12:45:00"] || !edges["12:44:59"] {
		t.Errorf("no times on both sides of a quarter of an hour: %v", edges)
	}
	days := map[time.Weekday]bool{}
	for _, v := range g.Values(deed.Attribute("on")) {
		on, _ := encode.Time(v, deed.Attribute("on").Type)
		days[on.Weekday()] = true
	}
	if !days[time.Monday] || !days[time.Sunday] {
		t.Errorf("no days on both sides of the beginning of a week: %v", days)
	}
	sizes := map[int]bool{}
	for _, v := range g.Values(deed.Attribute("marks")) {
		sizes[len(v.Fields())] = true
	}
	if !sizes[0] || !sizes[1] || !sizes[3] || sizes[4] {
		t.Errorf("maps of sizes %v", sizes)
	}
}
