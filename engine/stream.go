package engine

import (
	"encoding/binary"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/dynmodel/dynmodel/engine/api"
	"github.com/dynmodel/dynmodel/engine/attr"
	"github.com/dynmodel/dynmodel/engine/store"
)

const (
	// streamRetention is how long records can be read (DynamoDB developer
	// guide, change data capture).
	streamRetention = 24 * time.Hour

	// shardLife is after how long a shard gets a successor. The service does
	// so about every four hours, so that consumers have to follow.
	shardLife = 4 * time.Hour
)

// The view types of streams.
const (
	viewKeysOnly = "KEYS_ONLY"
	viewNew      = "NEW_IMAGE"
	viewOld      = "OLD_IMAGE"
	viewBoth     = "NEW_AND_OLD_IMAGES"
)

// A stream keeps the changes of a table in a space of its own, by sequence
// number. It outlives its table, and being switched off, until its last record
// has gone.
type stream struct {
	arn, label, view string
	table            string
	key              []api.KeySchemaElement
	keySchema        keySchema
	space            store.Space
	created          time.Time

	mu     sync.Mutex
	next   uint64  // sequence number of the next record
	oldest uint64  // of the oldest record that has not been removed
	shards []shard // the oldest first; the last one is open while the stream is on
	ended  time.Time
}

// A streamList holds the streams of all tables, and of former ones.
type streamList struct {
	mu  sync.Mutex
	all []*stream
}

func (l *streamList) add(s *stream) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.all = append(l.all, s)
}

// A shard holds the records from first up to, but not including, end.
type shard struct {
	created    time.Time
	first, end uint64 // no end is an open shard
}

func (s *shard) id() string {
	return fmt.Sprintf("shardId-%020d-%08x", s.created.UnixMilli(), s.first)
}

// newStream opens a stream on the table.
func newStream(t *table, view string, now time.Time, space store.Space) *stream {
	label := now.UTC().Format("2006-01-02T15:04:05.000")
	return &stream{
		arn:       t.description.TableArn + "/stream/" + label,
		label:     label,
		view:      view,
		table:     t.name,
		key:       t.description.KeySchema,
		keySchema: t.schema.Load().key,
		space:     space,
		created:   now,
		next:      1,
		shards:    []shard{{created: now, first: 1}},
	}
}

// record adds a change to b. Changes come one at a time, since their table is
// locked.
func (s *stream) record(b *store.Batch, c change, now time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if last := &s.shards[len(s.shards)-1]; now.Sub(last.created) >= shardLife {
		last.end = s.next
		s.shards = append(s.shards, shard{created: now, first: s.next})
		s.note(b)
	}
	event, image := "MODIFY", c.new
	switch {
	case c.old.IsEmpty():
		event = "INSERT"
	case c.new.IsEmpty():
		event, image = "REMOVE", c.old
	}
	entries := []attr.Entry{
		{Name: "event", Value: attr.String(event)},
		{Name: "expired", Value: attr.Bool(c.expired)},
		{Name: "keys", Value: attr.Map(s.keySchema.of(image))},
		{Name: "time", Value: attr.Int(now.UnixMilli())},
	}
	if s.view == viewNew || s.view == viewBoth {
		entries = append(entries, attr.Entry{Name: "new", Value: attr.Map(c.new)})
	}
	if s.view == viewOld || s.view == viewBoth {
		entries = append(entries, attr.Entry{Name: "old", Value: attr.Map(c.old)})
	}
	b.Put(s.space, sequenceKey(s.next), attr.NewItem(entries...))
	s.next++
}

func sequenceKey(n uint64) string { return string(binary.BigEndian.AppendUint64(nil, n)) }

func keySequence(key string) uint64 { return binary.BigEndian.Uint64([]byte(key)) }

// sequenceText is a sequence number as the service's look: all of one length,
// so that they can be compared as strings.
func sequenceText(n uint64) string { return fmt.Sprintf("1%020d", n) }

func parseSequence(text string) (n uint64, ok bool) {
	if len(text) != 21 || text[0] != '1' {
		return 0, false
	}
	n, err := strconv.ParseUint(text[1:], 10, 64)
	return n, err == nil
}

// readRecord makes an answer of a stored record.
func (s *stream) readRecord(key string, stored attr.Item) api.Record {
	get := func(name string) attr.Value {
		v, _ := stored.Get(name)
		return v
	}
	n := keySequence(key)
	r := api.Record{
		EventID:        fmt.Sprintf("%016x%016x", s.created.UnixNano(), n),
		EventName:      get("event").Text(),
		Region:         region,
		Created:        api.Time(recordTime(stored)),
		Keys:           get("keys").Item(),
		NewImage:       get("new").Item(),
		OldImage:       get("old").Item(),
		SequenceNumber: sequenceText(n),
		StreamViewType: s.view,
		Expired:        get("expired").True(),
	}
	r.SizeBytes = r.Keys.Size() + r.NewImage.Size() + r.OldImage.Size()
	return r
}

