package engine

import (
	"cmp"
	"encoding/binary"
	"encoding/json"
	"slices"
	"time"

	"github.com/dynmodel/dynmodel/engine/api"
	"github.com/dynmodel/dynmodel/engine/attr"
	"github.com/dynmodel/dynmodel/engine/store"
)

// The catalogue is what a DB remembers beside items: records in a space of its
// own, as JSON, so that they change in one batch with the items they are about.
// A DB reads them when it is opened, and never again.
const catalogueSpace store.Space = 0

// What the keys of records begin with.
const (
	tableRecords  = "table/"   // and the name
	streamRecords = "stream/"  // and the ARN
	backupRecords = "backup/"  // and the ARN
	figureRecords = "figures/" // and the space
	accountRecord = "account"
)

// putRecord adds a record to b.
func putRecord(b *store.Batch, key string, record any) {
	text, err := json.Marshal(record)
	if err != nil {
		panic(err) // records have nothing in them that is not JSON
	}
	b.Put(catalogueSpace, key, attr.NewItem(attr.Entry{Name: "json", Value: attr.Binary(string(text))}))
}

func readRecord(item attr.Item, record any) error {
	text, _ := item.Get("json")
	return json.Unmarshal([]byte(text.Text()), record)
}

// A tableRecord is all of a table but its items and their figures.
type tableRecord struct {
	Description api.TableDescription
	Space       store.Space
	Indexes     map[string]store.Space `json:",omitempty"`
	Stream      bool                   `json:",omitempty"` // the latest one is on
	History     *historyRecord         `json:",omitempty"`
	ExpiresBy   string                 `json:",omitempty"`
	Tags        []api.Tag              `json:",omitempty"`

	Kinesis        []api.KinesisDestination           `json:",omitempty"`
	Insights       map[string]api.ContributorInsights `json:",omitempty"`
	Policies       map[string]policyRecord            `json:",omitempty"` // by ARN
	PolicyRevision int                                `json:",omitempty"`
	Scaling        []scalingRecord                    `json:",omitempty"`
}

type historyRecord struct {
	Space store.Space
	Since time.Time
	Days  int64
}

type policyRecord struct{ Text, Revision string }

type scalingRecord struct {
	Region   string
	Index    string
	Settings api.AutoScalingSettings
}

// note adds the record of a table, which is locked or not known to others yet,
// to b.
func (t *table) note(b *store.Batch) {
	s := t.known()
	r := tableRecord{
		Description:    t.description,
		Space:          s.space,
		Indexes:        make(map[string]store.Space),
		Stream:         t.stream != nil,
		ExpiresBy:      t.expiresBy,
		Tags:           t.tags,
		Kinesis:        t.kinesis,
		Insights:       t.insights,
		Policies:       make(map[string]policyRecord),
		PolicyRevision: t.policies.revision,
	}
	for x := range s.allIndexes() {
		r.Indexes[x.name] = x.space
	}
	if h := t.history; h != nil {
		r.History = &historyRecord{Space: h.space, Since: h.since, Days: h.days}
	}
	for arn, p := range t.policies.byARN {
		r.Policies[arn] = policyRecord{p.text, p.revision}
	}
	for of, settings := range t.scaling {
		r.Scaling = append(r.Scaling, scalingRecord{of.region, of.index, settings})
	}
	slices.SortFunc(r.Scaling, func(a, b scalingRecord) int {
		return cmp.Or(cmp.Compare(a.Region, b.Region), cmp.Compare(a.Index, b.Index))
	})
	putRecord(b, tableRecords+t.name, r)
}

// save makes what has changed of a table durable, with streams that it had. The
// table is locked.
func (db *DB) save(t *table, former ...*stream) error {
	db.governor.limit(t)
	var b store.Batch
	t.note(&b)
	for _, s := range append(former, t.stream) {
		if s != nil {
			s.noteAlone(&b)
		}
	}
	return first(db.commit(&b, t), db.store.Sync())
}

