package store_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/dynmodel/dynmodel/engine/attr"
	"github.com/dynmodel/dynmodel/engine/store"
)

func openDisk(t testing.TB, dir string) *store.Disk {
	t.Helper()
	d, err := store.OpenDisk(dir)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func put(t testing.TB, d *store.Disk, from, to int) {
	t.Helper()
	for i := from; i < to; i++ {
		var b store.Batch
		b.Put(1, fmt.Sprintf("%06d", i), item(strings.Repeat("x", 100)))
		if err := d.Apply(&b); err != nil {
			t.Fatal(err)
		}
	}
	if err := d.Sync(); err != nil {
		t.Fatal(err)
	}
}

// count reads everything and returns how many items there are; they must be
// the first so many that were put.
func count(d *store.Disk) (n int, err error) {
	s := d.Snapshot()
	defer s.Close()
	inOrder := true
	err = s.Range(1, store.Range{}, func(key string, _ attr.Item) bool {
		inOrder = inOrder && key == fmt.Sprintf("%06d", n)
		n++
		return true
	})
	if err == nil && !inOrder {
		err = fmt.Errorf("items are missing in the middle")
	}
	return n, err
}

func TestDiskKeeps(t *testing.T) {
	dir := t.TempDir()
	d := openDisk(t, dir)
	put(t, d, 0, 1000)
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	d = openDisk(t, dir)
	defer d.Close()
	if n, err := count(d); n != 1000 || err != nil {
		t.Errorf("%d items, %v", n, err)
	}
}

func TestDiskIsLocked(t *testing.T) {
	dir := t.TempDir()
	d := openDisk(t, dir)
	_, err := store.OpenDisk(dir)
	if !errors.Is(err, store.ErrInUse) || !strings.Contains(err.Error(), dir+" is in use by another process") {
		t.Errorf("second opening: %v", err)
	}
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	openDisk(t, dir).Close()
}

// killed makes the files that a killed process leaves: a copy of the folder of
// a store that is still open, whose first 3000 items are in tables and whose
// last 1000 are in the journal.
func killed(t testing.TB) (dir string) {
	t.Helper()
	living := t.TempDir()
	d := openDisk(t, living)
	put(t, d, 0, 3000)
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	d = openDisk(t, living)
	put(t, d, 3000, 4000)
	dir = copyLiving(t, living)
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	return dir
}

// copyLiving copies the folder of an open store. What the store had no more use
// for when it was opened may go in the meantime.
func copyLiving(t testing.TB, living string) (dir string) {
	t.Helper()
	for {
		dir = t.TempDir()
		err := os.CopyFS(dir, os.DirFS(living))
		if err == nil {
			return dir
		}
		if !errors.Is(err, fs.ErrNotExist) {
			t.Fatal(err)
		}
	}
}

// Every file of a killed process is broken in several ways. The store has to
// have all items, or say that it is damaged, at the latest when items are read.
func TestTornFiles(t *testing.T) {
	sound := killed(t)
	entries, err := os.ReadDir(sound)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		kind := kindOfFile(e.Name())
		if kind == "" {
			continue
		}
		text, err := os.ReadFile(filepath.Join(sound, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		for name, broken := range breakages(text) {
			t.Run(kind+"/"+e.Name()+"/"+name, func(t *testing.T) {
				dir := t.TempDir()
				if err := os.CopyFS(dir, os.DirFS(sound)); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(filepath.Join(dir, e.Name()), broken, 0o644); err != nil {
					t.Fatal(err)
				}
				n, err := openAndCount(dir)
				if err == nil && n != 4000 {
					t.Errorf("%d of 4000 items, and no error", n)
				}
				t.Logf("%d items, %v", n, err)
			})
		}
	}
}

func openAndCount(dir string) (int, error) {
	d, err := store.OpenDisk(dir)
	if err != nil {
		return 0, err
	}
	n, err := count(d)
	d.Close() // fails where reading did
	return n, err
}

func kindOfFile(name string) string {
	switch {
	case strings.HasSuffix(name, ".log"):
		return "journal"
	case strings.HasSuffix(name, ".sst"):
		return "table"
	case strings.HasPrefix(name, "MANIFEST-"):
		return "manifest"
	}
	return ""
}

// breakages are ways to break a file, by name.
func breakages(text []byte) map[string][]byte {
	all := make(map[string][]byte)
	for percent := 5; percent < 100; percent += 15 {
		at := len(text) * percent / 100
		all[fmt.Sprintf("cut at %d%%", percent)] = slices.Clone(text[:at])
		flipped := slices.Clone(text)
		flipped[at] ^= 0x40
		all[fmt.Sprintf("flipped at %d%%", percent)] = flipped
		zeroed := slices.Clone(text)
		clear(zeroed[at:min(at+64, len(zeroed))])
		all[fmt.Sprintf("zeroed at %d%%", percent)] = zeroed
	}
	return all
}

// FuzzTornFiles breaks a byte of a file that a killed process has left: the
// store has all items then, or says that it is damaged.
func FuzzTornFiles(f *testing.F) {
	sound := killed(f)
	entries, err := os.ReadDir(sound)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(uint8(0), uint32(7), byte(1))
	f.Add(uint8(3), uint32(40_000), byte(0x80))
	f.Add(uint8(5), uint32(0), byte(0xff))
	f.Fuzz(func(t *testing.T, file uint8, at uint32, with byte) {
		name := entries[int(file)%len(entries)].Name()
		if kindOfFile(name) == "" {
			return
		}
		dir := t.TempDir()
		if err := os.CopyFS(dir, os.DirFS(sound)); err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil || len(text) == 0 {
			return
		}
		text[int(at)%len(text)] ^= with
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o644); err != nil {
			t.Fatal(err)
		}
		if n, err := openAndCount(dir); err == nil && n != 4000 {
			t.Errorf("%s broken at %d by %#x: %d of 4000 items, and no error", name, int(at)%len(text), with, n)
		}
	})
}
