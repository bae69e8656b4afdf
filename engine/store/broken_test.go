package store_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/dynmodel/dynmodel/engine/store"
)

// A disk on which nothing can be written any more refuses writes, whatever the
// tree was about to do; what was written before can be read.
func TestBroken(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	d := openDisk(t, dir)
	defer d.Close()
	put(t, d, 0, 100)
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	refused := 0
	for i := range 40 { // more than one journal holds
		var b store.Batch
		b.Put(2, fmt.Sprint(i), item(strings.Repeat("x", 1<<20)))
		err := errors.Join(d.Apply(&b), d.Sync())
		var broken *store.Broken
		switch {
		case err == nil && refused > 0:
			t.Fatal("what was broken takes a write again")
		case err == nil:
		case !errors.As(err, &broken) || !strings.Contains(err.Error(), dir):
			t.Fatalf("refused with %v", err)
		default:
			refused++
		}
	}
	if refused == 0 {
		t.Fatal("no write was refused")
	}
	snapshot := d.Snapshot()
	defer snapshot.Close()
	if _, ok, err := snapshot.Get(1, "000042"); !ok || err != nil {
		t.Errorf("what was written before is there: %v, %v", ok, err)
	}
}

// A folder whose lock cannot be made is not one that is in use.
func TestLockCannotBeMade(t *testing.T) {
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "LOCK"), 0o755); err != nil {
		t.Fatal(err)
	}
	_, err := store.OpenDisk(dir)
	var failed *fs.PathError
	if errors.Is(err, store.ErrInUse) || !errors.As(err, &failed) {
		t.Errorf("opened with %v", err)
	}
}
