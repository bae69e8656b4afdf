package verify

import (
	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/plan"
	"github.com/dynmodel/dynmodel/model/value"
	"github.com/dynmodel/dynmodel/validate/oracle"
)

// kind is how an execution contradicts the model.
type kind string

// The ways in which a read goes wrong, in the order in which they are looked for.
const (
	refused   kind = "refused"  // DynamoDB refuses the request
	objected  kind = "objected" // the plan makes no request of a call that is allowed; of writes, too
	ambiguous kind = "several"  // more than one match of a pattern that promises one
	extra     kind = "extra"    // an item that does not match came back
	missing   kind = "missing"  // a matching item did not
	lacking   kind = "lacking"  // an attribute did not come with its item
	disorder  kind = "disorder" // the order is wrong
	surplus   kind = "surplus"  // more than the limit
	miscount  kind = "miscount" // a count is wrong
	leak      kind = "leak"     // items of two tenants
	unstated  kind = "unstated" // an example of the model does not hold
)

// The ways in which a write goes wrong.
const (
	stopped    kind = "stopped"    // a right call is refused
	accepted   kind = "accepted"   // a wrong call is let through
	collided   kind = "collided"   // an item landed on the key of another
	doubled    kind = "doubled"    // one identity is stored twice
	unstorable kind = "unstorable" // an item of the model cannot be stored
	unlike     kind = "unlike"     // an item is stored otherwise than the model says
	unstored   kind = "unstored"   // an item that must be there is not
	leftover   kind = "leftover"   // an item that must be gone is there
	answered   kind = "answered"   // the item returned is not the right one
	partial    kind = "partial"    // an item lacks attributes it must have
	outside    kind = "outside"    // an attribute is outside of its domain
	broken     kind = "broken"     // an item does not keep an invariant
)

// failure is one contradiction, with what is needed to show and explain it.
type failure struct {
	kind  kind
	scene scene
	// culprits are the items it is about: those extra, missing, in the wrong
	// order, and so on.
	culprits []model.Instance
	// records are those of the world it happened in.
	records []*record

	variant  *plan.Variant
	requests []plan.Request
	// got are the items that came back, counted how many were only counted, and
	// want how many it had to be.
	got           []returnedItem
	counted, want int

	then      bool           // it is about the reads after a query
	example   *model.Example // of unstated
	attribute string         // of lacking, leak, unlike, answered, partial and outside
	refusal   *refusal       // of refused and stopped
	fault     error          // of unstorable and objected

	// Of writes: what had to happen, and the step that is at fault.
	outcome oracle.Outcome
	step    *model.Step
	// Of an item that is not as it must be: what must be stored and what is (nil:
	// nothing), and the record that it is of, or that is in the way.
	expected, stored plan.Stored
	record           *record
	before, after    value.Value      // of outside
	invariant        *model.Condition // of broken
}

// turnedDown tells whether DynamoDB refused the request as such, not for what is stored.
func (f *failure) turnedDown() bool {
	return f.kind == refused || f.kind == stopped && !f.refusal.Conditional
}

// returnedItem is an item that came back, with the record it is, nil when it is none.
type returnedItem struct {
	item   plan.Stored
	record *record
}

// same tells whether two failures are of one sort, so that a smaller scene that
// gives the second still shows the first.
func (f *failure) same(g *failure) bool {
	return g != nil && f.kind == g.kind && f.attribute == g.attribute && f.invariant == g.invariant && f.then == g.then
}
