package store

import (
	"encoding/binary"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/tidwall/btree"

	"github.com/dynmodel/dynmodel/engine/attr"
)

// Memory is a Store in memory: one copy-on-write tree per space. A snapshot
// holds copies of the trees, which share all nodes until the next change. They
// are made by the first to ask for one after a change: many changes in turn
// copy nothing.
type Memory struct {
	mu        sync.Mutex                     // guards the trees
	live      []*tree                        // by space; nil where there is none
	copies    []*tree                        // of live trees that did not change since
	published atomic.Pointer[memorySnapshot] // nil if there is a change that it lacks
}

type tree = btree.BTreeG[entry]

type entry struct {
	head uint64 // the first bytes of the key, which mostly decide the order
	key  string
	item attr.Item
}

// at returns an entry without an item, for the place of a key.
func at(key string) entry {
	var first [8]byte
	copy(first[:], key)
	return entry{head: binary.BigEndian.Uint64(first[:]), key: key}
}

func before(a, b entry) bool {
	if a.head != b.head {
		return a.head < b.head
	}
	return a.key < b.key
}

// treeDegree balances the nodes copied by a write after a snapshot (small is
// cheap) against the depth of the tree (large is flat). With ten, a node that is
// filled up, at 19 entries, also fills its memory, which grows by doubling.
const treeDegree = 10

// NewMemory returns an empty store.
func NewMemory() *Memory {
	m := new(Memory)
	m.published.Store(new(memorySnapshot))
	return m
}

// Snapshot returns the state after the last batch. It waits for a batch that is
// being applied only if nobody has asked for a snapshot since the one before.
func (m *Memory) Snapshot() Snapshot {
	if s := m.published.Load(); s != nil {
		return s
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if s := m.published.Load(); s != nil {
		return s
	}
	for s, t := range m.live {
		if t != nil && m.copies[s] == nil {
			m.copies[s] = t.IsoCopy()
		}
	}
	next := &memorySnapshot{trees: slices.Clone(m.copies)}
	m.published.Store(next)
	return next
}

// Get returns the item that the last batch left at key.
func (m *Memory) Get(s Space, key string) (attr.Item, bool, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return get(m.live, s, key)
}

// Apply changes the trees of the spaces in b.
func (m *Memory) Apply(b *Batch) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	for i := range b.changes {
		c := &b.changes[i]
		t := m.changing(c.space)
		switch c.kind {
		case put:
			e := at(c.key)
			e.item = c.item
			t.Set(e)
		case remove:
			t.Delete(at(c.key))
		case drop:
			t.Clear()
		}
	}
	m.published.Store(nil)
	return nil
}

// changing returns the live tree of s, made if it is not there, and lets go of
// its copy.
func (m *Memory) changing(s Space) *tree {
	for int(s) >= len(m.live) {
		m.live, m.copies = append(m.live, nil), append(m.copies, nil)
	}
	if m.live[s] == nil {
		m.live[s] = btree.NewBTreeGOptions(before, btree.Options{NoLocks: true, Degree: treeDegree})
	}
	m.copies[s] = nil
	return m.live[s]
}

// Sync does nothing: memory is as durable as it can be.
func (m *Memory) Sync() error { return nil }

// Close does nothing: the trees go with the last reference to them.
func (m *Memory) Close() error { return nil }

type memorySnapshot struct {
	trees []*tree
}

// treeOf returns the tree of s, or nil.
func treeOf(trees []*tree, s Space) *tree {
	if int(s) >= len(trees) {
		return nil
	}
	return trees[s]
}

func get(trees []*tree, s Space, key string) (attr.Item, bool, error) {
	t := treeOf(trees, s)
	if t == nil {
		return attr.Item{}, false, nil
	}
	e, ok := t.Get(at(key))
	return e.item, ok, nil
}

func (m *memorySnapshot) Get(s Space, key string) (attr.Item, bool, error) {
	return get(m.trees, s, key)
}

func (m *memorySnapshot) Range(s Space, r Range, yield func(key string, item attr.Item) bool) error {
	t := treeOf(m.trees, s)
	switch {
	case t == nil:
	case !r.Down:
		t.Ascend(at(r.From), func(e entry) bool {
			return (r.To == "" || e.key < r.To) && yield(e.key, e.item)
		})
	case r.To == "":
		t.Reverse(func(e entry) bool {
			return e.key >= r.From && yield(e.key, e.item)
		})
	default:
		t.Descend(at(r.To), func(e entry) bool {
			if e.key == r.To {
				return true
			}
			return e.key >= r.From && yield(e.key, e.item)
		})
	}
	return nil
}

func (m *memorySnapshot) NextSpace(s Space) (Space, bool, error) {
	for ; int(s) < len(m.trees); s++ {
		if t := m.trees[s]; t != nil && t.Len() > 0 {
			return s, true, nil
		}
	}
	return 0, false, nil
}

func (m *memorySnapshot) Close() error { return nil }
