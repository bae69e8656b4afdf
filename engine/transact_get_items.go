package engine

import (
	"context"

	"github.com/dynmodel/dynmodel/engine/api"
	"github.com/dynmodel/dynmodel/engine/attr"
	"github.com/dynmodel/dynmodel/engine/expr"
	"github.com/dynmodel/dynmodel/engine/wire"
)

// TransactGetItems reads up to 100 items as they are at one moment.
func (db *DB) TransactGetItems(ctx context.Context, in *api.TransactGetItemsInput) (*api.TransactGetItemsOutput, error) {
	if err := checkTransactGetItems(in, nil); err != nil {
		return nil, err
	}
	projections, names := make([]*expr.Projection, len(in.TransactItems)), make([]string, len(in.TransactItems))
	for i, get := range in.TransactItems {
		var err error
		if projections[i], err = readProjection(get.ProjectionExpression, get.ExpressionAttributeNames, nil); err != nil {
			return nil, err
		}
		names[i] = *get.TableName
	}
	schemas, snapshot, err := db.viewAll(names...)
	if err != nil {
		return nil, err
	}
	defer snapshot.Close()
	if err := checkTransactKeys(schemas, in.TransactItems); err != nil {
		return nil, err
	}
	out := &api.TransactGetItemsOutput{Responses: make([]*attr.Item, len(names))}
	bad, why := db.mischiefOf(ctx), newReasons(len(names))
	meters := newMeters(false)
	total := 0
	for i, get := range in.TransactItems {
		item, ok, size, err := schemas[i].get(snapshot, *get.Key, projections[i])
		if err != nil {
			return nil, err
		}
		if total += size; total > maxTransactBytes {
			return nil, checkTransactBytes(total)
		}
		one := meter{schema: schemas[i], table: transactional * readUnits(size, true)}
		if err := first(db.checkUnclaimed(names[i], *get.Key), db.spend(bad, *get.Key, &one)); err != nil {
			why.add(i, err)
		}
		meters.of(schemas[i]).add(&one)
		if ok {
			out.Responses[i] = &item
		}
	}
	out.ConsumedCapacity = meters.consumed(in.ReturnConsumedCapacity)
	return out, why.cancelled()
}

func checkTransactGetItems(in *api.TransactGetItemsInput, refused wire.Refusals) error {
	err := api.First(
		checkTransactItems("TransactGetItem", len(in.TransactItems), in.TransactItems == nil),
		checkReturnConsumedCapacity(in.ReturnConsumedCapacity))
	for i, get := range in.TransactItems {
		if checkTransactGet("", get) != nil { // most are fine, and need no words for where they are not
			err = api.First(err, checkTransactGet(memberOf("transactItems", i, "get"), get))
		}
	}
	if err != nil {
		return err
	}
	for _, get := range in.TransactItems {
		if err := checkProjectionParameters(get.ProjectionExpression, get.ExpressionAttributeNames, nil); err != nil {
			return err
		}
	}
	return refused.First()
}

// checkTransactGet checks the members of a read, which is at that place.
func checkTransactGet(at string, get *api.TransactGet) error {
	if get == nil {
		return api.Required(at)
	}
	return api.First(tableName(at+".tableName", get.TableName), notNull(at+".key", get.Key))
}

// checkTransactKeys checks the keys of all reads: their shapes, whose faults
// cancel the transaction, and that no item is meant twice.
func checkTransactKeys(schemas []*schema, gets []*api.TransactGet) error {
	why := newReasons(len(gets))
	type itemOf struct {
		schema *schema
		key    attr.Item
	}
	seen := make(map[itemOf]bool, len(gets))
	for i, get := range gets {
		if err := schemas[i].key.checkNotEmpty(*get.Key, invalidParameter); err != nil {
			return err
		}
	}
	for i, get := range gets {
		if err := schemas[i].key.checkKey(*get.Key); err != nil {
			return first(why.add(i, err), why.cancelled())
		}
		it := itemOf{schemas[i], *get.Key}
		if seen[it] {
			return errSameItem
		}
		seen[it] = true
	}
	return nil
}
