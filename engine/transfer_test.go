package engine_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/dynmodel/dynmodel/engine"
	"github.com/dynmodel/dynmodel/engine/api"
)

const tableARN = "arn:aws:dynamodb:us-east-1:000000000000:table/tab"

func importTo(table, bucket, prefix string, format types.InputFormat, compression types.InputCompressionType) *dynamodb.ImportTableInput {
	return &dynamodb.ImportTableInput{
		S3BucketSource:       &types.S3BucketSource{S3Bucket: &bucket, S3KeyPrefix: &prefix},
		InputFormat:          format,
		InputCompressionType: compression,
		TableCreationParameters: &types.TableCreationParameters{
			TableName:            &table,
			BillingMode:          types.BillingModePayPerRequest,
			AttributeDefinitions: []types.AttributeDefinition{{AttributeName: aws.String("pk"), AttributeType: "S"}, {AttributeName: aws.String("n"), AttributeType: "N"}},
			KeySchema:            []types.KeySchemaElement{{AttributeName: aws.String("pk"), KeyType: "HASH"}},
			GlobalSecondaryIndexes: []types.GlobalSecondaryIndex{{
				IndexName:  aws.String("byN"),
				KeySchema:  []types.KeySchemaElement{{AttributeName: aws.String("n"), KeyType: "HASH"}},
				Projection: &types.Projection{ProjectionType: "ALL"},
			}},
		},
	}
}

// imported makes an import and returns what became of it.
func imported(t *testing.T, c *dynamodb.Client, in *dynamodb.ImportTableInput) *types.ImportTableDescription {
	t.Helper()
	out, err := c.ImportTable(t.Context(), in)
	wantCode(t, err, "")
	if d := out.ImportTableDescription; d.ImportStatus != types.ImportStatusInProgress || d.EndTime != nil {
		t.Errorf("the import begins as %+v", d)
	}
	done, err := c.DescribeImport(t.Context(), &dynamodb.DescribeImportInput{ImportArn: out.ImportTableDescription.ImportArn})
	wantCode(t, err, "")
	return done.ImportTableDescription
}

// exported makes an export and returns what became of it.
func exported(t *testing.T, c *dynamodb.Client, in *dynamodb.ExportTableToPointInTimeInput) *types.ExportDescription {
	t.Helper()
	out, err := c.ExportTableToPointInTime(t.Context(), in)
	wantCode(t, err, "")
	if d := out.ExportDescription; d.ExportStatus != types.ExportStatusInProgress || d.EndTime != nil || d.ItemCount != nil {
		t.Errorf("the export begins as %+v", d)
	}
	done, err := c.DescribeExport(t.Context(), &dynamodb.DescribeExportInput{ExportArn: out.ExportDescription.ExportArn})
	wantCode(t, err, "")
	return done.ExportDescription
}

func TestExportAndImport(t *testing.T) {
	db, ctx := newDB(t, engine.WithBuckets(t.TempDir())), context.Background()
	createTable(t, db, "pk")
	c := db.Client()
	export := &dynamodb.ExportTableToPointInTimeInput{TableArn: aws.String(tableARN), S3Bucket: aws.String("bucket"), S3Prefix: aws.String("nightly")}
	_, err := c.ExportTableToPointInTime(ctx, export)
	wantCode(t, err, "PointInTimeRecoveryUnavailableException")
	_, err = c.UpdateContinuousBackups(ctx, &dynamodb.UpdateContinuousBackupsInput{TableName: aws.String("tab"), PointInTimeRecoverySpecification: &types.PointInTimeRecoverySpecification{PointInTimeRecoveryEnabled: aws.Bool(true)}})
	wantCode(t, err, "")
	put(t, db, `{"pk":{"S":"a"},"n":{"N":"1"},"l":{"L":[{"B":"AAE="},{"NS":["1","2"]}]}}`)
	put(t, db, `{"pk":{"S":"b\n\"quoted\""}}`)
	put(t, db, `{"pk":{"S":"not for the index"},"n":{"S":"text"}}`)
	if d := exported(t, c, export); *d.ItemCount != 3 || d.ExportStatus != types.ExportStatusCompleted {
		t.Errorf("export %+v", d)
	}
	got := imported(t, c, importTo("copy", "bucket", "nightly/AWSDynamoDB", types.InputFormatDynamodbJson, types.InputCompressionTypeGzip))
	if got.ImportedItemCount != 2 || got.ErrorCount != 1 || got.ImportStatus != types.ImportStatusFailed || *got.FailureCode != "ItemValidationError" {
		t.Errorf("import %+v", got)
	}
	if got := keysIn(t, db, "copy"); !slices.Equal(got, []string{"a", "b\n\"quoted\""}) {
		t.Errorf("imported %q", got)
	}
	_, err = c.ImportTable(ctx, importTo("copy", "bucket", "", types.InputFormatDynamodbJson, types.InputCompressionTypeGzip))
	wantCode(t, err, "ResourceInUseException")
	l, err := c.ListImports(ctx, &dynamodb.ListImportsInput{})
	wantCode(t, err, "")
	e, err := c.ListExports(ctx, &dynamodb.ListExportsInput{TableArn: aws.String(tableARN)})
	wantCode(t, err, "")
	if len(l.ImportSummaryList) != 1 || len(e.ExportSummaries) != 1 {
		t.Errorf("%d imports, %d exports", len(l.ImportSummaryList), len(e.ExportSummaries))
	}
}

