package engine

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/dynmodel/dynmodel/engine/api"
	"github.com/dynmodel/dynmodel/engine/attr"
	"github.com/dynmodel/dynmodel/engine/store"
)

const maxListedBackups = 100

// A backup is a copy of a table in a space of its own.
type backup struct {
	arn     string
	name    string
	created time.Time
	source  api.TableDescription
	expires string // the attribute with the time to live
	space   store.Space
}

// CreateBackup copies a table.
func (db *DB) CreateBackup(_ context.Context, in *api.CreateBackupInput) (*api.CreateBackupOutput, error) {
	if err := api.First(tableName("tableName", in.TableName), requiredName("backupName", in.BackupName)); err != nil {
		return nil, err
	}
	t, err := db.lockForBackup(*in.TableName)
	if err != nil {
		return nil, err
	}
	if tr := t.transition; !tr.over(t.now) && tr.status != api.StatusUpdating {
		t.mu.Unlock()
		return nil, api.Errorf(api.TableInUse, "%s", tr.doing(t.name))
	}
	b := &backup{name: *in.BackupName, created: t.now, source: *t.describe(), expires: t.expiresBy}
	snapshot := db.store.Snapshot()
	t.mu.Unlock()
	defer snapshot.Close()

	b.space = db.spaces.take()
	b.arn = fmt.Sprintf("%s/backup/%014d-%08x", b.source.TableArn, b.created.UnixMilli(), b.space)
	if err := db.copySpace(snapshot, t.schema.space, b.space); err != nil {
		return nil, err
	}
	db.mu.Lock()
	defer db.mu.Unlock()
	var batch store.Batch
	b.note(&batch)
	if err := first(db.store.Apply(&batch), db.store.Sync()); err != nil {
		return nil, err
	}
	db.backups = append(db.backups, b)
	begun := b.details(b.created, 0)
	begun.BackupStatus = api.StatusCreating
	return &api.CreateBackupOutput{BackupDetails: begun}, nil
}

// lockForBackup is lockAny for operations on backups, which have an exception of
// their own for tables that are not there.
func (db *DB) lockForBackup(name string) (locked, error) {
	t, err := db.lockAny(name)
	if err != nil {
		return locked{}, api.Errorf(api.TableNotFound, "Table not found: %s", tableOf(name))
	}
	return t, nil
}

// copyBatch bounds the items that are written at once.
const copyBatch = 1000

func (db *DB) copySpace(snapshot store.Snapshot, from, to store.Space) error {
	w := batchWriter{store: db.store}
	err := snapshot.Range(from, store.Range{}, func(key string, item attr.Item) bool {
		w.batch.Put(to, key, item)
		return w.flushFull()
	})
	return first(err, w.flush())
}

// A batchWriter applies a long batch in parts. The first error stops it.
type batchWriter struct {
	store store.Store
	batch store.Batch
	err   error
}

// flushFull applies the batch if it is long enough, and reports whether to go
// on.
func (w *batchWriter) flushFull() bool {
	if w.batch.Len() >= copyBatch {
		w.flush()
	}
	return w.err == nil
}

func (w *batchWriter) flush() error {
	if w.err == nil && w.batch.Len() > 0 {
		w.err = w.store.Apply(&w.batch)
		w.batch.Reset()
	}
	return w.err
}

// details describes the backup as it looks at some moment, if it takes so long to
// make.
func (b *backup) details(now time.Time, transition time.Duration) *api.BackupDetails {
	status := "AVAILABLE"
	if b.inCreation(now, transition) {
		status = api.StatusCreating
	}
	return &api.BackupDetails{
		BackupArn:              b.arn,
		BackupName:             b.name,
		BackupSizeBytes:        b.source.TableSizeBytes,
		BackupStatus:           status,
		BackupType:             "USER",
		BackupCreationDateTime: api.TimeOf(b.created),
	}
}

func (b *backup) inCreation(now time.Time, transition time.Duration) bool {
	return now.Before(b.created.Add(transition))
}

func (b *backup) describe(details *api.BackupDetails) *api.BackupDescription {
	s := &b.source
	features := &api.SourceTableFeatureDetails{
		StreamDescription: s.StreamSpecification,
		SSEDescription:    s.SSEDescription,
	}
	if b.expires != "" {
		features.TimeToLiveDescription = &api.TimeToLiveDescription{TimeToLiveStatus: "ENABLED", AttributeName: b.expires}
	}
	request := recreate(s)
	features.LocalSecondaryIndexes = request.LocalSecondaryIndexes
	features.GlobalSecondaryIndexes = request.GlobalSecondaryIndexes
	features.VectorIndexes = request.VectorIndexes
	throughput := request.ProvisionedThroughput
	if throughput == nil {
		throughput = throughputOf(s.ProvisionedThroughput)
	}
	return &api.BackupDescription{
		BackupDetails:             details,
		SourceTableFeatureDetails: features,
		SourceTableDetails: &api.SourceTableDetails{
			TableName:             s.TableName,
			TableId:               s.TableId,
			TableArn:              s.TableArn,
			TableSizeBytes:        s.TableSizeBytes,
			KeySchema:             s.KeySchema,
			TableCreationDateTime: s.CreationDateTime,
			ProvisionedThroughput: throughput,
			OnDemandThroughput:    s.OnDemandThroughput,
			ItemCount:             s.ItemCount,
			BillingMode:           request.BillingMode,
		},
	}
}

