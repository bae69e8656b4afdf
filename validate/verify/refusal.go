package verify

import (
	"errors"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go"
)

// refusal is DynamoDB's refusal of a request: the request, or the state of the
// table, was at fault. It is no failure of the job.
type refusal struct {
	Code    string
	Message string
	// Conditional tells that a condition did not hold, alone or in a transaction.
	Conditional bool
}

func (r *refusal) Error() string { return r.Code + ": " + r.Message }

// mostQuoted is how much of a value that DynamoDB repeats is shown.
const mostQuoted = 60

// answer is what DynamoDB answers, for a person: of a list that it repeats as a
// value, a hundred members long perhaps, the beginning is enough.
func (r *refusal) answer() string {
	message := r.Message
	if before, rest, found := strings.Cut(message, "Value '["); found {
		if list, after, closed := strings.Cut(rest, "]'"); closed && len(list) > mostQuoted {
			first, _, _ := strings.Cut(list, ", ")
			message = before + "Value '[" + first + ", …]'" + after
		}
	}
	return "DynamoDB answers " + r.Code + ": " + message + "."
}

// refusals are the errors that say something of the request; all others, such
// as throttling and network errors, are failures of the job.
func asRefusal(err error) *refusal {
	var api smithy.APIError
	if !errors.As(err, &api) {
		return nil
	}
	r := &refusal{Code: api.ErrorCode(), Message: api.ErrorMessage()}
	var cancelled *types.TransactionCanceledException
	switch {
	case errors.As(err, &cancelled):
		return cancellation(r, cancelled)
	case r.Code == "ConditionalCheckFailedException":
		r.Conditional = true
		return r
	case r.Code == "ValidationException" || r.Code == "LimitExceededException" || r.Code == "ItemCollectionSizeLimitExceededException" ||
		r.Code == "IdempotentParameterMismatchException" || r.Code == "DuplicateItemException":
		return r
	}
	return nil
}

// cancellation is a cancelled transaction: conditional unless a member was
// refused for another reason. One that was in conflict with another is no answer.
func cancellation(r *refusal, cancelled *types.TransactionCanceledException) *refusal {
	r.Conditional = true
	for _, reason := range cancelled.CancellationReasons {
		switch code := aws.ToString(reason.Code); code {
		case "", "None", "ConditionalCheckFailed":
		case "TransactionConflict", "ThrottlingError", "ProvisionedThroughputExceeded":
			return nil
		default:
			return &refusal{Code: code, Message: aws.ToString(reason.Message)}
		}
	}
	return r
}
