package engine

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"os"
	"path"
	"time"

	"github.com/dynmodel/dynmodel/engine/api"
)

// writeExport writes the data and the manifests of an export, laid out as by
// the service.
func writeExport(root *os.Root, d *api.ExportDescription, lines func(putLine) error) error {
	folder := path.Dir(d.ExportManifest)
	data := path.Join(folder, "data", path.Base(folder)+".json.gz")
	if err := root.MkdirAll(path.Dir(data), 0o755); err != nil {
		return err
	}
	if err := writeLines(root, data, d, lines); err != nil {
		return err
	}
	files := path.Join(folder, "manifest-files.json")
	if err := writeJSON(root, files, map[string]any{"itemCount": d.ItemCount, "dataFileS3Key": data}); err != nil {
		return err
	}
	manifest := map[string]any{
		"version":            "2020-06-30",
		"exportArn":          d.ExportArn,
		"startTime":          textOfTime(d.StartTime),
		"endTime":            textOfTime(d.EndTime),
		"tableArn":           d.TableArn,
		"tableId":            d.TableId,
		"s3Bucket":           d.S3Bucket,
		"s3Prefix":           d.S3Prefix,
		"manifestFilesS3Key": files,
		"billedSizeBytes":    d.BilledSizeBytes,
		"itemCount":          d.ItemCount,
		"outputFormat":       d.ExportFormat,
		"exportType":         d.ExportType,
	}
	if spec := d.IncrementalExportSpecification; spec != nil {
		manifest["exportFromTime"] = textOfTime(spec.ExportFromTime)
		manifest["exportToTime"] = textOfTime(spec.ExportToTime)
		manifest["outputView"] = spec.ExportViewType
	} else {
		manifest["exportTime"] = textOfTime(d.ExportTime)
	}
	return writeJSON(root, d.ExportManifest, manifest)
}

func textOfTime(t *api.Time) string { return time.Time(*t).UTC().Format(time.RFC3339) }

func writeJSON(root *os.Root, name string, v any) error {
	text, err := json.Marshal(v)
	if err != nil {
		return err
	}
	return root.WriteFile(name, append(text, '\n'), 0o644)
}

// A putLine writes a line of an export, which is about so many bytes of items.
// It returns false when it cannot go on.
type putLine func(line []byte, size int) bool

// writeLines writes the lines of an export, and counts them.
func writeLines(root *os.Root, name string, d *api.ExportDescription, lines func(putLine) error) (err error) {
	f, err := root.Create(name)
	if err != nil {
		return err
	}
	defer func() { err = first(err, f.Close()) }()
	z := gzip.NewWriter(f)
	w := bufio.NewWriter(z)
	var failed error
	err = lines(func(line []byte, size int) bool {
		_, failed = w.Write(append(line, '\n'))
		d.ItemCount++
		d.BilledSizeBytes += int64(size)
		return failed == nil
	})
	return first(err, failed, w.Flush(), z.Close())
}
