package engine

import (
	"context"
	"errors"
	"maps"
	"slices"
	"time"

	"github.com/dynmodel/dynmodel/engine/api"
	"github.com/dynmodel/dynmodel/engine/attr"
	"github.com/dynmodel/dynmodel/engine/store"
)

// RestoreTableFromBackup makes a table of a backup.
func (db *DB) RestoreTableFromBackup(_ context.Context, in *api.RestoreTableFromBackupInput) (*api.RestoreTableOutput, error) {
	err := api.First(requiredName("targetTableName", in.TargetTableName), checkARN("backupArn", in.BackupArn), checkOverrides(&in.RestoreOverrides))
	if err != nil {
		return nil, err
	}
	db.mu.RLock()
	at, err := db.findBackup(in.BackupArn)
	if err != nil {
		db.mu.RUnlock()
		return nil, err
	}
	b := db.backups[at]
	if err := db.checkMade(b); err != nil {
		db.mu.RUnlock()
		return nil, err
	}
	snapshot := db.store.Snapshot() // the backup may be deleted meanwhile
	db.mu.RUnlock()
	defer snapshot.Close()
	summary := &api.RestoreSummary{SourceBackupArn: b.arn, SourceTableArn: b.source.TableArn, RestoreDateTime: api.TimeOf(b.created)}
	return db.restore(*in.TargetTableName, &b.source, in.RestoreOverrides, summary, func(put func(attr.Item) bool) error {
		return snapshot.Range(b.space, store.Range{}, func(_ string, item attr.Item) bool { return put(item) })
	})
}

func checkOverrides(o *api.RestoreOverrides) error {
	errs := []error{
		oneOf("billingModeOverride", o.BillingModeOverride, provisioned, payPerRequest),
		checkThroughput("provisionedThroughputOverride", o.ProvisionedThroughputOverride),
	}
	for i, x := range o.GlobalSecondaryIndexOverride {
		errs = append(errs, checkGlobalMembers(element("globalSecondaryIndexOverride", i), &x))
	}
	for i, x := range o.LocalSecondaryIndexOverride {
		errs = append(errs, checkIndexMembers(element("localSecondaryIndexOverride", i), x.IndexName, x.KeySchema, x.Projection, 2))
	}
	for i, x := range o.VectorIndexOverride {
		errs = append(errs, checkVectorMembers(element("vectorIndexOverride", i), x))
	}
	if sse := o.SSESpecificationOverride; sse != nil {
		errs = append(errs, oneOf("sSESpecificationOverride.sSEType", sse.SSEType, "AES256", "KMS"))
	}
	return api.First(errs...)
}

// restore makes a table like the source, but for the overrides, of the items
// that each puts.
func (db *DB) restore(name string, source *api.TableDescription, o api.RestoreOverrides, summary *api.RestoreSummary, each func(put func(attr.Item) bool) error) (*api.RestoreTableOutput, error) {
	in := overridden(recreate(source), o)
	in.TableName = &name
	d := definitionOf(in)
	if err := checkCreateTable(in, d); err != nil {
		return nil, err
	}
	t, err := db.reserve(in, d, summary)
	if err != nil {
		return nil, asTableThere(err)
	}
	if err := db.fill(t, each); err != nil {
		return nil, err
	}
	out, err := db.register(t)
	return out, asTableThere(err)
}

// asTableThere gives the refusal of a name that is taken the exception that
// restores have for it.
func asTableThere(err error) error {
	var refusal *api.Error
	if errors.As(err, &refusal) && refusal.Code == api.ResourceInUse {
		return api.Errorf(api.TableAlreadyExists, "%s", refusal.Message)
	}
	return err
}

// reserve makes a table that nobody else knows yet.
func (db *DB) reserve(in *api.CreateTableInput, d *definition, summary *api.RestoreSummary) (*table, error) {
	db.settle()
	db.mu.Lock()
	defer db.mu.Unlock()
	if err := db.checkFree(*in.TableName); err != nil {
		return nil, err
	}
	t := db.newTable(in, d)
	t.description.RestoreSummary = summary
	return t, nil
}

// register makes a table known, unless another has taken its name meanwhile.
func (db *DB) register(t *table) (*api.RestoreTableOutput, error) {
	db.mu.Lock()
	defer db.mu.Unlock()
	if err := db.checkFree(t.name); err != nil {
		return nil, first(db.dropSpaces(new(store.Batch), slices.Collect(maps.Keys(t.sizes))...), err)
	}
	restored, err := db.introduce(t)
	return &api.RestoreTableOutput{TableDescription: restored}, err
}

// fill puts items into a table that nobody else knows. Those whose attributes
// cannot be the key of an index are left out of it.
func (db *DB) fill(t *table, each func(put func(attr.Item) bool) error) error {
	s := t.schema.Load()
	w := batchWriter{store: db.store}
	err := each(func(item attr.Item) bool {
		t.replace(&w.batch, s.space, entry{}, entryAt(s.key.storageKey(item), item), writeUnits)
		for _, x := range s.indexes {
			t.replace(&w.batch, x.space, entry{}, x.fitting(item), writeUnits)
		}
		for _, x := range s.vectors {
			t.replace(&w.batch, x.space, entry{}, x.fitting(item), vectorBytes)
		}
		return w.flushFull()
	})
	return first(err, w.flush())
}

