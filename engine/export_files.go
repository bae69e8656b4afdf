package engine

import (
	"bufio"
	"compress/gzip"
	"crypto/md5" // what manifests name files' contents by
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path"
	"time"

	"github.com/dynmodel/dynmodel/engine/api"
)

// writeExport writes the data and the manifests of an export, laid out as by
// the service (DynamoDB developer guide, DynamoDB table export output format).
func writeExport(root *os.Root, d *api.ExportDescription, lines func(putLine) error) error {
	folder := path.Dir(d.ExportManifest)
	data := path.Join(dataFolder(d, folder), path.Base(folder)+lineFormats[d.ExportFormat].extension)
	err := first(root.MkdirAll(path.Dir(data), 0o755), root.MkdirAll(folder, 0o755))
	if err == nil {
		err = root.WriteFile(path.Join(folder, "_started"), nil, 0o644)
	}
	if err != nil {
		return err
	}
	sum, err := writeLines(root, data, d, lines)
	if err != nil {
		return err
	}
	files := path.Join(folder, "manifest-files")
	list := map[string]any{
		"itemCount":     d.ItemCount,
		"md5Checksum":   base64.StdEncoding.EncodeToString(sum),
		"etag":          etag(sum),
		"dataFileS3Key": data,
	}
	return first(writeManifest(root, files, list), writeManifest(root, path.Join(folder, "manifest-summary"), summaryOf(d, files+".json")))
}

// dataFolder returns where the data goes: that of incremental exports is in one
// folder for all of them.
func dataFolder(d *api.ExportDescription, folder string) string {
	if d.ExportType == exportIncremental {
		folder = path.Dir(folder)
	}
	return path.Join(folder, "data")
}

// etag is what S3 calls a file that was uploaded in one part of a multipart
// upload.
func etag(sum []byte) string { return fmt.Sprintf("%x-1", md5.Sum(sum)) }

func summaryOf(d *api.ExportDescription, files string) map[string]any {
	summary := map[string]any{
		"version":            "2020-06-30",
		"exportArn":          d.ExportArn,
		"startTime":          textOfTime(d.StartTime),
		"endTime":            textOfTime(d.EndTime),
		"tableArn":           d.TableArn,
		"tableId":            d.TableId,
		"s3Bucket":           d.S3Bucket,
		"s3Prefix":           orNull(d.S3Prefix),
		"s3SseAlgorithm":     d.S3SseAlgorithm,
		"s3SseKmsKeyId":      orNull(d.S3SseKmsKeyId),
		"manifestFilesS3Key": files,
		"billedSizeBytes":    d.BilledSizeBytes,
		"itemCount":          d.ItemCount,
		"outputFormat":       d.ExportFormat,
		"exportType":         d.ExportType,
	}
	if spec := d.IncrementalExportSpecification; spec != nil {
		summary["version"] = "2023-08-01"
		summary["exportFromTime"] = textOfTime(spec.ExportFromTime)
		summary["exportToTime"] = textOfTime(spec.ExportToTime)
		summary["outputView"] = spec.ExportViewType
	} else {
		summary["exportTime"] = textOfTime(d.ExportTime)
	}
	return summary
}

func orNull(text string) any {
	if text == "" {
		return nil
	}
	return text
}

func textOfTime(t *api.Time) string { return time.Time(*t).UTC().Format("2006-01-02T15:04:05.000Z") }

// writeManifest writes a manifest, and its checksum beside it.
func writeManifest(root *os.Root, name string, v any) error {
	text, err := json.Marshal(v)
	if err != nil {
		return err
	}
	text = append(text, '\n')
	sum := md5.Sum(text)
	return first(
		root.WriteFile(name+".json", text, 0o644),
		root.WriteFile(name+".checksum", []byte(base64.StdEncoding.EncodeToString(sum[:])), 0o644))
}

// A putLine writes a line of an export, which is about so many bytes of items.
// It returns false when it cannot go on.
type putLine func(line []byte, size int) bool

// writeLines writes the lines of an export, counts them, and returns the MD5 sum
// of the file.
func writeLines(root *os.Root, name string, d *api.ExportDescription, lines func(putLine) error) (sum []byte, err error) {
	f, err := root.Create(name)
	if err != nil {
		return nil, err
	}
	h := md5.New()
	z := gzip.NewWriter(io.MultiWriter(f, h))
	w := bufio.NewWriter(z)
	var failed error
	var items, bytes int64
	err = lines(func(line []byte, size int) bool {
		_, failed = w.Write(append(line, '\n'))
		items++
		bytes += int64(size)
		return failed == nil
	})
	d.ItemCount, d.BilledSizeBytes = &items, &bytes
	err = first(err, failed, w.Flush(), z.Close(), f.Close())
	return h.Sum(nil), err
}
