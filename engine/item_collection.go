package engine

import (
	"slices"

	"github.com/dynmodel/dynmodel/engine/api"
	"github.com/dynmodel/dynmodel/engine/attr"
	"github.com/dynmodel/dynmodel/engine/store"
)

const gigabyte = 1 << 30

// maxCollectionBytes bounds an item collection in a table with local indexes:
// the items of one partition key value with their index entries (service
// quotas, DynamoDB developer guide).
const maxCollectionBytes = 10 * gigabyte

// WithItemCollectionLimit sets the greatest size of an item collection, in
// bytes, instead of the service's 10 GB: for tests of what happens there.
func WithItemCollectionLimit(bytes int64) Option {
	return func(db *DB) { db.maxCollection = bytes }
}

// checkCollection refuses a change that lets an item collection grow beyond its
// limit. The collection is measured only in a table that is large enough.
func (db *DB) checkCollection(t locked, key attr.Item, c change) error {
	grows := int64(c.new.Size() - c.old.Size())
	if grows <= 0 || !t.schema.hasLocal() {
		return nil
	}
	most := t.sizes[t.schema.space].bytes
	for _, x := range t.schema.indexes {
		if x.local {
			most += t.sizes[x.space].bytes
			grows += int64(x.entry(c.new).size - x.entry(c.old).size)
		}
	}
	if most+grows <= db.maxCollection {
		return nil
	}
	bytes, err := db.collectionBytes(t.schema, key)
	if err == nil && bytes+grows > db.maxCollection {
		return api.Errorf(api.ItemCollectionSizeLimitExceeded, "Collection size exceeded.")
	}
	return err
}

// collectionBytes measures the item collection that a key is in, with its
// entries in local indexes.
func (db *DB) collectionBytes(s *schema, key attr.Item) (bytes int64, err error) {
	snapshot := db.store.Snapshot()
	defer snapshot.Close()
	partition, _ := s.key.appendPartition(nil, key)
	count := func(_ string, item attr.Item) bool {
		bytes += int64(item.Size())
		return true
	}
	err = snapshot.Range(s.space, store.Prefix(string(partition)), count)
	for _, x := range s.indexes {
		if x.local && err == nil {
			err = snapshot.Range(x.space, store.Prefix(string(partition)), count)
		}
	}
	return bytes, err
}

// returnSize is the value of ReturnItemCollectionMetrics that asks for some.
const returnSize = "SIZE"

// collectionMetrics estimates the size of the item collection that a key is in,
// in a table with local indexes; other tables have none.
func (db *DB) collectionMetrics(s *schema, key attr.Item) (*api.ItemCollectionMetrics, error) {
	if !s.hasLocal() {
		return nil, nil
	}
	bytes, err := db.collectionBytes(s, key)
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
