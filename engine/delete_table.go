package engine

import (
	"context"
	"maps"
	"slices"

	"github.com/dynmodel/dynmodel/engine/api"
	"github.com/dynmodel/dynmodel/engine/store"
)

// DeleteTable removes a table with its indexes.
func (db *DB) DeleteTable(_ context.Context, in *api.DeleteTableInput) (*api.DeleteTableOutput, error) {
	if err := first(checkTableName(in.TableName), tableName("tableName", in.TableName)); err != nil {
		return nil, err
	}
	t, err := db.lockSteady(*in.TableName)
	if err != nil {
		return nil, err
	}
	defer t.mu.Unlock()
	if t.description.DeletionProtectionEnabled {
		return nil, api.Invalid("Resource cannot be deleted as it is currently protected against deletion. Disable deletion protection first.")
	}
	last := t.describeDeleting()
	if err := db.drop(t.table); err != nil {
		return nil, err
	}
	return &api.DeleteTableOutput{TableDescription: last}, nil
}

// describeDeleting is a description of a table that is going, of which the
// service says little.
func (t *table) describeDeleting() *api.TableDescription {
	last := t.describe()
	return &api.TableDescription{
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
	}
}

// drop takes a table, which is locked, out of the DB and its items out of the
// store.
func (db *DB) drop(t *table) error {
	var b store.Batch
	b.Delete(catalogueSpace, tableRecords+t.name)
	if s := t.closeStream(db.now()); s != nil {
		s.noteAlone(&b)
	}
	db.mu.Lock()
	db.begin(t, db.transitionTo(api.StatusDeleting, db.now()))
	t.schema.Store(nil) // before the spaces go: see viewAll
	if db.transitions == 0 {
		delete(db.tables, t.name)
	}
	db.mu.Unlock()
	gone := slices.Collect(maps.Keys(t.sizes))
	if t.history != nil {
		gone = append(gone, t.history.space)
	}
	return first(db.dropSpaces(&b, gone...), db.store.Sync())
}

// dropSpaces applies b together with the end of spaces, whose numbers can be
// used again then.
func (db *DB) dropSpaces(b *store.Batch, spaces ...store.Space) error {
	for _, s := range spaces {
		dropSpace(b, s)
	}
	if err := db.store.Apply(b); err != nil {
		return err
	}
	if l, ok := db.store.(*laggingStore); ok {
		l.forget()
	}
	for _, s := range spaces {
		db.spaces.giveBack(s)
	}
	return nil
}
