package engine

import (
	"context"
	"fmt"
	"slices"

	"github.com/dynmodel/dynmodel/engine/api"
	"github.com/dynmodel/dynmodel/engine/attr"
	"github.com/dynmodel/dynmodel/engine/store"
	"github.com/dynmodel/dynmodel/engine/wire"
)

// BatchWriteItem puts and deletes up to 25 items, without conditions. Nothing
// is written if one of the requests is refused.
func (db *DB) BatchWriteItem(ctx context.Context, in *api.BatchWriteItemInput) (*api.BatchWriteItemOutput, error) {
	if err := checkBatchWriteItem(in, nil); err != nil {
		return nil, err
	}
	out, err := db.batchWrite(db.mischiefOf(ctx), in)
	if err != nil {
		return nil, err
	}
	return out, db.store.Sync()
}

func (db *DB) batchWrite(bad *mischief, in *api.BatchWriteItemInput) (*api.BatchWriteItemOutput, error) {
	names := attr.SortedKeys(in.RequestItems)
	tables, unlock, err := db.lockAll(slices.Clone(names))
	if err != nil {
		return nil, err
	}
	defer unlock()
	writes := make([][]batchWrite, len(names))
	for i, n := range names {
		if writes[i], err = db.decideBatch(tables[n], in.RequestItems[n]); err != nil {
			return nil, err
		}
	}
	out := &api.BatchWriteItemOutput{UnprocessedItems: make(map[string][]api.WriteRequest)}
	var b store.Batch
	var parts parts
	written := make([]*table, len(names))
	for i, n := range names {
		written[i] = tables[n].table
		m := meter{schema: tables[n].schema, writes: true}
		b.Grow(len(writes[i]) * (1 + 2*len(m.schema.indexes)))
		for k, w := range writes[i] {
			if db.leave(bad, &parts, m.schema, w.item, true) != nil {
				out.UnprocessedItems[n] = append(out.UnprocessedItems[n], in.RequestItems[n][k])
				continue
			}
			part := m.partOf(bad)
			part.table += w.change.units()
			tables[n].stage(&b, w.change, part)
			db.account(bad, w.item, part, &m)
		}
		if c := m.consumed(in.ReturnConsumedCapacity); c != nil {
			out.ConsumedCapacity = append(out.ConsumedCapacity, *c)
		}
	}
	if err := first(parts.none(), db.commit(&b, written...)); err != nil {
		return nil, err
	}
	if in.ReturnItemCollectionMetrics == returnSize {
		out.ItemCollectionMetrics = make(map[string][]api.ItemCollectionMetrics)
		for i, n := range names {
			keys := make([]attr.Item, len(writes[i]))
			for k, w := range writes[i] {
				keys[k] = w.item
			}
			if out.ItemCollectionMetrics[n], err = db.metricsOfKeys(tables[n].schema, keys); err != nil {
				return nil, err
			}
		}
	}
	return out, nil
}

// A batchWrite is one write of a batch: the item to put, or the key of one to
// delete, and what becomes of it.
type batchWrite struct {
	item   attr.Item
	change change
}

// decideBatch checks all requests for a table before any of them changes it.
func (db *DB) decideBatch(t locked, requests []api.WriteRequest) ([]batchWrite, error) {
	writes := make([]batchWrite, len(requests))
	seen := make(map[string]bool, len(requests))
	for i, r := range requests {
		a := action{kind: actionDelete, batched: true}
		if r.PutRequest != nil {
			a.kind, a.item = actionPut, *r.PutRequest.Item
		} else {
			a.item = *r.DeleteRequest.Key
		}
		key, err := a.prepare(t.schema)
		if err != nil {
			return nil, err
		}
		if seen[key] {
			return nil, errDuplicateKeys
		}
		seen[key] = true
		c := change{key: key}
		if c.old, err = db.current(t.schema, key); err != nil {
			return nil, err
		}
		if c.new, err = a.result(t.schema, c.old); err != nil {
			return nil, err
		}
		if err := db.checkCollection(t, a.item, c); err != nil {
			return nil, err
		}
		writes[i] = batchWrite{a.item, c}
	}
	return writes, nil
}

func checkBatchWriteItem(in *api.BatchWriteItemInput, refused wire.Refusals) error {
	err := checkReport(in.Report)
	names := attr.SortedKeys(in.RequestItems)
	switch {
	case in.RequestItems == nil:
		return api.First(err, api.Required("requestItems"))
	case len(names) == 0:
		return api.First(err, checkLength("requestItems", "{}", 0, 1, maxBatchWrites))
	}
	err = api.First(err, checkTableKeys(names, "WriteRequest"))
	for _, n := range names {
		err = api.First(err, checkWriteRequests(n, in.RequestItems[n]))
	}
	if err != nil {
		return err
	}
	total := 0
	for _, n := range names {
		total += len(in.RequestItems[n])
		for _, r := range in.RequestItems[n] {
			if (r.PutRequest == nil) == (r.DeleteRequest == nil) {
				return api.Invalid("Supplied AttributeValue has more than one datatypes set, must contain exactly one of the supported datatypes") // the service's own words
			}
		}
	}
	if err := refused.First(); err != nil {
		return err
	}
	if total > maxBatchWrites {
		return api.Invalid("Too many items requested for the BatchWriteItem call")
	}
	return checkItemSizes(in)
}

// checkWriteRequests checks the writes of a table.
func checkWriteRequests(table string, requests []api.WriteRequest) error {
	if n := len(requests); n < 1 || n > maxBatchWrites {
		return api.Constraint("{"+table+"="+elementsOf("WriteRequest", n)+"}", "requestItems",
			"Map value must satisfy constraint: [Member must have length less than or equal to 25, Member must have length greater than or equal to 1]")
	}
	var err error
	for i, r := range requests {
		if r.DeleteRequest != nil && r.DeleteRequest.Key == nil {
			err = api.First(err, api.Required(fmt.Sprintf("requestItems.%s.member.%d.member.deleteRequest.key", table, i+1)))
		}
		if r.PutRequest != nil && r.PutRequest.Item == nil {
			err = api.First(err, api.Required(fmt.Sprintf("requestItems.%s.member.%d.member.putRequest.item", table, i+1)))
		}
	}
	return err
}

func checkItemSizes(in *api.BatchWriteItemInput) error {
	for _, n := range attr.SortedKeys(in.RequestItems) {
		for _, r := range in.RequestItems[n] {
			if r.PutRequest == nil {
				continue
			}
			if err := checkItemSize(*r.PutRequest.Item); err != nil {
				return err
			}
		}
	}
	return nil
}
