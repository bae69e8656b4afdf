package engine

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"reflect"
	"slices"
	"time"

	"github.com/dynmodel/dynmodel/engine/api"
	"github.com/dynmodel/dynmodel/engine/attr"
	"github.com/dynmodel/dynmodel/engine/ion"
	"github.com/dynmodel/dynmodel/engine/wire"
)

// Limits of bulk operations (API reference, StartBulkPutItems and
// ListBulkOperations).
const (
	minBulkUnits    = 1024
	maxListedBulks  = 10
	outputErrors    = "ERROR"
	outputCondition = "CONDITION_CHECK_FAILURE"
)

// A bulkPut is a bulk operation with the request that started it.
type bulkPut struct {
	request *api.StartBulkPutItemsInput
	started time.Time
	desc    *api.BulkOperationDescription
}

// StartBulkPutItems puts the items of files in a bucket into a table. It is done
// when the answer comes.
func (db *DB) StartBulkPutItems(ctx context.Context, in *api.StartBulkPutItemsInput) (*api.BulkOperationOutput, error) {
	if err := checkBulkPut(in); err != nil {
		return nil, err
	}
	before, err := db.bulkOfToken(in)
	if err != nil || before != nil {
		return before, err
	}
	t, err := db.lock(*in.TableName)
	if err != nil {
		return nil, errTableNamed(*in.TableName)
	}
	b := &bulkPut{request: in, started: t.now, desc: describeBulk(in, t)}
	t.mu.Unlock()
	if err := b.run(ctx, db); err != nil {
		return nil, err
	}
	db.mu.Lock()
	defer db.mu.Unlock()
	b.desc.BulkOperationArn = fmt.Sprintf("%s/bulk-operation/%014d-%08x", t.description.TableArn, b.started.UnixMilli(), len(db.bulkPuts)+1)
	b.desc.EndTime = api.TimeOf(db.now())
	db.bulkPuts = append(db.bulkPuts, b)
	return &api.BulkOperationOutput{BulkOperationDescription: b.begun()}, db.saveAccount()
}

// begun is the operation as it looks while it is under way.
func (b *bulkPut) begun() *api.BulkOperationDescription {
	d := *b.desc
	d.BulkOperationStatus, d.EndTime, d.FailureCode, d.FailureMessage = statusInProgress, nil, "", ""
	d.TotalInputBytes, d.ProcessedInputBytes, d.ProcessedItemCount, d.FailedItemCount = 0, 0, 0, 0
	return &d
}

// now is the operation as it looks now.
func (b *bulkPut) now(db *DB) *api.BulkOperationDescription {
	if db.now().Before(time.Time(*b.desc.EndTime).Add(db.transitions)) {
		return b.begun()
	}
	return b.desc
}

func checkBulkPut(in *api.StartBulkPutItemsInput) error {
	err := api.First(
		tableName("tableName", in.TableName),
		notNull("inputS3Configuration", in.InputS3Configuration),
		notNull("outputS3Configuration", in.OutputS3Configuration),
		oneOf("performanceTier", in.PerformanceTier, "STANDARD", "ACCELERATED"),
		atLeast("maxWriteRequestUnits", in.MaxWriteRequestUnits, minBulkUnits))
	if err != nil {
		return err
	}
	from, to := in.InputS3Configuration, in.OutputS3Configuration
	err = api.First(
		notNull("inputS3Configuration.s3Bucket", from.S3Bucket),
		required("inputS3Configuration.inputFormat", from.InputFormat),
		oneOf("inputS3Configuration.inputFormat", from.InputFormat, formatJSON, formatION),
		oneOf("inputS3Configuration.inputCompressionType", from.InputCompressionType, compressedGzip, compressedZstd, compressedNot),
		notNull("outputS3Configuration.s3Bucket", to.S3Bucket),
		requiredList("outputS3Configuration.outputType", to.OutputType))
	for _, kind := range to.OutputType {
		err = api.First(err, oneOf("outputS3Configuration.outputType", kind, outputErrors, outputCondition))
	}
	return err
}

