package api

import "github.com/dynmodel/dynmodel/engine/attr"

// Blank is the value of an enumeration that is given, but empty. The empty
// string is one that is not given.
const Blank = "\x00"

// Substitutions are what the expressions of one request share: the attribute
// names behind #tokens, and the values named by their :tokens. Nil is absent,
// which differs from empty.
type Substitutions struct {
	ExpressionAttributeNames  map[string]string
	ExpressionAttributeValues *attr.Item
}

// Conditional holds the two generations of a write's condition.
type Conditional struct {
	ConditionExpression                 *string
	ReturnValuesOnConditionCheckFailure string

	Expected            map[string]ExpectedAttributeValue // legacy
	ConditionalOperator string                            // legacy
}

// Report asks for figures beside the answer.
type Report struct {
	ReturnConsumedCapacity      string
	ReturnItemCollectionMetrics string
}

// GetItemInput is the request of GetItem.
type GetItemInput struct {
	TableName                *string
	Key                      *attr.Item
	ConsistentRead           bool
	ProjectionExpression     *string
	ExpressionAttributeNames map[string]string
	AttributesToGet          []string // legacy
	ReturnConsumedCapacity   string
}

// GetItemOutput is the answer of GetItem. Item is nil if there is none.
type GetItemOutput struct {
	Item             *attr.Item
	ConsumedCapacity *ConsumedCapacity
}

// PutItemInput is the request of PutItem.
type PutItemInput struct {
	TableName    *string
	Item         *attr.Item
	ReturnValues string
	Conditional
	Substitutions
	Report
}

// UpdateItemInput is the request of UpdateItem.
type UpdateItemInput struct {
	TableName        *string
	Key              *attr.Item
	UpdateExpression *string
	AttributeUpdates map[string]AttributeValueUpdate // legacy
	ReturnValues     string
	Conditional
	Substitutions
	Report
}

// DeleteItemInput is the request of DeleteItem.
type DeleteItemInput struct {
	TableName    *string
	Key          *attr.Item
	ReturnValues string
	Conditional
	Substitutions
	Report
}

// WriteItemOutput is the answer of PutItem, UpdateItem and DeleteItem.
// Attributes is empty if there is nothing to return.
type WriteItemOutput struct {
	Attributes            attr.Item
	ConsumedCapacity      *ConsumedCapacity
	ItemCollectionMetrics *ItemCollectionMetrics
}

// ReadInput is what Query and Scan have in common.
type ReadInput struct {
	TableName              *string
	IndexName              *string
	ConsistentRead         bool
	FilterExpression       *string
	ProjectionExpression   *string
	Select                 string
	Limit                  *int64
	ExclusiveStartKey      *attr.Item
	AttributesToGet        []string // legacy
	ConditionalOperator    string   // legacy
	ReturnConsumedCapacity string
	Substitutions
}

// QueryInput is the request of Query.
type QueryInput struct {
	ReadInput
	KeyConditionExpression *string
	ScanIndexForward       *bool                // absent is true
	KeyConditions          map[string]Condition // legacy
	QueryFilter            map[string]Condition // legacy
}

// ScanInput is the request of Scan.
type ScanInput struct {
	ReadInput
	Segment       *int64
	TotalSegments *int64
	ScanFilter    map[string]Condition // legacy
}

// ReadOutput is the answer of Query and Scan: one page. Items is nil for a
// count. LastEvaluatedKey is empty on the last page.
type ReadOutput struct {
	Items            []attr.Item
	Count            int
	ScannedCount     int
	LastEvaluatedKey attr.Item
	ConsumedCapacity *ConsumedCapacity
}

// KeysAndAttributes are the reads of one table in a BatchGetItem.
type KeysAndAttributes struct {
	Keys                     []attr.Item
	ConsistentRead           *bool
	ProjectionExpression     *string
	ExpressionAttributeNames map[string]string
	AttributesToGet          []string // legacy
}

// BatchGetItemInput is the request of BatchGetItem.
type BatchGetItemInput struct {
	RequestItems           map[string]KeysAndAttributes
	ReturnConsumedCapacity string
}

// BatchGetItemOutput is the answer of BatchGetItem, by the table names of the
// request. UnprocessedKeys can be sent again as they are.
type BatchGetItemOutput struct {
	Responses        map[string][]attr.Item
	UnprocessedKeys  map[string]KeysAndAttributes
	ConsumedCapacity []ConsumedCapacity
}

// WriteRequest is one write of a batch: exactly one of the two.
type WriteRequest struct {
	PutRequest    *PutRequest
	DeleteRequest *DeleteRequest
}

// PutRequest replaces an item.
type PutRequest struct{ Item *attr.Item }

// DeleteRequest removes an item.
type DeleteRequest struct{ Key *attr.Item }

// BatchWriteItemInput is the request of BatchWriteItem.
type BatchWriteItemInput struct {
	RequestItems map[string][]WriteRequest
	Report
}

// BatchWriteItemOutput is the answer of BatchWriteItem.
type BatchWriteItemOutput struct {
	UnprocessedItems      map[string][]WriteRequest
	ItemCollectionMetrics map[string][]ItemCollectionMetrics
	ConsumedCapacity      []ConsumedCapacity
}

// TransactGet reads one item in a TransactGetItems.
type TransactGet struct {
	TableName                *string
	Key                      *attr.Item
	ProjectionExpression     *string
	ExpressionAttributeNames map[string]string
}

// TransactGetItemsInput is the request of TransactGetItems. A nil action is
// one that named no operation.
type TransactGetItemsInput struct {
	TransactItems          []*TransactGet
	ReturnConsumedCapacity string
}

// TransactGetItemsOutput is the answer of TransactGetItems: an item, or nil,
// per action.
type TransactGetItemsOutput struct {
	Responses        []*attr.Item
	ConsumedCapacity []ConsumedCapacity
}

// TransactWriteItem is one action of a TransactWriteItems: exactly one of the
// four.
type TransactWriteItem struct {
	ConditionCheck *ConditionCheck
	Put            *TransactPut
	Delete         *TransactDelete
	Update         *TransactUpdate
}

// Guard is the condition that any action of a transaction may carry.
type Guard struct {
	ConditionExpression                 *string
	ReturnValuesOnConditionCheckFailure string
	Substitutions
}

// ConditionCheck only looks at an item.
type ConditionCheck struct {
	TableName *string
	Key       *attr.Item
	Guard
}

// TransactPut replaces an item.
type TransactPut struct {
	TableName *string
	Item      *attr.Item
	Guard
}

// TransactDelete removes an item.
type TransactDelete struct {
	TableName *string
	Key       *attr.Item
	Guard
}

// TransactUpdate changes an item.
type TransactUpdate struct {
	TableName        *string
	Key              *attr.Item
	UpdateExpression *string
	Guard
}

// TransactWriteItemsInput is the request of TransactWriteItems.
type TransactWriteItemsInput struct {
	TransactItems      []TransactWriteItem
	ClientRequestToken *string
	Report
}

// TransactWriteItemsOutput is the answer of TransactWriteItems.
type TransactWriteItemsOutput struct {
	ItemCollectionMetrics map[string][]ItemCollectionMetrics
	ConsumedCapacity      []ConsumedCapacity
}
