package engine

import (
	"bufio"
	"compress/gzip"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path"
	"slices"
	"time"

	"github.com/dynmodel/dynmodel/engine/api"
	"github.com/dynmodel/dynmodel/engine/attr"
)

// WithBuckets lets tables be exported to, and imported from, a folder: a bucket
// of S3 is a folder in it, a key a path. Requests cannot leave it. Without this
// option, exports and imports are refused.
func WithBuckets(folder string) Option {
	return func(db *DB) { db.buckets = folder }
}

const formatJSON = "DYNAMODB_JSON"

// bucket opens the folder of a bucket, made if it is not there.
func (db *DB) bucket(name *string) (*os.Root, error) {
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
	if err := all.MkdirAll(*name, 0o755); err != nil {
		return nil, errBucket(*name)
	}
	root, err := all.OpenRoot(*name)
	if err != nil {
		return nil, errBucket(*name)
	}
	return root, nil
}

func errBucket(name string) error {
	return api.Invalid("The bucket %s cannot be used", name)
}

// ExportTableToPointInTime writes a table, as it was at some moment, to files
// of DynamoDB JSON. The files are there when the answer is.
func (db *DB) ExportTableToPointInTime(_ context.Context, in *api.ExportTableToPointInTimeInput) (*api.ExportOutput, error) {
	err := first(
		notNull("tableArn", in.TableArn),
		oneOf("exportFormat", in.ExportFormat, formatJSON, "ION"),
		oneOf("exportType", in.ExportType, "FULL_EXPORT", "INCREMENTAL_EXPORT"))
	switch {
	case err != nil:
		return nil, err
	case in.ExportFormat == "ION":
		return nil, api.Invalid("ExportFormat ION is not supported by this endpoint, use DYNAMODB_JSON")
	case in.ExportType == "INCREMENTAL_EXPORT":
		return nil, api.Invalid("ExportType INCREMENTAL_EXPORT is not supported by this endpoint, use FULL_EXPORT")
	}
	root, err := db.bucket(in.S3Bucket)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	t, err := db.lock(*in.TableArn)
	if err != nil {
		return nil, api.Errorf(api.TableNotFound, "Table not found: %s", *in.TableArn)
	}
	source, h := t.describe(), t.history
	at, err := exportable(h, in.ExportTime, *in.TableArn, t.now)
	snapshot := db.store.Snapshot()
	t.mu.Unlock()
	defer snapshot.Close()
	if err != nil {
		return nil, err
	}
	d := db.describeExport(in, source, at, t.now)
	if err := writeExport(root, d, func(put func(attr.Item) bool) error { return h.itemsAt(snapshot, t.schema, at, put) }); err != nil {
		return nil, api.Errorf(api.InternalServerError, "The export could not be written to the bucket")
	}
	db.mu.Lock()
	defer db.mu.Unlock()
	db.exports = append(db.exports, d)
	return &api.ExportOutput{ExportDescription: d}, db.saveAccount()
}

func exportable(h *history, at *api.Time, arn string, now time.Time) (time.Time, error) {
	switch {
	case h == nil:
		return now, api.Errorf(api.PointInTimeRecoveryUnavailable, "Point in time recovery is not enabled for table '%s'", tableOf(arn))
	case at == nil:
		return now, nil
	case time.Time(*at).Before(h.earliest(now)) || time.Time(*at).After(now):
		return now, api.Errorf(api.InvalidExportTime, "ExportTime is invalid: it must be between %s and %s", h.earliest(now).UTC().Format(time.RFC3339), now.UTC().Format(time.RFC3339))
	}
	return time.Time(*at), nil
}

func (db *DB) describeExport(in *api.ExportTableToPointInTimeInput, source *api.TableDescription, at, now time.Time) *api.ExportDescription {
	db.mu.RLock()
	id := fmt.Sprintf("%014d-%08x", now.UnixMilli(), len(db.exports)+1)
	db.mu.RUnlock()
	d := &api.ExportDescription{
		ExportArn:    source.TableArn + "/export/" + id,
		ExportStatus: "COMPLETED",
		ExportType:   "FULL_EXPORT",
		ExportFormat: formatJSON,
		ExportTime:   api.TimeOf(at),
		StartTime:    api.TimeOf(now),
		EndTime:      api.TimeOf(now),
		TableArn:     source.TableArn,
		TableId:      source.TableId,
		S3Bucket:     *in.S3Bucket,
		S3Prefix:     deref(in.S3Prefix),
		ClientToken:  deref(in.ClientToken),
	}
	d.ExportManifest = path.Join(d.S3Prefix, "AWSDynamoDB", id, "manifest-summary.json")
	return d
}

