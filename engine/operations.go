package engine

import (
	"context"
	"errors"
	"sync"

	"github.com/dynmodel/dynmodel/engine/api"
	"github.com/dynmodel/dynmodel/engine/wire"
)

// An operation answers a request in the wire's protocol: it appends the answer
// to dst.
type operation func(ctx context.Context, db *DB, body, dst []byte) ([]byte, error)

// The targets of requests: what stands before the name of an operation.
const (
	target        = "DynamoDB_20120810."
	streamsTarget = "DynamoDBStreams_20120810."
)

// operations are all that a DB answers, by the target of the request.
var operations = map[string]operation{
	target + "GetItem":            onItems(wire.ReadGetItem, checkGetItem, (*DB).GetItem, wire.AppendGetItem),
	target + "PutItem":            onItems(wire.ReadPutItem, checkPutItem, (*DB).PutItem, wire.AppendWriteItem),
	target + "UpdateItem":         onItems(wire.ReadUpdateItem, checkUpdateItem, (*DB).UpdateItem, wire.AppendWriteItem),
	target + "DeleteItem":         onItems(wire.ReadDeleteItem, checkDeleteItem, (*DB).DeleteItem, wire.AppendWriteItem),
	target + "Query":              onItems(wire.ReadQuery, checkQuery, (*DB).Query, wire.AppendRead),
	target + "Scan":               onItems(wire.ReadScan, checkScan, (*DB).Scan, wire.AppendRead),
	target + "SearchVectors":      onItems(wire.ReadSearchVectors, checkSearchVectors, (*DB).SearchVectors, wire.AppendSearchVectors),
	target + "BatchGetItem":       onItems(wire.ReadBatchGetItem, checkBatchGetItem, (*DB).BatchGetItem, wire.AppendBatchGetItem),
	target + "BatchWriteItem":     onItems(wire.ReadBatchWriteItem, checkBatchWriteItem, (*DB).BatchWriteItem, wire.AppendBatchWriteItem),
	target + "TransactGetItems":   onItems(wire.ReadTransactGetItems, checkTransactGetItems, (*DB).TransactGetItems, wire.AppendTransactGetItems),
	target + "TransactWriteItems": onItems(wire.ReadTransactWriteItems, checkTransactWriteItems, (*DB).TransactWriteItems, wire.AppendTransactWriteItems),

	target + "ExecuteStatement":      onItems(wire.ReadExecuteStatement, checkExecuteStatement, (*DB).ExecuteStatement, wire.AppendExecuteStatement),
	target + "BatchExecuteStatement": onItems(wire.ReadBatchExecuteStatement, checkBatchExecuteStatement, (*DB).BatchExecuteStatement, wire.AppendBatchExecuteStatement),
	target + "ExecuteTransaction":    onItems(wire.ReadExecuteTransaction, checkExecuteTransaction, (*DB).ExecuteTransaction, wire.AppendExecuteTransaction),

	target + "CreateTable":   onControl((*DB).CreateTable),
	target + "DescribeTable": onControl((*DB).DescribeTable),
	target + "UpdateTable":   onControl((*DB).UpdateTable),
	target + "DeleteTable":   onControl((*DB).DeleteTable),
	target + "ListTables":    onControl((*DB).ListTables),

	target + "TagResource":        onControl((*DB).TagResource),
	target + "UntagResource":      onControl((*DB).UntagResource),
	target + "ListTagsOfResource": onControl((*DB).ListTagsOfResource),
	target + "UpdateTimeToLive":   onControl((*DB).UpdateTimeToLive),
	target + "DescribeTimeToLive": onControl((*DB).DescribeTimeToLive),
	target + "DescribeLimits":     onControl((*DB).DescribeLimits),
	target + "DescribeEndpoints":  onControl((*DB).DescribeEndpoints),

	target + "CreateBackup":              onControl((*DB).CreateBackup),
	target + "DescribeBackup":            onControl((*DB).DescribeBackup),
	target + "DeleteBackup":              onControl((*DB).DeleteBackup),
	target + "ListBackups":               onControl((*DB).ListBackups),
	target + "RestoreTableFromBackup":    onControl((*DB).RestoreTableFromBackup),
	target + "RestoreTableToPointInTime": onControl((*DB).RestoreTableToPointInTime),
	target + "UpdateContinuousBackups":   onControl((*DB).UpdateContinuousBackups),
	target + "DescribeContinuousBackups": onControl((*DB).DescribeContinuousBackups),

	target + "PutResourcePolicy":    onControl((*DB).PutResourcePolicy),
	target + "GetResourcePolicy":    onControl((*DB).GetResourcePolicy),
	target + "DeleteResourcePolicy": onControl((*DB).DeleteResourcePolicy),

	target + "EnableKinesisStreamingDestination":   onControl((*DB).EnableKinesisStreamingDestination),
	target + "DisableKinesisStreamingDestination":  onControl((*DB).DisableKinesisStreamingDestination),
	target + "UpdateKinesisStreamingDestination":   onControl((*DB).UpdateKinesisStreamingDestination),
	target + "DescribeKinesisStreamingDestination": onControl((*DB).DescribeKinesisStreamingDestination),

	target + "UpdateContributorInsights":   onControl((*DB).UpdateContributorInsights),
	target + "DescribeContributorInsights": onControl((*DB).DescribeContributorInsights),
	target + "ListContributorInsights":     onControl((*DB).ListContributorInsights),

	target + "CreateGlobalTable":           onControl((*DB).CreateGlobalTable),
	target + "UpdateGlobalTable":           onControl((*DB).UpdateGlobalTable),
	target + "DescribeGlobalTable":         onControl((*DB).DescribeGlobalTable),
	target + "ListGlobalTables":            onControl((*DB).ListGlobalTables),
	target + "UpdateGlobalTableSettings":   onControl((*DB).UpdateGlobalTableSettings),
	target + "DescribeGlobalTableSettings": onControl((*DB).DescribeGlobalTableSettings),

	target + "UpdateTableReplicaAutoScaling":   onControl((*DB).UpdateTableReplicaAutoScaling),
	target + "DescribeTableReplicaAutoScaling": onControl((*DB).DescribeTableReplicaAutoScaling),

	target + "ExportTableToPointInTime": onControl((*DB).ExportTableToPointInTime),
	target + "DescribeExport":           onControl((*DB).DescribeExport),
	target + "ListExports":              onControl((*DB).ListExports),
	target + "ImportTable":              onControl((*DB).ImportTable),
	target + "DescribeImport":           onControl((*DB).DescribeImport),
	target + "ListImports":              onControl((*DB).ListImports),
	target + "StartBulkPutItems":        onControl((*DB).StartBulkPutItems),
	target + "DescribeBulkOperation":    onControl((*DB).DescribeBulkOperation),
	target + "CancelBulkOperation":      onControl((*DB).CancelBulkOperation),
	target + "ListBulkOperations":       onControl((*DB).ListBulkOperations),

	streamsTarget + "ListStreams":      onControl((*DB).ListStreams),
	streamsTarget + "DescribeStream":   onControl((*DB).DescribeStream),
	streamsTarget + "GetShardIterator": onControl((*DB).GetShardIterator),
	streamsTarget + "GetRecords":       onItems(wire.ReadGetRecords, checkGetRecords, (*DB).GetRecords, wire.AppendGetRecords),
}

