package differ

import (
	"maps"
	"strings"
)

// Known is a fault of DynamoDB Local: a difference from DynamoDB that is
// expected, with the reason to believe DynamoDB to be otherwise.
type Known struct {
	Name, Reason string
	// Diverges says that it may leave other items behind, though both answers
	// are successes.
	Diverges bool
	// Applies reports whether a difference is this one.
	Applies func(operation Operation, left, right answer) bool
}

// FaultsOfDynamoDBLocal lists what version 1.25.1 is known to do otherwise.
func FaultsOfDynamoDBLocal() []Known {
	return []Known{
		{
			Name:   "capacity of deleting nothing",
			Reason: "Capacity is returned to those who ask for it; a delete of nothing costs one unit, in a batch too.",
			Applies: func(o Operation, left, right answer) bool {
				return (o.Name == "DeleteItem" || o.Name == "BatchWriteItem" && o.asks("DeleteRequest")) &&
					sameBut(left, right, "ConsumedCapacity")
			},
		},
		{
			Name:   "capacity of reading nothing",
			Reason: "A read that finds nothing costs the minimum.",
			Applies: func(o Operation, left, right answer) bool {
				nothing := left.body["ScannedCount"] == 0.0 || o.Name == "BatchGetItem"
				return nothing && sameBut(left, right, "ConsumedCapacity")
			},
		},
		{
			Name:   "capacity of transactions",
			Reason: "A transaction costs double on the table, and not on its indexes.",
			Applies: func(o Operation, left, right answer) bool {
				return strings.HasPrefix(o.Name, "Transact") && sameBut(left, right, "ConsumedCapacity")
			},
		},
		{
			Name:   "reasons of cancellation",
			Reason: "All failed conditions have one text, and all reasons are in a list. Texts differ, and a key error has no list.",
			Applies: func(o Operation, left, right answer) bool {
				return left.code == "TransactionCanceledException" && left.code == right.code &&
					(len(right.body) == 0 || encode(left.codesAndItems()) == encode(right.codesAndItems()))
			},
		},
		{
			Name:   "paths that overlap",
			Reason: "The message names the two paths that overlap, not the last one of the expression.",
			Applies: func(o Operation, left, right answer) bool {
				return samePrefix(left, right, "; path one")
			},
		},
		{
			Name:   "touched paths",
			Reason: "UPDATED_OLD and UPDATED_NEW return the touched paths, not the whole attributes around them.",
			Applies: func(o Operation, left, right answer) bool {
				return o.asks("ReturnValues", "UPDATED_") && sameBut(left, right, "Attributes")
			},
		},
		{
			Name:     "removing from a missing item",
			Reason:   "Without an item there is nothing to remove: paths are not looked at, and nothing is created or returned.",
			Diverges: true,
			Applies: func(o Operation, left, right answer) bool {
				return (o.asks("UpdateExpression") || o.asks("AttributeUpdates")) && !left.failed() &&
					(sameBut(left, right, "Attributes") || strings.HasPrefix(right.message, "The document path"))
			},
		},
		{
			Name:   "errors of items in transactions",
			Reason: "What is found when an action runs cancels the transaction; with a ValidationError, other actions have no reason.",
			Applies: func(o Operation, left, right answer) bool {
				return left.code == "TransactionCanceledException" && right.failed() &&
					(strings.Contains(left.message, "ValidationError") || aboutDocument(right.message))
			},
		},
		{
			Name:   "several faulty actions",
			Reason: "Which of several faulty actions is reported is not defined.",
			Applies: func(o Operation, left, right answer) bool {
				return strings.HasPrefix(o.Name, "Transact") && left.code == "ValidationException" && left.code == right.code
			},
		},
		{
			Name:   "end of a range",
			Reason: "LastEvaluatedKey is there whenever Limit stopped the read, even where the range ends.",
			Applies: func(o Operation, left, right answer) bool {
				return o.Name == "Query" && o.asks("Limit") && left.body["LastEvaluatedKey"] != nil &&
					sameBut(left, right, "LastEvaluatedKey")
			},
		},
		{
			Name:   "two actions on one item",
			Reason: "They fail the request, whatever their conditions say.",
			Applies: func(o Operation, left, right answer) bool {
				return left.message == "Transaction request cannot include multiple operations on one item"
			},
		},
		{
			Name:   "index keys of the wrong type",
			Reason: "An update that makes an index key unfit is refused.",
			Applies: func(o Operation, left, right answer) bool {
				return strings.Contains(left.text(), "Type mismatch for Index Key") &&
					!strings.Contains(right.text(), "Type mismatch for Index Key")
			},
		},
		{
			Name:   "duplicate keys by value",
			Reason: "1 and 1.0 are one key, so a batch may not name both.",
			Applies: func(o Operation, left, right answer) bool {
				return left.message == "Provided list of item keys contains duplicates" && !right.failed()
			},
		},
		{
			Name:   "internal failure",
			Reason: "It is not the request's fault.",
			Applies: func(o Operation, left, right answer) bool {
				return right.code == "InternalFailure"
			},
		},
		{
			Name:   "keys before expressions",
			Reason: "Expressions are checked before keys are compared with the schema.",
			Applies: func(o Operation, left, right answer) bool {
				return left.code == "ValidationException" && aboutKey(right.message)
			},
		},
		{
			Name:   "bounds in messages",
			Reason: "Binary is shown as an object of Java, and numbers as they came.",
			Applies: func(o Operation, left, right answer) bool {
				return samePrefix(left, right, "lower bound operand")
			},
		},
		{
			Name:   "two errors of legacy conditions",
			Reason: "Which of several wrong conditions is reported is not defined.",
			Applies: func(o Operation, left, right answer) bool {
				return samePrefix(left, right, "ComparisonOperator")
			},
		},
		{
			Name:   "legacy parameters before keys",
			Reason: "What is wrong without knowing the table is said first.",
			Applies: func(o Operation, left, right answer) bool {
				return strings.HasPrefix(left.message, "ConditionalOperator can") &&
					(aboutKey(right.message) || strings.HasSuffix(right.message, "does not match schema type") ||
						strings.HasPrefix(right.message, "Query condition missed key schema element"))
			},
		},
		{
			Name:   "types of legacy updates",
			Reason: "Whether an action takes a value is known before the item is read.",
			Applies: func(o Operation, left, right answer) bool {
				return strings.Contains(left.message, "is not supported for the type") && left.code == "ValidationException"
			},
		},
		{
			Name:   "queries of indexes",
			Reason: "An entry costs its own size, not 100 bytes more, and what it has is not fetched, even if an alias names it.",
			Applies: func(o Operation, left, right answer) bool {
				return o.Name == "Query" && o.asks("IndexName") && left.capacity() < right.capacity() &&
					sameBut(left, right, "ConsumedCapacity")
			},
		},
		{
			Name:   "scans of indexes",
			Reason: "A scan sees the entries of an index, and costs their sizes; here filters and sizes are those of whole items.",
			Applies: func(o Operation, left, right answer) bool {
				return o.Name == "Scan" && o.asks("IndexName") && left.body["ScannedCount"] == right.body["ScannedCount"] &&
					(o.asks("FilterExpression") || sameBut(left, right, "ConsumedCapacity"))
			},
		},
		{
			Name:   "parentheses before syntax",
			Reason: "An expression that does not parse has no parentheses to judge.",
			Applies: func(o Operation, left, right answer) bool {
				return strings.Contains(left.message, "Syntax error") && strings.Contains(right.message, "redundant parentheses")
			},
		},
		{
			Name:   "broken requests",
			Reason: "What breaks the protocol or the service model is refused, in words of their own; nothing is converted or passed over.",
			Applies: func(o Operation, left, right answer) bool {
				return o.Spoiled && left.failed()
			},
		},
		{
			Name:   "paths into keys",
			Reason: "Expressions are held against the keys of the table before an item is read.",
			Applies: func(o Operation, left, right answer) bool {
				return strings.Contains(left.message, "Key attributes must be scalars") && right.failed()
			},
		},
		{
			Name:   "keys in filters",
			Reason: "Which of two key attributes is named is not defined.",
			Applies: func(o Operation, left, right answer) bool {
				return samePrefix(left, right, "Primary key attribute:")
			},
		},
		{
			Name:   "size as a name",
			Reason: "SIZE is a reserved word.",
			Applies: func(o Operation, left, right answer) bool {
				return strings.HasSuffix(left.message, "reserved keyword: size")
			},
		},
		{
			Name:   "value after a dot",
			Reason: "The token that does not fit is the value.",
			Applies: func(o Operation, left, right answer) bool {
				return strings.Contains(o.Body, ". :") && samePrefix(left, right, "token")
			},
		},
		{
			Name:   "two errors of an update",
			Reason: "Which of several errors of a document is reported is not defined.",
			Applies: func(o Operation, left, right answer) bool {
				return o.asks("UpdateExpression") && aboutDocument(left.message) && aboutDocument(right.message)
			},
		},
	}
}

