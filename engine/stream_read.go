package engine

import (
	"context"
	"encoding/base64"
	"fmt"
	"strings"
	"time"

	"github.com/dynmodel/dynmodel/engine/api"
	"github.com/dynmodel/dynmodel/engine/attr"
	"github.com/dynmodel/dynmodel/engine/store"
	"github.com/dynmodel/dynmodel/engine/wire"
)

// Limits of the Streams API (its reference).
const (
	maxListedStreams = 100
	maxListedShards  = 100
	maxRecords       = 1000
	maxRecordBytes   = 1 << 20
	iteratorLife     = 15 * time.Minute
)

// ListStreams lists the streams of all tables or of one, in the order of their
// ARNs.
func (db *DB) ListStreams(_ context.Context, in *api.ListStreamsInput) (*api.ListStreamsOutput, error) {
	err := api.First(
		optional(in.TableName, func(name *string) error { return tableName("tableName", name) }),
		atLeast("limit", in.Limit, 1),
		optional(in.ExclusiveStartStreamArn, func(arn *string) error { return checkARN("exclusiveStartStreamArn", arn) }))
	if err == nil && in.Limit != nil && *in.Limit > maxListedStreams {
		err = api.InvalidParameter("Limit cannot be greater than the maximum allowed size: %d", maxListedStreams)
	}
	if err != nil {
		return nil, err
	}
	limit := maxListedStreams
	if in.Limit != nil {
		limit = int(*in.Limit)
	}
	streams, err := db.liveStreams()
	if err != nil {
		return nil, err
	}
	out := &api.ListStreamsOutput{Streams: []api.Stream{}}
	for _, s := range streams {
		if in.TableName != nil && s.table != tableOf(*in.TableName) || in.ExclusiveStartStreamArn != nil && s.arn <= *in.ExclusiveStartStreamArn {
			continue
		}
		if len(out.Streams) == limit {
			out.LastEvaluatedStreamArn = out.Streams[limit-1].StreamArn
			break
		}
		out.Streams = append(out.Streams, api.Stream{StreamArn: s.arn, TableName: s.table, StreamLabel: s.label})
	}
	return out, nil
}

// DescribeStream describes a stream with its shards.
func (db *DB) DescribeStream(_ context.Context, in *api.DescribeStreamInput) (*api.DescribeStreamOutput, error) {
	if err := checkDescribeStream(in); err != nil {
		return nil, err
	}
	s, err := db.findStream(in.StreamArn)
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	out := &api.StreamDescription{
		StreamArn:               s.arn,
		StreamLabel:             s.label,
		StreamStatus:            s.status(db.now(), db.transitions),
		StreamViewType:          s.view,
		CreationRequestDateTime: api.TimeOf(s.created),
		TableName:               s.table,
		KeySchema:               s.key,
		Shards:                  []api.Shard{},
	}
	limit := maxListedShards
	if in.Limit != nil {
		limit = int(*in.Limit)
	}
	skipping, parent := in.ExclusiveStartShardId != nil, ""
	for i := range s.shards {
		described := describeShard(&s.shards[i], parent)
		parent = described.ShardId
		switch f := in.ShardFilter; {
		case skipping:
			skipping = described.ShardId != *in.ExclusiveStartShardId
		case f != nil && f.Type == "CHILD_SHARDS" && described.ParentShardId != f.ShardId:
		case len(out.Shards) == limit:
			out.LastEvaluatedShardId = out.Shards[limit-1].ShardId
			return &api.DescribeStreamOutput{StreamDescription: out}, nil
		default:
			out.Shards = append(out.Shards, described)
		}
	}
	return &api.DescribeStreamOutput{StreamDescription: out}, nil
}

func checkDescribeStream(in *api.DescribeStreamInput) error {
	err := api.First(
		checkARN("streamArn", in.StreamArn),
		atLeast("limit", in.Limit, 1),
		optional(in.ExclusiveStartShardId, func(id *string) error { return checkShardID("exclusiveStartShardId", id) }))
	if err == nil && in.Limit != nil && *in.Limit > maxListedShards {
		err = api.InvalidParameter("Limit cannot be greater than the maximum: %d", maxListedShards)
	}
	return err
}

func checkShardID(member string, id *string) error { return checkText(member, id, 28, 65) }

func describeShard(s *shard, parent string) api.Shard {
	d := api.Shard{ShardId: s.id(), ParentShardId: parent}
	d.SequenceNumberRange.StartingSequenceNumber = sequenceText(s.first)
	if s.end > 0 {
		d.SequenceNumberRange.EndingSequenceNumber = sequenceText(max(s.first, s.end-1))
	}
	return d
}

// The kinds of shard iterators.
const (
	iterateFromOldest = "TRIM_HORIZON"
	iterateFromNow    = "LATEST"
	iterateAt         = "AT_SEQUENCE_NUMBER"
	iterateAfter      = "AFTER_SEQUENCE_NUMBER"
)

// GetShardIterator returns a place in a shard to read from, for 15 minutes.
func (db *DB) GetShardIterator(_ context.Context, in *api.GetShardIteratorInput) (*api.GetShardIteratorOutput, error) {
	if err := checkShardIterator(in); err != nil {
		return nil, err
	}
	s, err := db.findStream(in.StreamArn)
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	h := s.shard(*in.ShardId)
	if h == nil {
		return nil, api.Errorf(api.ResourceNotFound, "Requested resource not found: Shard: %s in Stream: %s not found", *in.ShardId, s.arn)
	}
	from, err := s.position(h, in)
	if err != nil {
		return nil, err
	}
	it := iterator{arn: s.arn, shard: h.id(), next: from, made: db.now()}
	return &api.GetShardIteratorOutput{ShardIterator: it.text()}, nil
}

