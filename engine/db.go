package engine

import (
	"maps"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/dynmodel/dynmodel/engine/api"
	"github.com/dynmodel/dynmodel/engine/store"
)

// DB is a DynamoDB of one account in one region. Its methods are the service's
// operations; they are safe for concurrent use and return an *api.Error when
// the service would refuse the request.
type DB struct {
	store         store.Store
	durable       bool // the store outlives the process
	now           func() time.Time
	buckets       string // a folder; "" is none
	maxCollection int64  // bytes of an item collection
	transitions   time.Duration

	// mu guards the fields behind it. Who needs it together with the mu of a
	// table takes that first.
	mu             sync.RWMutex
	tables         map[string]*table
	settling       []*table  // being created or deleted, if that takes a while
	backups        []*backup // in the order of their creation
	exports        []*api.ExportDescription
	imports        []*api.ImportDescription
	bulkPuts       []*bulkPut
	globalTables   map[string]*api.GlobalTable      // replaced, not changed
	globalSettings map[string][]api.ReplicaSettings // by global table; replaced, not changed

	spaces       spaceNumbers
	streams      streamList
	transactions idempotency
	requests     atomic.Uint64 // how many have got an id
	transfers    atomic.Uint32 // how many exports and imports have got an id

	faults   *mischief // nil is none
	governor governor
}

// Option changes how a DB behaves.
type Option func(*DB)

// WithClock makes the DB read the time from now: for times to live, streams,
// idempotency tokens and timestamps. The default is time.Now.
func WithClock(now func() time.Time) Option {
	return func(db *DB) { db.now = now }
}

// New returns an empty DB in memory.
func New(options ...Option) *DB { return newDB(store.NewMemory(), options) }

func newDB(s store.Store, options []Option) *DB {
	db := &DB{store: s, now: time.Now, maxCollection: maxCollectionBytes, tables: make(map[string]*table)}
	for _, o := range options {
		o(db)
	}
	if db.faults != nil && db.faults.Lag > 0 {
		db.store = &laggingStore{Store: db.store, lag: db.faults.Lag, now: db.now}
	}
	return db
}

// Close releases what the DB holds. No operation may be under way.
func (db *DB) Close() error { return db.store.Close() }

// spaceNumbers hands out numbers of key spaces from 1 on, those given back
// first, so that numbers stay small.
type spaceNumbers struct {
	mu   sync.Mutex
	next store.Space
	free []store.Space
}

func (n *spaceNumbers) take() store.Space {
	n.mu.Lock()
	defer n.mu.Unlock()
	if last := len(n.free) - 1; last >= 0 {
		s := n.free[last]
		n.free = n.free[:last]
		return s
	}
	n.next++
	return n.next
}

func (n *spaceNumbers) giveBack(s store.Space) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.free = append(n.free, s)
}

// table returns the table of a request, which may name it by its ARN.
func (db *DB) table(name string) *table {
	db.settle()
	db.mu.RLock()
	defer db.mu.RUnlock()
	return db.tables[tableOf(name)]
}

// allTables returns the tables in the order of their names.
func (db *DB) allTables() []*table {
	db.settle()
	db.mu.RLock()
	defer db.mu.RUnlock()
	tables := make([]*table, 0, len(db.tables))
	for _, name := range slices.Sorted(maps.Keys(db.tables)) {
		tables = append(tables, db.tables[name])
	}
	return tables
}

var errNoTable = api.Errorf(api.ResourceNotFound, "Requested resource not found")

// view returns the schema of a table and a state of the store that fits it.
func (db *DB) view(name string) (*schema, store.Snapshot, error) {
	schemas, snapshot, err := db.viewAll(name)
	if err != nil {
		return nil, nil, err
	}
	return schemas[0], snapshot, nil
}

// viewAll is view for several tables at one moment. It takes a snapshot
// between two looks at the schemas: if they are still the same, none of their
// spaces had been dropped, or used again, before it.
func (db *DB) viewAll(names ...string) ([]*schema, store.Snapshot, error) {
	tables, schemas := make([]*table, len(names)), make([]*schema, len(names))
	for i, n := range names {
		if tables[i] = db.table(n); tables[i] == nil {
			return nil, nil, errNoTable
		}
	}
	for {
		for i, t := range tables {
			if schemas[i] = t.schema.Load(); schemas[i] == nil {
				return nil, nil, errNoTable
			}
		}
		snapshot := db.store.Snapshot()
		if !slices.ContainsFunc(tables, func(t *table) bool { return !slices.Contains(schemas, t.schema.Load()) }) {
			return schemas, snapshot, nil
		}
		snapshot.Close()
	}
}