func aboutDocument(message string) bool {
	for _, prefix := range []string{"The provided expression refers", "The document path",
		"An operand in the update expression", "Number ", "Attempting to store", "Invalid attribute value type"} {
		if strings.HasPrefix(message, prefix) {
			return true
		}
	}
	return false
}

func aboutKey(message string) bool {
	switch message {
	case "Invalid attribute value type", "The number of conditions on the keys is invalid",
		"One of the required keys was not given a value",
		"One or more parameter values were invalid: Type mismatch for key":
		return true
	}
	return false
}

// sameBut compares answers without one member of their bodies.
func sameBut(left, right answer, member string) bool {
	return same(left.without(member), right.without(member))
}

// capacity is what the operation cost in all, if it says so.
func (a answer) capacity() float64 {
	consumed, _ := a.body["ConsumedCapacity"].(object)
	units, _ := consumed["CapacityUnits"].(float64)
	return units
}

func (a answer) without(member string) answer {
	a.body = maps.Clone(a.body)
	delete(a.body, member)
	return a
}

// samePrefix compares exceptions up to a word of their messages.
func samePrefix(left, right answer, word string) bool {
	l, _, found := strings.Cut(left.message, word)
	r, _, _ := strings.Cut(right.message, word)
	return found && l == r && left.code == right.code
}

// codesAndItems are the reasons of a cancelled transaction without their texts.
func (a answer) codesAndItems() []any {
	var reasons []any
	list, _ := a.body["CancellationReasons"].([]any)
	for _, reason := range list {
		if reason, ok := reason.(object); ok {
			reasons = append(reasons, reason["Code"], reason["Item"])
		}
	}
	return reasons
}