// writeExport writes the data and the manifests of an export, laid out as by
// the service.
func writeExport(root *os.Root, d *api.ExportDescription, each func(put func(attr.Item) bool) error) error {
	folder := path.Dir(d.ExportManifest)
	data := path.Join(folder, "data", path.Base(folder)+".json.gz")
	if err := root.MkdirAll(path.Dir(data), 0o755); err != nil {
		return err
	}
	if err := writeItems(root, data, d, each); err != nil {
		return err
	}
	files := path.Join(folder, "manifest-files.json")
	if err := writeJSON(root, files, map[string]any{"itemCount": d.ItemCount, "dataFileS3Key": data}); err != nil {
		return err
	}
	return writeJSON(root, d.ExportManifest, map[string]any{
		"version":            "2020-06-30",
		"exportArn":          d.ExportArn,
		"startTime":          time.Time(*d.StartTime).UTC().Format(time.RFC3339),
		"endTime":            time.Time(*d.EndTime).UTC().Format(time.RFC3339),
		"tableArn":           d.TableArn,
		"tableId":            d.TableId,
		"exportTime":         time.Time(*d.ExportTime).UTC().Format(time.RFC3339),
		"s3Bucket":           d.S3Bucket,
		"s3Prefix":           d.S3Prefix,
		"manifestFilesS3Key": files,
		"billedSizeBytes":    d.BilledSizeBytes,
		"itemCount":          d.ItemCount,
		"outputFormat":       d.ExportFormat,
		"exportType":         d.ExportType,
	})
}

func writeJSON(root *os.Root, name string, v any) error {
	text, err := json.Marshal(v)
	if err != nil {
		return err
	}
	return root.WriteFile(name, append(text, '\n'), 0o644)
}

// writeItems writes one line for each item, and counts them.
func writeItems(root *os.Root, name string, d *api.ExportDescription, each func(put func(attr.Item) bool) error) (err error) {
	f, err := root.Create(name)
	if err != nil {
		return err
	}
	defer func() { err = first(err, f.Close()) }()
	z := gzip.NewWriter(f)
	w := bufio.NewWriter(z)
	var line []byte
	var failed error
	err = each(func(item attr.Item) bool {
		line = append(item.AppendJSON(append(line[:0], `{"Item":`...)), '}', '\n')
		_, failed = w.Write(line)
		d.ItemCount++
		d.BilledSizeBytes += int64(item.Size())
		return failed == nil
	})
	return first(err, failed, w.Flush(), z.Close())
}

// DescribeExport describes an export.
func (db *DB) DescribeExport(_ context.Context, in *api.DescribeExportInput) (*api.ExportOutput, error) {
	if err := notNull("exportArn", in.ExportArn); err != nil {
		return nil, err
	}
	db.mu.RLock()
	defer db.mu.RUnlock()
	at := slices.IndexFunc(db.exports, func(d *api.ExportDescription) bool { return d.ExportArn == *in.ExportArn })
	if at < 0 {
		return nil, api.Errorf(api.ExportNotFound, "Export not found: %s", *in.ExportArn)
	}
	return &api.ExportOutput{ExportDescription: db.exports[at]}, nil
}

// ListExports lists exports in the order of their beginning.
func (db *DB) ListExports(_ context.Context, in *api.ListExportsInput) (*api.ListExportsOutput, error) {
	db.mu.RLock()
	defer db.mu.RUnlock()
	out := &api.ListExportsOutput{ExportSummaries: []api.ExportSummary{}}
	for _, d := range db.exports {
		if in.TableArn == nil || d.TableArn == *in.TableArn {
			out.ExportSummaries = append(out.ExportSummaries, api.ExportSummary{ExportArn: d.ExportArn, ExportStatus: d.ExportStatus, ExportType: d.ExportType})
		}
	}
	return out, nil
}
