package engine

import (
	"slices"

	"github.com/dynmodel/dynmodel/engine/api"
	"github.com/dynmodel/dynmodel/engine/attr"
	"github.com/dynmodel/dynmodel/engine/store"
)

// The values of ReturnValues.
const (
	returnNone       = "NONE"
	returnAllOld     = "ALL_OLD"
	returnUpdatedOld = "UPDATED_OLD"
	returnAllNew     = "ALL_NEW"
	returnUpdatedNew = "UPDATED_NEW"
)

// checkWrite checks the members that single writes share.
func checkWrite(returnValues string, c *api.Conditional, r api.Report) error {
	return first(
		checkReport(r),
		oneOf("returnValues", returnValues, returnAllNew, returnUpdatedOld, returnAllOld, returnNone, returnUpdatedNew),
		checkReturnOnFailure("returnValuesOnConditionCheckFailure", c.ReturnValuesOnConditionCheckFailure),
		oneOf("conditionalOperator", c.ConditionalOperator, "OR", "AND"))
}

// checkOldOrNone is for operations that make no new item worth returning.
func checkOldOrNone(returnValues string) error {
	switch returnValues {
	case "", returnNone, returnAllOld:
		return nil
	}
	return api.Invalid("ReturnValues can only be ALL_OLD or NONE")
}

// answerWrite makes the answer of a single write, but for what an UpdateItem
// returns of an item in part.
func (db *DB) answerWrite(w *written, returnValues string, r api.Report) (*api.WriteItemOutput, error) {
	out := &api.WriteItemOutput{ConsumedCapacity: w.meter.consumed(r.ReturnConsumedCapacity)}
	switch returnValues {
	case returnAllOld:
		out.Attributes = w.change.old.Item
	case returnAllNew:
		out.Attributes = w.change.new.Item
	}
	var err error
	if r.ReturnItemCollectionMetrics == returnSize {
		out.ItemCollectionMetrics, err = db.collectionMetrics(w.schema, w.key)
	}
	return out, err
}

// returnSize is the value of ReturnItemCollectionMetrics that asks for some.
const returnSize = "SIZE"

const gigabyte = 1 << 30

// collectionMetrics measures the item collection that a key is in, in a table
// with local indexes; other tables have none.
func (db *DB) collectionMetrics(s *schema, key attr.Item) (*api.ItemCollectionMetrics, error) {
	if !s.hasLocal() {
		return nil, nil
	}
	snapshot := db.store.Snapshot()
	defer snapshot.Close()
	partition, _ := s.key.appendPartition(nil, key)
	bytes := 0
	count := func(_ string, item attr.Item) bool {
		bytes += item.Size()
		return true
	}
	err := snapshot.Range(s.space, store.Prefix(string(partition)), count)
	for _, x := range s.indexes {
		if x.local && err == nil {
			err = snapshot.Range(x.space, store.Prefix(string(partition)), count)
		}
	}
	low := float64(bytes / gigabyte)
	return &api.ItemCollectionMetrics{
		ItemCollectionKey:   keySchema{all: s.key.Hash}.of(key),
		SizeEstimateRangeGB: [2]float64{low, low + 1},
	}, err
}

// metricsOfKeys measures the item collections that keys are in, each once.
func (db *DB) metricsOfKeys(s *schema, keys []attr.Item) ([]api.ItemCollectionMetrics, error) {
	var list []api.ItemCollectionMetrics
	for _, key := range keys {
		m, err := db.collectionMetrics(s, key)
		if err != nil {
			return nil, err
		}
		known := func(o api.ItemCollectionMetrics) bool { return o.ItemCollectionKey == m.ItemCollectionKey }
		if m != nil && !slices.ContainsFunc(list, known) {
			list = append(list, *m)
		}
	}
	return list, nil
}
