package engine

import (
	"context"
	"fmt"
	"os"
	"path"
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

// The values of ExportType.
const (
	exportFull        = "FULL_EXPORT"
	exportIncremental = "INCREMENTAL_EXPORT"
)

// ExportTableToPointInTime writes a table as it was at some moment, or its
// changes between two, to files of DynamoDB JSON. The files are there when the
// answer is.
func (db *DB) ExportTableToPointInTime(_ context.Context, in *api.ExportTableToPointInTimeInput) (*api.ExportOutput, error) {
	if err := checkExport(in); err != nil {
		return nil, err
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
	d := db.describeExport(in, source, t.now)
	err = d.setTimes(h, in, t.now)
	snapshot := db.store.Snapshot()
	t.mu.Unlock()
	defer snapshot.Close()
	if err != nil {
		return nil, err
	}
	lines := func(put putLine) error { return h.exportItems(snapshot, t.schema, time.Time(*d.ExportTime), put) }
	if spec := d.IncrementalExportSpecification; spec != nil {
		lines = func(put putLine) error { return h.exportChanges(snapshot, t.schema, spec, put) }
	}
	if err := writeExport(root, d.ExportDescription, lines); err != nil {
		return nil, api.Errorf(api.InternalServerError, "The export could not be written to the bucket")
	}
	db.mu.Lock()
	defer db.mu.Unlock()
	db.exports = append(db.exports, d.ExportDescription)
	return &api.ExportOutput{ExportDescription: d.ExportDescription}, db.saveAccount()
}

func checkExport(in *api.ExportTableToPointInTimeInput) error {
	err := first(
		notNull("tableArn", in.TableArn),
		oneOf("exportFormat", in.ExportFormat, formatJSON, "ION"),
		oneOf("exportType", in.ExportType, exportFull, exportIncremental))
	spec := in.IncrementalExportSpecification
	switch {
	case err != nil:
		return err
	case in.ExportFormat == "ION":
		return api.Invalid("ExportFormat ION is not supported by this endpoint, use DYNAMODB_JSON")
	case in.ExportType == exportIncremental:
		return checkIncremental(in, spec)
	case spec != nil:
		return api.Invalid("IncrementalExportSpecification is for ExportType INCREMENTAL_EXPORT")
	}
	return nil
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
	db.mu.RLock()
	id := fmt.Sprintf("%014d-%08x", now.UnixMilli(), len(db.exports)+1)
	db.mu.RUnlock()
	d := &api.ExportDescription{
		ExportArn:    source.TableArn + "/export/" + id,
		ExportStatus: "COMPLETED",
		ExportType:   exportFull,
		ExportFormat: formatJSON,
		StartTime:    api.TimeOf(now),
		EndTime:      api.TimeOf(now),
		TableArn:     source.TableArn,
		TableId:      source.TableId,
		S3Bucket:     *in.S3Bucket,
		S3Prefix:     deref(in.S3Prefix),
		ClientToken:  deref(in.ClientToken),
	}
	if in.ExportType != "" {
		d.ExportType = in.ExportType
	}
	d.ExportManifest = path.Join(d.S3Prefix, "AWSDynamoDB", id, "manifest-summary.json")
	return exportOf{d}
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