func recordTime(stored attr.Item) time.Time {
	v, _ := stored.Get("time")
	ms, _ := v.Int64()
	return time.UnixMilli(ms)
}

// close ends the stream.
func (s *stream) close(now time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ended = now
	s.shards[len(s.shards)-1].end = s.next
}

// status is ENABLED or DISABLED, or on the way there for so long.
func (s *stream) status(now time.Time, transition time.Duration) string {
	switch {
	case !s.ended.IsZero() && now.Before(s.ended.Add(transition)):
		return "DISABLING"
	case !s.ended.IsZero():
		return "DISABLED"
	case now.Before(s.created.Add(transition)):
		return "ENABLING"
	}
	return "ENABLED"
}

// streaming reports whether the table's stream is on.
func (t *table) streaming() bool { return t.stream != nil }

// setStream switches the stream of the table on or off; nil leaves it as it is.
// The table is locked, or not known to others yet.
func (db *DB) setStream(t *table, spec *api.StreamSpecification, now time.Time) {
	switch {
	case spec == nil:
	case *spec.StreamEnabled:
		t.stream = newStream(t, spec.StreamViewType, now, db.spaces.take())
		db.streams.add(t.stream)
		t.description.StreamSpecification = spec
		t.description.LatestStreamLabel, t.description.LatestStreamArn = t.stream.label, t.stream.arn
	default:
		t.closeStream(now)
	}
}

// closeStream ends the stream of the table and returns it; nil if it has none.
func (t *table) closeStream(now time.Time) *stream {
	s := t.stream
	if s != nil {
		s.close(now)
		t.stream, t.description.StreamSpecification = nil, nil
	}
	return s
}

// findStream returns a stream by its ARN, after records have been removed that
// are past their retention.
func (db *DB) findStream(arn *string) (*stream, error) {
	switch {
	case !strings.HasPrefix(*arn, "arn:"):
		return nil, api.Invalid("Invalid StreamArn")
	}
	streams, err := db.liveStreams()
	if err != nil {
		return nil, err
	}
	for _, s := range streams {
		if s.arn == *arn {
			return s, db.trim(s)
		}
	}
	return nil, api.Errorf(api.ResourceNotFound, "Requested resource not found: Stream: %s not found", *arn)
}

// liveStreams returns the streams that can have records, in the order of their
// ARNs, and forgets the others.
func (db *DB) liveStreams() ([]*stream, error) {
	l := &db.streams
	l.mu.Lock()
	defer l.mu.Unlock()
	oldest := db.now().Add(-streamRetention)
	var b store.Batch
	var gone []store.Space
	l.all = slices.DeleteFunc(l.all, func(s *stream) bool {
		past := s.past(oldest)
		if past {
			b.Delete(catalogueSpace, streamRecords+s.arn)
			gone = append(gone, s.space)
		}
		return past
	})
	slices.SortFunc(l.all, func(a, b *stream) int { return strings.Compare(a.arn, b.arn) })
	if len(gone) > 0 {
		if err := db.dropSpaces(&b, gone...); err != nil {
			return nil, err
		}
	}
	return slices.Clone(l.all), nil
}

// past reports whether the stream ended before any record that is kept.
func (s *stream) past(oldest time.Time) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return !s.ended.IsZero() && !s.ended.After(oldest)
}

// trim removes the records that are past their retention, and shards that can
// have none any more.
func (db *DB) trim(s *stream) error {
	oldest := db.now().Add(-streamRetention)
	snapshot := db.store.Snapshot()
	defer snapshot.Close()
	var b store.Batch
	trimmed := uint64(0)
	err := snapshot.Range(s.space, store.Range{}, func(key string, stored attr.Item) bool {
		if recordTime(stored).After(oldest) {
			return false
		}
		b.Delete(s.space, key)
		trimmed = keySequence(key) + 1
		return true
	})
	if err != nil {
		return err
	}
	s.mu.Lock()
	for len(s.shards) > 1 && !s.shards[1].created.After(oldest) {
		s.shards = s.shards[1:]
	}
	empty := b.Len() == 0
	s.oldest = max(s.oldest, trimmed)
	s.note(&b)
	s.mu.Unlock()
	if empty {
		return nil
	}
	return db.store.Apply(&b)
}
