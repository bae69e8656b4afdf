package store

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/bloom"
	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/dynmodel/dynmodel/engine/attr"
)

// Disk is a Store in a folder: a log-structured tree with a journal. A batch is
// in the journal before it is visible, and on the disk when a Sync that began
// after it returns; writers that wait at one time share one write to the disk.
type Disk struct {
	dir    string
	db     *pebble.DB
	close  func() error           // once
	broken atomic.Pointer[Broken] // for good
	full   atomic.Pointer[Broken] // until a table can be written again
}

// Sizes in bytes: of what is kept in memory of the tables on disk, and of the
// newest changes, which the next opening reads again if the process was killed.
const (
	cacheBytes   = 32 << 20
	pendingBytes = 8 << 20
)

// ErrInUse says that another process has the folder open.
var ErrInUse = errors.New("in use by another process, and only one at a time can have it")

// Damaged is the error of files that are not as they were written. Nothing is
// read from them, or written to them.
type Damaged struct {
	Folder string
	What   string
}

func (d *Damaged) Error() string {
	return fmt.Sprintf("%s is damaged (%s): restore the folder from a copy, or move it away to begin anew", d.Folder, d.What)
}

// Broken is the error of writes while the disk is full, or when the journal could
// not be written to. What was acknowledged before is there. After the latter
// nothing is written any more until the store is opened again.
type Broken struct {
	Folder string
	Why    string
}

func (b *Broken) Error() string {
	return fmt.Sprintf("%s cannot be written to (%s); what was acknowledged is kept: end that, and start again", b.Folder, b.Why)
}

// OpenDisk opens the store in a folder, which is made if it is not there. It
// takes the same short time however much there is in it. The error is ErrInUse
// if another process has the folder open, and a *Damaged if files in it are.
//
// What a killed process had half written, and not acknowledged, is taken back.
func OpenDisk(dir string) (*Disk, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	lock, err := pebble.LockDirectory(dir, vfs.Default)
	var failed *fs.PathError
	switch {
	case errors.As(err, &failed):
		return nil, failed
	case err != nil:
		return nil, fmt.Errorf("%s is %w", dir, ErrInUse)
	}
	d := &Disk{dir: dir}
	db, err := d.open(lock)
	if err != nil {
		return nil, errors.Join(err, lock.Close())
	}
	d.db = db
	d.close = sync.OnceValue(func() error {
		if b := d.broken.Load(); b != nil {
			return errors.Join(b, lock.Close()) // the tree would wait for the commit that it is in
		}
		return errors.Join(d.flush(), db.Close(), lock.Close())
	})
	return d, nil
}

func (d *Disk) open(lock *pebble.Lock) (*pebble.DB, error) {
	dir := d.dir
	if err := checkLengths(dir); err != nil {
		return nil, err
	}
	o := &pebble.Options{
		FS:                 guardedFS{vfs.Default},
		Lock:               lock,
		Logger:             quiet{},
		EventListener:      d.listener(),
		FormatMajorVersion: pebble.FormatWALSyncChunks,
		CacheSize:          cacheBytes,
		MemTableSize:       pendingBytes,
	}
	for i := range o.Levels {
		o.Levels[i].FilterPolicy = bloom.FilterPolicy(10) // new items are looked up before they are put
	}
	db, err := pebble.Open(dir, o)
	var failed *fs.PathError
	switch {
	case errors.As(err, &failed) && isUnwritable(err):
		return nil, failed
	case err != nil:
		return nil, &Damaged{Folder: dir, What: err.Error()}
	}
	return db, nil
}

// listener hears whether there is room for tables. The tree tries again and again,
// and lets writers wait meanwhile; they are refused instead.
func (d *Disk) listener() *pebble.EventListener {
	return &pebble.EventListener{
		DataCorruption: func(pebble.DataCorruptionInfo) {}, // whoever reads it is told
		BackgroundError: func(err error) {
			if isUnwritable(err) {
				d.full.Store(&Broken{Folder: d.dir, Why: err.Error()})
			}
		},
		FlushEnd: func(info pebble.FlushInfo) {
			if info.Err == nil {
				d.full.Store(nil)
			}
		},
	}
}

// flush writes what is pending into tables, if there is room.
func (d *Disk) flush() error {
	if b := d.unwritable(); b != nil {
		return b
	}
	return d.db.Flush()
}

func (d *Disk) unwritable() *Broken {
	if b := d.broken.Load(); b != nil {
		return b
	}
	return d.full.Load()
}

// isUnwritable tells files that cannot be written to from those that are damaged.
func isUnwritable(err error) bool {
	return errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS) || errors.Is(err, syscall.ENOSPC)
}

// quiet says nothing of what the tree does in the background. A journal that
// cannot be written to leaves it no way to go on.
type quiet struct{}

// fatal is what the tree throws then.
type fatal string

func (quiet) Infof(string, ...any)  {}
func (quiet) Errorf(string, ...any) {}