func TestImportCSV(t *testing.T) {
	folder := t.TempDir()
	os.MkdirAll(filepath.Join(folder, "bucket"), 0o755)
	text := "pk,n,name\na,1,\"x, y\"\nb,wrong,z\n,3,no key\na,4,twice\nc,,sparse\n"
	if err := os.WriteFile(filepath.Join(folder, "bucket", "items.csv"), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	db := newDB(t, engine.WithBuckets(folder))
	if got := imported(t, db.Client(), importTo("tab", "bucket", "", types.InputFormatCsv, types.InputCompressionTypeNone)); got.ProcessedItemCount != 5 || got.ImportedItemCount != 2 || got.ErrorCount != 2 {
		t.Errorf("import %+v", got)
	}
	if got := keysIn(t, db, "tab"); !slices.Equal(got, []string{"a", "c"}) {
		t.Errorf("imported %q", got)
	}
}

// No request reads or writes outside the folder of buckets.
func TestBucketsAreConfined(t *testing.T) {
	outside := t.TempDir()
	folder := filepath.Join(outside, "buckets")
	os.MkdirAll(filepath.Join(folder, "bucket"), 0o755)
	os.WriteFile(filepath.Join(outside, "secret.json"), []byte(`{"Item":{"pk":{"S":"secret"}}}`), 0o644)
	os.Symlink(outside, filepath.Join(folder, "bucket", "link"))
	db, ctx := newDB(t, engine.WithBuckets(folder)), context.Background()
	c := db.Client()
	for _, bucket := range []string{"..", "../", "/", "bucket/../..", "bucket/link", outside} {
		_, err := c.ImportTable(ctx, importTo("stolen", bucket, "", types.InputFormatDynamodbJson, types.InputCompressionTypeNone))
		wantCode(t, err, "ValidationException")
	}
	createTable(t, db, "pk")
	_, err := c.UpdateContinuousBackups(ctx, &dynamodb.UpdateContinuousBackupsInput{TableName: aws.String("tab"), PointInTimeRecoverySpecification: &types.PointInTimeRecoverySpecification{PointInTimeRecoveryEnabled: aws.Bool(true)}})
	wantCode(t, err, "")
	for _, prefix := range []string{"../out", "link/out", "/../../out"} {
		_, err := c.ExportTableToPointInTime(ctx, &dynamodb.ExportTableToPointInTimeInput{TableArn: aws.String(tableARN), S3Bucket: aws.String("bucket"), S3Prefix: &prefix})
		if err == nil {
			t.Errorf("export to prefix %s succeeded", prefix)
		}
	}
	entries, _ := os.ReadDir(outside)
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), "out") {
			t.Errorf("written outside the folder: %s", e.Name())
		}
	}
	none := newDB(t).Client()
	_, err = none.ImportTable(ctx, importTo("tab", "bucket", "", types.InputFormatDynamodbJson, types.InputCompressionTypeNone))
	wantCode(t, err, "ValidationException")
}

