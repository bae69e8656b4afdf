package engine

import (
	"fmt"
	"slices"
	"strings"

	"github.com/dynmodel/dynmodel/engine/api"
	"github.com/dynmodel/dynmodel/engine/attr"
	"github.com/dynmodel/dynmodel/engine/store"
)

// Open returns the DB in a folder, which is made if it is not there. When an
// operation has answered, what it wrote is on the disk. Reads may see writes of
// others a moment before they are.
//
// Opening reads the definitions of tables and no items, so that it is fast
// however much there is. One process can have a folder open at a time; others
// get an error for which errors.Is(err, [ErrInUse]) holds. Files that are
// damaged are refused with a [*Damaged] error.
func Open(dir string, options ...Option) (*DB, error) {
	disk, err := store.OpenDisk(dir)
	if err != nil {
		return nil, err
	}
	db := newDB(disk, options)
	db.durable = true
	if err := db.load(); err != nil {
		disk.Close()
		return nil, fmt.Errorf("%s cannot be opened: %w", dir, err)
	}
	return db, nil
}

// ErrInUse says that another process has the folder of a DB open.
var ErrInUse = store.ErrInUse

// Broken is the error of a folder that could not be written to.
type Broken = store.Broken

// Damaged is the error of a folder whose files are not as they were written.
type Damaged = store.Damaged

// load reads the catalogue.
func (db *DB) load() error {
	snapshot := db.store.Snapshot()
	defer snapshot.Close()
	l := &loader{db: db, snapshot: snapshot, figures: make(map[store.Space]*figures), streams: make(map[string]*stream), used: map[store.Space]bool{catalogueSpace: true}}
	for _, part := range []struct {
		prefix string
		read   func(key string, item attr.Item) error
	}{
		{figureRecords, l.readFigures},
		{streamRecords, l.readStream},
		{tableRecords, l.readTable},
		{backupRecords, l.readBackup},
		{accountRecord, l.readAccount},
	} {
		var failed error
		err := snapshot.Range(catalogueSpace, store.Prefix(part.prefix), func(key string, item attr.Item) bool {
			failed = part.read(strings.TrimPrefix(key, part.prefix), item)
			return failed == nil
		})
		if err := first(err, failed); err != nil {
			return err
		}
	}
	slices.SortStableFunc(db.backups, func(a, b *backup) int { return a.created.Compare(b.created) })
	return l.tidy()
}

// A loader makes a DB of its catalogue.
type loader struct {
	db       *DB
	snapshot store.Snapshot
	figures  map[store.Space]*figures
	streams  map[string]*stream // by ARN
	used     map[store.Space]bool
}

func (l *loader) readFigures(key string, item attr.Item) error {
	var space store.Space
	for _, b := range []byte(key) {
		space = space<<8 | store.Space(b)
	}
	l.figures[space] = readFigures(item)
	return nil
}

func (l *loader) readStream(_ string, item attr.Item) error {
	var r streamRecord
	if err := readRecord(item, &r); err != nil {
		return err
	}
	d := &definition{attributes: r.Attributes, key: r.Key}
	s := &stream{
		arn: r.ARN, label: r.Label, view: r.View, table: r.Table, key: r.Key, keySchema: d.keySchema(r.Key), space: r.Space,
		created: r.Created, ended: r.Ended, next: r.Next, oldest: r.Oldest,
	}
	for _, h := range r.Shards {
		s.shards = append(s.shards, shard{h.Created, h.First, h.End})
	}
	// Records are written without the stream's own.
	err := l.snapshot.Range(s.space, store.Range{Down: true}, func(key string, _ attr.Item) bool {
		s.next = max(s.next, keySequence(key)+1)
		return false
	})
	l.used[s.space] = true
	l.streams[s.arn] = s
	l.db.streams.add(s)
	return err
}

func (l *loader) readTable(name string, item attr.Item) error {
	var r tableRecord
	if err := readRecord(item, &r); err != nil {
		return err
	}
	t := &table{
		name: name, description: r.Description, expiresBy: r.ExpiresBy, tags: r.Tags, kinesis: r.Kinesis, insights: r.Insights,
		sizes: make(map[store.Space]*figures),
	}
	t.policies.revision = r.PolicyRevision
	for arn, p := range r.Policies {
		t.policies.put(arn, policy{p.Text, p.Revision})
	}
	for _, s := range r.Scaling {
		if t.scaling == nil {
			t.scaling = make(map[scaled]api.AutoScalingSettings)
		}
		t.scaling[scaled{s.Region, s.Index}] = s.Settings
	}
	s := t.definition(nil).schema(name)
	s.space = r.Space
	t.sizes[s.space] = l.figuresOf(s.space)
	for x := range s.allIndexes() {
		x.space = r.Indexes[x.name]
		t.sizes[x.space] = l.figuresOf(x.space)
	}
	t.schema.Store(s)
	if r.Stream {
		t.stream = l.streams[r.Description.LatestStreamArn]
	}
	l.db.governor.limit(t)
	l.db.tables[name] = t
	return l.readHistory(t, r.History)
}

func (l *loader) figuresOf(s store.Space) *figures {
	l.used[s] = true
	if f := l.figures[s]; f != nil {
		return f
	}
	return new(figures)
}

func (l *loader) readHistory(t *table, r *historyRecord) error {
	if r == nil {
		return nil
	}
	h := &history{space: r.Space, since: r.Since, days: r.Days}
	l.used[h.space] = true
	t.history = h
	return l.snapshot.Range(h.space, store.Range{Down: true}, func(key string, _ attr.Item) bool {
		h.last = historyNumber(key)
		return false
	})
}

func (l *loader) readBackup(_ string, item attr.Item) error {
	var r backupRecord
	if err := readRecord(item, &r); err != nil {
		return err
	}
	l.used[r.Space] = true
	l.db.backups = append(l.db.backups, &backup{arn: r.ARN, name: r.Name, created: r.Created, source: r.Source, expires: r.Expires, space: r.Space})
	return nil
}

func (l *loader) readAccount(_ string, item attr.Item) error {
	var r accountData
	if err := readRecord(item, &r); err != nil {
		return err
	}
	l.db.transfers.Store(uint32(len(r.Exports) + len(r.Imports)))
	l.db.exports, l.db.imports, l.db.globalTables, l.db.globalSettings = r.Exports, r.Imports, r.GlobalTables, r.GlobalSettings
	for _, b := range r.BulkPuts {
		l.db.bulkPuts = append(l.db.bulkPuts, &bulkPut{request: b.Request, started: b.Started, desc: b.Description})
	}
	return nil
}

// tidy makes all spaces free again that nothing is in, and empties those that
// an operation was about to fill when the process was killed.
func (l *loader) tidy() error {
	var b store.Batch
	for at := store.Space(0); ; at++ {
		space, ok, err := l.snapshot.NextSpace(at)
		if err != nil {
			return err
		}
		if !ok {
			break
		}
		if !l.used[space] {
			dropSpace(&b, space)
		}
		at = space
	}
	n := &l.db.spaces
	for space := range l.used {
		n.next = max(n.next, space)
	}
	for space := n.next; space > 0; space-- {
		if !l.used[space] {
			n.free = append(n.free, space)
		}
	}
	if b.Len() == 0 {
		return nil
	}
	return l.db.store.Apply(&b)
}
