package verify

import (
	"context"
	"maps"
	"slices"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/plan"
	"github.com/dynmodel/dynmodel/model/sdk"
)

// stage is the table that patterns are run on, one after another. It knows
// what the table holds, so that the next world costs only what is different.
type stage struct {
	conn
	patience
	model   *model.Model
	missing unsupported
	held    *set              // whose records the table holds, strays aside; nil: none
	strays  map[string]*stray // keys that requests wrote to since
}

// stray is a key to which requests may have written.
type stray struct {
	key  plan.Stored
	seen bool        // it was looked at since
	item plan.Stored // what was seen; nil: nothing
}

// is tells whether it is known that such an item is under the key; nil: nothing.
func (s *stray) is(item plan.Stored) bool {
	return s.seen && (s.item == nil) == (item == nil) && equalItems(s.item, item)
}

// limits of one request (Developer Guide, "Quotas").
const (
	writesPerBatch = 25
	keysPerBatch   = 100
)

// hold makes the table hold exactly the records of a world.
func (s *stage) hold(ctx context.Context, want *set) error {
	writes := s.restoring(want)
	if s.held != want {
		writes = append(writes, s.replacing(want)...)
	}
	for batch := range slices.Chunk(writes, writesPerBatch) {
		if _, err := s.writeBatch(ctx, batch); err != nil {
			return err
		}
	}
	clear(s.strays)
	s.held = want
	return nil
}

// restoring are the writes that set right the keys that requests wrote to.
func (s *stage) restoring(want *set) []types.WriteRequest {
	var writes []types.WriteRequest
	for _, key := range slices.Sorted(maps.Keys(s.strays)) {
		stray, item := s.strays[key], want.under(key)
		switch {
		case stray.is(item):
		case item != nil:
			writes = append(writes, putting(item))
		default:
			writes = append(writes, deleting(stray.key))
		}
	}
	return writes
}

// replacing are the writes that make one world of another, strays aside.
func (s *stage) replacing(want *set) []types.WriteRequest {
	var writes []types.WriteRequest
	for _, r := range want.records {
		if s.strays[r.key] == nil && !s.held.has(r) {
			writes = append(writes, putting(r.item))
		}
	}
	if s.held == nil {
		return writes
	}
	for _, r := range s.held.records {
		if s.strays[r.key] == nil && want.under(r.key) == nil {
			writes = append(writes, deleting(keyOf(s.model.Table, r.item)))
		}
	}
	return writes
}

func putting(item plan.Stored) types.WriteRequest {
	return types.WriteRequest{PutRequest: &types.PutRequest{Item: sdk.Item(item)}}
}

func deleting(key plan.Stored) types.WriteRequest {
	return types.WriteRequest{DeleteRequest: &types.DeleteRequest{Key: sdk.Item(key)}}
}

// touched notes that requests may have written to the keys they name.
func (s *stage) touched(requests []plan.Request) {
	for _, key := range s.keysIn(requests) {
		s.strays[keyText(s.model.Table, key)] = &stray{key: key}
	}
}

// keysIn are the table keys that requests write to.
func (s *stage) keysIn(requests []plan.Request) []plan.Stored {
	var keys []plan.Stored
	for _, r := range requests {
		switch {
		case r.Key != nil:
			keys = append(keys, r.Key)
		case r.Item != nil:
			keys = append(keys, keyOf(s.model.Table, r.Item))
		}
		keys = append(keys, s.keysIn(r.Actions)...)
	}
	return keys
}

// look reads the items of the given keys; one that does not exist has no entry.
func (s *stage) look(ctx context.Context, keys []plan.Stored) (map[string]plan.Stored, error) {
	found := make(map[string]plan.Stored, len(keys))
	for batch := range slices.Chunk(keys, keysPerBatch) {
		got, err := s.send(ctx, lookAt(batch), 0)
		if err != nil {
			return nil, err
		}
		for _, item := range got.items {
			found[keyText(s.model.Table, item)] = item
		}
	}
	for _, key := range keys {
		text := keyText(s.model.Table, key)
		if stray := s.strays[text]; stray != nil {
			stray.seen, stray.item = true, found[text]
		}
	}
	return found, nil
}

// lookAt is the request that reads the items of some keys.
func lookAt(keys []plan.Stored) plan.Request {
	if len(keys) == 1 {
		return plan.Request{API: plan.GetItem, Consistent: true, Key: keys[0]}
	}
	r := plan.Request{API: plan.BatchGetItem, Consistent: true}
	for _, key := range keys {
		r.Actions = append(r.Actions, plan.Request{API: plan.GetItem, Key: key})
	}
	return r
}

// everything reads the whole table, or a whole index.
func (s *stage) everything(ctx context.Context, index string) ([]plan.Stored, error) {
	got, err := s.send(ctx, plan.Request{API: plan.Scan, Index: index, Consistent: index == ""}, 0)
	return got.items, err
}
