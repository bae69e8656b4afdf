package store

import (
	"context"
	"errors"
	"fmt"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// writing is what has to be known of a write to say why it was refused.
type writing struct {
	pattern, entity string
	// taken are the attributes that another item has when the item of a put, or
	// a guard, exists; nil when that is not what the condition is about.
	taken []string
	// was are attributes as they must be still; an absent one is nil.
	was stored
	// read reads the item as it is.
	read func(stored) (Entity, error)

	// Of a transaction:
	step   int
	name   string
	member int
}

// failed says what an error of DynamoDB's means.
func (w writing) failed(err error) error {
	var refused *types.ConditionalCheckFailedException
	if errors.As(err, &refused) {
		return w.refused(refused.Item, err)
	}
	return err
}

// refused says why a condition does not hold; item is what is stored.
func (w writing) refused(item stored, err error) error {
	if w.taken != nil && len(item) > 0 {
		return &ExistsError{w.pattern, w.entity, w.taken, err}
	}
	out := &ConditionError{Pattern: w.pattern, Entity: w.entity, Missing: len(item) == 0, Err: err}
	if !out.Missing {
		if now, err := w.read(item); err == nil {
			out.Item = now
		}
	}
	for name, v := range w.was {
		out.Lost = out.Lost || !out.Missing && !sameValue(v, item[name])
	}
	return out
}

// put, updateItem and deleteItem make a write; they return the item that DynamoDB
// gives back.

func (t *Table) put(ctx context.Context, in *dynamodb.PutItemInput, w writing, o options) (stored, error) {
	in.ReturnConsumedCapacity = o.capacity.wanted()
	out, err := t.db.PutItem(ctx, in)
	if err != nil {
		return nil, w.failed(err)
	}
	o.capacity.add(one(out.ConsumedCapacity)...)
	return out.Attributes, nil
}

func (t *Table) updateItem(ctx context.Context, in *dynamodb.UpdateItemInput, w writing, o options) (stored, error) {
	in.ReturnConsumedCapacity = o.capacity.wanted()
	out, err := t.db.UpdateItem(ctx, in)
	if err != nil {
		return nil, w.failed(err)
	}
	o.capacity.add(one(out.ConsumedCapacity)...)
	return out.Attributes, nil
}

func (t *Table) deleteItem(ctx context.Context, in *dynamodb.DeleteItemInput, w writing, o options) (stored, error) {
	in.ReturnConsumedCapacity = o.capacity.wanted()
	out, err := t.db.DeleteItem(ctx, in)
	if err != nil {
		return nil, w.failed(err)
	}
	o.capacity.add(one(out.ConsumedCapacity)...)
	return out.Attributes, nil
}

// transaction is a transaction in the making: its members, and what has to be
// known of each.
type transaction struct {
	items    []types.TransactWriteItem
	writings []writing
}

func (tx *transaction) add(item types.TransactWriteItem, w writing) {
	tx.items = append(tx.items, item)
	tx.writings = append(tx.writings, w)
}

// input is the request.
func (tx *transaction) input(token string) (*dynamodb.TransactWriteItemsInput, error) {
	if len(tx.items) > maxTransact {
		return nil, &ValueError{"the transaction", fmt.Sprintf("has %d items, of which one may have %d", len(tx.items), maxTransact)}
	}
	return &dynamodb.TransactWriteItemsInput{TransactItems: tx.items, ClientRequestToken: ptr(token)}, nil
}

// transact makes a transaction. The error is a *TransactionError when one of its
// members is refused; that of the member itself when it is the only one of the
// pattern, and the others keep its guards.
func (t *Table) transact(ctx context.Context, tx transaction, token string, single bool, o options) error {
	in, err := tx.input(token)
	if err != nil {
		return err
	}
	in.ReturnConsumedCapacity = o.capacity.wanted()
	out, err := t.db.TransactWriteItems(ctx, in)
	if err == nil {
		o.capacity.add(out.ConsumedCapacity...)
		return nil
	}
	var canceled *types.TransactionCanceledException
	if !errors.As(err, &canceled) {
		return err
	}
	for i, reason := range canceled.CancellationReasons {
		if reason.Code == nil || *reason.Code == "None" || i >= len(tx.writings) {
			continue
		}
		w, cause := tx.writings[i], err
		if *reason.Code == "ConditionalCheckFailed" {
			cause = w.refused(reason.Item, err)
		}
		if single {
			return cause
		}
		return &TransactionError{Pattern: w.pattern, Step: w.step, Name: w.name, Member: w.member, Code: *reason.Code, Err: cause}
	}
	return err
}

// passedOver tells whether a write of an item that was found is refused because
// the item is no longer as it was, or not as the write requires it. A value that is
// taken is another matter.
func passedOver(err error) bool {
	var refused *ConditionError
	return errors.As(err, &refused)
}

// firstRead is an item that a write reads first; nil when there is none.
func (t *Table) firstRead(ctx context.Context, key stored, o options) (stored, error) {
	consistent := true
	item, err := t.getItem(ctx, &dynamodb.GetItemInput{TableName: &t.name, Key: key, ConsistentRead: &consistent}, o)
	if errors.Is(err, ErrNotFound) {
		return nil, nil
	}
	return item, err
}

// queue are items, taken one after the other; nil for one that does not exist.
type queue struct{ items []stored }

func (q *queue) next() stored {
	item := q.items[0]
	q.items = q.items[1:]
	return item
}

// firstReads are the items that a write reads first.
func (t *Table) firstReads(ctx context.Context, keys []stored, o options) (*queue, error) {
	q := &queue{}
	for _, key := range keys {
		item, err := t.firstRead(ctx, key, o)
		if err != nil {
			return nil, err
		}
		q.items = append(q.items, item)
	}
	return q, nil
}

// guard deletes the guard of the values before a write, and puts that of those after
// it, which must not exist. Nothing happens when they are the same.
func (tx *transaction) guard(t *Table, old, fresh stored, w writing, partitionKey string, attributes ...string) {
	if (old == nil) == (fresh == nil) && sameItem(old, fresh) {
		return
	}
	if old != nil {
		tx.add(types.TransactWriteItem{Delete: &types.Delete{TableName: &t.name, Key: old}}, w)
	}
	if fresh != nil {
		w.taken, w.was = attributes, nil
		tx.add(types.TransactWriteItem{Put: &types.Put{
			TableName: &t.name, Item: fresh, ConditionExpression: ptr("attribute_not_exists(#key)"),
			ExpressionAttributeNames:            map[string]string{"#key": partitionKey},
			ReturnValuesOnConditionCheckFailure: types.ReturnValuesOnConditionCheckFailureAllOld,
		}}, w)
	}
}

// guardOf is the key of a guard of an item that was read first; nil when there was none.
func (f *fault) guardOf(old stored, key func() stored) stored {
	if old == nil {
		return nil
	}
	return key()
}

// try makes the key of an item that may be new, and may then lack what the key needs.
func (f *fault) try(mayLack bool, key func(*fault) types.AttributeValue) (types.AttributeValue, bool) {
	in := &fault{}
	made := key(in)
	if in.err != nil && !mayLack {
		f.set(in.err)
	}
	return made, in.err == nil
}