// bulkOfToken returns the answer of the operation that the token of a request
// started before, if there is one.
func (db *DB) bulkOfToken(in *api.StartBulkPutItemsInput) (*api.BulkOperationOutput, error) {
	if in.ClientToken == nil {
		return nil, nil
	}
	db.mu.RLock()
	defer db.mu.RUnlock()
	since := db.now().Add(-transferTokenLife)
	for _, b := range db.bulkPuts {
		switch {
		case b.request.ClientToken == nil || *b.request.ClientToken != *in.ClientToken || b.started.Before(since):
		case !reflect.DeepEqual(b.request, in):
			return nil, api.Errorf(api.IdempotentParameterMismatch, "The client token is being used for a different bulk operation")
		default:
			return &api.BulkOperationOutput{BulkOperationDescription: b.now(db)}, nil
		}
	}
	return nil, nil
}

func describeBulk(in *api.StartBulkPutItemsInput, t locked) *api.BulkOperationDescription {
	tier := in.PerformanceTier
	if tier == "" {
		tier = "STANDARD"
	}
	return &api.BulkOperationDescription{
		BulkOperationSummary:  api.BulkOperationSummary{BulkOperationStatus: statusCompleted, StartTime: api.TimeOf(t.now)},
		TableDetails:          []api.BulkOperationTable{{TableName: t.name, TableId: t.description.TableId}},
		InputS3Configuration:  in.InputS3Configuration,
		OutputS3Configuration: in.OutputS3Configuration,
		ClientToken:           deref(in.ClientToken),
		MaxWriteRequestUnits:  in.MaxWriteRequestUnits,
		PerformanceTier:       tier,
	}
}

// run puts the items. Files that cannot be read fail the operation; the error
// is about buckets that are not there.
func (b *bulkPut) run(ctx context.Context, db *DB) error {
	from, to := b.request.InputS3Configuration, b.request.OutputS3Configuration
	input, err := db.bucket(from.S3Bucket)
	if err != nil {
		return err
	}
	defer input.Close()
	output, err := db.bucket(to.S3Bucket)
	if err != nil {
		return err
	}
	defer output.Close()
	report := &bulkReport{folder: output, name: path.Join(to.S3KeyPrefix, fmt.Sprintf("bulk-put-%014d.json", b.started.UnixMilli())), kinds: to.OutputType}
	err = eachInput(input, from.S3KeyPrefix, from.InputCompressionType, func(text io.Reader) error {
		return eachLine(text, func(line []byte) {
			b.desc.ProcessedInputBytes += int64(len(line) + 1)
			b.put(ctx, db, line, report)
		})
	})
	b.desc.TotalInputBytes = b.desc.ProcessedInputBytes
	if err = errors.Join(err, report.close()); err != nil {
		b.desc.BulkOperationStatus, b.desc.FailureCode, b.desc.FailureMessage = statusFailed, "S3AccessError", err.Error()
	}
	return nil
}

// put puts the item of a line, which is written like a PutItem: with a
// condition, if it has one.
func (b *bulkPut) put(ctx context.Context, db *DB, line []byte, report *bulkReport) {
	b.desc.ProcessedItemCount++
	in, err := b.read(line)
	if err == nil {
		in.TableName = b.request.TableName
		in.ReturnValuesOnConditionCheckFailure = returnAllOld
		_, err = db.PutItem(ctx, in)
	}
	var refusal *api.Error
	switch {
	case err == nil:
	case errors.As(err, &refusal) && refusal.Code == api.ConditionalCheckFailed:
		report.add(outputCondition, line, refusal)
	default:
		b.desc.FailedItemCount++
		b.desc.BulkOperationStatus = "COMPLETED_WITH_ERRORS"
		if !errors.As(err, &refusal) {
			refusal = api.Errorf(api.InternalServerError, "%s", err)
		}
		report.add(outputErrors, line, refusal)
	}
}

// read reads a line, which is a PutItem without the table.
func (b *bulkPut) read(line []byte) (*api.PutItemInput, error) {
	if b.request.InputS3Configuration.InputFormat == formatION {
		return putOfIonLine(line)
	}
	in, refused, err := wire.Read(new(wire.Reader), line, wire.ReadPutItem)
	return in, first(err, refused.First())
}

// putOfIonLine reads a line of Ion with the members of a PutItem.
func putOfIonLine(line []byte) (*api.PutItemInput, error) {
	item, err := itemOfIonLine(line)
	if err != nil {
		return nil, api.Invalid("%s", err)
	}
	all, _ := ion.ReadStruct(string(line))
	in := &api.PutItemInput{Item: &item}
	if condition, ok := all.Get("ConditionExpression"); ok {
		text := condition.Text()
		in.ConditionExpression = &text
	}
	if values, ok := all.Get("ExpressionAttributeValues"); ok {
		given := values.Item()
		in.ExpressionAttributeValues = &given
	}
	if names, ok := all.Get("ExpressionAttributeNames"); ok {
		in.ExpressionAttributeNames = make(map[string]string)
		for alias, name := range names.Item().All() {
			in.ExpressionAttributeNames[alias] = name.Text()
		}
	}
	return in, nil
}