// commit applies changes to tables, which are locked, with their figures.
func (db *DB) commit(b *store.Batch, tables ...*table) error {
	if db.durable {
		for _, t := range tables {
			t.noteFigures(b)
		}
	}
	return db.store.Apply(b)
}

// noteFigures adds figures to b that have changed since they were last added.
func (t *table) noteFigures(b *store.Batch) {
	for space, f := range t.sizes {
		if f.noted {
			continue
		}
		f.noted = true
		b.Put(catalogueSpace, figuresKey(space), attr.NewItem(
			attr.Entry{Name: "bytes", Value: attr.Int(f.bytes)},
			attr.Entry{Name: "items", Value: attr.Int(f.items)}))
	}
}

func figuresKey(s store.Space) string {
	return string(binary.BigEndian.AppendUint32([]byte(figureRecords), uint32(s)))
}

func readFigures(item attr.Item) *figures {
	bytes, _ := item.Get("bytes")
	items, _ := item.Get("items")
	f := &figures{noted: true}
	f.bytes, _ = bytes.Int64()
	f.items, _ = items.Int64()
	return f
}

// dropSpace adds to b that a space is emptied and has no figures any more.
func dropSpace(b *store.Batch, s store.Space) {
	b.Drop(s)
	b.Delete(catalogueSpace, figuresKey(s))
}

// A streamRecord is all of a stream but its records.
type streamRecord struct {
	ARN, Label, View, Table string
	Key                     []api.KeySchemaElement
	Attributes              []api.AttributeDefinition // of the key
	Space                   store.Space
	Created, Ended          time.Time
	Next, Oldest            uint64
	Shards                  []shardRecord
}

type shardRecord struct {
	Created    time.Time
	First, End uint64
}

// noteAlone is note for a stream that is not locked.
func (s *stream) noteAlone(b *store.Batch) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.note(b)
}

// note adds the record of a stream to b. s.mu is held.
func (s *stream) note(b *store.Batch) {
	r := streamRecord{
		ARN: s.arn, Label: s.label, View: s.view, Table: s.table, Key: s.key, Space: s.space,
		Created: s.created, Ended: s.ended, Next: s.next, Oldest: s.oldest,
	}
	for _, a := range s.keySchema.all {
		r.Attributes = append(r.Attributes, api.AttributeDefinition{AttributeName: a.Name, AttributeType: a.Type.String()})
	}
	for _, h := range s.shards {
		r.Shards = append(r.Shards, shardRecord{h.created, h.first, h.end})
	}
	putRecord(b, streamRecords+s.arn, r)
}

// A backupRecord is all of a backup but its items.
type backupRecord struct {
	ARN, Name string
	Created   time.Time
	Source    api.TableDescription
	Expires   string `json:",omitempty"`
	Space     store.Space
}

func (x *backup) note(b *store.Batch) {
	putRecord(b, backupRecords+x.arn, backupRecord{x.arn, x.name, x.created, x.source, x.expires, x.space})
}

// An accountData record is what belongs to no table alone.
type accountData struct {
	Exports        []*api.ExportDescription         `json:",omitempty"`
	Imports        []*api.ImportDescription         `json:",omitempty"`
	BulkPuts       []bulkPutRecord                  `json:",omitempty"`
	GlobalTables   map[string]*api.GlobalTable      `json:",omitempty"`
	GlobalSettings map[string][]api.ReplicaSettings `json:",omitempty"`
}

type bulkPutRecord struct {
	Request     *api.StartBulkPutItemsInput
	Started     time.Time
	Description *api.BulkOperationDescription
}

// saveAccount makes what belongs to no table alone durable. db.mu is held.
func (db *DB) saveAccount() error {
	r := accountData{Exports: db.exports, Imports: db.imports, GlobalTables: db.globalTables, GlobalSettings: db.globalSettings}
	for _, b := range db.bulkPuts {
		r.BulkPuts = append(r.BulkPuts, bulkPutRecord{b.request, b.started, b.desc})
	}
	var b store.Batch
	putRecord(&b, accountRecord, r)
	return first(db.store.Apply(&b), db.store.Sync())
}
