package engine

import (
	"slices"
	"sync"
	"sync/atomic"

	"github.com/dynmodel/dynmodel/engine/api"
	"github.com/dynmodel/dynmodel/engine/attr"
)

// Transactions that are under way keep others from their items: what meets one
// is refused at once, and not kept waiting.

// claims are the items of a table that transactions under way are about, by
// their storage keys.
type claims struct {
	n    atomic.Int64 // how many there are, for those who need not look closer
	mu   sync.Mutex
	keys map[string]bool
}

// take claims an item, unless it is claimed.
func (c *claims) take(key string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.keys[key] {
		return false
	}
	if c.keys == nil {
		c.keys = make(map[string]bool)
	}
	c.keys[key] = true
	c.n.Add(1)
	return true
}

func (c *claims) giveBack(key string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.keys, key)
	c.n.Add(-1)
}

func (c *claims) has(key string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.keys[key]
}

var errConflict = api.Errorf(api.TransactionConflict, "Transaction is ongoing for the item")

// claim claims the items of a transaction until release is called. Actions on
// items of other transactions are reasons to cancel this one. What is wrong
// with the request is for others to say.
func (db *DB) claim(tx []transactWrite) (release func(), err error) {
	type claimed struct {
		table *table
		key   string
	}
	held := make([]claimed, 0, len(tx))
	release = func() {
		for _, c := range held {
			c.table.claims.giveBack(c.key)
		}
	}
	why := newReasons(len(tx))
	for i, w := range tx {
		t, key := db.placeOf(w.table, w.item)
		if t == nil || slices.Contains(held, claimed{t, key}) {
			continue
		}
		if t.claims.take(key) {
			held = append(held, claimed{t, key})
		} else {
			why.add(i, errConflict)
		}
	}
	if err := why.cancelled(); err != nil {
		release()
		return nil, err
	}
	return release, nil
}

// checkUnclaimed refuses to touch an item of a transaction that is under way.
func (db *DB) checkUnclaimed(table string, item attr.Item) error {
	if t := db.table(table); t == nil || t.claims.n.Load() == 0 {
		return nil
	}
	if t, key := db.placeOf(table, item); t != nil && t.claims.has(key) {
		return errConflict
	}
	return nil
}

// placeOf returns the table and the storage key of an item; there is no table
// if either is not what it should be.
func (db *DB) placeOf(name string, item attr.Item) (*table, string) {
	t := db.table(name)
	if t == nil {
		return nil, ""
	}
	s := t.schema.Load()
	if s == nil {
		return nil, ""
	}
	key, ok := s.key.appendStorageKey(nil, item)
	if !ok {
		return nil, ""
	}
	return t, string(key)
}
