package engine

import (
	"slices"
	"sync"
	"time"

	"github.com/dynmodel/dynmodel/engine/store"
)

// A laggingStore remembers its former states for some time, so that reads can
// be stale.
type laggingStore struct {
	store.Store
	lag time.Duration
	now func() time.Time

	mu   sync.Mutex
	past []*moment // the oldest first
}

// A moment is a state that was the last one until some time. It is closed when
// it is neither remembered nor read.
type moment struct {
	store.Snapshot
	until time.Time
	refs  int
}

// momentSpan is how close together states need not be told apart.
const momentSpan = time.Millisecond

// Apply remembers the state before the batch.
func (l *laggingStore) Apply(b *store.Batch) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := l.now()
	wanted := now.Add(-l.lag)
	for len(l.past) > 0 && !l.past[0].until.After(wanted) {
		l.release(l.past[0])
		l.past = l.past[1:]
	}
	if n := len(l.past); n == 0 || now.Sub(l.past[n-1].until) >= momentSpan {
		l.past = append(l.past, &moment{l.Store.Snapshot(), now, 1})
	}
	return l.Store.Apply(b)
}

// stale returns the state as it was before the lag.
func (l *laggingStore) stale() store.Snapshot {
	l.mu.Lock()
	defer l.mu.Unlock()
	wanted := l.now().Add(-l.lag)
	i := slices.IndexFunc(l.past, func(m *moment) bool { return m.until.After(wanted) })
	if i < 0 {
		return l.Store.Snapshot()
	}
	l.past[i].refs++
	return staleSnapshot{l.past[i], l}
}

// forget drops former states, in which spaces may mean something else.
func (l *laggingStore) forget() {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, m := range l.past {
		l.release(m)
	}
	l.past = nil
}

func (l *laggingStore) release(m *moment) {
	if m.refs--; m.refs == 0 {
		m.Snapshot.Close()
	}
}

// Close forgets everything first.
func (l *laggingStore) Close() error {
	l.forget()
	return l.Store.Close()
}

// A staleSnapshot is a moment that somebody reads.
type staleSnapshot struct {
	*moment
	of *laggingStore
}

func (s staleSnapshot) Close() error {
	s.of.mu.Lock()
	defer s.of.mu.Unlock()
	s.of.release(s.moment)
	return nil
}

// stale returns the state that a read sees instead of the last one, or nil.
func (db *DB) stale(consistent bool) store.Snapshot {
	l, ok := db.store.(*laggingStore)
	if !ok || consistent {
		return nil
	}
	return l.stale()
}
