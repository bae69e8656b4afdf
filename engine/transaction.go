package engine

import (
	"slices"
	"strings"

	"github.com/dynmodel/dynmodel/engine/api"
)

// Limits of transactions (service quotas, DynamoDB developer guide).
const (
	maxTransactItems = 100
	maxTransactBytes = 4 << 20
	maxTokenLength   = 36
)

// reasonNone is the code of an action that was not at fault.
const reasonNone = "None"

func checkTransactItems(shape string, n int, absent bool) error {
	if absent {
		return api.Required("transactItems")
	}
	return checkCount("transactItems", shape, n, maxTransactItems)
}

var errSameItem = api.Invalid("Transaction request cannot include multiple operations on one item")

func checkTransactBytes(n int) error {
	if n > maxTransactBytes {
		return api.Invalid("Transaction payload size cannot exceed 4MB. Payload Size: %d", n)
	}
	return nil
}

// reasons collects why a transaction is cancelled: at most one reason for each
// of its actions.
type reasons []api.CancellationReason

func newReasons(actions int) reasons {
	r := make(reasons, actions)
	for i := range r {
		r[i].Code = reasonNone
	}
	return r
}

// add records why action i failed. An error that no action can be blamed for
// is returned.
func (r reasons) add(i int, err error) error {
	reason, ok := reasonOf(err)
	if !ok {
		return err
	}
	r[i] = reason
	return nil
}

// reasonOf returns an error as the reason of one action or statement; ok is
// false if it concerns the request as a whole.
func reasonOf(err error) (reason api.CancellationReason, ok bool) {
	refusal, ok := err.(*api.Error)
	if !ok {
		return reason, false
	}
	code, ok := map[api.Code]string{
		api.ConditionalCheckFailed:          "ConditionalCheckFailed",
		api.DuplicateItem:                   "DuplicateItem",
		api.ItemCollectionSizeLimitExceeded: "ItemCollectionSizeLimitExceeded",
		api.Throttling:                      "ThrottlingError",
		api.ThroughputExceeded:              "ProvisionedThroughputExceeded",
		api.TransactionConflict:             "TransactionConflict",
		api.Validation:                      "ValidationError",
	}[refusal.Code]
	return api.CancellationReason{Code: code, Message: refusal.Message, Item: refusal.Item}, ok
}

// cancelled returns the error of a transaction that was cancelled, or nil if
// no action failed.
func (r reasons) cancelled() error {
	if !slices.ContainsFunc(r, func(reason api.CancellationReason) bool { return reason.Code != reasonNone }) {
		return nil
	}
	codes := make([]string, len(r))
	for i, reason := range r {
		codes[i] = reason.Code
	}
	err := api.Errorf(api.TransactionCanceled, "Transaction cancelled, please refer cancellation reasons for specific reasons [%s]", strings.Join(codes, ", "))
	err.Reasons = r
	return err
}
