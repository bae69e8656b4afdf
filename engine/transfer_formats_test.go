package engine_test

import (
	"bytes"
	"compress/gzip"
	"crypto/md5"
	"encoding/base64"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/klauspost/compress/zstd"

	"github.com/dynmodel/dynmodel/engine"
)

// An export in Ion is laid out as by the service, and what is imported from it is
// what was exported.
func TestTransferInION(t *testing.T) {
	folder := t.TempDir()
	db := newDB(t, engine.WithBuckets(folder))
	createTable(t, db, "pk")
	c := db.Client()
	_, err := c.UpdateContinuousBackups(t.Context(), &dynamodb.UpdateContinuousBackupsInput{TableName: aws.String("tab"), PointInTimeRecoverySpecification: &types.PointInTimeRecoverySpecification{PointInTimeRecoveryEnabled: aws.Bool(true)}})
	wantCode(t, err, "")
	put(t, db, `{"pk":{"S":"a"},"n":{"N":"600"},"odd name":{"NULL":true},"l":{"L":[{"B":"AAE="},{"NS":["1.5","-2"]},{"M":{"x":{"BOOL":true}}}]}}`)
	d := exported(t, c, &dynamodb.ExportTableToPointInTimeInput{TableArn: aws.String(tableARN), S3Bucket: aws.String("bucket"), S3Prefix: aws.String("p"), ExportFormat: types.ExportFormatIon})
	export := filepath.Join(folder, "bucket", filepath.FromSlash(filepath.Dir(*d.ExportManifest)))
	var files struct {
		ItemCount                        int
		Md5Checksum, ETag, DataFileS3Key string
	}
	readJSON(t, filepath.Join(export, "manifest-files.json"), &files)
	data := readFile(t, filepath.Join(folder, "bucket", files.DataFileS3Key))
	sum := md5.Sum(data)
	if files.ItemCount != 1 || files.Md5Checksum != base64.StdEncoding.EncodeToString(sum[:]) || !strings.HasSuffix(files.DataFileS3Key, ".ion.gz") {
		t.Errorf("the files are %+v", files)
	}
	want := `$ion_1_0 {Item:{l:[{{AAE=}},$dynamodb_NS::[-2.,1.5],{x:true}],n:6d2,'odd name':null,pk:"a"}}` + "\n"
	if got := string(plainOf(t, data)); got != want {
		t.Errorf("exported %s, want %s", got, want)
	}
	var summary map[string]any
	readJSON(t, filepath.Join(export, "manifest-summary.json"), &summary)
	for member, want := range map[string]any{"version": "2020-06-30", "outputFormat": "ION", "itemCount": 1.0, "s3SseAlgorithm": "AES256", "s3SseKmsKeyId": nil, "s3Prefix": "p", "exportType": "FULL_EXPORT"} {
		if got, ok := summary[member]; !ok || got != want {
			t.Errorf("%s is %v in the summary, want %v", member, got, want)
		}
	}
	manifest := md5.Sum(readFile(t, filepath.Join(export, "manifest-summary.json")))
	if got := string(readFile(t, filepath.Join(export, "manifest-summary.checksum"))); got != base64.StdEncoding.EncodeToString(manifest[:]) {
		t.Errorf("the checksum is %s", got)
	}
	in := importTo("copy", "bucket", "p/", types.InputFormatIon, types.InputCompressionTypeGzip)
	if got := imported(t, c, in); got.ImportedItemCount != 1 || got.ImportStatus != types.ImportStatusCompleted {
		t.Errorf("import %+v", got)
	}
	wantSame(t, db, "tab", "copy")
}

// wantSame wants two tables to have the same items.
func wantSame(t *testing.T, db *engine.DB, one, other string) {
	t.Helper()
	a, errA := db.Client().Scan(t.Context(), &dynamodb.ScanInput{TableName: &one})
	b, errB := db.Client().Scan(t.Context(), &dynamodb.ScanInput{TableName: &other})
	if errA != nil || errB != nil {
		t.Fatal(errA, errB)
	}
	textA, _ := json.Marshal(a.Items)
	textB, _ := json.Marshal(b.Items)
	if string(textA) != string(textB) {
		t.Errorf("%s has %s\n%s has %s", one, textA, other, textB)
	}
}

