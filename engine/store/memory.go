package store

import (
	"slices"
	"sync"
	"sync/atomic"

	"github.com/tidwall/btree"

	"github.com/dynmodel/dynmodel/engine/attr"
)

// Memory is a Store in memory: one copy-on-write tree per space. A batch
// changes the writer's trees and then publishes copies of them, which share
// all nodes until the next change; a snapshot is one pointer load.
type Memory struct {
	mu        sync.Mutex // one Apply at a time
	live      []*tree    // the writer's trees, by space; nil where there is none
	published atomic.Pointer[memorySnapshot]
}

type tree = btree.BTreeG[entry]

type entry struct {
	key  string
	item attr.Item
}

// treeDegree balances the nodes copied by each write (small is cheap) against
// the depth of the tree (large is flat).
const treeDegree = 8

// NewMemory returns an empty store.
func NewMemory() *Memory {
	m := new(Memory)
	m.published.Store(new(memorySnapshot))
	return m
}

// Snapshot returns the last published state.
func (m *Memory) Snapshot() Snapshot { return m.published.Load() }

// Apply changes the trees of the spaces in b and publishes them together.
func (m *Memory) Apply(b *Batch) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	var touched []Space
	for i := range b.changes {
		c := &b.changes[i]
		if !slices.Contains(touched, c.space) {
			touched = append(touched, c.space)
		}
		switch c.kind {
		case put:
			m.tree(c.space).Set(entry{c.key, c.item})
		case remove:
			m.tree(c.space).Delete(entry{key: c.key})
		case drop:
			m.tree(c.space).Clear()
		}
	}
	next := &memorySnapshot{trees: make([]*tree, len(m.live))}
	copy(next.trees, m.published.Load().trees)
	for _, s := range touched {
		next.trees[s] = m.live[s].IsoCopy()
	}
	m.published.Store(next)
	return nil
}

// tree returns the writer's tree of s, made if it is not there.
func (m *Memory) tree(s Space) *tree {
	for int(s) >= len(m.live) {
		m.live = append(m.live, nil)
	}
	if m.live[s] == nil {
		m.live[s] = btree.NewBTreeGOptions(before, btree.Options{NoLocks: true, Degree: treeDegree})
	}
	return m.live[s]
}

// Sync does nothing: memory is as durable as it can be.
func (m *Memory) Sync() error { return nil }

// Close does nothing: the trees go with the last reference to them.
func (m *Memory) Close() error { return nil }

func before(a, b entry) bool { return a.key < b.key }

type memorySnapshot struct {
	trees []*tree
}

func (m *memorySnapshot) tree(s Space) *tree {
	if int(s) >= len(m.trees) {
		return nil
	}
	return m.trees[s]
}

func (m *memorySnapshot) Get(s Space, key string) (attr.Item, bool, error) {
	t := m.tree(s)
	if t == nil {
		return attr.Item{}, false, nil
	}
	e, ok := t.Get(entry{key: key})
	return e.item, ok, nil
}

func (m *memorySnapshot) Range(s Space, r Range, yield func(key string, item attr.Item) bool) error {
	t := m.tree(s)
	switch {
	case t == nil:
	case !r.Down:
		t.Ascend(entry{key: r.From}, func(e entry) bool {
			return (r.To == "" || e.key < r.To) && yield(e.key, e.item)
		})
	case r.To == "":
		t.Reverse(func(e entry) bool {
			return e.key >= r.From && yield(e.key, e.item)
		})
	default:
		t.Descend(entry{key: r.To}, func(e entry) bool {
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
