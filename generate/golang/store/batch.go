package store

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// The most items of one request (Developer Guide, "Quotas").
const (
	maxBatchGet   = 100
	maxBatchWrite = 25
	maxTransact   = 100
)

// mostIdle is how many answers in a row may leave everything undone before a
// batch is given up.
const mostIdle = 12

// backOff waits before another attempt, longer after each, for a time of chance.
func backOff(ctx context.Context, attempt int) error {
	most := min(50*time.Millisecond<<min(attempt, 8), 5*time.Second)
	timer := time.NewTimer(rand.N(most) + time.Millisecond)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}

// throttled tells whether DynamoDB has done nothing of a batch for want of throughput,
// which it says by an error when it is so of all of it.
func throttled(err error) bool {
	var exceeded *types.ProvisionedThroughputExceededException
	var limit *types.RequestLimitExceeded
	var throttling *types.ThrottlingException
	return errors.As(err, &exceeded) || errors.As(err, &limit) || errors.As(err, &throttling)
}

// getItem is the item of a key, ErrNotFound when there is none.
func (t *Table) getItem(ctx context.Context, in *dynamodb.GetItemInput, o options) (stored, error) {
	in.ReturnConsumedCapacity = o.capacity.wanted()
	out, err := t.db.GetItem(ctx, in)
	if err != nil {
		return nil, err
	}
	o.capacity.add(one(out.ConsumedCapacity)...)
	if out.Item == nil {
		return nil, ErrNotFound
	}
	return out.Item, nil
}

// keyText tells keys apart.
func keyText(item stored, names []string) string {
	var b strings.Builder
	for _, name := range names {
		switch v := item[name].(type) {
		case *types.AttributeValueMemberS:
			fmt.Fprintf(&b, "S%d:%s", len(v.Value), v.Value)
		case *types.AttributeValueMemberN:
			n := new(fault).number(name, Number(v.Value))
			fmt.Fprintf(&b, "N%d:%s", len(n), n)
		case *types.AttributeValueMemberB:
			fmt.Fprintf(&b, "B%d:%s", len(v.Value), v.Value)
		}
	}
	return b.String()
}

// batchGet reads the items of keys, in requests of as many as DynamoDB takes,
// and again what it leaves out. The items are in the order of their keys, each
// once; a key without an item gives none.
func (t *Table) batchGet(ctx context.Context, like types.KeysAndAttributes, keyNames []string, o options) ([]stored, error) {
	var keys []stored
	place := make(map[string]int, len(like.Keys))
	for _, key := range like.Keys {
		if text := keyText(key, keyNames); !has(place, text) {
			place[text] = len(keys)
			keys = append(keys, key)
		}
	}
	found := make([]stored, len(keys))
	for chunk := range slices.Chunk(keys, maxBatchGet) {
		items, err := t.getChunk(ctx, like, chunk, o)
		if err != nil {
			return nil, err
		}
		for _, item := range items {
			if i, ok := place[keyText(item, keyNames)]; ok {
				found[i] = item
			}
		}
	}
	return slices.DeleteFunc(found, func(item stored) bool { return item == nil }), nil
}

func has(m map[string]int, key string) bool { _, ok := m[key]; return ok }

// getChunk reads at most as many items as fit into one request.
func (t *Table) getChunk(ctx context.Context, like types.KeysAndAttributes, keys []stored, o options) ([]stored, error) {
	like.Keys = keys
	if o.consistent {
		like.ConsistentRead = &o.consistent
	}
	var found []stored
	pending := map[string]types.KeysAndAttributes{t.name: like}
	for attempt, idle := 0, 0; ; attempt++ {
		out, err := t.db.BatchGetItem(ctx, &dynamodb.BatchGetItemInput{RequestItems: pending, ReturnConsumedCapacity: o.capacity.wanted()})
		if throttled(err) {
			out, err = &dynamodb.BatchGetItemOutput{UnprocessedKeys: pending}, nil
		}
		if err != nil {
			return nil, err
		}
		o.capacity.add(out.ConsumedCapacity...)
		found = append(found, out.Responses[t.name]...)
		if len(out.UnprocessedKeys) == 0 {
			return found, nil
		}
		if idle++; len(out.UnprocessedKeys[t.name].Keys) < len(pending[t.name].Keys) {
			idle = 0
		}
		if idle > mostIdle {
			return nil, fmt.Errorf("%d items of a batch are not read after %d attempts", len(out.UnprocessedKeys[t.name].Keys), attempt+1)
		}
		pending = out.UnprocessedKeys
		if err := t.pause(ctx, attempt); err != nil {
			return nil, err
		}
	}
}

// batchWrite makes puts and deletes, in requests of as many as DynamoDB takes,
// and again what it leaves undone.
func (t *Table) batchWrite(ctx context.Context, writes []types.WriteRequest, o options) error {
	for chunk := range slices.Chunk(writes, maxBatchWrite) {
		pending := map[string][]types.WriteRequest{t.name: chunk}
		for attempt, idle := 0, 0; len(pending) > 0; attempt++ {
			out, err := t.db.BatchWriteItem(ctx, &dynamodb.BatchWriteItemInput{RequestItems: pending, ReturnConsumedCapacity: o.capacity.wanted()})
			if throttled(err) {
				out, err = &dynamodb.BatchWriteItemOutput{UnprocessedItems: pending}, nil
			}
			if err != nil {
				return err
			}
			o.capacity.add(out.ConsumedCapacity...)
			left := out.UnprocessedItems
			if len(left) == 0 {
				break
			}
			if idle++; len(left[t.name]) < len(pending[t.name]) {
				idle = 0
			}
			if idle > mostIdle {
				return fmt.Errorf("%d items of a batch are not written after %d attempts", len(left[t.name]), attempt+1)
			}
			pending = left
			if err := t.pause(ctx, attempt); err != nil {
				return err
			}
		}
	}
	return nil
}

