package engine

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"regexp"
	"slices"
	"time"

	"github.com/dynmodel/dynmodel/engine/api"
)

// WithBuckets lets tables be exported to, and imported from, a folder: a bucket
// of S3 is a folder in it, a key a path. Requests cannot leave it. Without this
// option, exports and imports are refused.
func WithBuckets(folder string) Option {
	return func(db *DB) { db.buckets = folder }
}

// bucketThere opens the folder of a bucket; fs.ErrNotExist says that there is
// none.
func (db *DB) bucketThere(name *string) (*os.Root, error) {
	switch {
	case name == nil:
		return nil, api.Required("s3Bucket")
	case db.buckets == "":
		return nil, api.Invalid("This endpoint has no folder for buckets, so that it cannot export or import")
	}
	all, err := os.OpenRoot(db.buckets)
	if err != nil {
		return nil, api.Errorf(api.InternalServerError, "The folder for buckets cannot be opened")
	}
	defer all.Close()
	root, err := all.OpenRoot(*name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fs.ErrNotExist
	case err != nil:
		return nil, errBucket(*name)
	}
	return root, nil
}

// bucket is bucketThere for a bucket that is made if it is not there.
func (db *DB) bucket(name *string) (*os.Root, error) {
	root, err := db.bucketThere(name)
	if !errors.Is(err, fs.ErrNotExist) {
		return root, err
	}
	all, err := os.OpenRoot(db.buckets)
	if err != nil {
		return nil, api.Errorf(api.InternalServerError, "The folder for buckets cannot be opened")
	}
	defer all.Close()
	if err := all.MkdirAll(*name, 0o755); err != nil {
		return nil, errBucket(*name)
	}
	return db.bucketThere(name)
}

func errBucket(name string) error {
	return api.Invalid("The bucket %s cannot be used", name)
}

// The values of ExportType.
const (
	exportFull        = "FULL_EXPORT"
	exportIncremental = "INCREMENTAL_EXPORT"
)

// The states of exports, imports and bulk operations.
const (
	statusInProgress = "IN_PROGRESS"
	statusCompleted  = "COMPLETED"
	statusFailed     = "FAILED"
)

// transferTokenLife is for how long a client token stands for the export, import
// or bulk operation that it began (API reference, ExportTableToPointInTime).
const transferTokenLife = 8 * time.Hour

// ExportTableToPointInTime writes a table as it was at some moment, or its
// changes between two, to files of DynamoDB JSON or Ion. The files are there when
// the answer is.
func (db *DB) ExportTableToPointInTime(_ context.Context, in *api.ExportTableToPointInTimeInput) (*api.ExportOutput, error) {
	if err := checkExport(in); err != nil {
		return nil, err
	}
	before, err := db.exportOfToken(in)
	if err != nil || before != nil {
		return before, err
	}
	t, err := db.lock(*in.TableArn)
	if err != nil {
		return nil, api.Errorf(api.TableNotFound, "Table not found: %s", *in.TableArn)
	}
	source, h := t.describe(), t.history
	d := db.describeExport(in, source, t.now)
	filter, err := newExportFilter(in.FilterSpecification, t.schema)
	err = first(d.setTimes(h, in, t.now), err)
	snapshot := db.store.Snapshot()
	t.mu.Unlock()
	defer snapshot.Close()
	if err != nil {
		return nil, err
	}
	root, err := db.bucket(in.S3Bucket)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	format := lineFormats[d.ExportFormat]
	lines := func(put putLine) error {
		return h.exportItems(snapshot, t.schema, time.Time(*d.ExportTime), &filter, format, put)
	}
	if spec := d.IncrementalExportSpecification; spec != nil {
		lines = func(put putLine) error { return h.exportChanges(snapshot, t.schema, spec, format, put) }
	}
	if err := writeExport(root, d.ExportDescription, lines); err != nil {
		return nil, api.Errorf(api.InternalServerError, "The export could not be written to the bucket: %s", err)
	}
	db.mu.Lock()
	defer db.mu.Unlock()
	db.exports = append(db.exports, d.ExportDescription)
	return &api.ExportOutput{ExportDescription: exportBegun(d.ExportDescription)}, db.saveAccount()
}

