// Package store keeps the engine's data: spaces of items in key order, read
// through snapshots and changed by atomic batches. It knows nothing of tables
// or indexes; what a key means is the engine's business.
//
// The interface is the common part of an in-memory tree and of an embedded
// log-structured store, so that one engine runs on either. Keys and items are
// immutable strings in memory: an item that an index shares with its table is
// kept once.
package store

import (
	"slices"

	"github.com/dynmodel/dynmodel/engine/attr"
)

// Space numbers one ordered key space: the items of a table, the entries of an
// index, the records of a stream. A space needs no creation; dropping it
// forgets all its keys.
type Space uint32

// A Store holds many spaces. All methods are safe for concurrent use.
type Store interface {
	// Snapshot returns the state after the last applied batch, over all
	// spaces at once. It waits for nothing but a batch that is being applied.
	// Close it when done.
	Snapshot() Snapshot

	// Get returns the item at key after the last applied batch, and whether
	// there is one: for a writer that keeps others from changing it.
	Get(s Space, key string) (item attr.Item, ok bool, err error)

	// Apply makes all changes of the batch visible at once, or none.
	Apply(*Batch) error

	// Sync returns when all that was applied before is as durable as this
	// store can make it. Who waits holds no lock, so that many can wait for
	// one write to the disk.
	Sync() error

	// Close releases the store. Snapshots must be closed before.
	Close() error
}

// A Snapshot is one unchanging state of the store.
type Snapshot interface {
	// Get returns the item at key, and whether there is one.
	Get(s Space, key string) (item attr.Item, ok bool, err error)

	// Range calls yield for the keys of s in r, in order, until yield returns
	// false.
	Range(s Space, r Range, yield func(key string, item attr.Item) bool) error

	// NextSpace returns the first space from s on that has keys, and whether
	// there is one.
	NextSpace(s Space) (next Space, ok bool, err error)

	Close() error
}

// A Range is the interval of keys From <= key < To. An empty To has no upper
// end.
type Range struct {
	From, To string
	Down     bool // from the greatest key to the smallest
}

// Prefix returns the range of all keys that begin with prefix.
func Prefix(prefix string) Range {
	return Range{From: prefix, To: After(prefix)}
}

// After returns the smallest key greater than every key that begins with
// prefix, or "" if there is none.
func After(prefix string) string {
	for i := len(prefix) - 1; i >= 0; i-- {
		if c := prefix[i]; c != 0xff {
			return prefix[:i] + string([]byte{c + 1})
		}
	}
	return ""
}

// A Batch collects changes for one Apply. The zero value is empty and ready.
type Batch struct {
	changes []change
}

type change struct {
	kind  changeKind
	space Space
	key   string
	item  attr.Item
}

type changeKind uint8

const (
	put changeKind = iota
	remove
	drop
)

// Grow makes room for n more changes.
func (b *Batch) Grow(n int) { b.changes = slices.Grow(b.changes, n) }

// Put sets the item at key in s.
func (b *Batch) Put(s Space, key string, item attr.Item) {
	b.changes = append(b.changes, change{kind: put, space: s, key: key, item: item})
}

// Delete removes key from s, if it is there.
func (b *Batch) Delete(s Space, key string) {
	b.changes = append(b.changes, change{kind: remove, space: s, key: key})
}

// Drop removes every key of s.
func (b *Batch) Drop(s Space) {
	b.changes = append(b.changes, change{kind: drop, space: s})
}

// Len returns the number of changes.
func (b *Batch) Len() int { return len(b.changes) }

// Reset empties the batch for another use.
func (b *Batch) Reset() {
	clear(b.changes)
	b.changes = b.changes[:0]
}
