package api

import (
	"errors"
	"fmt"
	"net/http"

	"github.com/dynmodel/dynmodel/engine/attr"
)

// Code names a kind of error, as in the __type member of an answer.
type Code string

// The codes that the engine answers with.
const (
	BackupInUse                     Code = "BackupInUseException"
	BackupNotFound                  Code = "BackupNotFoundException"
	ContinuousBackupsUnavailable    Code = "ContinuousBackupsUnavailableException"
	ConditionalCheckFailed          Code = "ConditionalCheckFailedException"
	DuplicateItem                   Code = "DuplicateItemException"
	ExpiredIterator                 Code = "ExpiredIteratorException"
	ExportConflict                  Code = "ExportConflictException"
	ExportNotFound                  Code = "ExportNotFoundException"
	GlobalTableAlreadyExists        Code = "GlobalTableAlreadyExistsException"
	GlobalTableNotFound             Code = "GlobalTableNotFoundException"
	IdempotentParameterMismatch     Code = "IdempotentParameterMismatchException"
	ImportConflict                  Code = "ImportConflictException"
	ImportNotFound                  Code = "ImportNotFoundException"
	IncompleteSignature             Code = "IncompleteSignatureException"
	InternalServerError             Code = "InternalServerError"
	InvalidExportTime               Code = "InvalidExportTimeException"
	InvalidRestoreTime              Code = "InvalidRestoreTimeException"
	InvalidSignature                Code = "InvalidSignatureException"
	ItemCollectionSizeLimitExceeded Code = "ItemCollectionSizeLimitExceededException"
	LimitExceeded                   Code = "LimitExceededException"
	MissingAuthenticationToken      Code = "MissingAuthenticationTokenException"
	PointInTimeRecoveryUnavailable  Code = "PointInTimeRecoveryUnavailableException"
	PolicyNotFound                  Code = "PolicyNotFoundException"
	ReplicaNotFound                 Code = "ReplicaNotFoundException"
	RequestTooLarge                 Code = "RequestEntityTooLargeException"
	ResourceInUse                   Code = "ResourceInUseException"
	ResourceNotFound                Code = "ResourceNotFoundException"
	Serialization                   Code = "SerializationException"
	TableAlreadyExists              Code = "TableAlreadyExistsException"
	TableInUse                      Code = "TableInUseException"
	TableNotFound                   Code = "TableNotFoundException"
	Throttling                      Code = "ThrottlingException"
	ThroughputExceeded              Code = "ProvisionedThroughputExceededException"
	TransactionCanceled             Code = "TransactionCanceledException"
	TransactionConflict             Code = "TransactionConflictException"
	TransactionInProgress           Code = "TransactionInProgressException"
	TrimmedDataAccess               Code = "TrimmedDataAccessException"
	UnknownOperation                Code = "UnknownOperationException"
	Validation                      Code = "ValidationException"
)

// An Error is any refusal of a request.
type Error struct {
	Code    Code
	Message string

	// Item is the item that failed a condition, if the request asked for it.
	Item *attr.Item

	// Reasons has one entry per action of a cancelled transaction, in the
	// order of the request.
	Reasons []CancellationReason

	// Throttled says what was throttled, and why.
	Throttled []ThrottlingReason

	constraint bool // the service model is what was broken, not a rule behind it
}

// A ThrottlingReason is a limit that was reached: what is limited and how, as
// in "TableReadKeyRangeThroughputExceeded", and the ARN of the table or index.
type ThrottlingReason struct {
	Reason   string
	Resource string
}

// A CancellationReason says how one action contributed to the cancellation of
// its transaction. Code is "None" for an action that was not at fault.
type CancellationReason struct {
	Code    string
	Message string
	Item    *attr.Item
}

func (e *Error) Error() string { return string(e.Code) + ": " + e.Message }

// Status is the HTTP status that goes with the error.
func (e *Error) Status() int {
	switch e.Code {
	case InternalServerError:
		return http.StatusInternalServerError
	case RequestTooLarge:
		return http.StatusRequestEntityTooLarge
	}
	return http.StatusBadRequest
}

// Errorf returns an error of the given code.
func Errorf(code Code, format string, args ...any) *Error {
	return &Error{Code: code, Message: fmt.Sprintf(format, args...)}
}

// Invalid returns a ValidationException.
func Invalid(format string, args ...any) *Error {
	return Errorf(Validation, format, args...)
}

// InvalidParameter returns a ValidationException with the prefix that the
// service puts before most findings about the values of parameters.
func InvalidParameter(format string, args ...any) *Error {
	return Invalid("One or more parameter values were invalid: "+format, args...)
}

// Constraint returns the ValidationException for a member that breaks a
// constraint of the service model.
func Constraint(value, member, constraint string) *Error {
	return broken("Value '%s' at '%s' failed to satisfy constraint: %s", value, member, constraint)
}

// Required returns the ValidationException for a member that is absent.
func Required(member string) *Error {
	return broken("Value null at '%s' failed to satisfy constraint: Member must not be null", member)
}

func broken(format string, args ...any) *Error {
	e := Invalid("1 validation error detected: "+format, args...)
	e.constraint = true
	return e
}

// First returns the error that a request is refused with, of those found in
// the order of the service: the first broken constraint of the service model,
// which is looked at as a whole before anything else; without one, the first
// error. (Until October 2026 the service listed all broken constraints.)
func First(errs ...error) error {
	var first error
	for _, err := range errs {
		var e *Error
		if errors.As(err, &e) && e.constraint {
			return err
		}
		if first == nil {
			first = err
		}
	}
	return first
}
