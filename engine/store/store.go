// Package store keeps the engine's bytes: ordered key spaces, read through
// snapshots and changed by atomic batches. It knows nothing of items, tables
// or indexes; what a key or a value means is the engine's business.
//
// The interface is the common part of an in-memory tree and of an embedded
// log-structured store, so that one engine runs on either.
package store

// Space numbers one ordered key space: the items of a table, the entries of an
// index, the records of a stream. A space needs no creation; dropping it
// forgets all its keys.
type Space uint32

// A Store holds many spaces. All methods are safe for concurrent use.
type Store interface {
	// Snapshot returns the state after the last applied batch, over all
	// spaces at once. It never waits for a writer. Close it when done.
	Snapshot() Snapshot

	// Apply makes all changes of the batch visible at once, or none. When it
	// returns nil, they are as durable as this store can make them. The store
	// keeps the keys and values of the batch: they must not change afterwards.
	Apply(*Batch) error

	// Close releases the store. Snapshots must be closed before.
	Close() error
}

// A Snapshot is one unchanging state of the store. Keys and values that it
// hands out stay valid after Close; they must not be changed.
type Snapshot interface {
	// Get returns the value at key, and whether there is one.
	Get(s Space, key []byte) (value []byte, ok bool, err error)

	// Range calls yield for the keys of s from r.From up to r.To in key
	// order, or downwards, until yield returns false.
	Range(s Space, r Range, yield func(key, value []byte) bool) error

	Close() error
}

// A Range is the interval of keys From <= key < To. A nil To has no upper end.
type Range struct {
	From, To []byte
	Down     bool // from the greatest key to the smallest
}

// A Batch collects changes for one Apply. The zero value is empty and ready.
type Batch struct {
	changes []change
}

type change struct {
	kind       changeKind
	space      Space
	key, value []byte
}

type changeKind uint8

const (
	put changeKind = iota
	remove
	drop
)

// Put sets key to value in s.
func (b *Batch) Put(s Space, key, value []byte) {
	b.changes = append(b.changes, change{kind: put, space: s, key: key, value: value})
}

// Delete removes key from s, if it is there.
func (b *Batch) Delete(s Space, key []byte) {
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

// Prefix returns the range of all keys that begin with prefix.
func Prefix(prefix []byte) Range {
	return Range{From: prefix, To: After(prefix)}
}

// After returns the smallest key greater than every key that begins with
// prefix, or nil if there is none.
func After(prefix []byte) []byte {
	for i := len(prefix) - 1; i >= 0; i-- {
		if prefix[i] != 0xff {
			next := append([]byte(nil), prefix[:i+1]...)
			next[i]++
			return next
		}
	}
	return nil
}
