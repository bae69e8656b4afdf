package engine

import (
	"context"

	"github.com/dynmodel/dynmodel/engine/api"
	"github.com/dynmodel/dynmodel/engine/attr"
	"github.com/dynmodel/dynmodel/engine/expr"
	"github.com/dynmodel/dynmodel/engine/store"
	"github.com/dynmodel/dynmodel/engine/wire"
)

// GetItem reads one item.
func (db *DB) GetItem(ctx context.Context, in *api.GetItemInput) (*api.GetItemOutput, error) {
	if err := checkGetItem(in, nil); err != nil {
		return nil, err
	}
	projection, err := readProjection(in.ProjectionExpression, in.ExpressionAttributeNames, in.AttributesToGet)
	if err != nil {
		return nil, err
	}
	s, snapshot, err := db.view(*in.TableName)
	if err != nil {
		return nil, err
	}
	defer snapshot.Close()
	if stale := db.stale(in.ConsistentRead); stale != nil {
		defer stale.Close()
		snapshot = stale
	}
	item, ok, size, err := s.get(snapshot, *in.Key, projection)
	if err != nil {
		return nil, err
	}
	m := meter{schema: s, table: readUnits(size, in.ConsistentRead)}
	if err := db.spend(db.mischiefOf(ctx), *in.Key, &m); err != nil {
		return nil, err
	}
	out := &api.GetItemOutput{ConsumedCapacity: m.consumed(in.ReturnConsumedCapacity)}
	if ok {
		out.Item = &item
	}
	return out, nil
}

func checkGetItem(in *api.GetItemInput, refused wire.Refusals) error {
	return first(
		api.First(
			checkReturnConsumedCapacity(in.ReturnConsumedCapacity),
			checkAttributesToGet("attributesToGet", in.AttributesToGet),
			tableName("tableName", in.TableName),
			notNull("key", in.Key)),
		checkProjectionParameters(in.ProjectionExpression, in.ExpressionAttributeNames, in.AttributesToGet),
		refused.In("Key"))
}

// get reads the item with the given key and projects it. size is that of the
// whole item.
func (s *schema) get(snapshot store.Snapshot, key attr.Item, projection *expr.Projection) (item attr.Item, ok bool, size int, err error) {
	if err := first(s.checkProjectedScalars(projection), s.key.checkKey(key)); err != nil {
		return attr.Item{}, false, 0, err
	}
	item, ok, err = snapshot.Get(s.space, s.key.storageKey(key))
	size = item.Size()
	if projection != nil {
		item = projection.Of(item)
	}
	return item, ok, size, err
}