// A bulk operation puts what it can, on the conditions of each line, and
// reports the rest.
func TestBulkPut(t *testing.T) {
	folder := t.TempDir()
	os.MkdirAll(filepath.Join(folder, "in"), 0o755)
	lines := []string{
		`{"Item":{"pk":{"S":"new"}}}`,
		`{"Item":{"pk":{"S":"old"},"n":{"N":"2"}},"ConditionExpression":"n < :n","ExpressionAttributeValues":{":n":{"N":"2"}}}`,
		`{"Item":{"pk":{"S":"old"},"n":{"N":"9"}},"ConditionExpression":"attribute_not_exists(pk)"}`,
		`{"Item":{"sk":{"S":"no key"}}}`,
		`{"Item":{"pk":`,
	}
	if err := os.WriteFile(filepath.Join(folder, "in", "items.json"), []byte(strings.Join(lines, "\n")), 0o644); err != nil {
		t.Fatal(err)
	}
	db, ctx := newDB(t, engine.WithBuckets(folder)), context.Background()
	createTable(t, db, "pk")
	put(t, db, `{"pk":{"S":"old"},"n":{"N":"1"}}`)
	c := db.Client()
	in := &dynamodb.StartBulkPutItemsInput{
		TableName:             aws.String("tab"),
		ClientToken:           aws.String("once"),
		InputS3Configuration:  &types.InputS3Configuration{S3Bucket: aws.String("in"), InputFormat: types.BulkOperationInputFormatDynamodbJson},
		OutputS3Configuration: &types.OutputS3Configuration{S3Bucket: aws.String("out"), S3KeyPrefix: aws.String("failed"), OutputType: []types.OutputTypeEnum{"ERROR", "CONDITION_CHECK_FAILURE"}},
	}
	started, err := c.StartBulkPutItems(ctx, in)
	wantCode(t, err, "")
	again, err := c.StartBulkPutItems(ctx, in)
	wantCode(t, err, "")
	if *again.BulkOperationDescription.BulkOperationArn != *started.BulkOperationDescription.BulkOperationArn {
		t.Error("one token started two operations")
	}
	in.MaxWriteRequestUnits = aws.Int64(2048)
	_, err = c.StartBulkPutItems(ctx, in)
	wantCode(t, err, "IdempotentParameterMismatchException")
	arn := started.BulkOperationDescription.BulkOperationArn
	d, err := c.DescribeBulkOperation(ctx, &dynamodb.DescribeBulkOperationInput{BulkOperationArn: arn})
	wantCode(t, err, "")
	if got := d.BulkOperationDescription; got.BulkOperationStatus != types.BulkOperationStatusCompletedWithErrors || got.ProcessedItemCount != 5 || got.FailedItemCount != 2 {
		t.Errorf("operation %+v", got)
	}
	if got := keysIn(t, db, "tab"); !slices.Equal(got, []string{"new", "old"}) {
		t.Errorf("put %q", got)
	}
	files, _ := filepath.Glob(filepath.Join(folder, "out", "failed", "*"))
	if len(files) != 1 {
		t.Fatalf("reports %q", files)
	}
	report, _ := os.ReadFile(files[0])
	if got := strings.Count(string(report), "\n"); got != 3 || !strings.Contains(string(report), "Missing the key pk in the item") {
		t.Errorf("report\n%s", report)
	}
	_, err = c.CancelBulkOperation(ctx, &dynamodb.CancelBulkOperationInput{BulkOperationArn: arn})
	wantCode(t, err, "ValidationException")
	_, err = c.DescribeBulkOperation(ctx, &dynamodb.DescribeBulkOperationInput{BulkOperationArn: aws.String(tableARN + "/bulk-operation/none")})
	wantCode(t, err, "ResourceNotFoundException")
	in.ClientToken = aws.String("twice")
	_, err = c.StartBulkPutItems(ctx, in)
	wantCode(t, err, "")
	page, err := c.ListBulkOperations(ctx, &dynamodb.ListBulkOperationsInput{MaxResults: aws.Int32(1)})
	wantCode(t, err, "")
	rest, err := c.ListBulkOperations(ctx, &dynamodb.ListBulkOperationsInput{NextToken: page.NextToken})
	wantCode(t, err, "")
	if len(page.BulkOperationsSummaryList) != 1 || len(rest.BulkOperationsSummaryList) != 1 || rest.NextToken != nil {
		t.Errorf("pages of %d and %d", len(page.BulkOperationsSummaryList), len(rest.BulkOperationsSummaryList))
	}
}

