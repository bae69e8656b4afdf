package engine

import (
	"fmt"
	"slices"
	"time"

	"github.com/dynmodel/dynmodel/engine/api"
)

// WithTransitions makes what takes the service a while take so long by the DB's
// clock: until then tables, indexes, backups, exports, imports, times to live
// and streams are seen CREATING, UPDATING, ENABLING and so on, and what needs
// them to be done is refused. By default all is done when a request is answered;
// only the answer itself shows the change under way, as the service's does.
//
// What was begun is kept: when a DB is opened again, it is done.
func WithTransitions(d time.Duration) Option {
	return func(db *DB) { db.transitions = d }
}

// A transition is what a table is seen to be doing until some moment. The zero
// transition is over.
type transition struct {
	until   time.Time
	status  string                               // of the table
	indexes map[string]string                    // states of indexes that change, by name
	leaving *api.GlobalSecondaryIndexDescription // an index that is not there any more

	allocating bool                                             // new indexes are not being filled yet
	former     map[string]*api.ProvisionedThroughputDescription // that changes, by index; "" is the table
	toOnDemand bool
}

// keep notes throughput that is still to be seen.
func (tr *transition) keep(index string, now *api.ProvisionedThroughputDescription) {
	if tr.former == nil {
		tr.former = make(map[string]*api.ProvisionedThroughputDescription)
	}
	tr.former[index] = now
}

// shown returns throughput as it is seen while it changes from what it was.
func (tr transition) shown(index string, now *api.ProvisionedThroughputDescription) *api.ProvisionedThroughputDescription {
	former := tr.former[index]
	if former == nil {
		return now
	}
	shown := *now
	shown.ReadCapacityUnits, shown.WriteCapacityUnits = former.ReadCapacityUnits, former.WriteCapacityUnits
	shown.NumberOfDecreasesToday = former.NumberOfDecreasesToday
	return &shown
}

func (tr transition) over(now time.Time) bool { return !now.Before(tr.until) }

// transitionTo returns a transition that begins now.
func (db *DB) transitionTo(status string, now time.Time) transition {
	return transition{until: now.Add(db.transitions), status: status, indexes: make(map[string]string)}
}

// show changes a description of the table to how it looks in the transition.
func (tr transition) show(d *api.TableDescription) {
	d.TableStatus = tr.status
	if r := d.RestoreSummary; r != nil && tr.status == api.StatusCreating {
		restoring := *r
		restoring.RestoreInProgress = true
		d.RestoreSummary = &restoring
	}
	if d.ProvisionedThroughput = tr.shown("", d.ProvisionedThroughput); tr.toOnDemand {
		d.BillingModeSummary = &api.BillingModeSummary{BillingMode: payPerRequest} // since when is not known yet
	}
	for i := range d.GlobalSecondaryIndexes {
		x := &d.GlobalSecondaryIndexes[i]
		x.ProvisionedThroughput = tr.shown(x.IndexName, x.ProvisionedThroughput)
		tr.showIndex(x.IndexName, &x.IndexStatus, &x.Backfilling)
	}
	for i := range d.VectorIndexes {
		x := &d.VectorIndexes[i]
		tr.showIndex(x.IndexName, &x.IndexStatus, &x.Backfilling)
	}
	if tr.leaving != nil {
		d.GlobalSecondaryIndexes = append(d.GlobalSecondaryIndexes, *tr.leaving)
	}
}

func (tr transition) showIndex(name string, status *string, backfilling **bool) {
	state, changes := tr.indexes[name]
	switch {
	case tr.status == api.StatusCreating:
		*status = api.StatusCreating
	case changes:
		*status = state
		if filling := !tr.allocating; state == api.StatusCreating {
			*backfilling = &filling
		}
	}
}

// permits reports whether a table can be updated in the transition: an index that
// is being filled can be deleted (API reference, GlobalSecondaryIndexDescription).
func (tr transition) permits(in *api.UpdateTableInput) bool {
	if len(in.GlobalSecondaryIndexUpdates) != 1 || in.GlobalSecondaryIndexUpdates[0].Delete == nil {
		return false
	}
	return tr.indexes[in.GlobalSecondaryIndexUpdates[0].Delete.IndexName] == api.StatusCreating
}

// inUse is the refusal of a change to a table in a transition.
func (tr transition) inUse(table string) error {
	for name, state := range tr.indexes {
		if state == api.StatusUpdating {
			return errInUse("Index is being updated.  Table: %s Index: %s", table, name) // the service's own spaces
		}
	}
	return errInUse("%s", tr.doing(table))
}

// doing says what happens to the table.
func (tr transition) doing(table string) string {
	doing := map[string]string{api.StatusCreating: "created", api.StatusUpdating: "updated", api.StatusDeleting: "deleted"}
	return fmt.Sprintf("Table is being %s: %s", doing[tr.status], table)
}

func errInUse(format string, args ...any) error {
	return api.Errorf(api.ResourceInUse, "Attempt to change a resource which is still in use: %s", fmt.Sprintf(format, args...))
}

// checkReadable refuses to read an index, if there is one, that is still being
// filled.
func (db *DB) checkReadable(x *index) error {
	if db.transitions == 0 || x == nil || !db.now().Before(x.readable) {
		return nil
	}
	return api.Invalid("Cannot read from backfilling global secondary index: %s", x.name)
}

// begin makes a table that has just been made, or is about to go, unknown to
// operations on items until the transition is over. db.mu is held.
func (db *DB) begin(t *table, tr transition) {
	t.transition = tr
	if db.transitions == 0 {
		return
	}
	t.hidden = t.schema.Swap(nil)
	db.settling = append(db.settling, t)
}

// settle ends the transitions of tables whose time has come.
func (db *DB) settle() {
	if db.transitions == 0 {
		return
	}
	now := db.now()
	db.mu.Lock()
	defer db.mu.Unlock()
	db.settling = slices.DeleteFunc(db.settling, func(t *table) bool {
		switch {
		case !t.transition.over(now):
			return false
		case t.transition.status == api.StatusCreating:
			t.schema.Store(t.hidden)
		case db.tables[t.name] == t:
			delete(db.tables, t.name)
		}
		return true
	})
}

// lockAny returns a table of any state, locked, to look at its settings.
func (db *DB) lockAny(name string) (locked, error) {
	t := db.table(name)
	if t == nil {
		return locked{}, errTableNamed(name)
	}
	t.mu.Lock()
	s := t.known()
	if s == nil { // deleted meanwhile
		t.mu.Unlock()
		return locked{}, errTableNamed(name)
	}
	return locked{t, s, db.now()}, nil
}

// lockSteady returns a table that is not in a transition, locked, to change its
// settings.
func (db *DB) lockSteady(name string) (locked, error) {
	t, err := db.lockAny(name)
	if err == nil && !t.transition.over(t.now) {
		t.mu.Unlock()
		return locked{}, t.transition.inUse(t.name)
	}
	return t, err
}
