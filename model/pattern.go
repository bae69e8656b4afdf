package model

import (
	"time"

	"github.com/dynmodel/dynmodel/model/expr"
	"github.com/dynmodel/dynmodel/model/source"
	"github.com/dynmodel/dynmodel/model/value"
)

// Operation is what an access pattern, or a step of one, does.
type Operation string

// The operations.
const (
	Get           Operation = "get"
	BatchGet      Operation = "batch_get"
	TransactGet   Operation = "transact_get"
	Query         Operation = "query"
	Scan          Operation = "scan"
	Create        Operation = "create"
	Put           Operation = "put"
	UpdateItem    Operation = "update"
	Delete        Operation = "delete"
	Check         Operation = "check" // only a step of transact_write
	BatchWrite    Operation = "batch_write"
	TransactWrite Operation = "transact_write"
	PartiQL       Operation = "partiql"
	DeleteEach    Operation = "delete_each" // a query, then a delete of each item found
	UpdateEach    Operation = "update_each" // a query, then an update of each item found
	External      Operation = "external"    // served by something else than the table
)

// WritesEach tells whether the operation finds items and then writes each.
func (o Operation) WritesEach() bool { return o == DeleteEach || o == UpdateEach }

// IsRead tells whether the operation only reads. A PartiQL statement tells it by its text.
func (o Operation) IsRead() bool {
	switch o {
	case Get, BatchGet, TransactGet, Query, Scan:
		return true
	}
	return false
}

// Pattern is an access pattern.
type Pattern struct {
	At          source.Span
	Name        Name
	Description string
	Operation   Operation
	// OperationAt is the place of the operation's key and value.
	OperationAt source.Span

	// Entities are what a get, batch_get, transact_get of one entity, query or scan
	// returns, or a delete_each or update_each finds, in the order they are written.
	// All tells `scan: all`.
	Entities []*Entity
	All      bool
	// Step is the single item operation of a get, create, put, update or delete.
	Step *Step
	// Steps are those of batch_write, transact_write, and of a batch_get or
	// transact_get that lists them; of a delete_each or update_each one for each of
	// Entities, whose key is that of an item found, so that it has no Inputs.
	Steps []*Step
	// Statement is that of a partiql pattern.
	Statement *Statement
	// Service is what serves an external pattern.
	Service string
	// Then is the batch_get of what the items found by a query refer to; nil: none.
	Then *Then

	Where  *Condition // nil: none
	Filter *Condition // nil: none; written by the user
	// Index pins the index by name; IndexPinned tells that it was written. Index
	// nil with IndexPinned is the table itself.
	Index       *Index
	IndexPinned bool
	IndexAt     source.Span
	// Key pins the request's key condition, one entry per key attribute.
	Key []*KeyCondition

	Order                            []OrderBy
	Limit                            int // 0: none
	Page                             int // 0: none
	One                              bool
	Span                             time.Duration // 0: none
	Select                           []Name        // nil: everything
	Count                            bool
	Consistent                       bool
	Returns                          string // "", new, old, none
	AllowFilter, Across, Unversioned bool
	Token                            string // name of the idempotency token's parameter, or ""
	After                            *Pattern
	Parameters                       []*Parameter // all of them, in order of first use
	// Derived are the parameters that are computed from others, in order of their
	// declaration. They are not among Parameters, and expressions hold what they
	// stand for in their place.
	Derived []*DerivedParameter
	// Require is what callers must see to: a condition on parameters; nil: none.
	Require *Condition
	// IncludeDead tells that the read sees items that are not live, too.
	IncludeDead bool
	Rate, Peak  *Rate
	Skew        *Skew
	Daily       *Daily // nil: not told
	Budget      *Budget
	Examples    []*Example
	Ignores     []*Ignore
}

// Parameter is the parameter of that name, or nil.
func (p *Pattern) Parameter(name string) *Parameter {
	for _, q := range p.Parameters {
		if q.Name == name {
			return q
		}
	}
	return nil
}

// AllSteps are the pattern's write or read steps, however it is written: that
// of a single item operation, or the steps with those inside a for_each, in order.
func (p *Pattern) AllSteps() []*Step {
	if p.Step != nil {
		return []*Step{p.Step}
	}
	return flatten(p.Steps)
}

func flatten(steps []*Step) []*Step {
	var out []*Step
	for _, s := range steps {
		if s.ForEach != nil {
			out = append(out, flatten(s.ForEach.Steps)...)
		} else {
			out = append(out, s)
		}
	}
	return out
}

// Then is a batch_get by the items that a query found.
type Then struct {
	At     source.Span
	Entity *Entity
	// Keys has an entry for each attribute in the table keys of Entity: Own, of
	// the items found, holds what Target, of Entity, is.
	Keys []RefPart
}

// DerivedParameter is a parameter that is computed from others.
type DerivedParameter struct {
	At          source.Span
	Name        string
	Value       expr.Operand // over parameters and $now
	Description string
}

