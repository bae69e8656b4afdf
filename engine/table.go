package engine

import (
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/dynmodel/dynmodel/engine/api"
	"github.com/dynmodel/dynmodel/engine/store"
)

// A table is one table of a DB.
type table struct {
	name string

	// mu is held by whoever changes the table: its items, its schema or its
	// settings. Readers of items do without it.
	mu sync.Mutex

	// schema is nil once the table is deleted, and until it is created.
	schema atomic.Pointer[schema]
	hidden *schema // what it is, or was, while the schema is nil

	// transition changes under mu and that of the DB.
	transition transition

	claims claims // of transactions

	// The rest is guarded by mu. What description, scaling and kinesis point to
	// is replaced, not changed, since answers may hold it.
	description api.TableDescription     // what DescribeTable says, without the figures
	sizes       map[store.Space]*figures // of the table's own space and its indexes'
	tags        []api.Tag
	stream      *stream  // nil while it is off
	history     *history // nil while point-in-time recovery is off
	expiresBy   string   // the attribute with the time to live; "" is none
	expiry      expirySwitch

	// What has no effect, but is returned.
	kinesis  []api.KinesisDestination
	insights map[string]api.ContributorInsights // by index; "" is the table
	policies policies
	scaling  map[scaled]api.AutoScalingSettings
}

// figures count what a space holds.
type figures struct {
	items int64
	bytes int64 // by DynamoDB's sizes of items
	noted bool  // they are in the catalogue like this
}

// count adds items and bytes, or takes them away if negative.
func (f *figures) count(items, bytes int) {
	f.items += int64(items)
	f.bytes += int64(bytes)
	f.noted = false
}

// known returns the schema of a table that is in any state; nil if it is none
// any more.
func (t *table) known() *schema {
	if s := t.schema.Load(); s != nil {
		return s
	}
	return t.hidden
}

// A locked table is one that nobody else changes.
type locked struct {
	*table
	schema *schema
	now    time.Time
}

// lock returns the named table, locked for changes until its mu is unlocked.
func (db *DB) lock(name string) (locked, error) {
	t := db.table(name)
	if t == nil {
		return locked{}, errNoTable
	}
	t.mu.Lock()
	s := t.schema.Load()
	if s == nil {
		t.mu.Unlock()
		return locked{}, errNoTable
	}
	return locked{t, s, db.now()}, nil
}

// lockAll locks tables, by the names that the request has for them. They are
// locked in the order of their own names, so that requests do not wait for
// each other in circles.
func (db *DB) lockAll(names []string) (tables map[string]locked, unlock func(), err error) {
	tables = make(map[string]locked, len(names))
	var held []*table
	unlock = func() {
		for _, t := range held {
			t.mu.Unlock()
		}
	}
	slices.SortFunc(names, func(a, b string) int { return strings.Compare(tableOf(a), tableOf(b)) })
	for i, n := range names {
		if i > 0 && tableOf(n) == tableOf(names[i-1]) {
			tables[n] = tables[names[i-1]]
			continue
		}
		t, err := db.lock(n)
		if err != nil {
			unlock()
			return nil, nil, err
		}
		held = append(held, t.table)
		tables[n] = t
	}
	return tables, unlock, nil
}

// The account and region that a DB shows in names of resources.
const (
	accountID = "000000000000"
	region    = "us-east-1"
	arnPrefix = "arn:aws:dynamodb:" + region + ":" + accountID + ":table/"
)

// tableOf returns the name of a table that may be given as an ARN.
func tableOf(nameOrARN string) string {
	if !strings.HasPrefix(nameOrARN, "arn:") {
		return nameOrARN
	}
	_, rest, ok := strings.Cut(nameOrARN, ":table/")
	if !ok {
		return nameOrARN
	}
	name, _, _ := strings.Cut(rest, "/")
	return name
}

func errTableNamed(name string) *api.Error {
	return api.Errorf(api.ResourceNotFound, "Requested resource not found: Table: %s not found", tableOf(name))
}
