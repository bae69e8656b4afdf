// Package expr reads and evaluates DynamoDB's expressions: conditions and
// filters, key conditions, projections and updates.
//
// A [Context] holds the names and values that the expressions of one request
// share. It parses each expression into a tree in which aliases are replaced
// by what they stand for; the tree is plain data that can also be built by
// hand, which is how the older parameters without expressions are carried out.
// Every refusal is an [attr.ValidationError] with DynamoDB's message.
//
// DynamoDB reads an expression in steps: its size, its syntax, then several
// kinds of faults in the tree, each kind in the order of the text, but lists of
// paths and actions from the end. The parser works in one pass and keeps the
// fault to report of each kind.
package expr

// Kind is the kind of an expression, by the parameter that holds it.
type Kind string

// The kinds of expressions.
const (
	ConditionExpression       Kind = "ConditionExpression"
	FilterExpression          Kind = "FilterExpression"
	KeyConditionExpression    Kind = "KeyConditionExpression"
	ProjectionExpression      Kind = "ProjectionExpression"
	SearchConditionExpression Kind = "SearchConditionExpression"
	UpdateExpression          Kind = "UpdateExpression"
)

// Limits of expressions, from the service quotas page of the DynamoDB
// developer guide.
const (
	MaxBytes      = 4096 // of the text, before aliases are replaced
	MaxOperators  = 300  // parentheses and function calls do not count
	MaxInOperands = 100
	MaxPathDepth  = 32
	MaxTokenBytes = 255 // of one #name or :value

	MaxSubstitutionBytes = 2 << 20 // of all names and values of a request
)
