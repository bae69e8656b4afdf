package verify

import (
	"context"
	"maps"
	"slices"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/plan"
)

// stage is the table that patterns are run on, one after another. It knows
// what the table holds, so that the next world costs only what is different.
type stage struct {
	conn
	model   *model.Model
	missing unsupported
	lag     time.Duration // how long an index may lag
	held    map[string]holding
}

// holding is an item of the table. Its item is nil when a request wrote to that
// key since, and what is there is not known.
type holding struct {
	key, item plan.Stored
}

// limits of one request (Developer Guide, "Quotas").
const (
	writesPerBatch = 25
	keysPerBatch   = 100
)

// hold makes the table hold exactly the given records.
func (s *stage) hold(ctx context.Context, want []record) error {
	var writes []types.WriteRequest
	wanted := make(map[string]bool, len(want))
	for _, r := range want {
		wanted[r.key] = true
		if h, here := s.held[r.key]; here && h.item != nil && equalItems(h.item, r.item) {
			continue
		}
		writes = append(writes, types.WriteRequest{PutRequest: &types.PutRequest{Item: toSDKItem(r.item)}})
	}
	for _, key := range slices.Sorted(maps.Keys(s.held)) {
		if !wanted[key] {
			writes = append(writes, types.WriteRequest{DeleteRequest: &types.DeleteRequest{Key: toSDKItem(s.held[key].key)}})
		}
	}
	for batch := range slices.Chunk(writes, writesPerBatch) {
		if _, err := s.writeBatch(ctx, batch); err != nil {
			return err
		}
	}
	clear(s.held)
	for _, r := range want {
		s.held[r.key] = holding{keyOf(s.model.Table, r.item), r.item}
	}
	return nil
}

// touched notes that a request may have written to the keys it names.
func (s *stage) touched(requests []plan.Request) {
	for _, key := range s.keysIn(requests) {
		s.held[keyText(s.model.Table, key)] = holding{key: key}
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
		r := plan.Request{API: plan.BatchGetItem, Consistent: true}
		for _, key := range batch {
			r.Actions = append(r.Actions, plan.Request{API: plan.GetItem, Key: key})
		}
		got, err := s.send(ctx, r, 0)
		if err != nil {
			return nil, err
		}
		for _, item := range got.items {
			found[keyText(s.model.Table, item)] = item
		}
	}
	return found, nil
}

// everything reads the whole table, or a whole index.
func (s *stage) everything(ctx context.Context, index string) ([]plan.Stored, error) {
	got, err := s.send(ctx, plan.Request{API: plan.Scan, Index: index, Consistent: index == ""}, 0)
	return got.items, err
}