// recreate returns the request that makes a table like the described one, with
// what a restored table keeps: keys, indexes, capacity and encryption.
func recreate(d *api.TableDescription) *api.CreateTableInput {
	in := &api.CreateTableInput{
		AttributeDefinitions: d.AttributeDefinitions,
		KeySchema:            d.KeySchema,
		BillingMode:          provisioned,
		OnDemandThroughput:   d.OnDemandThroughput,
	}
	if b := d.BillingModeSummary; b != nil {
		in.BillingMode = b.BillingMode
	}
	if in.BillingMode == provisioned {
		in.ProvisionedThroughput = throughputOf(d.ProvisionedThroughput)
	}
	for _, x := range d.GlobalSecondaryIndexes {
		made := api.GlobalSecondaryIndex{IndexName: x.IndexName, KeySchema: x.KeySchema, Projection: x.Projection, OnDemandThroughput: x.OnDemandThroughput}
		if in.BillingMode == provisioned {
			made.ProvisionedThroughput = throughputOf(x.ProvisionedThroughput)
		}
		in.GlobalSecondaryIndexes = append(in.GlobalSecondaryIndexes, made)
	}
	for _, x := range d.LocalSecondaryIndexes {
		in.LocalSecondaryIndexes = append(in.LocalSecondaryIndexes, api.LocalSecondaryIndex{IndexName: x.IndexName, KeySchema: x.KeySchema, Projection: x.Projection})
	}
	for _, x := range d.VectorIndexes {
		in.VectorIndexes = append(in.VectorIndexes, x.VectorIndex)
	}
	if s := d.SSEDescription; s != nil {
		enabled := true
		in.SSESpecification = &api.SSESpecification{Enabled: &enabled, SSEType: s.SSEType, KMSMasterKeyId: s.KMSMasterKeyArn}
	}
	return in
}

func throughputOf(p *api.ProvisionedThroughputDescription) *api.ProvisionedThroughput {
	reads, writes := p.ReadCapacityUnits, p.WriteCapacityUnits
	return &api.ProvisionedThroughput{ReadCapacityUnits: &reads, WriteCapacityUnits: &writes}
}

func overridden(in *api.CreateTableInput, o api.RestoreOverrides) *api.CreateTableInput {
	if o.BillingModeOverride != "" {
		in.BillingMode = o.BillingModeOverride
	}
	if o.ProvisionedThroughputOverride != nil {
		in.ProvisionedThroughput = o.ProvisionedThroughputOverride
	}
	if o.OnDemandThroughputOverride != nil {
		in.OnDemandThroughput = o.OnDemandThroughputOverride
	}
	if o.SSESpecificationOverride != nil {
		in.SSESpecification = o.SSESpecificationOverride
	}
	if o.GlobalSecondaryIndexOverride != nil {
		in.GlobalSecondaryIndexes = noneIfEmpty(o.GlobalSecondaryIndexOverride)
	}
	if o.LocalSecondaryIndexOverride != nil {
		in.LocalSecondaryIndexes = noneIfEmpty(o.LocalSecondaryIndexOverride)
	}
	if o.VectorIndexOverride != nil {
		in.VectorIndexes = noneIfEmpty(o.VectorIndexOverride)
	}
	if in.BillingMode == payPerRequest {
		in.ProvisionedThroughput = nil
		for i := range in.GlobalSecondaryIndexes {
			in.GlobalSecondaryIndexes[i].ProvisionedThroughput = nil
		}
	}
	in.AttributeDefinitions = definitionOf(in).used() // of indexes that are still there
	return in
}

func noneIfEmpty[T any](list []T) []T {
	if len(list) == 0 {
		return nil
	}
	return list
}

// RestoreTableToPointInTime makes a table of another as it was at some moment
// since its point-in-time recovery was switched on.
func (db *DB) RestoreTableToPointInTime(_ context.Context, in *api.RestoreTableToPointInTimeInput) (*api.RestoreTableOutput, error) {
	name := in.SourceTableName
	if name == nil {
		name = in.SourceTableArn
	}
	err := api.First(requiredName("targetTableName", in.TargetTableName), tableName("sourceTableName", name), checkOverrides(&in.RestoreOverrides))
	if err != nil {
		return nil, err
	}
	t, err := db.lock(*name)
	if err != nil {
		return nil, api.Errorf(api.TableNotFound, "Table not found: %s", tableOf(*name))
	}
	source, h := t.describe(), t.history
	at, err := restorable(h, in, t.now)
	snapshot := db.store.Snapshot()
	t.mu.Unlock()
	defer snapshot.Close()
	if err != nil {
		return nil, err
	}
	summary := &api.RestoreSummary{SourceTableArn: source.TableArn, RestoreDateTime: api.TimeOf(at)}
	return db.restore(*in.TargetTableName, source, in.RestoreOverrides, summary, func(put func(attr.Item) bool) error {
		return h.itemsAt(snapshot, t.schema, at, put)
	})
}

// restorable returns the moment that the request means.
func restorable(h *history, in *api.RestoreTableToPointInTimeInput, now time.Time) (time.Time, error) {
	latest := in.UseLatestRestorableTime != nil && *in.UseLatestRestorableTime
	switch {
	case h == nil:
		return time.Time{}, api.Errorf(api.PointInTimeRecoveryUnavailable, "Point in time recovery is not enabled for table '%s'", tableOf(deref(in.SourceTableName, in.SourceTableArn)))
	case latest == (in.RestoreDateTime != nil):
		return time.Time{}, api.Invalid("Exactly one of UseLatestRestorableTime and RestoreDateTime must be specified")
	case latest:
		return now, nil
	}
	at := time.Time(*in.RestoreDateTime)
	if at.Before(h.earliest(now)) || at.After(now) {
		return time.Time{}, api.Errorf(api.InvalidRestoreTime, "RestoreDateTime is invalid: it must be between %s and %s", h.earliest(now).UTC().Format(time.RFC3339), now.UTC().Format(time.RFC3339))
	}
	return at, nil
}

// deref returns the first text that is there.
func deref(texts ...*string) string {
	for _, t := range texts {
		if t != nil {
			return *t
		}
	}
	return ""
}