// batchInputs are the requests of a batch of writes.
func (t *Table) batchInputs(writes []types.WriteRequest) []*dynamodb.BatchWriteItemInput {
	var out []*dynamodb.BatchWriteItemInput
	for chunk := range slices.Chunk(writes, maxBatchWrite) {
		out = append(out, &dynamodb.BatchWriteItemInput{RequestItems: map[string][]types.WriteRequest{t.name: chunk}})
	}
	return out
}

// getInputs are the requests of a batch of reads.
func (t *Table) getInputs(like types.KeysAndAttributes) []*dynamodb.BatchGetItemInput {
	var out []*dynamodb.BatchGetItemInput
	for chunk := range slices.Chunk(like.Keys, maxBatchGet) {
		like.Keys = chunk
		out = append(out, &dynamodb.BatchGetItemInput{RequestItems: map[string]types.KeysAndAttributes{t.name: like}})
	}
	return out
}

// transactGet reads items at one moment; one that does not exist is nil.
func (t *Table) transactGet(ctx context.Context, in *dynamodb.TransactGetItemsInput, o options) ([]stored, error) {
	in.ReturnConsumedCapacity = o.capacity.wanted()
	out, err := t.db.TransactGetItems(ctx, in)
	if err != nil {
		return nil, err
	}
	o.capacity.add(out.ConsumedCapacity...)
	return each(out.Responses, func(r types.ItemResponse) stored { return r.Item }), nil
}

// statement runs a PartiQL statement to its end.
func (t *Table) statement(ctx context.Context, in *dynamodb.ExecuteStatementInput, o options) ([]stored, error) {
	in.ReturnConsumedCapacity = o.capacity.wanted()
	if o.consistent {
		in.ConsistentRead = &o.consistent
	}
	var found []stored
	for {
		out, err := t.db.ExecuteStatement(ctx, in)
		if err != nil {
			return nil, err
		}
		o.capacity.add(one(out.ConsumedCapacity)...)
		found = append(found, out.Items...)
		if in.NextToken = out.NextToken; in.NextToken == nil {
			return found, nil
		}
	}
}

// readAll reads every item; those of unknown entities are passed over on demand.
func readAll[T any](items []stored, read func(stored) (T, error)) ([]T, error) {
	out := make([]T, 0, len(items))
	for _, item := range items {
		row, err := read(item)
		if err != nil {
			return nil, err
		}
		out = append(out, row)
	}
	return out, nil
}

// placed reads the items of keys, one for each key, nil where there is none.
func (t *Table) placed(ctx context.Context, like types.KeysAndAttributes, keyNames []string, o options) ([]stored, error) {
	found, err := t.batchGet(ctx, like, keyNames, o)
	if err != nil {
		return nil, err
	}
	byKey := make(map[string]stored, len(found))
	for _, item := range found {
		byKey[keyText(item, keyNames)] = item
	}
	return each(like.Keys, func(key stored) stored { return byKey[keyText(key, keyNames)] }), nil
}

// joined are all items of a call with what they refer to, which is read in batches.
func joined[T any](ctx context.Context, t *Table, o options, build builder, keyNames []string, consistent bool,
	refer func(stored) (stored, error), row func(item, other stored) (T, error)) iter.Seq2[T, error] {
	flush := func(items []stored, yield func(T, error) bool) error {
		keys := make([]stored, len(items))
		for i, item := range items {
			var err error
			if keys[i], err = refer(item); err != nil {
				return err
			}
		}
		wanted := slices.DeleteFunc(slices.Clone(keys), func(key stored) bool { return key == nil })
		found, err := t.batchGet(ctx, types.KeysAndAttributes{Keys: wanted, ConsistentRead: yes(consistent)}, keyNames, options{capacity: o.capacity})
		if err != nil {
			return err
		}
		byKey := make(map[string]stored, len(found))
		for _, item := range found {
			byKey[keyText(item, keyNames)] = item
		}
		for i, item := range items {
			var other stored
			if keys[i] != nil {
				other = byKey[keyText(keys[i], keyNames)]
			}
			out, err := row(item, other)
			if err != nil {
				return err
			}
			if !yield(out, nil) {
				return errStopped
			}
		}
		return nil
	}
	return func(yield func(T, error) bool) {
		var items []stored
		var failed error
		for item, err := range t.items(ctx, o, build) {
			if failed = err; err != nil {
				break
			}
			if items = append(items, item); len(items) == maxBatchGet {
				if failed = flush(items, yield); failed != nil {
					break
				}
				items = nil
			}
		}
		if failed == nil {
			failed = flush(items, yield)
		}
		if failed != nil && !errors.Is(failed, errStopped) {
			var none T
			yield(none, failed)
		}
	}
}

// errStopped says that a loop over items has stopped.
var errStopped = errors.New("stopped")