// The lines of an incremental export are the items that were changed in its
// time, from what they were to what they became.
func TestIncrementalExport(t *testing.T) {
	folder, now := t.TempDir(), newClock()
	db, ctx := newDB(t, engine.WithBuckets(folder), engine.WithClock(now.now)), context.Background()
	createTable(t, db, "pk")
	c := db.Client()
	_, err := c.UpdateContinuousBackups(ctx, &dynamodb.UpdateContinuousBackupsInput{TableName: aws.String("tab"), PointInTimeRecoverySpecification: &types.PointInTimeRecoverySpecification{PointInTimeRecoveryEnabled: aws.Bool(true)}})
	wantCode(t, err, "")
	remove := func(pk string) {
		_, err := db.DeleteItem(ctx, &api.DeleteItemInput{TableName: ptr("tab"), Key: js(t, `{"pk":{"S":"`+pk+`"}}`)})
		wantError(t, err, "")
	}
	for _, pk := range []string{"changed", "gone", "same"} {
		put(t, db, `{"pk":{"S":"`+pk+`"},"n":{"N":"0"}}`)
	}
	now.pass(time.Minute)
	from := now.now()
	put(t, db, `{"pk":{"S":"changed"},"n":{"N":"1"}}`)
	put(t, db, `{"pk":{"S":"changed"},"n":{"N":"2"}}`)
	remove("gone")
	put(t, db, `{"pk":{"S":"new"}}`)
	put(t, db, `{"pk":{"S":"short-lived"}}`)
	remove("short-lived")
	now.pass(time.Hour)
	to := now.now()
	put(t, db, `{"pk":{"S":"changed"},"n":{"N":"3"}}`)
	put(t, db, `{"pk":{"S":"later"}}`)
	now.pass(time.Hour)

	meta := fmt.Sprintf(`{"Metadata":{"WriteTimestampMicros":{"N":"%d"}},"Keys":`, from.UnixMicro())
	for view, want := range map[types.ExportViewType][]string{
		types.ExportViewTypeNewAndOldImages: {
			meta + `{"pk":{"S":"changed"}},"OldImage":{"n":{"N":"0"},"pk":{"S":"changed"}},"NewImage":{"n":{"N":"2"},"pk":{"S":"changed"}}}`,
			meta + `{"pk":{"S":"gone"}},"OldImage":{"n":{"N":"0"},"pk":{"S":"gone"}}}`,
			meta + `{"pk":{"S":"new"}},"NewImage":{"pk":{"S":"new"}}}`,
			meta + `{"pk":{"S":"short-lived"}}}`,
		},
		types.ExportViewTypeNewImage: {
			meta + `{"pk":{"S":"changed"}},"NewImage":{"n":{"N":"2"},"pk":{"S":"changed"}}}`,
			meta + `{"pk":{"S":"gone"}}}`,
			meta + `{"pk":{"S":"new"}},"NewImage":{"pk":{"S":"new"}}}`,
			meta + `{"pk":{"S":"short-lived"}}}`,
		},
	} {
		d := exported(t, c, &dynamodb.ExportTableToPointInTimeInput{
			TableArn: aws.String(tableARN), S3Bucket: aws.String("bucket"), S3Prefix: aws.String(string(view)), ExportType: types.ExportTypeIncrementalExport,
			IncrementalExportSpecification: &types.IncrementalExportSpecification{ExportFromTime: &from, ExportToTime: &to, ExportViewType: view},
		})
		if d.ItemCount == nil || *d.ItemCount != 4 || d.ExportTime != nil || !d.IncrementalExportSpecification.ExportToTime.Equal(to) {
			t.Errorf("export %+v", d)
		}
		if got := exportedLines(t, filepath.Join(folder, "bucket", string(view))); !slices.Equal(got, want) {
			t.Errorf("%s\ngot  %s\nwant %s", view, strings.Join(got, "\n     "), strings.Join(want, "\n     "))
		}
	}
}

// exportedLines returns the lines of the data of an export, sorted.
func exportedLines(t *testing.T, folder string) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(folder, "AWSDynamoDB", "data", "*.gz"))
	if err != nil || len(files) != 1 {
		t.Fatal(files, err)
	}
	lines := strings.Split(strings.TrimSuffix(string(plainOf(t, readFile(t, files[0]))), "\n"), "\n")
	slices.Sort(lines)
	return lines
}

// plainOf returns what was packed with gzip.
func plainOf(t *testing.T, packed []byte) []byte {
	t.Helper()
	z, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		t.Fatal(err)
	}
	plain, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	return plain
}