// findBackup returns the place of a backup in db.backups. db.mu is held.
func (db *DB) findBackup(arn *string) (int, error) {
	if err := checkARN("backupArn", arn); err != nil {
		return 0, err
	}
	at := slices.IndexFunc(db.backups, func(b *backup) bool { return b.arn == *arn })
	if at < 0 {
		return 0, api.Errorf(api.BackupNotFound, "Backup not found: %s", *arn)
	}
	return at, nil
}

// DescribeBackup describes a backup.
func (db *DB) DescribeBackup(_ context.Context, in *api.DescribeBackupInput) (*api.DescribeBackupOutput, error) {
	db.mu.RLock()
	defer db.mu.RUnlock()
	at, err := db.findBackup(in.BackupArn)
	if err != nil {
		return nil, err
	}
	b := db.backups[at]
	return &api.DescribeBackupOutput{BackupDescription: b.describe(b.details(db.now(), db.transitions))}, nil
}

// DeleteBackup removes a backup.
func (db *DB) DeleteBackup(_ context.Context, in *api.DeleteBackupInput) (*api.DeleteBackupOutput, error) {
	db.mu.Lock()
	defer db.mu.Unlock()
	at, err := db.findBackup(in.BackupArn)
	if err != nil {
		return nil, err
	}
	gone := db.backups[at]
	if err := db.checkMade(gone); err != nil {
		return nil, err
	}
	var b store.Batch
	b.Delete(catalogueSpace, backupRecords+gone.arn)
	db.backups = slices.Delete(db.backups, at, at+1)
	if err := first(db.dropSpaces(&b, gone.space), db.store.Sync()); err != nil {
		return nil, err
	}
	details := gone.details(db.now(), 0)
	details.BackupStatus = "DELETED"
	return &api.DeleteBackupOutput{BackupDescription: gone.describe(details)}, nil
}

// checkMade refuses to use a backup that is still being made.
func (db *DB) checkMade(b *backup) error {
	if b.inCreation(db.now(), db.transitions) {
		return api.Errorf(api.BackupInUse, "Backup is being created: %s", b.arn)
	}
	return nil
}

// ListBackups lists backups in the order of their creation.
func (db *DB) ListBackups(_ context.Context, in *api.ListBackupsInput) (*api.ListBackupsOutput, error) {
	err := api.First(
		optional(in.TableName, func(name *string) error { return tableName("tableName", name) }),
		atLeast("limit", in.Limit, 1),
		atMost("limit", in.Limit, maxListedBackups),
		optional(in.ExclusiveStartBackupArn, func(arn *string) error { return checkARN("exclusiveStartBackupArn", arn) }),
		oneOf("backupType", in.BackupType, "USER", "SYSTEM", "AWS_BACKUP", "ALL"))
	if err != nil {
		return nil, err
	}
	limit := maxListedBackups
	if in.Limit != nil {
		limit = int(*in.Limit)
	}
	db.mu.RLock()
	defer db.mu.RUnlock()
	out := &api.ListBackupsOutput{BackupSummaries: []api.BackupSummary{}}
	skipping := in.ExclusiveStartBackupArn != nil
	for _, b := range db.backups {
		switch {
		case skipping:
			skipping = b.arn != *in.ExclusiveStartBackupArn
		case !b.listedBy(in):
		case len(out.BackupSummaries) == limit:
			out.LastEvaluatedBackupArn = out.BackupSummaries[limit-1].BackupArn
			return out, nil
		default:
			out.BackupSummaries = append(out.BackupSummaries, b.summary(b.details(db.now(), db.transitions)))
		}
	}
	return out, nil
}

func (b *backup) listedBy(in *api.ListBackupsInput) bool {
	switch {
	case in.BackupType == "SYSTEM" || in.BackupType == "AWS_BACKUP":
		return false
	case in.TableName != nil && tableOf(*in.TableName) != b.source.TableName:
		return false
	case in.TimeRangeLowerBound != nil && b.created.Before(time.Time(*in.TimeRangeLowerBound)):
		return false
	}
	return in.TimeRangeUpperBound == nil || b.created.Before(time.Time(*in.TimeRangeUpperBound))
}

func (b *backup) summary(d *api.BackupDetails) api.BackupSummary {
	return api.BackupSummary{
		TableName:              b.source.TableName,
		TableId:                b.source.TableId,
		TableArn:               b.source.TableArn,
		BackupArn:              d.BackupArn,
		BackupName:             d.BackupName,
		BackupCreationDateTime: d.BackupCreationDateTime,
		BackupStatus:           d.BackupStatus,
		BackupType:             d.BackupType,
		BackupSizeBytes:        d.BackupSizeBytes,
	}
}
