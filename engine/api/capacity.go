package api

import "github.com/dynmodel/dynmodel/engine/attr"

// ConsumedCapacity is what a request consumed of one table, in units. The
// split by table and indexes is there for INDEXES only; the split into reads
// and writes for batches and transactions only.
type ConsumedCapacity struct {
	TableName              string
	CapacityUnits          float64
	ReadCapacityUnits      *float64
	WriteCapacityUnits     *float64
	Table                  *Capacity
	LocalSecondaryIndexes  map[string]Capacity
	GlobalSecondaryIndexes map[string]Capacity
	VectorIndexes          map[string]VectorCapacity
}

// Capacity is the part of a table or of an index, in units.
type Capacity struct {
	CapacityUnits      float64
	ReadCapacityUnits  *float64
	WriteCapacityUnits *float64
}

// ItemCollectionMetrics estimates the size of the item collection that a write
// touched, in a table with local indexes.
type ItemCollectionMetrics struct {
	ItemCollectionKey   attr.Item
	SizeEstimateRangeGB [2]float64
}
