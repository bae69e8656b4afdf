package engine

import (
	"context"
	"slices"
	"time"

	"github.com/dynmodel/dynmodel/engine/api"
)

// DescribeTable describes a table. Unlike the service's, its counts are up to
// date.
func (db *DB) DescribeTable(_ context.Context, in *api.DescribeTableInput) (*api.DescribeTableOutput, error) {
	if err := first(checkTableName(in.TableName), tableName("tableName", in.TableName)); err != nil {
		return nil, err
	}
	t, err := db.lockAny(*in.TableName)
	if err != nil {
		return nil, err
	}
	defer t.mu.Unlock()
	return &api.DescribeTableOutput{Table: t.describeAt(t.now)}, nil
}

// describeAt returns a description of the table as it looks at some moment.
func (t *table) describeAt(now time.Time) *api.TableDescription {
	switch tr := t.transition; {
	case tr.over(now):
		return t.describe()
	case tr.status == api.StatusDeleting:
		return t.describeDeleting()
	default:
		return t.describeIn(tr)
	}
}

// describeIn returns a description of the table as it looks in a transition.
func (t *table) describeIn(tr transition) *api.TableDescription {
	d := t.describe()
	tr.show(d)
	return d
}

// describe returns a description of the table for an answer. t.mu is held, or
// nobody else knows the table yet.
func (t *table) describe() *api.TableDescription {
	desc, s := t.description, t.known()
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