func checkShardIterator(in *api.GetShardIteratorInput) error {
	err := api.First(
		checkARN("streamArn", in.StreamArn),
		checkShardID("shardId", in.ShardId),
		required("shardIteratorType", in.ShardIteratorType),
		oneOf("shardIteratorType", in.ShardIteratorType, iterateFromOldest, iterateFromNow, iterateAt, iterateAfter),
		optional(in.SequenceNumber, func(n *string) error { return checkText("sequenceNumber", n, 21, 40) }))
	byNumber := in.ShardIteratorType == iterateAt || in.ShardIteratorType == iterateAfter
	switch {
	case err != nil:
		return err
	case byNumber && in.SequenceNumber == nil:
		return api.InvalidParameter("Invalid SequenceNumber")
	case !byNumber && in.SequenceNumber != nil:
		return api.InvalidParameter("SequenceNumber should not be passed for this iterator type")
	}
	return nil
}

func (s *stream) shard(id string) *shard {
	for i := range s.shards {
		if s.shards[i].id() == id {
			return &s.shards[i]
		}
	}
	return nil
}

// position returns the sequence number that a request wants to begin with.
func (s *stream) position(h *shard, in *api.GetShardIteratorInput) (uint64, error) {
	switch in.ShardIteratorType {
	case iterateFromOldest:
		return max(h.first, s.oldest), nil
	case iterateFromNow:
		if h.end > 0 {
			return h.end, nil
		}
		return s.next, nil
	}
	n, ok := parseSequence(*in.SequenceNumber)
	switch {
	case !ok || n < h.first || h.end > 0 && n >= h.end:
		return 0, api.InvalidParameter("Invalid SequenceNumber")
	case n < s.oldest:
		return 0, errTrimmed
	}
	if in.ShardIteratorType == iterateAfter {
		n++
	}
	return n, nil
}

// An iterator is a place in a shard. As text it is what clients pass around.
type iterator struct {
	arn, shard string
	next       uint64
	made       time.Time
}

func (it iterator) text() string {
	inside := fmt.Sprintf("%s %d %d", it.shard, it.next, it.made.UnixMilli())
	return it.arn + "|1|" + base64.StdEncoding.EncodeToString([]byte(inside))
}

func parseIterator(text string) (it iterator, ok bool) {
	arn, rest, ok := strings.Cut(text, "|1|")
	if !ok {
		return it, false
	}
	inside, err := base64.StdEncoding.DecodeString(rest)
	if err != nil {
		return it, false
	}
	var ms int64
	n, _ := fmt.Sscanf(string(inside), "%s %d %d", &it.shard, &it.next, &ms)
	it.arn, it.made = arn, time.UnixMilli(ms)
	return it, n == 3
}

// GetRecords reads up to 1000 records, or 1 MB, from a place in a shard.
func (db *DB) GetRecords(_ context.Context, in *api.GetRecordsInput) (*api.GetRecordsOutput, error) {
	if err := checkGetRecords(in, nil); err != nil {
		return nil, err
	}
	it, ok := parseIterator(*in.ShardIterator)
	if !ok {
		return nil, api.Invalid("Invalid ShardIterator")
	}
	s, err := db.findStream(&it.arn)
	if err != nil {
		return nil, err
	}
	now := db.now()
	if now.Sub(it.made) > iteratorLife {
		return nil, api.Errorf(api.ExpiredIterator, "The shard iterator has expired: it was made more than 15 minutes ago")
	}
	s.mu.Lock()
	h := s.shard(it.shard)
	if h == nil || it.next < s.oldest {
		s.mu.Unlock()
		return nil, errTrimmed
	}
	end := h.end
	s.mu.Unlock()
	out := &api.GetRecordsOutput{Records: []api.Record{}}
	it.next, err = db.readRecords(out, s, in.Limit, it.next, end)
	if err != nil {
		return nil, err
	}
	it.made = now
	if end == 0 || it.next < end {
		out.NextShardIterator = it.text()
	}
	return out, nil
}

var errTrimmed = api.Errorf(api.TrimmedDataAccess, "The operation attempted to read past the oldest stream record in a shard")

func checkGetRecords(in *api.GetRecordsInput, _ wire.Refusals) error {
	err := api.First(checkText("shardIterator", in.ShardIterator, 1, 2048), atLeast("limit", in.Limit, 1))
	if err == nil && in.Limit != nil && *in.Limit > maxRecords {
		err = api.InvalidParameter("Limit should be less than or equal to %d", maxRecords)
	}
	return err
}

// readRecords reads the records from one sequence number up to another, 0 for
// no end, and returns where to go on.
func (db *DB) readRecords(out *api.GetRecordsOutput, s *stream, limit *int64, from, end uint64) (next uint64, err error) {
	most := maxRecords
	if limit != nil {
		most = int(*limit)
	}
	keys := store.Range{From: sequenceKey(from)}
	if end > 0 {
		keys.To = sequenceKey(end)
	}
	snapshot := db.store.Snapshot()
	defer snapshot.Close()
	bytes, full := 0, false
	err = snapshot.Range(s.space, keys, func(key string, stored attr.Item) bool {
		r := s.readRecord(key, stored)
		out.Records = append(out.Records, r)
		bytes += r.SizeBytes
		from = keySequence(key) + 1
		full = len(out.Records) == most || bytes >= maxRecordBytes
		return !full
	})
	if end > 0 && !full {
		from = end
	}
	return from, err
}
