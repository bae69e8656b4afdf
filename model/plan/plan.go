package plan

import (
	"sync"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/diag"
)

// Plan is how one access pattern is served.
type Plan struct {
	Pattern *model.Pattern
	// Variants has one entry for each combination of optional parameters: the
	// first with all of them given, then by how many are left out. There is
	// always at least one.
	Variants []*Variant
	// Findings are what planning found wrong with the pattern.
	Findings []diag.Finding
}

// Variant is the plan for calls that leave out certain optional parameters.
// Exactly one of Read, Write and Statement is set, or none when nothing serves
// the pattern.
type Variant struct {
	Pattern *model.Pattern
	// Absent are the names of the optional parameters left out, in the
	// pattern's order.
	Absent []string
	// Candidates are, of a query, the table and every index in the order of the
	// model, each with what it would do or the reasons against it; of a scan and
	// of a request written out, the one that is read.
	Candidates []*Candidate

	Read      *Read
	Write     *Write
	Statement *Statement
	// Each is, of a delete_each or update_each, what is done to every item that Read
	// finds; nil of other patterns.
	Each *Write
	// Then is, of a query with `then`, the batch get of what the items that Read
	// finds refer to; nil of other patterns.
	Then *Read

	// Flaws are the rules of the findings that make this plan a best effort:
	// it can be run, and will not do what the pattern says. Empty when sound.
	Flaws []string

	planner  *Planner
	estimate sync.Once // of cost
	cost     Cost
}

// Served tells whether there are requests to send at all.
func (v *Variant) Served() bool { return v.Read != nil || v.Write != nil || v.Statement != nil }

// Sound tells whether the plan does what the pattern says, as far as planning can tell.
func (v *Variant) Sound() bool { return v.Served() && len(v.Flaws) == 0 }

// Candidate is an index considered for a query.
type Candidate struct {
	// Index is the index, nil for the table itself.
	Index *model.Index
	// Read is what the query would be on this index; nil when it cannot be
	// formed. An index with Reasons against it may still have one.
	Read *Read
	// Reasons are what speaks against the index; it is eligible without any.
	Reasons []Reason
	// Chosen tells that the variant uses it.
	Chosen bool
}

// Eligible tells whether the index serves the pattern.
func (c *Candidate) Eligible() bool { return len(c.Reasons) == 0 }

// Name is the index's name, or "table".
func (c *Candidate) Name() string { return indexName(c.Index) }

func indexName(x *model.Index) string {
	if x == nil {
		return "table"
	}
	return x.Name.Text
}

// Reason is one thing that speaks against an index.
type Reason struct {
	Kind ReasonKind
	// Entity is the entity it is about, or "".
	Entity string
	// Text says it in words, without a final stop.
	Text string
	// Lacks are the attributes that are not projected.
	Lacks []string
	// Fix says what would lift it; may be "".
	Fix string

	near bool // some of what it says is missing is there
}

// ReasonKind tells what sort of thing speaks against an index.
type ReasonKind string

// The kinds of reasons.
const (
	// NotInIndex: the entity has no templates for the index's keys.
	NotInIndex ReasonKind = "not-in-index"
	// NotMember: where does not guarantee that every matching item is in the index.
	NotMember ReasonKind = "not-member"
	// NotFixed: a part of the partition key is not fixed by where.
	NotFixed ReasonKind = "not-fixed"
	// NotOnePartition: the entities' partition keys are not the same.
	NotOnePartition ReasonKind = "not-one-partition"
	// IllegalFilter: what where says beyond the key condition is no legal filter.
	IllegalFilter ReasonKind = "illegal-filter"
	// NotProjected: the index lacks an attribute that is needed.
	NotProjected ReasonKind = "not-projected"
	// NotConsistent: a global index has no consistent reads.
	NotConsistent ReasonKind = "not-consistent"
	// NotOrdered: the order asked for is not delivered.
	NotOrdered ReasonKind = "not-ordered"
)
