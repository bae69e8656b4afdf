package plan

import (
	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/expr"
)

// API is a DynamoDB operation.
type API string

// The operations that plans use.
const (
	GetItem            API = "GetItem"
	BatchGetItem       API = "BatchGetItem"
	TransactGetItems   API = "TransactGetItems"
	Query              API = "Query"
	Scan               API = "Scan"
	PutItem            API = "PutItem"
	UpdateItem         API = "UpdateItem"
	DeleteItem         API = "DeleteItem"
	ConditionCheck     API = "ConditionCheck" // only inside a transaction
	BatchWriteItem     API = "BatchWriteItem"
	TransactWriteItems API = "TransactWriteItems"
	ExecuteStatement   API = "ExecuteStatement"
)

// Read is a plan to read: by keys (Gets), or a query or scan of one index.
type Read struct {
	API API
	// Entities are those whose items are wanted, in the pattern's order.
	Entities []*model.Entity
	// Index is the index read, nil for the table itself.
	Index *model.Index
	// Gets are the keys read by GetItem, BatchGetItem and TransactGetItems.
	Gets []*Get
	// Key is the key condition of a query: an equality for each partition key
	// attribute, then what there is on the sort key.
	Key []KeyCondition
	// Fan are the dimensions along which a query is repeated, outermost first:
	// one request for each combination. Empty: one request.
	Fan []*Fan

	// Residual is what where says beyond the key condition; nil: nothing.
	Residual expr.Cond
	// OnlyLive tells that Residual drops nothing but items that are not live.
	OnlyLive bool
	// Boundary cuts off the end of a half-open range that the sort key can only
	// read with its end included. No rule counts it against the design.
	Boundary expr.Cond
	// Types are the entities of an entity type filter, for queries that read
	// items of other entities too; nil: no such filter.
	Types []*model.Entity
	// UserFilter is the pattern's own `filter`. Of a get it is for the reader to
	// apply after the read, see KeptByReader.
	UserFilter expr.Cond

	// Projection are the attributes asked for, nil for all that the index has.
	Projection []string
	// Fetches are attributes that a local index does not hold, which DynamoDB
	// fetches from the table, item by item.
	Fetches []string
	// Descending reads the sort key from its greatest value down.
	Descending bool
	// Order is the order in which results are wanted; nil: any.
	Order []model.OrderBy
	// Merge tells how the results of several requests become one.
	Merge Merge
	// Limit is how many items the caller wants (0: all), and Page how many in one page.
	Limit, Page int
	// LimitRequests tells that each request may carry Limit, since every item
	// it reads is one that is wanted.
	LimitRequests bool
	// One tells that at most one item can match.
	One        bool
	Count      bool
	Consistent bool
	// Pinned tells that the pattern wrote the key condition out.
	Pinned bool

	typeAttribute string
	fixed         []string // the attributes that the key condition fixes
	ranged        bool     // whether there is a range besides
	delivered     int      // how many attributes of the order it delivers
	walked        *Fan     // the buckets of MergeWalk
	backwards     bool     // from the latest to the earliest
}

// Walked is the fan over buckets that a MergeWalk goes through, and whether it does
// from the latest to the earliest; nil of other merges.
func (r *Read) Walked() (f *Fan, backwards bool) {
	if r.Merge != MergeWalk {
		return nil, false
	}
	return r.walked, r.backwards
}

// limitRequests decides whether requests carry the caller's limit: only when
// every item they read is one that is wanted.
func (r *Read) limitRequests() {
	r.LimitRequests = r.Limit > 0 && r.Filter() == nil
}

// unknownFan is the number of requests to expect of a list or range that the
// model does not bound.
const unknownFan = 100

// fanOut is the greatest number of requests, as far as the model bounds it.
func (r *Read) fanOut() int {
	n := 1
	for _, f := range r.Fan {
		n *= f.Most()
	}
	return n
}

// Filtered tells whether a filter drops some of what is read, beyond the end of
// a range.
func (r *Read) Filtered() bool { return r.Residual != nil || r.Types != nil }

// Filter is the whole filter expression of a query or scan; nil: none.
func (r *Read) Filter() expr.Cond {
	if r.API != Query && r.API != Scan {
		return nil
	}
	var types expr.Cond
	if len(r.Types) > 0 {
		types = isOneOf(r.typeAttribute, r.Types)
	}
	return expr.All(types, r.Residual, r.Boundary, r.UserFilter)
}

// isOneOf is the filter on the entity type.
func isOneOf(name string, entities []*model.Entity) expr.Cond {
	if len(entities) == 1 {
		return compare(attribute(name), expr.Eq, textLiteral(entities[0].Type))
	}
	in := &expr.In{X: attribute(name)}
	for _, e := range entities {
		in.List = append(in.List, textLiteral(e.Type))
	}
	return in
}

// Merge is how results of several requests become one.
type Merge string

// The ways to merge.
const (
	// MergeNone: a single request, or any order will do: one request after
	// another, until there are Limit items.
	MergeNone Merge = "none"
	// MergeWalk: one group of requests after another in the order of Fan's
	// buckets, until there are Limit items; within a group sorted by Order.
	MergeWalk Merge = "walk"
	// MergeSort: all requests' results, each in Order, merged by Order.
	MergeSort Merge = "sort"
)

// Get is the key of an item to read.
type Get struct {
	Entity *model.Entity
	// List is the list parameter that holds the keys, "" for a single key. In
	// its Key, parameters are the fields of a member.
	List string
	Key  []KeyRecipe
	// Live is what the item must fulfil to be seen; nil: nothing.
	Live expr.Cond
}

// KeptByReader is what the reader of items by their keys applies to one of an
// entity after the read: the pattern's `filter`, and what makes it live. Nil when
// there is nothing to apply, and for queries and scans.
func (r *Read) KeptByReader(e *model.Entity) expr.Cond {
	for _, g := range r.Gets {
		if g.Entity == e {
			return expr.All(r.UserFilter, g.Live)
		}
	}
	return nil
}

// KeyCondition is a condition on one key attribute.
type KeyCondition struct {
	Attribute model.KeyAttribute
	Op        model.KeyOp
	Values    []Recipe // one, or two of between
}

// FanKind is a reason to send a query several times.
type FanKind string

// The kinds of fans.
const (
	FanIn     FanKind = "in"     // one request for each value of an IN list
	FanBucket FanKind = "bucket" // one request for each time bucket in a range
	FanShard  FanKind = "shard"  // one request for each shard
)

// Fan is a dimension along which a query is repeated.
type Fan struct {
	Kind FanKind
	// Name stands for the value in texts: `status`, `placedAt|day`, `shard`.
	Name string
	// Attribute is the attribute it is about; nil of a random shard.
	Attribute *model.Attribute
	// Values are the operands of an IN, one of them a list parameter when FromList.
	Values   []expr.Operand
	FromList bool
	// Unit is the bucket: year, month, week, day, hour, minute or bucket(n).
	Unit expr.Func
	// Low and High are the ends of a bucket's range. Funcs make the bucket of an
	// end; none when the ends are buckets themselves, and an excluded end then
	// is left out.
	Low, High Bound
	Funcs     []expr.Func
	// Shards is the number of shards.
	Shards int
	// Max is the greatest number of requests, 0 when the model does not bound it.
	Max int
}

// Bound is an end of a range.
type Bound struct {
	Value expr.Operand // nil: open
	// Excluded tells that the end itself is not in the range.
	Excluded bool
}
