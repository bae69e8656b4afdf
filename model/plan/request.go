package plan

import (
	"time"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/value"
)

// Stored is an item as DynamoDB holds it, or its key: attributes by name.
type Stored = map[string]value.Value

// Request is one concrete request to DynamoDB. Expressions are in DynamoDB's
// syntax, with #name and :value placeholders throughout.
type Request struct {
	API   API
	Index string // "" for the table

	KeyCondition, Filter, Projection, Condition, Update string

	Names  map[string]string
	Values map[string]value.Value

	Key  Stored // of a get, update, delete, check
	Item Stored // of a put

	// Descending is the opposite of DynamoDB's ScanIndexForward.
	Descending bool
	Consistent bool
	Limit      int    // 0: none
	Select     string // "", COUNT or ALL_ATTRIBUTES
	Returns    string // ReturnValues: "", ALL_NEW or ALL_OLD
	Token      string // ClientRequestToken

	// Actions are the members of a batch or transaction, in order.
	Actions []Request
	// Group numbers the groups of requests that MergeWalk walks through.
	Group int

	// Statement and Parameters are of ExecuteStatement.
	Statement  string
	Parameters []value.Value

	// Entity is the entity that a put, update, delete, check or get is about,
	// and Step the step; nil of queries, scans and whole batches. Guard tells
	// that the item is the guard of a unique attribute.
	Entity *model.Entity
	Step   *model.Step
	Guard  bool
}

// Call is what a call brings to a plan.
type Call struct {
	Args model.Args
	Now  time.Time
	// Shard draws a number from 0 to n-1 for random(n); nil draws 0.
	Shard func(n int) int
	// Old are the items read first, in the order of Variant.FirstReads; nil for
	// one that does not exist.
	Old []Stored
}

// FirstReads are the reads to make before the write, in order: one for every
// action that reads first, as often as it is repeated. What they return goes
// into Call.Old. An error says which argument is missing or unfit.
func (v *Variant) FirstReads(c Call) ([]Request, error) {
	if v.Write == nil {
		return nil, nil
	}
	return v.Write.firstReads(v.scope(c))
}

// Requests are the requests of a call, in the order to send them; none when
// nothing can match, as of a range whose ends have crossed. An error says which
// argument is missing or unfit.
func (v *Variant) Requests(c Call) ([]Request, error) {
	switch s := v.scope(c); {
	case v.Read != nil:
		return v.Read.requests(s)
	case v.Write != nil:
		return v.Write.requests(s, c.Old)
	case v.Statement != nil:
		return v.Statement.requests(s)
	}
	return nil, nil
}
