package engine

import (
	"context"
	"strings"

	"github.com/dynmodel/dynmodel/engine/api"
	"github.com/dynmodel/dynmodel/engine/attr"
	"github.com/dynmodel/dynmodel/engine/expr"
	"github.com/dynmodel/dynmodel/engine/wire"
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
	if err := checkBatchGetItem(in, nil); err != nil {
		return nil, err
	}
	names := attr.SortedKeys(in.RequestItems)
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

func checkBatchGetItem(in *api.BatchGetItemInput, refused wire.Refusals) error {
	err := checkReturnConsumedCapacity(in.ReturnConsumedCapacity)
	names := attr.SortedKeys(in.RequestItems)
	switch {
	case in.RequestItems == nil:
		return api.First(err, api.Required("requestItems"))
	case len(names) == 0:
		return api.First(err, checkLength("requestItems", "{}", 0, 1, maxBatchGets))
	}
	err = api.First(err, checkTableKeys(names, "KeysAndAttributes"))
	for _, n := range names {
		err = api.First(err, checkKeysToGet("requestItems."+n+".member", in.RequestItems[n]))
	}
	if err != nil {
		return err
	}
	total := 0
	for _, n := range names {
		k := in.RequestItems[n]
		total += len(k.Keys)
		if err := first(
			checkProjectionParameters(k.ProjectionExpression, k.ExpressionAttributeNames, k.AttributesToGet),
			checkNamesToGet(k.AttributesToGet),
			checkDistinctKeys(k.Keys)); err != nil {
			return err
		}
	}
	if total > maxBatchGets {
		return api.Invalid("Too many items requested for the BatchGetItem call")
	}
	return refused.First()
}

// checkKeysToGet checks the members of a table's reads, which are at that place.
func checkKeysToGet(at string, k api.KeysAndAttributes) error {
	if k.Keys == nil {
		return api.Required(at + ".keys")
	}
	return api.First(
		checkCount(at+".keys", "AttributeMap", len(k.Keys), maxBatchGets),
		checkAttributesToGet(at+".attributesToGet", k.AttributesToGet))
}

// checkTableKeys checks the keys of a map by table; shape is what it holds.
func checkTableKeys(names []string, shape string) error {
	var err error
	for _, n := range names {
		if tableName("", &n) != nil {
			err = api.First(err, api.Constraint(entriesOf(names, shape), "requestItems",
				"Map keys must satisfy constraint: [Member must have length less than or equal to 255, Member must have length greater than or equal to 3, Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+]"))
		}
	}
	return err
}

// entriesOf is how the service, a Java program, writes a map of structures.
func entriesOf(names []string, shape string) string {
	entries := make([]string, len(names))
	for i, n := range names {
		entries[i] = n + "=" + elementOf(shape, i)
	}
	return "{" + strings.Join(entries, ", ") + "}"
}

// checkDistinctKeys checks that no key is there twice. Empty ones are those that
// will be refused for what they are.
func checkDistinctKeys(keys []attr.Item) error {
	seen := make(map[attr.Item]bool, len(keys))
	for _, k := range keys {
		if seen[k] && !k.IsEmpty() {
			return errDuplicateKeys
		}
		seen[k] = true
	}
	return nil
}

var errDuplicateKeys = api.Invalid("Provided list of item keys contains duplicates")

func checkBatchKeys(s *schema, keys []attr.Item) error {
	for _, k := range keys {
		if err := s.key.checkKey(k); err != nil {
			return err
		}
	}
	return nil
}