// Every format is read in every compression; what is not in the format that was
// said is counted as an error, or fails the import.
func TestImportFormats(t *testing.T) {
	texts := map[types.InputFormat]string{
		types.InputFormatDynamodbJson: `{"Item":{"pk":{"S":"a"},"n":{"N":"1"}}}` + "\n\n" + `{"Item":{"pk":{"S":"b"}}}` + "\n" + `{"Item":{"pk":` + "\n",
		types.InputFormatIon:          `$ion_1_0 {Item:{pk:"a",n:1.}}` + "\n" + `{Item:{pk:"b"}}` + "\n" + `$ion_1_0 {Item:{pk:` + "\n",
		types.InputFormatCsv:          "pk,n\na,1\nb,\n,1\n",
	}
	for format, text := range texts {
		for _, compression := range types.InputCompressionType("").Values() {
			t.Run(string(format)+" "+string(compression), func(t *testing.T) {
				folder := t.TempDir()
				os.MkdirAll(filepath.Join(folder, "bucket"), 0o755)
				if err := os.WriteFile(filepath.Join(folder, "bucket", "items"), packed(t, text, compression), 0o644); err != nil {
					t.Fatal(err)
				}
				db := newDB(t, engine.WithBuckets(folder))
				got := imported(t, db.Client(), importTo("tab", "bucket", "", format, compression))
				if got.ImportedItemCount != 2 || got.ErrorCount != 1 || got.ProcessedItemCount != 3 || got.ImportStatus != types.ImportStatusFailed {
					t.Errorf("import %+v", got)
				}
				if keys := strings.Join(keysIn(t, db, "tab"), " "); keys != "a b" {
					t.Errorf("imported %s", keys)
				}
			})
		}
	}
}

// Without its bucket an import fails, and makes no table.
func TestImportWithoutBucket(t *testing.T) {
	db := newDB(t, engine.WithBuckets(t.TempDir()))
	got := imported(t, db.Client(), importTo("tab", "nowhere", "", types.InputFormatCsv, types.InputCompressionTypeNone))
	if got.ImportStatus != types.ImportStatusFailed || *got.FailureCode != "S3NoSuchBucket" {
		t.Errorf("import %+v", got)
	}
	_, err := db.Client().DescribeTable(t.Context(), &dynamodb.DescribeTableInput{TableName: aws.String("tab")})
	wantCode(t, err, "ResourceNotFoundException")
}

// A client token stands for what it began.
func TestTransferTokens(t *testing.T) {
	folder := t.TempDir()
	os.MkdirAll(filepath.Join(folder, "bucket"), 0o755)
	db := newDB(t, engine.WithBuckets(folder))
	c := db.Client()
	in := importTo("tab", "bucket", "", types.InputFormatCsv, types.InputCompressionTypeNone)
	in.ClientToken = aws.String("one")
	first := imported(t, c, in)
	again, err := c.ImportTable(t.Context(), in)
	wantCode(t, err, "")
	if *again.ImportTableDescription.ImportArn != *first.ImportArn {
		t.Error("one token began two imports")
	}
	in.InputFormat = types.InputFormatIon
	_, err = c.ImportTable(t.Context(), in)
	wantCode(t, err, "ImportConflictException")

	_, err = c.UpdateContinuousBackups(t.Context(), &dynamodb.UpdateContinuousBackupsInput{TableName: aws.String("tab"), PointInTimeRecoverySpecification: &types.PointInTimeRecoverySpecification{PointInTimeRecoveryEnabled: aws.Bool(true)}})
	wantCode(t, err, "")
	out := &dynamodb.ExportTableToPointInTimeInput{TableArn: aws.String(tableARN), S3Bucket: aws.String("bucket"), ClientToken: aws.String("two")}
	export := exported(t, c, out)
	repeated, err := c.ExportTableToPointInTime(t.Context(), out)
	wantCode(t, err, "")
	if *repeated.ExportDescription.ExportArn != *export.ExportArn {
		t.Error("one token began two exports")
	}
	out.ExportFormat = types.ExportFormatIon
	_, err = c.ExportTableToPointInTime(t.Context(), out)
	wantCode(t, err, "ExportConflictException")
}

func packed(t *testing.T, text string, compression types.InputCompressionType) []byte {
	t.Helper()
	var b bytes.Buffer
	switch compression {
	case types.InputCompressionTypeGzip:
		z := gzip.NewWriter(&b)
		z.Write([]byte(text))
		z.Close()
	case types.InputCompressionTypeZstd:
		z, err := zstd.NewWriter(&b)
		if err != nil {
			t.Fatal(err)
		}
		z.Write([]byte(text))
		z.Close()
	default:
		b.WriteString(text)
	}
	return b.Bytes()
}

func readFile(t *testing.T, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func readJSON(t *testing.T, name string, v any) {
	t.Helper()
	if err := json.Unmarshal(readFile(t, name), v); err != nil {
		t.Fatal(err)
	}
}