// onItems is an operation whose requests and answers have readers and writers
// of their own. check makes the checks that come before the operation needs a
// table; refused is nil for all requests but those that it will refuse.
func onItems[In, Out any](
	read func(*wire.Reader) *In,
	check func(*In, wire.Refusals) error,
	run func(*DB, context.Context, *In) (*Out, error),
	write func([]byte, *Out) []byte,
) operation {
	return func(ctx context.Context, db *DB, body, dst []byte) ([]byte, error) {
		r := readers.Get().(*wire.Reader)
		in, refused, err := wire.Read(r, body, read)
		readers.Put(r)
		if err != nil {
			return nil, err
		}
		if refused != nil {
			return nil, first(check(in, refused), refused.First())
		}
		out, err := run(db, ctx, in)
		if err != nil {
			return nil, err
		}
		return write(dst, out), nil
	}
}

// readers saves the memory that readers have grown.
var readers = sync.Pool{New: func() any { return new(wire.Reader) }}

// onControl is an operation on tables and settings, which goes through encoding/json.
func onControl[In, Out any](run func(*DB, context.Context, *In) (*Out, error)) operation {
	return func(ctx context.Context, db *DB, body, dst []byte) ([]byte, error) {
		in, err := wire.ReadControl[In](body)
		if err != nil {
			return nil, err
		}
		out, err := run(db, ctx, in)
		if err != nil {
			return nil, err
		}
		return wire.AppendControl(dst, out)
	}
}

// Answer runs the operation that target names, as X-Amz-Target does, on the body
// of a request, and appends the answer's body to dst. It is for servers that do
// without net/http, and leaves to them whether a request is signed. status is
// that of HTTP; a refusal is an answer, too.
func (db *DB) Answer(ctx context.Context, target string, body, dst []byte) (_ []byte, status int) {
	db.mischiefOf(ctx).delay(ctx)
	run, ok := operations[target]
	if !ok {
		return refuse(dst, first(checkJSON(body), api.Errorf(api.UnknownOperation, "")))
	}
	out, err := run(ctx, db, body, dst)
	if err != nil {
		return refuse(dst, err)
	}
	return out, 200
}

func refuse(dst []byte, err error) ([]byte, int) {
	var refusal *api.Error
	if !errors.As(err, &refusal) {
		refusal = api.Errorf(api.InternalServerError, "%s", err)
	}
	return wire.AppendError(dst, refusal), refusal.Status()
}
