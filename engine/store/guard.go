package store

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/cockroachdb/pebble/v2/record"
	"github.com/cockroachdb/pebble/v2/vfs"
)

// The tree has two kinds of files that only grow: journals, and manifests that
// list its other files. It reads one that is broken as far as it goes, since
// that is how the file of a killed process may end. So that nothing is lost
// without a word when a file is broken before its end, how much of it is known
// to be on the disk is written down in a file beside it.

const (
	manifestPrefix = "MANIFEST-"
	journalSuffix  = ".log"
	lengthSuffix   = ".length"
	lengthBytes    = 12 // the length, and a checksum of it
	headerBytes    = 19 // of a record: less than that is the mark of an end, or the rest of a block
)

// isGuarded reports whether a file has a length beside it, and the number that
// its records carry.
func isGuarded(name string) (number uint64, ok bool) {
	base := filepath.Base(name)
	if text, is := strings.CutSuffix(base, journalSuffix); is {
		number, err := strconv.ParseUint(text, 10, 32)
		return number, err == nil
	}
	return 0, strings.HasPrefix(base, manifestPrefix) && !strings.HasSuffix(base, lengthSuffix)
}

// guardedFS is a file system that writes lengths down.
type guardedFS struct{ vfs.FS }

// Create makes a file. A journal that cannot be made is one that cannot be
// written to: the tree, which is in the middle of a write by then, can cope with
// that only.
func (g guardedFS) Create(name string, category vfs.DiskWriteCategory) (vfs.File, error) {
	if _, ok := isGuarded(name); !ok {
		return g.FS.Create(name, category)
	}
	f, err := g.createGuarded(name, category)
	if err != nil && strings.HasSuffix(name, journalSuffix) {
		return lostFile{why: err}, nil
	}
	return f, err
}

func (g guardedFS) createGuarded(name string, category vfs.DiskWriteCategory) (vfs.File, error) {
	f, err := g.FS.Create(name, category)
	if err != nil {
		return nil, err
	}
	length, err := g.FS.Create(name+lengthSuffix, category)
	if err != nil {
		return nil, errors.Join(err, f.Close(), g.FS.Remove(name))
	}
	return &guardedFile{File: f, length: length}, nil
}

// ReuseForWrite makes a new file instead: what is left of another one in it
// could not be told from what was written.
func (g guardedFS) ReuseForWrite(old, name string, category vfs.DiskWriteCategory) (vfs.File, error) {
	if err := g.Remove(old); err != nil {
		return nil, err
	}
	return g.Create(name, category)
}

// Remove removes a file, and its length after it.
func (g guardedFS) Remove(name string) error {
	err := g.FS.Remove(name)
	if _, ok := isGuarded(name); err != nil || !ok {
		return err
	}
	if err := g.FS.Remove(name + lengthSuffix); !os.IsNotExist(err) {
		return err
	}
	return nil
}

// A guardedFile is a journal or manifest that is being written, by one
// goroutine at a time.
type guardedFile struct {
	vfs.File
	length  vfs.File
	written uint64
}

func (f *guardedFile) Write(p []byte) (int, error) {
	n, err := f.File.Write(p)
	f.written += uint64(n)
	return n, err
}

func (f *guardedFile) Sync() error {
	if err := f.File.Sync(); err != nil {
		return err
	}
	return f.writeDown()
}

func (f *guardedFile) SyncData() error {
	if err := f.File.SyncData(); err != nil {
		return err
	}
	return f.writeDown()
}

// writeDown notes what has been synced. The note itself is not: after a loss of
// power it may say less than is true, which does no harm.
func (f *guardedFile) writeDown() error {
	var text [lengthBytes]byte
	binary.BigEndian.PutUint64(text[:], f.written)
	binary.BigEndian.PutUint32(text[8:], crc32.ChecksumIEEE(text[:8]))
	_, err := f.length.WriteAt(text[:], 0)
	return err
}

func (f *guardedFile) Close() error {
	err := f.File.Close()
	if closed := f.length.Close(); err == nil {
		err = closed
	}
	return err
}

// A lostFile is a journal that could not be made.
type lostFile struct {
	vfs.File // nil
	why      error
}

func (f lostFile) Write([]byte) (int, error)          { return 0, f.why }
func (f lostFile) WriteAt([]byte, int64) (int, error) { return 0, f.why }
func (f lostFile) Sync() error                        { return f.why }
func (f lostFile) SyncData() error                    { return f.why }
func (f lostFile) SyncTo(int64) (bool, error)         { return false, f.why }
func (f lostFile) Preallocate(_, _ int64) error       { return nil }
func (f lostFile) Fd() uintptr                        { return vfs.InvalidFd }
func (f lostFile) Close() error                       { return nil }

// checkLengths holds the journals and manifests in a folder against the lengths
// beside them.
func checkLengths(dir string) error {
	lengths, err := filepath.Glob(filepath.Join(dir, "*"+lengthSuffix))
	if err != nil {
		return err
	}
	for _, name := range lengths {
		if err := checkLength(dir, name); err != nil {
			return err
		}
	}
	return nil
}

func checkLength(dir, lengthName string) error {
	name := strings.TrimSuffix(lengthName, lengthSuffix)
	number, ok := isGuarded(name)
	if !ok {
		return nil
	}
	text, err := os.ReadFile(lengthName)
	if err != nil || len(text) == 0 { // the process was killed before the file was first used
		return err
	}
	if len(text) != lengthBytes || crc32.ChecksumIEEE(text[:8]) != binary.BigEndian.Uint32(text[8:]) {
		return &Damaged{Folder: dir, What: filepath.Base(lengthName) + " cannot be read"}
	}
	f, err := os.Open(name)
	if os.IsNotExist(err) {
		return nil // removed when it was no longer needed; the tree itself misses a manifest that is
	}
	if err != nil {
		return err
	}
	defer f.Close()
	if got, want := soundBytes(f, number), int64(binary.BigEndian.Uint64(text)); want-got >= headerBytes {
		return &Damaged{Folder: dir, What: fmt.Sprintf("%s is sound for %d of %d bytes", filepath.Base(name), got, want)}
	}
	return nil
}

// soundBytes returns how far records can be read.
func soundBytes(file io.Reader, number uint64) int64 {
	r := newReader(record.NewReader, file, number)
	for sound := int64(0); ; sound = r.Offset() {
		one, err := r.Next()
		if err == nil {
			_, err = io.Copy(io.Discard, one)
		}
		if err != nil {
			return sound
		}
	}
}

// newReader is a way around the type of a file's number, which has no name
// outside of the library.
func newReader[N ~uint64](of func(io.Reader, N) *record.Reader, file io.Reader, number uint64) *record.Reader {
	return of(file, N(number))
}