func (quiet) Fatalf(format string, args ...any) {
	panic(fatal(fmt.Sprintf(format, args...)))
}

// commit does what writes to the journal.
func (d *Disk) commit(write func() error) (err error) {
	if b := d.unwritable(); b != nil {
		return b
	}
	defer func() {
		if v := recover(); v != nil {
			err = d.breaks(v)
		}
	}()
	return write()
}

// breaks makes an error of what the tree throws when it cannot write to its
// journal: in the middle of a commit, so that no other may begin.
func (d *Disk) breaks(thrown any) error {
	var why string
	switch v := thrown.(type) {
	case fatal:
		why = strings.TrimPrefix(string(v), "pebble: fatal commit error: ")
	case runtime.Error:
		panic(v)
	case error:
		why = v.Error()
	default:
		panic(v)
	}
	b := &Broken{Folder: d.dir, Why: why}
	d.broken.Store(b)
	return b
}

// Apply makes the batch visible and hands it to the journal.
func (d *Disk) Apply(b *Batch) error {
	batch := d.db.NewBatch()
	defer batch.Close()
	var key, value []byte
	for i := range b.changes {
		c := &b.changes[i]
		key = appendKey(key[:0], c.space, c.key)
		var err error
		switch c.kind {
		case put:
			value = c.item.AppendBinary(value[:0])
			err = batch.Set(key, value, nil)
		case remove:
			err = batch.Delete(key, nil)
		case drop:
			err = batch.DeleteRange(key, appendKey(nil, c.space+1, ""), nil)
		}
		if err != nil {
			return err
		}
	}
	return d.commit(func() error { return batch.Commit(pebble.NoSync) })
}

// Sync waits until the journal is on the disk.
func (d *Disk) Sync() error { return d.commit(func() error { return d.db.LogData(nil, pebble.Sync) }) }

// Close writes what is pending into tables and releases the folder. A second
// Close does nothing.
func (d *Disk) Close() error { return d.close() }

// spaceBytes is the width of the space that leads every key.
const spaceBytes = 4

func appendKey(dst []byte, s Space, key string) []byte {
	return append(binary.BigEndian.AppendUint32(dst, uint32(s)), key...)
}

// Snapshot returns the state after the last applied batch.
func (d *Disk) Snapshot() Snapshot { return &diskSnapshot{dir: d.dir, state: d.db.NewSnapshot()} }

type diskSnapshot struct {
	dir   string
	state *pebble.Snapshot
}

// Get returns the item that the last batch left at key.
func (d *Disk) Get(s Space, key string) (attr.Item, bool, error) { return getFrom(d.db, d.dir, s, key) }

func (s *diskSnapshot) Get(sp Space, key string) (attr.Item, bool, error) {
	return getFrom(s.state, s.dir, sp, key)
}

func getFrom(state pebble.Reader, dir string, s Space, key string) (attr.Item, bool, error) {
	var buf [128]byte
	value, held, err := state.Get(appendKey(buf[:0], s, key))
	if errors.Is(err, pebble.ErrNotFound) {
		return attr.Item{}, false, nil
	}
	if err != nil {
		return attr.Item{}, false, err
	}
	item, err := decode(dir, value)
	return item, err == nil, errors.Join(err, held.Close())
}

func decode(dir string, value []byte) (attr.Item, error) {
	item, ok := attr.DecodeItem(value)
	if !ok {
		return attr.Item{}, &Damaged{Folder: dir, What: "an item cannot be read"}
	}
	return item, nil
}

func (s *diskSnapshot) Range(sp Space, r Range, yield func(key string, item attr.Item) bool) error {
	bounds := pebble.IterOptions{LowerBound: appendKey(nil, sp, r.From), UpperBound: appendKey(nil, sp, r.To)}
	if r.To == "" {
		bounds.UpperBound = appendKey(nil, sp+1, "")
	}
	it, err := s.state.NewIter(&bounds)
	if err != nil {
		return err
	}
	begin, next := it.First, it.Next
	if r.Down {
		begin, next = it.Last, it.Prev
	}
	for more := begin(); more && err == nil; {
		var item attr.Item
		if item, err = s.value(it); err == nil {
			more = yield(string(it.Key()[spaceBytes:]), item) && next()
		}
	}
	return errors.Join(err, it.Close()) // which tells of errors in reading, too
}

func (s *diskSnapshot) value(it *pebble.Iterator) (attr.Item, error) {
	value, err := it.ValueAndErr()
	if err != nil {
		return attr.Item{}, err
	}
	return decode(s.dir, value)
}

func (s *diskSnapshot) NextSpace(sp Space) (Space, bool, error) {
	it, err := s.state.NewIter(&pebble.IterOptions{LowerBound: appendKey(nil, sp, "")})
	if err != nil {
		return 0, false, err
	}
	found := it.First()
	if found {
		sp = Space(binary.BigEndian.Uint32(it.Key()))
	}
	return sp, found, it.Close()
}

func (s *diskSnapshot) Close() error { return s.state.Close() }
