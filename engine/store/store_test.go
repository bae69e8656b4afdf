package store_test

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/dynmodel/dynmodel/engine/attr"
	"github.com/dynmodel/dynmodel/engine/store"
)

func item(text string) attr.Item {
	return attr.NewItem(attr.Entry{Name: "v", Value: attr.String(text)})
}

func text(it attr.Item) string {
	v, _ := it.Get("v")
	return v.Text()
}

func keys(t *testing.T, s store.Snapshot, sp store.Space, r store.Range) string {
	t.Helper()
	var b strings.Builder
	err := s.Range(sp, r, func(k string, v attr.Item) bool {
		fmt.Fprintf(&b, "%s=%s ", k, text(v))
		return true
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// everyStore runs a test on an empty store of each kind.
func everyStore(t *testing.T, test func(t *testing.T, m store.Store)) {
	t.Run("memory", func(t *testing.T) { test(t, store.NewMemory()) })
	t.Run("disk", func(t *testing.T) {
		m, err := store.OpenDisk(t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		test(t, m)
		if err := m.Close(); err != nil {
			t.Error(err) // a snapshot that was not closed is an error
		}
	})
}

func TestRange(t *testing.T) { everyStore(t, testRange) }

func testRange(t *testing.T, m store.Store) {
	var b store.Batch
	for _, k := range []string{"b", "a", "c", "d"} {
		b.Put(1, k, item("1"+k))
	}
	b.Put(2, "b", item("other"))
	if err := m.Apply(&b); err != nil {
		t.Fatal(err)
	}
	s := m.Snapshot()
	defer s.Close()
	for _, c := range []struct {
		space    store.Space
		from, to string
		down     bool
		want     string
	}{
		{1, "", "", false, "a=1a b=1b c=1c d=1d "},
		{1, "", "", true, "d=1d c=1c b=1b a=1a "},
		{1, "b", "d", false, "b=1b c=1c "},
		{1, "b", "d", true, "c=1c b=1b "},
		{1, "aa", "cc", true, "c=1c b=1b "},
		{1, "c", "", true, "d=1d c=1c "},
		{1, "e", "", false, ""},
		{1, "b", "b", true, ""},
		{2, "", "", false, "b=other "},
		{7, "", "", false, ""},
	} {
		r := store.Range{From: c.from, To: c.to, Down: c.down}
		if got := keys(t, s, c.space, r); got != c.want {
			t.Errorf("space %d, %q to %q, down %v: got %q, want %q", c.space, c.from, c.to, c.down, got, c.want)
		}
	}
}

func TestSnapshotStays(t *testing.T) { everyStore(t, testSnapshotStays) }

func testSnapshotStays(t *testing.T, m store.Store) {
	var b store.Batch
	b.Put(0, "a", item("1"))
	b.Put(0, "b", item("1"))
	m.Apply(&b)
	before := m.Snapshot()
	defer before.Close()
	b.Reset()
	b.Delete(0, "a")
	b.Put(0, "b", item("2"))
	b.Put(0, "c", item("2"))
	b.Put(3, "x", item(""))
	m.Apply(&b)
	if got := keys(t, before, 0, store.Range{}); got != "a=1 b=1 " {
		t.Errorf("old snapshot: %q", got)
	}
	changed := m.Snapshot()
	defer changed.Close()
	if got := keys(t, changed, 0, store.Range{}); got != "b=2 c=2 " {
		t.Errorf("new snapshot: %q", got)
	}
	b.Reset()
	b.Drop(0)
	m.Apply(&b)
	dropped := m.Snapshot()
	defer dropped.Close()
	if got := keys(t, dropped, 0, store.Range{}); got != "" {
		t.Errorf("after drop: %q", got)
	}
	if got := keys(t, before, 0, store.Range{}); got != "a=1 b=1 " {
		t.Errorf("old snapshot after drop: %q", got)
	}
	if s, ok, err := dropped.NextSpace(0); s != 3 || !ok || err != nil {
		t.Errorf("first space with keys: %d, %v, %v", s, ok, err)
	}
	if s, ok, err := dropped.NextSpace(4); ok || err != nil {
		t.Errorf("space %d has keys, %v", s, err)
	}
	if _, ok, _ := dropped.Get(3, "x"); !ok {
		t.Error("drop of space 0 touched space 3")
	}
}

func TestAfter(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"a", "b"}, {"a\xff", "b"}, {"a\xfe\xff\xff", "a\xff"}, {"\xff\xff", ""}, {"", ""},
	} {
		if got := store.After(c.in); got != c.want {
			t.Errorf("After(%q) = %q, want %q", c.in, got, c.want)
		}
	}
}

// Readers must see batches whole: both spaces always hold the same number.
func TestBatchesAreAtomic(t *testing.T) { everyStore(t, testBatchesAreAtomic) }

func testBatchesAreAtomic(t *testing.T, m store.Store) {
	const writers, rounds = 4, 500
	var wg sync.WaitGroup
	stop := make(chan struct{})
	for range 4 {
		wg.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
				}
				s := m.Snapshot()
				for w := range writers {
					k := string(rune(w))
					a, _, _ := s.Get(1, k)
					b, _, _ := s.Get(2, k)
					if a != b {
						t.Errorf("writer %d: %v and %v", w, a, b)
						return
					}
				}
				s.Close()
			}
		})
	}
	var ww sync.WaitGroup
	for w := range writers {
		ww.Go(func() {
			for i := range rounds {
				var b store.Batch
				b.Put(1, string(rune(w)), item(strconv.Itoa(i)))
				b.Put(2, string(rune(w)), item(strconv.Itoa(i)))
				m.Apply(&b)
			}
		})
	}
	ww.Wait()
	close(stop)
	wg.Wait()
}

func BenchmarkMemory(b *testing.B) {
	for _, n := range []int{1_000, 100_000} {
		m := store.NewMemory()
		key := func(i int) string { return fmt.Sprintf("key-%016d", i) }
		for i := range n {
			var bt store.Batch
			bt.Put(0, key(i), item("x"))
			m.Apply(&bt)
		}
		b.Run(fmt.Sprintf("Get/%d", n), func(b *testing.B) {
			k := key(rand.IntN(n))
			for b.Loop() {
				m.Snapshot().Get(0, k)
			}
		})
		b.Run(fmt.Sprintf("Put/%d", n), func(b *testing.B) {
			b.ReportAllocs()
			k := key(rand.IntN(n))
			for b.Loop() {
				var bt store.Batch
				bt.Put(0, k, item("x"))
				m.Apply(&bt)
			}
		})
	}
}
