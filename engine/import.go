package engine

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/dynmodel/dynmodel/engine/api"
	"github.com/dynmodel/dynmodel/engine/store"
)

// ImportTable makes a table of files in a bucket. Items that could not be put
// are counted and left out; the import has failed then, with the others there.
func (db *DB) ImportTable(_ context.Context, in *api.ImportTableInput) (*api.ImportOutput, error) {
	if err := checkImport(in); err != nil {
		return nil, err
	}
	create := in.TableCreationParameters
	d := definitionOf(create)
	if err := checkCreateTable(create, d); err != nil {
		return nil, err
	}
	before, err := db.importOfToken(in)
	if err != nil || before != nil {
		return before, err
	}
	t, err := db.reserve(create, d, nil)
	if err != nil {
		return nil, err
	}
	desc := db.describeImport(in, t)
	if err := db.runImport(in, t, desc); err != nil {
		return nil, err
	}
	db.mu.Lock()
	defer db.mu.Unlock()
	desc.EndTime = api.TimeOf(db.now())
	db.imports = append(db.imports, desc)
	return &api.ImportOutput{ImportTableDescription: importBegun(desc)}, db.saveAccount()
}

// runImport fills the table, and makes it known. Without a bucket there is no
// table either, and only the description says so.
func (db *DB) runImport(in *api.ImportTableInput, t *table, desc *api.ImportDescription) error {
	root, err := db.bucketThere(in.S3BucketSource.S3Bucket)
	if errors.Is(err, fs.ErrNotExist) {
		desc.ImportStatus, desc.FailureCode = statusFailed, "S3NoSuchBucket"
		desc.FailureMessage = "The specified bucket does not exist"
		return db.dropSpaces(new(store.Batch), slices.Collect(maps.Keys(t.sizes))...)
	}
	if err != nil {
		return err
	}
	defer root.Close()
	r := &importer{request: in, root: root, schema: t.schema.Load(), desc: desc}
	switch err := db.fill(t, r.each); {
	case err != nil:
		desc.ImportStatus, desc.FailureCode, desc.FailureMessage = statusFailed, "ItemValidationError", err.Error()
	case desc.ErrorCount > 0:
		desc.ImportStatus, desc.FailureCode = statusFailed, "ItemValidationError"
		desc.FailureMessage = "Some of the items failed validation checks and were not imported. Please check CloudWatch error logs for more details."
	}
	_, err = db.register(t)
	return err
}

// importBegun is an import as it looks while it is under way.
func importBegun(d *api.ImportDescription) *api.ImportDescription {
	begun := *d
	begun.ImportStatus, begun.EndTime, begun.FailureCode, begun.FailureMessage = statusInProgress, nil, "", ""
	begun.ProcessedSizeBytes, begun.ProcessedItemCount, begun.ImportedItemCount, begun.ErrorCount = 0, 0, 0, 0
	return &begun
}

// importNow is an import as it looks now.
func (db *DB) importNow(d *api.ImportDescription) *api.ImportDescription {
	if db.now().Before(time.Time(*d.EndTime).Add(db.transitions)) {
		return importBegun(d)
	}
	return d
}

// importOfToken returns the answer of the import that the token of a request
// began before, if there is one.
func (db *DB) importOfToken(in *api.ImportTableInput) (*api.ImportOutput, error) {
	if in.ClientToken == nil {
		return nil, nil
	}
	db.mu.RLock()
	defer db.mu.RUnlock()
	since := db.now().Add(-transferTokenLife)
	for _, d := range db.imports {
		switch {
		case d.ClientToken != *in.ClientToken || time.Time(*d.StartTime).Before(since):
		case *d.TableCreationParameters.TableName != *in.TableCreationParameters.TableName || d.InputFormat != in.InputFormat ||
			!reflect.DeepEqual(d.S3BucketSource, in.S3BucketSource):
			return nil, api.Errorf(api.ImportConflict, "The client token is being used for a different import")
		default:
			return &api.ImportOutput{ImportTableDescription: db.importNow(d)}, nil
		}
	}
	return nil, nil
}

