package plan

import (
	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/expr"
)

// Write is a plan to write.
type Write struct {
	// API is PutItem, UpdateItem or DeleteItem for a single action, else
	// BatchWriteItem or TransactWriteItems.
	API API
	// Actions are in the order of the pattern's steps; guards of `unique` follow
	// the action they belong to.
	Actions []*Action
	// Token is the name of the idempotency token's parameter, or "".
	Token string
	// Returns is what the pattern wants back: "", new, old or none.
	Returns string
}

// Action is a put, update, delete or check of one item, repeated for every
// member of the list parameters of ForEach.
type Action struct {
	API     API
	Step    *model.Step
	Entity  *model.Entity
	ForEach []*model.ForEach // outermost first; empty: done once

	// Key is the table's key of the item.
	Key []KeyRecipe
	// Inputs make the item of a put: the entity's attributes and their values.
	// Defaults, derivations and keys are added when the item is encoded.
	Inputs []*model.Assignment
	// Condition is the whole condition: existence, `if`, old values, version.
	Condition expr.Cond
	// Change is the translated change of an update, with what the tool keeps:
	// version, derivations, normalised values.
	Change *expr.Update
	// IndexKeys are the index key attributes that an update rewrites or removes.
	IndexKeys []*IndexKey
	// Uniques are the unique attributes that the action must keep guards for;
	// Guard is set on the actions that do so.
	Guard *Guard
	// Version tells how the version attribute is kept; nil: the entity has none,
	// or the pattern leaves it alone.
	Version *model.Attribute

	// ReadFirst tells that the item is read before the write. Unchanged are the
	// attributes whose values as read the write depends on: it is made on the
	// condition that they are still the same.
	ReadFirst bool
	Unchanged []*model.Attribute
}

// IndexKey is an index key attribute that an update rewrites or removes.
type IndexKey struct {
	Attribute model.KeyAttribute
	// Value is the new value; without parts when the attribute is removed in any case.
	Value Recipe
	// Members are the indexes that have this key attribute, with what decides
	// whether the item is in them after the write. The attribute is written
	// when it is in one of them, and removed otherwise. Empty: always written.
	Members []Membership
}

// Removed tells whether the key attribute is removed in any case.
func (k *IndexKey) Removed() bool { return len(k.Value.Parts) == 0 }

// Membership decides whether the item is in an index after a write.
type Membership struct {
	Index *model.Index
	// When are the conditions that must hold, and Present the attributes that
	// must be there, of the item after the write; what is certain is left out.
	When    []*model.Condition
	Present []*model.Attribute
	// Never tells that the item is certainly not in the index.
	Never bool
}

// Guard is the part of an action that keeps a unique attribute: the action
// puts or deletes the guard item of Unique.
type Guard struct {
	Unique *model.Unique
	// Old tells that the guard is that of the item as it was before the write.
	Old bool
	// Values are the unique attributes' values, in the order of Unique.Of.
	Values []*model.Assignment
}

func (w *Write) text() string { return "" }
