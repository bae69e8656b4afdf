package plan

import (
	"slices"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/expr"
)

// Write is a plan to write.
type Write struct {
	// API is PutItem, UpdateItem or DeleteItem for a single action without
	// guards, else BatchWriteItem or TransactWriteItems.
	API API
	// Actions are in the order of the pattern's steps.
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
	// Found tells that it is done to an item that was found, whose key and
	// attributes are at hand as of one that is read first.
	Found bool

	// Key is the table's key of the item, from the same values as the item of a put.
	Key []KeyRecipe
	// Inputs make the item of a put: the entity's attributes and their values.
	// Defaults, derivations, keys and the entity type are added to them.
	Inputs []*model.Assignment
	// Condition is the whole condition: existence, `if`, old values, version. A
	// write that reads first adds that Unchanged are as they were read.
	Condition expr.Cond
	// Change is what an update changes: what the pattern says with normalised
	// values, and what the tool keeps, which is version and derivations. Nil
	// when there is nothing but index keys.
	Change *expr.Update
	// IndexKeys are the index key attributes that an update rewrites or removes.
	IndexKeys []*IndexKey
	// Guards are what becomes of the guards of unique attributes, in the same
	// transaction.
	Guards []*Guard

	// ReadFirst tells that the item is read before the write. Unchanged are the
	// attributes whose values as read the write depends on: it is made on the
	// condition that they are still the same.
	ReadFirst bool
	Unchanged []*model.Attribute

	// before and after are what is certain of the item that an update changes.
	before, after expr.Cond
}

// IndexKey is an index key attribute that an update rewrites or removes.
type IndexKey struct {
	Attribute model.KeyAttribute
	// Value is the new value; without parts when the attribute is removed in any case.
	Value Recipe
	// Members are the indexes on which it depends whether the attribute is
	// written: when the item is in one of them after the write; it is removed
	// otherwise. Empty: no doubt about it.
	Members []Membership
}

// Removed tells whether the key attribute is removed in any case.
func (k *IndexKey) Removed() bool { return len(k.Value.Parts) == 0 }

// Membership decides whether the item is in an index after an update: when all
// conditions hold and there is something at all the places. What is certain is
// left out.
type Membership struct {
	Index   *model.Index
	When    []*model.Condition
	Present []expr.Path
	// Known are the values after the update of the attributes in When and Present.
	Known []*model.Assignment
}

// Guard is what becomes of the guard of a unique rule: the one of the values
// before the write is deleted, the one of those after it put, which fails when
// it exists. Nothing happens when they are the same.
type Guard struct {
	Unique *model.Unique
	// Old and New are the attributes that decide the guard's key and whether
	// there is one, before and after the write; nil for no guard.
	Old, New []*model.Assignment
}

// Nested visits actions in order at a depth of lists: one that is of this depth by
// itself, those that a list further in repeats all together.
func Nested(actions []*Action, depth int, one func(*Action) error, loop func(*model.ForEach, []*Action) error) error {
	for len(actions) > 0 {
		n, err := 1, error(nil)
		if len(actions[0].ForEach) == depth {
			err = one(actions[0])
		} else {
			over := actions[0].ForEach[depth]
			n = slices.IndexFunc(actions, func(a *Action) bool { return len(a.ForEach) <= depth || a.ForEach[depth] != over })
			if n < 0 {
				n = len(actions)
			}
			err = loop(over, actions[:n])
		}
		if err != nil {
			return err
		}
		actions = actions[n:]
	}
	return nil
}