// exportBegun is an export as it looks while it is under way.
func exportBegun(d *api.ExportDescription) *api.ExportDescription {
	begun := *d
	begun.ExportStatus, begun.ExportManifest = statusInProgress, ""
	begun.EndTime, begun.ItemCount, begun.BilledSizeBytes = nil, nil, nil
	return &begun
}

// exportNow is an export as it looks now.
func (db *DB) exportNow(d *api.ExportDescription) *api.ExportDescription {
	if db.now().Before(time.Time(*d.EndTime).Add(db.transitions)) {
		return exportBegun(d)
	}
	return d
}

// exportOfToken returns the answer of the export that the token of a request
// began before, if there is one.
func (db *DB) exportOfToken(in *api.ExportTableToPointInTimeInput) (*api.ExportOutput, error) {
	if in.ClientToken == nil {
		return nil, nil
	}
	db.mu.RLock()
	defer db.mu.RUnlock()
	since := db.now().Add(-transferTokenLife)
	for _, d := range db.exports {
		if d.ClientToken != *in.ClientToken || time.Time(*d.StartTime).Before(since) {
			continue
		}
		asked := db.describeExport(in, &api.TableDescription{TableArn: d.TableArn}, db.now())
		if tableOf(*in.TableArn) != tableOf(d.TableArn) || asked.ExportFormat != d.ExportFormat || asked.ExportType != d.ExportType ||
			asked.S3Bucket != d.S3Bucket || asked.S3Prefix != d.S3Prefix {
			return nil, api.Errorf(api.ExportConflict, "The client token is being used for a different export")
		}
		return &api.ExportOutput{ExportDescription: db.exportNow(d)}, nil
	}
	return nil, nil
}

func checkExport(in *api.ExportTableToPointInTimeInput) error {
	err := api.First(
		checkText("tableArn", in.TableArn, 1, 1024),
		checkBucketName("s3Bucket", in.S3Bucket),
		optional(in.S3Prefix, func(prefix *string) error { return checkText("s3Prefix", prefix, 0, 1024) }),
		oneOf("s3SseAlgorithm", in.S3SseAlgorithm, "AES256", "KMS"),
		oneOf("exportFormat", in.ExportFormat, formatJSON, formatION),
		oneOf("exportType", in.ExportType, exportFull, exportIncremental))
	spec := in.IncrementalExportSpecification
	switch {
	case err != nil:
		return err
	case in.FilterSpecification != nil && in.ExportType == exportIncremental:
		return api.Invalid("FilterSpecification is for ExportType FULL_EXPORT")
	case in.ExportType == exportIncremental:
		return checkIncremental(in, spec)
	case spec != nil:
		return api.Invalid("IncrementalExportSpecification is for ExportType INCREMENTAL_EXPORT")
	}
	return nil
}

// bucketName is what buckets are called (service model, S3Bucket).
var bucketName = regexp.MustCompile(`^[a-z0-9A-Z]+[\.\-\w]*[a-z0-9A-Z]+$`)

func checkBucketName(member string, name *string) error {
	if name == nil {
		return api.Required(member)
	}
	var pattern error
	if !bucketName.MatchString(*name) {
		pattern = api.Constraint(*name, member, "Member must satisfy regular expression pattern: "+bucketName.String())
	}
	return api.First(pattern, checkText(member, name, 0, 255))
}

// An exportOf is an export that is being described.
type exportOf struct{ *api.ExportDescription }

// setTimes sets the moment, or the time, that the export is about.
func (d exportOf) setTimes(h *history, in *api.ExportTableToPointInTimeInput, now time.Time) (err error) {
	if h == nil {
		return api.Errorf(api.PointInTimeRecoveryUnavailable, "Point in time recovery is not enabled for table '%s'", tableOf(*in.TableArn))
	}
	if in.ExportType == exportIncremental {
		d.IncrementalExportSpecification, err = h.window(in.IncrementalExportSpecification, now)
		return err
	}
	d.ExportTime = in.ExportTime
	if d.ExportTime == nil {
		d.ExportTime = api.TimeOf(now)
	}
	return h.checkReach("ExportTime", *d.ExportTime, now)
}

