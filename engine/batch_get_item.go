package engine

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/dynmodel/dynmodel/engine/api"
	"github.com/dynmodel/dynmodel/engine/attr"
	"github.com/dynmodel/dynmodel/engine/expr"
)

// Limits of batches (service quotas, DynamoDB developer guide).
const (
	maxBatchGets   = 100
	maxBatchWrites = 25
	maxBatchBytes  = 16 << 20 // of a BatchGetItem's answer
)

// BatchGetItem reads up to 100 items. What would make the answer larger than
// 16 MB is left for another request.
func (db *DB) BatchGetItem(ctx context.Context, in *api.BatchGetItemInput) (*api.BatchGetItemOutput, error) {
	if err := checkBatchGetItem(in); err != nil {
		return nil, err
	}
	names := slices.Sorted(maps.Keys(in.RequestItems))
	projections := make([]*expr.Projection, len(names))
	for i, n := range names {
		var err error
		k := in.RequestItems[n]
		if projections[i], err = readProjection(k.ProjectionExpression, k.ExpressionAttributeNames, k.AttributesToGet); err != nil {
			return nil, err
		}
	}
	schemas, snapshot, err := db.viewAll(names...)
	if err != nil {
		return nil, err
	}
	defer snapshot.Close()
	for i, n := range names {
		if err := checkBatchKeys(schemas[i], in.RequestItems[n].Keys); err != nil {
			return nil, err
		}
	}
	out := &api.BatchGetItemOutput{Responses: make(map[string][]attr.Item), UnprocessedKeys: make(map[string]api.KeysAndAttributes)}
	bad := db.mischiefOf(ctx)
	var parts parts
	total := 0
	for i, n := range names {
		request := in.RequestItems[n]
		consistent := request.ConsistentRead != nil && *request.ConsistentRead
		m := meter{schema: schemas[i]}
		items := []attr.Item{}
		var left []attr.Item
		for k, key := range request.Keys {
			item, ok, size, err := schemas[i].get(snapshot, key, projections[i])
			if err != nil {
				return nil, err
			}
			if total += size; total > maxBatchBytes {
				left = append(left, request.Keys[k:]...)
				break
			}
			if db.leave(bad, &parts, m.schema, key, false) != nil {
				left = append(left, key)
				continue
			}
			part := m.partOf(bad)
			part.table += readUnits(size, consistent)
			db.account(bad, key, part, &m)
			if ok {
				items = append(items, item)
			}
		}
		if len(left) > 0 {
			request.Keys = left
			out.UnprocessedKeys[n] = request
		}
		out.Responses[n] = items
		if c := m.consumed(in.ReturnConsumedCapacity); c != nil {
			out.ConsumedCapacity = append(out.ConsumedCapacity, *c)
		}
	}
	return out, parts.none()
}

func checkBatchGetItem(in *api.BatchGetItemInput) error {
	switch {
	case in.RequestItems == nil:
		return api.Required("requestItems")
	case len(in.RequestItems) == 0:
		return api.Constraint("{}", "requestItems", "Member must have length greater than or equal to 1")
	}
	total := 0
	for _, n := range slices.Sorted(maps.Keys(in.RequestItems)) {
		keys, at := in.RequestItems[n].Keys, fmt.Sprintf("requestItems.%s.member.keys", n)
		if err := tableName("requestItems.key", &n); err != nil {
			return err
		}
		switch {
		case keys == nil:
			return api.Required(at)
		case len(keys) == 0:
			return api.Constraint("[]", at, "Member must have length greater than or equal to 1")
		}
		total += len(keys)
	}
	if total > maxBatchGets {
		return api.Invalid("Too many items requested for the BatchGetItem call")
	}
	return checkReturnConsumedCapacity(in.ReturnConsumedCapacity)
}

var errDuplicateKeys = api.Invalid("Provided list of item keys contains duplicates")

func checkBatchKeys(s *schema, keys []attr.Item) error {
	seen := make(map[attr.Item]bool, len(keys))
	for _, k := range keys {
		if err := s.key.checkKey(k); err != nil {
			return err
		}
		if seen[k] {
			return errDuplicateKeys
		}
		seen[k] = true
	}
	return nil
}