// A bulkReport is a file of the lines that were not put, with the reasons. It
// is made with the first of them.
type bulkReport struct {
	folder *os.Root
	name   string
	kinds  []string // that are wanted
	file   *os.File
	text   *bufio.Writer
	err    error
}

func (r *bulkReport) add(kind string, line []byte, why *api.Error) {
	if r.err != nil || !slices.Contains(r.kinds, kind) {
		return
	}
	if r.file == nil {
		if r.err = r.folder.MkdirAll(path.Dir(r.name), 0o755); r.err != nil {
			return
		}
		if r.file, r.err = r.folder.Create(r.name); r.err != nil {
			return
		}
		r.text = bufio.NewWriter(r.file)
	}
	text := fmt.Appendf(nil, `{"type":"%s","error":`, kind)
	text = wire.AppendError(text, why)
	text = append(text, `,"record":`...)
	text = attr.AppendJSONString(text, string(line))
	_, r.err = r.text.Write(append(text, '}', '\n'))
}

func (r *bulkReport) close() error {
	if r.file == nil {
		return r.err
	}
	return errors.Join(r.err, r.text.Flush(), r.file.Close())
}

// DescribeBulkOperation describes a bulk operation.
func (db *DB) DescribeBulkOperation(_ context.Context, in *api.BulkOperationInput) (*api.BulkOperationOutput, error) {
	db.mu.RLock()
	defer db.mu.RUnlock()
	b, err := db.bulkPut(in.BulkOperationArn)
	if err != nil {
		return nil, err
	}
	return &api.BulkOperationOutput{BulkOperationDescription: b.now(db)}, nil
}

// bulkPut returns a bulk operation. db.mu is held.
func (db *DB) bulkPut(arn *string) (*bulkPut, error) {
	if arn == nil {
		return nil, api.Required("bulkOperationArn")
	}
	at := slices.IndexFunc(db.bulkPuts, func(b *bulkPut) bool { return b.desc.BulkOperationArn == *arn })
	if at < 0 {
		return nil, api.Errorf(api.ResourceNotFound, "Requested resource not found: Bulk operation: %s not found", *arn)
	}
	return db.bulkPuts[at], nil
}

// CancelBulkOperation refuses to cancel: all operations are done.
func (db *DB) CancelBulkOperation(_ context.Context, in *api.BulkOperationInput) (*api.CancelBulkOperationOutput, error) {
	db.mu.RLock()
	defer db.mu.RUnlock()
	b, err := db.bulkPut(in.BulkOperationArn)
	if err != nil {
		return nil, err
	}
	return nil, api.Invalid("The bulk operation cannot be cancelled: its status is %s", b.desc.BulkOperationStatus)
}

// ListBulkOperations lists bulk operations in the order of their beginning. The
// token of the next page is the ARN of the last operation of this one.
func (db *DB) ListBulkOperations(_ context.Context, in *api.ListBulkOperationsInput) (*api.ListBulkOperationsOutput, error) {
	if err := atLeast("maxResults", in.MaxResults, 1); err != nil {
		return nil, err
	}
	most := maxListedBulks
	if in.MaxResults != nil {
		most = int(*in.MaxResults)
	}
	db.mu.RLock()
	defer db.mu.RUnlock()
	list := db.bulkPuts
	if in.NextToken != nil {
		last, err := db.bulkPut(in.NextToken)
		if err != nil {
			return nil, api.Invalid("Invalid NextToken")
		}
		list = list[slices.Index(list, last)+1:]
	}
	out := &api.ListBulkOperationsOutput{BulkOperationsSummaryList: []api.BulkOperationSummary{}}
	for _, b := range list[:min(most, len(list))] {
		out.BulkOperationsSummaryList = append(out.BulkOperationsSummaryList, b.now(db).BulkOperationSummary)
	}
	if len(list) > most {
		out.NextToken = list[most-1].desc.BulkOperationArn
	}
	return out, nil
}