// Step is one operation on one item; or, when ForEach is set and nothing else
// is, a repetition of steps.
type Step struct {
	At          source.Span
	Operation   Operation // get, create, put, update, delete, check
	OperationAt source.Span
	Entity      *Entity
	ForEach     *ForEach

	// Change is that of an update. Its tree sets the attributes of OnWrite too,
	// unless it does so itself.
	Change *Change
	If     *Condition // nil: none
	// With fixes attribute values or renames parameters.
	With []*Assignment
	// Old are the present values of attributes, given by the caller.
	Old         []*Assignment
	ReadFirst   bool
	Upsert      bool
	MustExist   bool // of a delete
	Unversioned bool
	// Version is the present version that the caller gives, for a put, update or
	// delete of an entity with one; nil when it is unversioned or read first.
	Version *Assignment
	// Inputs are the attributes whose values the call brings, in the entity's
	// order, each with where its value comes from: the key attributes for get,
	// update, delete and check, the whole item for create and put. With is worked in.
	Inputs []*Assignment
}

// Assignment gives an attribute a value: a parameter, a literal, $now or
// arithmetic on it. A Value of nil leaves the attribute out.
type Assignment struct {
	At        source.Span
	Attribute *Attribute
	Value     expr.Operand
}

// ForEach repeats steps for the members of a list parameter.
type ForEach struct {
	At    source.Span
	Param string
	Count Range
	Steps []*Step
}

// Change is an update expression as written, with its tree.
type Change struct {
	At     source.Span
	Text   string
	Update *expr.Update
}

// KeyCondition is a pinned condition on one key attribute.
type KeyCondition struct {
	At        source.Span
	Attribute KeyAttribute
	Op        KeyOp
	// Values are templates over the pattern's parameters: one, or two for between.
	Values []ParamTemplate
}

// KeyOp is an operator of a key condition.
type KeyOp string

// The operators of key conditions.
const (
	KeyEq         KeyOp = "="
	KeyLt         KeyOp = "<"
	KeyLe         KeyOp = "<="
	KeyGt         KeyOp = ">"
	KeyGe         KeyOp = ">="
	KeyBetween    KeyOp = "between"
	KeyBeginsWith KeyOp = "begins_with"
)

// ParamTemplate is a template over parameters, as in a pinned request.
type ParamTemplate struct {
	At    source.Span
	Text  string
	Parts []ParamPart
}

// ParamPart is literal text, a parameter, or the current time when Now is set;
// functions are applied to the latter two.
type ParamPart struct {
	At      source.Span
	Literal string
	Param   *Parameter
	Now     bool
	Funcs   []expr.Func
}

// OrderBy is an attribute to order by; or, in an order over types, where every
// entry has an Entity, the place of its items and how they are ordered there.
type OrderBy struct {
	At source.Span
	// Entity is the entity whose items come here, those of one entity after those
	// of the other in the order of their first entries; nil: an order of all items.
	Entity    *Entity
	Attribute string // "" with an Entity whose items have no order among them
	Desc      bool
}

// Parameter is something the caller gives.
type Parameter struct {
	At          source.Span // where it is first used, or declared
	Name        string
	Description string
	// Like is the attribute it is compared with or assigned to, whose domain it
	// has; nil when Declared is the only source.
	Like *Attribute
	// LikeEntity is the entity of Like.
	LikeEntity *Entity
	// Declared is its own type and domain from `params`, or nil. It narrows Like.
	Declared *Attribute
	// Funcs were applied to the attribute it is compared with: in
	// `status|prefix` comparisons its domain is that function's.
	Funcs []expr.Func
	// List tells a list parameter: of `IN $ids`, for_each, or a batch's keys.
	List bool
	// Max is the longest list (0: not declared).
	Max int64
	// Fields are the parameters inside a for_each or of a batch's keys, when List.
	Fields []*Parameter
	// Optional tells `$name?`: the condition or SET action that holds it falls away.
	Optional bool
	// MayBeAbsent tells the value of an item's optional attribute, or of one with
	// a default, of a create or put: the caller may leave it out of the item.
	MayBeAbsent bool
}

// Domain is the attribute definition the parameter's values are drawn from:
// Declared, else Like; nil when neither is known.
func (p *Parameter) Domain() *Attribute {
	if p.Declared != nil {
		return p.Declared
	}
	return p.Like
}

// Skew is how unevenly the traffic falls on partition key values.
type Skew struct {
	At      source.Span
	Kind    string  // uniform, zipf or hottest
	Hottest float64 // share of the busiest value, of hottest
}

// Daily is how the calls of a day are spread over its hours, in UTC.
type Daily struct {
	At source.Span
	// Weights are those of the hours from midnight on; they need not add up to anything.
	Weights [24]float64
}

// Budget is what a pattern may use; nil members are not limited.
type Budget struct {
	At                            source.Span
	RCU, WCU, Requests, ItemsRead *float64
}

// Example states a call and what it must give on the samples.
type Example struct {
	At     source.Span
	With   map[string]value.Value
	Expect []ExpectedItem
}

// ExpectedItem is an item an example expects, partly stated.
type ExpectedItem struct {
	At     source.Span
	Entity *Entity // nil: any
	Item   Item
}

// Statement is a PartiQL statement as written.
type Statement struct {
	At      source.Span
	Text    string
	Returns []*Entity
}
