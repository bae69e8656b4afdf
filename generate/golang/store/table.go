// Package store is the part of a generated package that is the same for every
// model: it sends requests, pages, merges, retries batches, and says what went
// wrong. The generator joins its files into one and puts them beside the code
// that it makes of a model; here they are compiled and tested.
package store

import (
	"context"
	"math/rand/v2"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// DB is what the accessors need of DynamoDB. *dynamodb.Client is one.
type DB interface {
	GetItem(context.Context, *dynamodb.GetItemInput, ...func(*dynamodb.Options)) (*dynamodb.GetItemOutput, error)
	PutItem(context.Context, *dynamodb.PutItemInput, ...func(*dynamodb.Options)) (*dynamodb.PutItemOutput, error)
	UpdateItem(context.Context, *dynamodb.UpdateItemInput, ...func(*dynamodb.Options)) (*dynamodb.UpdateItemOutput, error)
	DeleteItem(context.Context, *dynamodb.DeleteItemInput, ...func(*dynamodb.Options)) (*dynamodb.DeleteItemOutput, error)
	Query(context.Context, *dynamodb.QueryInput, ...func(*dynamodb.Options)) (*dynamodb.QueryOutput, error)
	Scan(context.Context, *dynamodb.ScanInput, ...func(*dynamodb.Options)) (*dynamodb.ScanOutput, error)
	BatchGetItem(context.Context, *dynamodb.BatchGetItemInput, ...func(*dynamodb.Options)) (*dynamodb.BatchGetItemOutput, error)
	BatchWriteItem(context.Context, *dynamodb.BatchWriteItemInput, ...func(*dynamodb.Options)) (*dynamodb.BatchWriteItemOutput, error)
	TransactGetItems(context.Context, *dynamodb.TransactGetItemsInput, ...func(*dynamodb.Options)) (*dynamodb.TransactGetItemsOutput, error)
	TransactWriteItems(context.Context, *dynamodb.TransactWriteItemsInput, ...func(*dynamodb.Options)) (*dynamodb.TransactWriteItemsOutput, error)
	ExecuteStatement(context.Context, *dynamodb.ExecuteStatementInput, ...func(*dynamodb.Options)) (*dynamodb.ExecuteStatementOutput, error)
}

// Table gives access to the items of one table. It is safe for concurrent use.
type Table struct {
	db      DB
	name    string
	clock   func() time.Time
	ids     func(kind string) (string, error)
	draw    func(n int) int
	cursors CursorCodec
	pause   func(ctx context.Context, attempt int) error
}

// Option changes how a Table works.
type Option func(*Table)

// New gives access to the table of that name.
func New(db DB, table string, opts ...Option) *Table {
	t := &Table{db: db, name: table, clock: time.Now, ids: mint, draw: rand.IntN, cursors: plainCursors{}, pause: backOff}
	for _, option := range opts {
		option(t)
	}
	return t
}

// WithClock sets where the current time comes from.
func WithClock(now func() time.Time) Option { return func(t *Table) { t.clock = now } }

// WithIDs sets where identifiers come from that a create is not given. The kind
// is that of the attribute: uuid, uuid7, ulid or ksuid.
func WithIDs(mint func(kind string) (string, error)) Option {
	return func(t *Table) { t.ids = mint }
}

// WithShards sets how a shard from 0 to n-1 is drawn.
func WithShards(draw func(n int) int) Option { return func(t *Table) { t.draw = draw } }

// WithCursorCodec sets how cursors are written: encrypted or signed, say, when
// those who get them must not see or change what is in them.
func WithCursorCodec(c CursorCodec) Option { return func(t *Table) { t.cursors = c } }

// Entity is an item of one of the model's entities.
type Entity interface {
	// MarshalItem is the item as it is stored, with its keys.
	MarshalItem() (map[string]types.AttributeValue, error)
	isEntity()
}

// stored is an item as DynamoDB holds it.
type stored = map[string]types.AttributeValue

// Capacity adds up what calls consume, see Measure.
type Capacity struct {
	Units    float64 // read or write capacity units
	Requests int
}

func (c *Capacity) add(consumed ...types.ConsumedCapacity) {
	if c == nil {
		return
	}
	c.Requests++
	for _, one := range consumed {
		if one.CapacityUnits != nil {
			c.Units += *one.CapacityUnits
		}
	}
}

// wanted asks DynamoDB for the capacity that a request consumes.
func (c *Capacity) wanted() types.ReturnConsumedCapacity {
	if c == nil {
		return ""
	}
	return types.ReturnConsumedCapacityTotal
}

func one(c *types.ConsumedCapacity) []types.ConsumedCapacity {
	if c == nil {
		return nil
	}
	return []types.ConsumedCapacity{*c}
}

// ptr is a pointer to a text, nil for the empty one.
func ptr(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}
