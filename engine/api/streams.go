package api

import "github.com/dynmodel/dynmodel/engine/attr"

// ListStreamsInput is the request of ListStreams.
type ListStreamsInput struct {
	TableName               *string
	ExclusiveStartStreamArn *string
	Limit                   *int64
}

// ListStreamsOutput is the answer of ListStreams.
type ListStreamsOutput struct {
	Streams                []Stream
	LastEvaluatedStreamArn string `json:",omitempty"`
}

// Stream names a stream. The label is unique for the table.
type Stream struct {
	StreamArn   string
	TableName   string
	StreamLabel string
}

// DescribeStreamInput is the request of DescribeStream.
type DescribeStreamInput struct {
	StreamArn             *string
	ExclusiveStartShardId *string
	Limit                 *int64
	ShardFilter           *ShardFilter
}

// ShardFilter asks for the children of a shard only.
type ShardFilter struct {
	Type    string
	ShardId string
}

// DescribeStreamOutput is the answer of DescribeStream.
type DescribeStreamOutput struct {
	StreamDescription *StreamDescription
}

// StreamDescription describes a stream and its shards, the oldest first.
type StreamDescription struct {
	StreamArn               string
	StreamLabel             string
	StreamStatus            string
	StreamViewType          string
	CreationRequestDateTime *Time
	TableName               string
	KeySchema               []KeySchemaElement
	Shards                  []Shard
	LastEvaluatedShardId    string `json:",omitempty"`
}

// Shard is a stretch of a stream. An open shard has no last sequence number.
type Shard struct {
	ShardId             string
	ParentShardId       string `json:",omitempty"`
	SequenceNumberRange SequenceNumberRange
}

// SequenceNumberRange is where a shard begins and ends, both included.
type SequenceNumberRange struct {
	StartingSequenceNumber string
	EndingSequenceNumber   string `json:",omitempty"`
}

// GetShardIteratorInput is the request of GetShardIterator.
type GetShardIteratorInput struct {
	StreamArn         *string
	ShardId           *string
	ShardIteratorType string
	SequenceNumber    *string
}

// GetShardIteratorOutput is the answer of GetShardIterator.
type GetShardIteratorOutput struct {
	ShardIterator string
}

// GetRecordsInput is the request of GetRecords.
type GetRecordsInput struct {
	ShardIterator *string
	Limit         *int64
}

// GetRecordsOutput is the answer of GetRecords. There is no next iterator at
// the end of a closed shard.
type GetRecordsOutput struct {
	Records           []Record
	NextShardIterator string
}

// Record is one change of one item. Images are there as far as the view type
// of the stream has them.
type Record struct {
	EventID        string
	EventName      string // INSERT, MODIFY or REMOVE
	Region         string
	Created        Time
	Keys           attr.Item
	NewImage       attr.Item
	OldImage       attr.Item
	SequenceNumber string
	SizeBytes      int
	StreamViewType string
	Expired        bool // removed by the service at the end of its time to live
}
