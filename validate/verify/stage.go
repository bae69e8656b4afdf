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
	// held are the items of the table by their keys, but for those of dirty,
	// the keys that requests wrote to since.
	held  map[string]plan.Stored
	dirty map[string]plan.Stored
	set   *set // whose records held are
}

// limits of one request (Developer Guide, "Quotas").
const (
	writesPerBatch = 25
	keysPerBatch   = 100
)

// hold makes the table hold exactly the records of a world.
func (s *stage) hold(ctx context.Context, want *set) error {
	writes := s.restoring(want)
	if s.set != want {
		writes = append(writes, s.replacing(want)...)
	}
	for batch := range slices.Chunk(writes, writesPerBatch) {
		if _, err := s.writeBatch(ctx, batch); err != nil {
			return err
		}
	}
	if s.set != want {
		clear(s.held)
		for _, r := range want.records {
			s.held[r.key] = r.item
		}
	}
	clear(s.dirty)
	s.set = want
	return nil
}

// restoring are the writes that set right the keys that requests wrote to.
func (s *stage) restoring(want *set) []types.WriteRequest {
	var writes []types.WriteRequest
	for _, key := range slices.Sorted(maps.Keys(s.dirty)) {
		if i, here := want.byKey[key]; here {
			writes = append(writes, putting(want.records[i].item))
		} else {
			writes = append(writes, deleting(s.dirty[key]))
		}
	}
	return writes
}

// replacing are the writes that make one world of another, dirty keys aside.
func (s *stage) replacing(want *set) []types.WriteRequest {
	var writes []types.WriteRequest
	for _, r := range want.records {
		_, dirty := s.dirty[r.key]
		if item, here := s.held[r.key]; !dirty && (!here || !equalItems(item, r.item)) {
			writes = append(writes, putting(r.item))
		}
	}
	for _, key := range slices.Sorted(maps.Keys(s.held)) {
		_, dirty := s.dirty[key]
		if _, wanted := want.byKey[key]; !dirty && !wanted {
			writes = append(writes, deleting(keyOf(s.model.Table, s.held[key])))
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
		s.dirty[keyText(s.model.Table, key)] = key
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
	if len(keys) == 1 {
		got, err := s.send(ctx, plan.Request{API: plan.GetItem, Consistent: true, Key: keys[0]}, 0)
		for _, item := range got.items {
			found[keyText(s.model.Table, item)] = item
		}
		return found, err
	}
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