func checkImport(in *api.ImportTableInput) error {
	var bucket, options error
	if in.S3BucketSource != nil {
		bucket = checkBucketName("s3BucketSource.s3Bucket", in.S3BucketSource.S3Bucket)
	}
	if o := in.InputFormatOptions; o != nil && o.Csv != nil && o.Csv.Delimiter != "" && !strings.Contains(",;:|\t ", o.Csv.Delimiter) {
		options = api.Constraint(o.Csv.Delimiter, "inputFormatOptions.csv.delimiter", "Member must satisfy regular expression pattern: [,;:|\t ]")
	}
	err := api.First(
		notNull("s3BucketSource", in.S3BucketSource), bucket,
		required("inputFormat", in.InputFormat),
		oneOf("inputFormat", in.InputFormat, formatJSON, formatION, formatCSV),
		options,
		oneOf("inputCompressionType", in.InputCompressionType, compressedGzip, compressedZstd, compressedNot),
		notNull("tableCreationParameters", in.TableCreationParameters))
	if err == nil && in.InputFormatOptions != nil && in.InputFormat != formatCSV {
		err = api.Invalid("InputFormatOptions are for InputFormat CSV")
	}
	return err
}

func (db *DB) describeImport(in *api.ImportTableInput, t *table) *api.ImportDescription {
	c := in.TableCreationParameters
	return &api.ImportDescription{
		ImportArn:            fmt.Sprintf("%s/import/%014d-%08x", t.description.TableArn, db.now().UnixMilli(), db.transfers.Add(1)),
		ImportStatus:         statusCompleted,
		TableArn:             t.description.TableArn,
		TableId:              t.description.TableId,
		ClientToken:          deref(in.ClientToken),
		S3BucketSource:       in.S3BucketSource,
		InputFormat:          in.InputFormat,
		InputFormatOptions:   in.InputFormatOptions,
		InputCompressionType: cmp.Or(in.InputCompressionType, compressedNot),
		TableCreationParameters: &api.TableCreationParameters{
			TableName:              c.TableName,
			AttributeDefinitions:   c.AttributeDefinitions,
			KeySchema:              c.KeySchema,
			BillingMode:            c.BillingMode,
			ProvisionedThroughput:  c.ProvisionedThroughput,
			OnDemandThroughput:     c.OnDemandThroughput,
			SSESpecification:       c.SSESpecification,
			GlobalSecondaryIndexes: c.GlobalSecondaryIndexes,
		},
		StartTime: t.description.CreationDateTime,
	}
}

// DescribeImport describes an import.
func (db *DB) DescribeImport(_ context.Context, in *api.DescribeImportInput) (*api.ImportOutput, error) {
	if err := checkARN("importArn", in.ImportArn); err != nil {
		return nil, err
	}
	db.mu.RLock()
	defer db.mu.RUnlock()
	at := slices.IndexFunc(db.imports, func(d *api.ImportDescription) bool { return d.ImportArn == *in.ImportArn })
	if at < 0 {
		return nil, api.Errorf(api.ImportNotFound, "Import not found: %s", *in.ImportArn)
	}
	return &api.ImportOutput{ImportTableDescription: db.importNow(db.imports[at])}, nil
}

// ListImports lists imports in the order of their beginning. The token of the
// next page is the ARN of the last import of this one.
func (db *DB) ListImports(_ context.Context, in *api.ListImportsInput) (*api.ListImportsOutput, error) {
	if err := api.First(atLeast("pageSize", in.PageSize, 1), atMost("pageSize", in.PageSize, maxListedTransfers)); err != nil {
		return nil, err
	}
	db.mu.RLock()
	defer db.mu.RUnlock()
	out := &api.ListImportsOutput{ImportSummaryList: []api.ImportSummary{}}
	list := slices.DeleteFunc(slices.Clone(db.imports), func(d *api.ImportDescription) bool { return in.TableArn != nil && d.TableArn != *in.TableArn })
	page, next, err := pageOf(list, in.PageSize, in.NextToken, func(d *api.ImportDescription) string { return d.ImportArn })
	for _, d := range page {
		d = db.importNow(d)
		out.ImportSummaryList = append(out.ImportSummaryList, api.ImportSummary{
			ImportArn: d.ImportArn, ImportStatus: d.ImportStatus, TableArn: d.TableArn, S3BucketSource: d.S3BucketSource,
			InputFormat: d.InputFormat, StartTime: d.StartTime, EndTime: d.EndTime,
		})
	}
	out.NextToken = next
	return out, err
}
