package store

import (
	"errors"
	"fmt"
	"strings"
)

// What errors of the accessors are, for errors.Is.
var (
	// ErrNotFound: there is no such item, or none that is seen.
	ErrNotFound = errors.New("no such item")
	// ErrNotOne: several items match where there is to be one.
	ErrNotOne = errors.New("more than one item matches")
	// ErrNoMatch: the arguments are such that nothing can match, and there is no
	// request to make of them. Only the methods that give a request return it.
	ErrNoMatch = errors.New("nothing can match")
	// ErrConditionFailed: the item is not as the write requires it, see *ConditionError.
	ErrConditionFailed = errors.New("the condition does not hold")
	// ErrLostRace: another write came in between; read again, and try again.
	ErrLostRace = errors.New("the item has changed in between")
	// ErrInvalid: an argument is not as the model declares it, see *ValueError.
	ErrInvalid = errors.New("invalid")
	// ErrCursor: the cursor is not of this pattern and these parameters.
	ErrCursor = errors.New("the cursor does not belong to this call")
	// ErrUnknownItem: an item is of no entity of this package.
	ErrUnknownItem = errors.New("an item of an unknown entity")
)

// ValueError says that a value is not as the model declares it, or cannot
// stand in a key.
type ValueError struct {
	Attribute string // the attribute, parameter or key
	Problem   string // what is wrong with it
}

func (e *ValueError) Error() string { return e.Attribute + " " + e.Problem }

// Is makes every ValueError an ErrInvalid.
func (e *ValueError) Is(target error) bool { return target == ErrInvalid }

// ConditionError says that an item is not as a write requires it.
type ConditionError struct {
	Pattern, Entity string
	// Item is the item as it is stored; nil when there is none, or it is of no
	// entity of this package.
	Item Entity
	// Missing tells that there is no item.
	Missing bool
	// Lost tells that a version, or what was read first, has changed in between.
	Lost bool
	Err  error // of the SDK
}

func (e *ConditionError) Error() string {
	switch {
	case e.Lost:
		return fmt.Sprintf("%s: %s: %s", e.Pattern, e.Entity, ErrLostRace)
	case e.Missing:
		return fmt.Sprintf("%s: %s: %s", e.Pattern, e.Entity, ErrNotFound)
	}
	return fmt.Sprintf("%s: %s: %s", e.Pattern, e.Entity, ErrConditionFailed)
}

// Unwrap is the error of the SDK.
func (e *ConditionError) Unwrap() error { return e.Err }

// Is tells what the error is beside an ErrConditionFailed: an ErrLostRace, or an
// ErrNotFound when there is no item.
func (e *ConditionError) Is(target error) bool {
	return target == ErrConditionFailed || target == ErrLostRace && e.Lost || target == ErrNotFound && e.Missing
}

// ExistsError says that an item cannot be created because there is one already,
// or one with a value that no two may share.
type ExistsError struct {
	Pattern, Entity string
	Attributes      []string // whose values are taken
	Err             error    // of the SDK
}

func (e *ExistsError) Error() string {
	return fmt.Sprintf("%s: another %s with this %s exists", e.Pattern, e.Entity, strings.Join(e.Attributes, " and "))
}

// Unwrap is the error of the SDK.
func (e *ExistsError) Unwrap() error { return e.Err }

// Is makes every ExistsError an ErrConditionFailed.
func (e *ExistsError) Is(target error) bool { return target == ErrConditionFailed }

// TransactionError says which step of a transaction failed, and why. Nothing of
// the transaction was done.
type TransactionError struct {
	Pattern string
	Step    int    // counted from 0, as in the model
	Name    string // such as "create OrderItem"
	Member  int    // which member of the list, of a repeated step
	Code    string // DynamoDB's reason, such as ConditionalCheckFailed or TransactionConflict
	Err     error  // a *ConditionError, an *ExistsError, or that of the SDK
}

func (e *TransactionError) Error() string {
	return fmt.Sprintf("%s: step %d, %s: %s: %v", e.Pattern, e.Step+1, e.Name, e.Code, e.Err)
}

// Unwrap is why the step failed.
func (e *TransactionError) Unwrap() error { return e.Err }

// ItemError says that an item as it is stored is not what the model says.
type ItemError struct {
	Entity, Attribute, Problem string
}

func (e *ItemError) Error() string {
	return fmt.Sprintf("a stored %s: %s %s", e.Entity, e.Attribute, e.Problem)
}