// checkReach checks that a moment is one that the history knows.
func (h *history) checkReach(member string, at api.Time, now time.Time) error {
	if t := time.Time(at); t.Before(h.earliest(now)) || t.After(now) {
		return api.Errorf(api.InvalidExportTime, "%s is invalid: it must be between %s and %s", member, h.earliest(now).UTC().Format(time.RFC3339), now.UTC().Format(time.RFC3339))
	}
	return nil
}

func (db *DB) describeExport(in *api.ExportTableToPointInTimeInput, source *api.TableDescription, now time.Time) exportOf {
	id := fmt.Sprintf("%014d-%08x", now.UnixMilli(), db.transfers.Add(1))
	d := &api.ExportDescription{
		ExportArn:      source.TableArn + "/export/" + id,
		ExportStatus:   statusCompleted,
		ExportType:     cmp.Or(in.ExportType, exportFull),
		ExportFormat:   cmp.Or(in.ExportFormat, formatJSON),
		StartTime:      api.TimeOf(now),
		EndTime:        api.TimeOf(now),
		TableArn:       source.TableArn,
		TableId:        source.TableId,
		S3Bucket:       *in.S3Bucket,
		S3BucketOwner:  in.S3BucketOwner,
		S3Prefix:       deref(in.S3Prefix),
		S3SseAlgorithm: cmp.Or(in.S3SseAlgorithm, "AES256"),
		S3SseKmsKeyId:  in.S3SseKmsKeyId,
		ClientToken:    deref(in.ClientToken),

		FilterSpecification: in.FilterSpecification,
	}
	d.ExportManifest = path.Join(d.S3Prefix, "AWSDynamoDB", id, "manifest-summary.json")
	return exportOf{d}
}

// DescribeExport describes an export.
func (db *DB) DescribeExport(_ context.Context, in *api.DescribeExportInput) (*api.ExportOutput, error) {
	if err := checkARN("exportArn", in.ExportArn); err != nil {
		return nil, err
	}
	db.mu.RLock()
	defer db.mu.RUnlock()
	at := slices.IndexFunc(db.exports, func(d *api.ExportDescription) bool { return d.ExportArn == *in.ExportArn })
	if at < 0 {
		return nil, api.Errorf(api.ExportNotFound, "Export not found: %s", *in.ExportArn)
	}
	return &api.ExportOutput{ExportDescription: db.exportNow(db.exports[at])}, nil
}

// maxListedTransfers is how many exports, and imports, are listed at once (API
// reference, ListExports and ListImports).
const maxListedTransfers = 25

// ListExports lists exports in the order of their beginning. The token of the
// next page is the ARN of the last export of this one.
func (db *DB) ListExports(_ context.Context, in *api.ListExportsInput) (*api.ListExportsOutput, error) {
	if err := api.First(atLeast("maxResults", in.MaxResults, 1), atMost("maxResults", in.MaxResults, maxListedTransfers)); err != nil {
		return nil, err
	}
	db.mu.RLock()
	defer db.mu.RUnlock()
	out := &api.ListExportsOutput{ExportSummaries: []api.ExportSummary{}}
	list := slices.DeleteFunc(slices.Clone(db.exports), func(d *api.ExportDescription) bool { return in.TableArn != nil && d.TableArn != *in.TableArn })
	page, next, err := pageOf(list, in.MaxResults, in.NextToken, func(d *api.ExportDescription) string { return d.ExportArn })
	for _, d := range page {
		d = db.exportNow(d)
		out.ExportSummaries = append(out.ExportSummaries, api.ExportSummary{ExportArn: d.ExportArn, ExportStatus: d.ExportStatus, ExportType: d.ExportType})
	}
	out.NextToken = next
	return out, err
}

// pageOf returns a page of a list of transfers, and the token of the next one:
// the ARN of its last element.
func pageOf[T any](list []T, limit *int64, token *string, arnOf func(T) string) (page []T, next string, err error) {
	if token != nil {
		at := slices.IndexFunc(list, func(e T) bool { return arnOf(e) == *token })
		if at < 0 {
			return nil, "", api.Invalid("Invalid NextToken")
		}
		list = list[at+1:]
	}
	most := maxListedTransfers
	if limit != nil {
		most = int(*limit)
	}
	if len(list) > most {
		list, next = list[:most], arnOf(list[most-1])
	}
	return list, next, nil
}
