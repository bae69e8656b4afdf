package engine

import (
	"context"
	"maps"
	"slices"

	"github.com/dynmodel/dynmodel/engine/api"
)

const maxListedTables = 100

// ListTables lists the tables by name, up to 100 at a time.
func (db *DB) ListTables(_ context.Context, in *api.ListTablesInput) (*api.ListTablesOutput, error) {
	err := api.First(
		atLeast("limit", in.Limit, 1),
		atMost("limit", in.Limit, maxListedTables),
		optional(in.ExclusiveStartTableName, func(name *string) error { return checkName("exclusiveStartTableName", *name) }))
	if err != nil {
		return nil, err
	}
	db.settle()
	db.mu.RLock()
	names := slices.Sorted(maps.Keys(db.tables))
	db.mu.RUnlock()
	if in.ExclusiveStartTableName != nil {
		at, found := slices.BinarySearch(names, *in.ExclusiveStartTableName)
		if found {
			at++
		}
		names = names[at:]
	}
	limit := maxListedTables
	if in.Limit != nil {
		limit = int(*in.Limit)
	}
	out := &api.ListTablesOutput{TableNames: append([]string{}, names...)}
	if len(names) > limit {
		out.TableNames = names[:limit]
		out.LastEvaluatedTableName = names[limit-1]
	}
	return out, nil
}
