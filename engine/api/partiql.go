package api

import "github.com/dynmodel/dynmodel/engine/attr"

// ExecuteStatementInput is the request of ExecuteStatement.
type ExecuteStatementInput struct {
	Statement                           *string
	Parameters                          []attr.Value // nil is absent
	ConsistentRead                      bool
	Limit                               *int64
	NextToken                           *string
	ReturnConsumedCapacity              string
	ReturnValuesOnConditionCheckFailure string
}

// ExecuteStatementOutput is the answer of ExecuteStatement.
type ExecuteStatementOutput struct {
	Items            []attr.Item
	NextToken        string
	LastEvaluatedKey attr.Item
	ConsumedCapacity *ConsumedCapacity
}

// ParameterizedStatement is one statement of a batch or a transaction.
// ConsistentRead is for batches only.
type ParameterizedStatement struct {
	Statement                           *string
	Parameters                          []attr.Value // nil is absent
	ConsistentRead                      bool
	ReturnValuesOnConditionCheckFailure string
}

// BatchExecuteStatementInput is the request of BatchExecuteStatement.
type BatchExecuteStatementInput struct {
	Statements             []ParameterizedStatement // nil is absent
	ReturnConsumedCapacity string
}

// BatchExecuteStatementOutput is the answer of BatchExecuteStatement, in the
// order of its statements.
type BatchExecuteStatementOutput struct {
	Responses        []BatchStatementResponse
	ConsumedCapacity []ConsumedCapacity
}

// BatchStatementResponse is what became of one statement. Item is nil if there
// is none.
type BatchStatementResponse struct {
	TableName string
	Item      *attr.Item
	Error     *CancellationReason
}

// ExecuteTransactionInput is the request of ExecuteTransaction.
type ExecuteTransactionInput struct {
	TransactStatements     []ParameterizedStatement // nil is absent
	ClientRequestToken     *string
	ReturnConsumedCapacity string
}

// ExecuteTransactionOutput is the answer of ExecuteTransaction: an item, or
// nil, per statement.
type ExecuteTransactionOutput struct {
	Responses        []*attr.Item
	ConsumedCapacity []ConsumedCapacity
}
