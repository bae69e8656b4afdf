package engine

import (
	"context"
	"time"

	"github.com/dynmodel/dynmodel/engine/api"
	"github.com/dynmodel/dynmodel/engine/attr"
	"github.com/dynmodel/dynmodel/engine/store"
)

// An expirySwitch is a time to live that is seen to be switched on or off until
// some moment.
type expirySwitch struct {
	status, attribute string
	until             time.Time
}

// UpdateTimeToLive switches the expiry of a table's items.
func (db *DB) UpdateTimeToLive(_ context.Context, in *api.UpdateTimeToLiveInput) (*api.UpdateTimeToLiveOutput, error) {
	if err := checkUpdateTimeToLive(in); err != nil {
		return nil, err
	}
	t, err := db.lockSteady(*in.TableName)
	if err != nil {
		return nil, err
	}
	defer t.mu.Unlock()
	name := *in.TimeToLiveSpecification.AttributeName
	switch enable := *in.TimeToLiveSpecification.Enabled; {
	case t.now.Before(t.expiry.until):
		return nil, api.Invalid("Time to live has been modified multiple times within a fixed interval")
	case t.expiresBy != "" && t.expiresBy != name:
		return nil, api.Invalid("TimeToLive is active on a different AttributeName: current AttributeName is %s", t.expiresBy)
	case enable && t.expiresBy != "":
		return nil, api.Invalid("TimeToLive is already enabled")
	case !enable && t.expiresBy == "":
		return nil, api.Invalid("TimeToLive is already disabled")
	case enable:
		t.expiry, t.expiresBy = expirySwitch{"ENABLING", name, t.now.Add(db.transitions)}, name
	default:
		t.expiry, t.expiresBy = expirySwitch{"DISABLING", name, t.now.Add(db.transitions)}, ""
	}
	return &api.UpdateTimeToLiveOutput{TimeToLiveSpecification: in.TimeToLiveSpecification}, db.save(t.table)
}

func checkUpdateTimeToLive(in *api.UpdateTimeToLiveInput) error {
	if err := checkTableName(in.TableName); err != nil {
		return err
	}
	name, spec := tableName("tableName", in.TableName), in.TimeToLiveSpecification
	if spec == nil {
		return api.First(name, api.Required("timeToLiveSpecification"))
	}
	return api.First(name,
		notNull("timeToLiveSpecification.enabled", spec.Enabled),
		checkText("timeToLiveSpecification.attributeName", spec.AttributeName, 1, maxKeyNameBytes))
}

// DescribeTimeToLive says whether a table's items expire.
func (db *DB) DescribeTimeToLive(_ context.Context, in *api.DescribeTimeToLiveInput) (*api.DescribeTimeToLiveOutput, error) {
	if err := first(checkTableName(in.TableName), tableName("tableName", in.TableName)); err != nil {
		return nil, err
	}
	t, err := db.lockAny(*in.TableName)
	if err != nil {
		return nil, err
	}
	defer t.mu.Unlock()
	d := &api.TimeToLiveDescription{TimeToLiveStatus: "DISABLED"}
	switch {
	case t.now.Before(t.expiry.until):
		d.TimeToLiveStatus, d.AttributeName = t.expiry.status, t.expiry.attribute
	case t.expiresBy != "":
		d.TimeToLiveStatus, d.AttributeName = "ENABLED", t.expiresBy
	}
	return &api.DescribeTimeToLiveOutput{TimeToLiveDescription: d}, nil
}

// longExpired is how far in the past a time to live has no effect any more,
// as a guard against values in the wrong unit (DynamoDB developer guide, TTL).
const longExpired = 5 * 365 * 24 * time.Hour

// Sweep does by the DB's clock what the service does in the background: it
// removes items whose time to live has passed, and returns their number, and
// what streams and point-in-time recovery no longer keep. The service takes up
// to a few days until an expired item is gone; until then it returns it like
// any other, and so does a DB until it is swept.
func (db *DB) Sweep(context.Context) (expired int, err error) {
	for _, t := range db.allTables() {
		n, err := db.sweepTable(t.name)
		expired += n
		if err != nil {
			return expired, err
		}
	}
	streams, err := db.liveStreams()
	for _, s := range streams {
		err = first(err, db.trim(s))
	}
	return expired, err
}

func (db *DB) sweepTable(name string) (expired int, err error) {
	t, err := db.lock(name)
	if err != nil {
		return 0, nil // deleted meanwhile
	}
	if t.history != nil {
		err = db.trimHistory(t.history, t.now)
	}
	t.mu.Unlock()
	if err != nil {
		return 0, err
	}
	return db.deleteExpired(name)
}

// expiryBatch bounds the items that are removed at once, so that writers need
// not wait long.
const expiryBatch = 100

func (db *DB) deleteExpired(name string) (deleted int, err error) {
	for from := ""; ; {
		t, err := db.lock(name)
		if err != nil {
			return deleted, nil // deleted meanwhile
		}
		n, next, err := db.deleteSome(t, from)
		t.mu.Unlock()
		deleted += n
		if err != nil || next == "" {
			return deleted, err
		}
		from = next
	}
}

// deleteSome removes a batch of expired items from a storage key on, and
// returns where to go on.
func (db *DB) deleteSome(t locked, from string) (deleted int, next string, err error) {
	if t.expiresBy == "" {
		return 0, "", nil
	}
	snapshot := db.store.Snapshot()
	defer snapshot.Close()
	var b store.Batch
	m := meter{schema: t.schema}
	err = snapshot.Range(t.schema.space, store.Range{From: from}, func(key string, item attr.Item) bool {
		if deleted == expiryBatch {
			next = key
			return false
		}
		if expired(item, t.expiresBy, t.now) {
			t.stage(&b, change{key: key, old: item, expired: true}, &m)
			deleted++
		}
		return true
	})
	if err != nil {
		return 0, "", err
	}
	return deleted, next, db.commit(&b, t.table)
}

func expired(item attr.Item, by string, now time.Time) bool {
	v, _ := item.Get(by)
	if v.Type() != attr.N {
		return false
	}
	seconds, ok := v.Int64()
	if !ok {
		return false
	}
	at := time.Unix(seconds, 0)
	return at.Before(now) && now.Sub(at) < longExpired
}
