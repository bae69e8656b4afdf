package engine

import (
	"context"
	"slices"

	"github.com/dynmodel/dynmodel/engine/api"
)

// DescribeTable describes a table. Unlike the service's, its counts are up to
// date.
func (db *DB) DescribeTable(_ context.Context, in *api.DescribeTableInput) (*api.DescribeTableOutput, error) {
	if err := first(checkTableName(in.TableName), tableName("tableName", in.TableName)); err != nil {
		return nil, err
	}
	t, err := db.lock(*in.TableName)
	if err != nil {
		return nil, errTableNamed(*in.TableName)
	}
	defer t.mu.Unlock()
	return &api.DescribeTableOutput{Table: t.describe()}, nil
}

// describe returns a description of the table for an answer. t.mu is held, or
// nobody else knows the table yet.
func (t *table) describe() *api.TableDescription {
	desc, s := t.description, t.schema.Load()
	size := t.sizes[s.space]
	desc.ItemCount, desc.TableSizeBytes = size.items, size.bytes
	desc.GlobalSecondaryIndexes = slices.Clone(desc.GlobalSecondaryIndexes)
	for i := range desc.GlobalSecondaryIndexes {
		x := &desc.GlobalSecondaryIndexes[i]
		size := t.sizes[s.index(x.IndexName).space]
		x.ItemCount, x.IndexSizeBytes = size.items, size.bytes
	}
	desc.LocalSecondaryIndexes = slices.Clone(desc.LocalSecondaryIndexes)
	for i := range desc.LocalSecondaryIndexes {
		x := &desc.LocalSecondaryIndexes[i]
		size := t.sizes[s.index(x.IndexName).space]
		x.ItemCount, x.IndexSizeBytes = size.items, size.bytes
	}
	desc.VectorIndexes = slices.Clone(desc.VectorIndexes)
	for i := range desc.VectorIndexes {
		x := &desc.VectorIndexes[i]
		size := t.sizes[s.vector(x.IndexName).space]
		x.ItemCount, x.IndexSizeBytes = size.items, size.bytes
	}
	return &desc
}
