package engine

import (
	"context"
	"encoding/binary"
	"time"

	"github.com/dynmodel/dynmodel/engine/api"
	"github.com/dynmodel/dynmodel/engine/attr"
	"github.com/dynmodel/dynmodel/engine/store"
)

// The longest time that point-in-time recovery goes back, in days, which is
// also the default (API reference, PointInTimeRecoverySpecification).
const maxRecoveryDays = 35

// A history keeps what changes of a table have replaced, in the order of time,
// so that they can be undone.
type history struct {
	space store.Space
	since time.Time
	days  int64
	last  uint64 // number of the last change
}

// record adds a change to b. The table is locked.
func (h *history) record(b *store.Batch, c change, now time.Time) {
	h.last++
	b.Put(h.space, historyKey(now, h.last), attr.NewItem(
		attr.Entry{Name: "key", Value: attr.Binary(c.key)},
		attr.Entry{Name: "old", Value: attr.Map(c.old)}))
}

// historyKey orders changes by time, and those of one moment by number.
func historyKey(at time.Time, number uint64) string {
	key := binary.BigEndian.AppendUint64(nil, uint64(at.UnixNano()))
	return string(binary.BigEndian.AppendUint64(key, number))
}

// historyTime returns the time in a key.
func historyTime(key string) time.Time {
	return time.Unix(0, int64(binary.BigEndian.Uint64([]byte(key))))
}

// historyNumber returns the number in a key.
func historyNumber(key string) uint64 { return binary.BigEndian.Uint64([]byte(key[8:])) }

// earliest returns the first moment that can be restored.
func (h *history) earliest(now time.Time) time.Time {
	if oldest := now.AddDate(0, 0, -int(h.days)); oldest.After(h.since) {
		return oldest
	}
	return h.since
}

// itemsAt puts the items that a table had at some moment: those of the
// snapshot, but for later changes what the first of them replaced.
func (h *history) itemsAt(snapshot store.Snapshot, s *schema, at time.Time, put func(attr.Item) bool) error {
	undone, err := h.replacedSince(snapshot, at.Add(1))
	if err != nil {
		return err
	}
	goOn := true
	err = snapshot.Range(s.space, store.Range{}, func(key string, item attr.Item) bool {
		if _, changed := undone[key]; !changed {
			goOn = put(item)
		}
		return goOn
	})
	if err != nil {
		return err
	}
	for _, item := range undone {
		if goOn && !item.IsEmpty() {
			goOn = put(item)
		}
	}
	return nil
}

// replacedSince returns what the first of the changes from some moment on has
// replaced, by storage keys.
func (h *history) replacedSince(snapshot store.Snapshot, at time.Time) (map[string]attr.Item, error) {
	replaced := make(map[string]attr.Item)
	err := snapshot.Range(h.space, store.Range{From: historyKey(at, 0)}, func(_ string, record attr.Item) bool {
		key, _ := record.Get("key")
		old, _ := record.Get("old")
		if _, known := replaced[key.Text()]; !known {
			replaced[key.Text()] = old.Item()
		}
		return true
	})
	return replaced, err
}

// trimHistory removes what is too old to be restored.
func (db *DB) trimHistory(h *history, now time.Time) error {
	snapshot := db.store.Snapshot()
	defer snapshot.Close()
	var b store.Batch
	err := snapshot.Range(h.space, store.Range{To: historyKey(h.earliest(now), 0)}, func(key string, _ attr.Item) bool {
		b.Delete(h.space, key)
		return true
	})
	if err != nil || b.Len() == 0 {
		return err
	}
	return db.store.Apply(&b)
}

// UpdateContinuousBackups switches point-in-time recovery of a table.
func (db *DB) UpdateContinuousBackups(_ context.Context, in *api.UpdateContinuousBackupsInput) (*api.ContinuousBackupsOutput, error) {
	spec := in.PointInTimeRecoverySpecification
	if spec == nil {
		return nil, api.First(tableName("tableName", in.TableName), api.Required("pointInTimeRecoverySpecification"))
	}
	err := api.First(
		tableName("tableName", in.TableName),
		notNull("pointInTimeRecoverySpecification.pointInTimeRecoveryEnabled", spec.PointInTimeRecoveryEnabled),
		atLeast("pointInTimeRecoverySpecification.recoveryPeriodInDays", spec.RecoveryPeriodInDays, 1),
		atMost("pointInTimeRecoverySpecification.recoveryPeriodInDays", spec.RecoveryPeriodInDays, maxRecoveryDays))
	if err != nil {
		return nil, err
	}
	t, err := db.lockForBackup(*in.TableName)
	if err != nil {
		return nil, err
	}
	defer t.mu.Unlock()
	if tr := t.transition; !tr.over(t.now) && tr.status == api.StatusCreating {
		return nil, api.Errorf(api.ContinuousBackupsUnavailable, "Backups are being enabled for the table: %s. Please retry later", t.name)
	}
	if err := db.setHistory(t.table, spec); err != nil {
		return nil, err
	}
	return t.describeHistory(t.now), nil
}

func (db *DB) setHistory(t *table, spec *api.PointInTimeRecoverySpecification) error {
	if !*spec.PointInTimeRecoveryEnabled {
		return first(db.dropHistory(t), db.store.Sync())
	}
	if t.history == nil {
		t.history = &history{space: db.spaces.take(), since: db.now(), days: maxRecoveryDays}
	}
	if spec.RecoveryPeriodInDays != nil {
		t.history.days = *spec.RecoveryPeriodInDays
	}
	return first(db.trimHistory(t.history, db.now()), db.save(t))
}

// dropHistory forgets the past of a table, which is locked.
func (db *DB) dropHistory(t *table) error {
	if t.history == nil {
		return nil
	}
	gone := t.history.space
	t.history = nil
	var b store.Batch
	t.note(&b)
	return db.dropSpaces(&b, gone)
}

// DescribeContinuousBackups says to which points in time a table can be
// restored.
func (db *DB) DescribeContinuousBackups(_ context.Context, in *api.DescribeContinuousBackupsInput) (*api.ContinuousBackupsOutput, error) {
	if err := tableName("tableName", in.TableName); err != nil {
		return nil, err
	}
	t, err := db.lockForBackup(*in.TableName)
	if err != nil {
		return nil, err
	}
	defer t.mu.Unlock()
	if t.history != nil {
		if err := db.trimHistory(t.history, t.now); err != nil {
			return nil, err
		}
	}
	return t.describeHistory(t.now), nil
}

func (t *table) describeHistory(now time.Time) *api.ContinuousBackupsOutput {
	d := &api.PointInTimeRecoveryDescription{PointInTimeRecoveryStatus: "DISABLED"}
	if h := t.history; h != nil {
		d.PointInTimeRecoveryStatus = "ENABLED"
		d.RecoveryPeriodInDays = &h.days
		d.EarliestRestorableDateTime = api.TimeOf(h.earliest(now))
		d.LatestRestorableDateTime = api.TimeOf(now)
	}
	return &api.ContinuousBackupsOutput{ContinuousBackupsDescription: &api.ContinuousBackupsDescription{
		ContinuousBackupsStatus:        "ENABLED",
		PointInTimeRecoveryDescription: d,
	}}
}
