package engine

import (
	"context"

	"github.com/dynmodel/dynmodel/engine/api"
	"github.com/dynmodel/dynmodel/engine/store"
)

// DeleteTable removes a table with its indexes.
func (db *DB) DeleteTable(_ context.Context, in *api.DeleteTableInput) (*api.DeleteTableOutput, error) {
	if err := tableName("tableName", in.TableName); err != nil {
		return nil, err
	}
	t, err := db.lock(*in.TableName)
	if err != nil {
		return nil, errTableNamed(*in.TableName)
	}
	defer t.mu.Unlock()
	if t.description.DeletionProtectionEnabled {
		return nil, api.Invalid("Resource cannot be deleted as it is currently protected against deletion. Disable deletion protection first.")
	}
	last := t.describe()
	if err := db.drop(t.table); err != nil {
		return nil, err
	}
	// The service's answer says little of a table that is going.
	return &api.DeleteTableOutput{TableDescription: &api.TableDescription{
		TableName:                 last.TableName,
		TableStatus:               api.StatusDeleting,
		ProvisionedThroughput:     last.ProvisionedThroughput,
		BillingModeSummary:        last.BillingModeSummary,
		ItemCount:                 last.ItemCount,
		TableSizeBytes:            last.TableSizeBytes,
		TableArn:                  last.TableArn,
		TableId:                   last.TableId,
		TableClassSummary:         last.TableClassSummary,
		DeletionProtectionEnabled: false,
	}}, nil
}

// drop takes a table, which is locked, out of the DB and its items out of the
// store.
func (db *DB) drop(t *table) error {
	t.closeStream(db.now())
	t.schema.Store(nil) // before the spaces go: see viewAll
	db.mu.Lock()
	delete(db.tables, t.name)
	db.mu.Unlock()
	return first(db.dropHistory(t), db.dropSpaces(t))
}

// dropSpaces removes a table's items and index entries.
func (db *DB) dropSpaces(t *table) error {
	var b store.Batch
	for space := range t.sizes {
		b.Drop(space)
	}
	if err := db.store.Apply(&b); err != nil {
		return err
	}
	for space := range t.sizes {
		db.spaces.giveBack(space)
	}
	return nil
}
