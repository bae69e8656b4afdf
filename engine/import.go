package engine

import (
	"bufio"
	"compress/gzip"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/dynmodel/dynmodel/engine/api"
	"github.com/dynmodel/dynmodel/engine/attr"
	"github.com/dynmodel/dynmodel/engine/expr"
)

// ImportTable makes a table of files in a bucket. Items that could not be put
// are counted and left out.
func (db *DB) ImportTable(_ context.Context, in *api.ImportTableInput) (*api.ImportOutput, error) {
	if err := checkImport(in); err != nil {
		return nil, err
	}
	root, err := db.bucket(in.S3BucketSource.S3Bucket)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	create := in.TableCreationParameters
	d := definitionOf(create)
	if err := checkCreateTable(create, d); err != nil {
		return nil, err
	}
	t, err := db.reserve(create, d, nil)
	if err != nil {
		return nil, err
	}
	desc := describeImport(in, t)
	r := &importer{request: in, root: root, schema: t.schema.Load(), desc: desc}
	if err := db.fill(t, r.each); err != nil {
		desc.ImportStatus, desc.FailureCode, desc.FailureMessage = "FAILED", "ItemValidationError", err.Error()
	}
	if _, err := db.register(t); err != nil {
		return nil, err
	}
	db.mu.Lock()
	defer db.mu.Unlock()
	desc.ImportArn = fmt.Sprintf("%s/import/%014d-%08x", desc.TableArn, db.now().UnixMilli(), len(db.imports)+1)
	desc.EndTime = api.TimeOf(db.now())
	db.imports = append(db.imports, desc)
	return &api.ImportOutput{ImportTableDescription: desc}, db.saveAccount()
}

func checkImport(in *api.ImportTableInput) error {
	err := first(
		notNull("s3BucketSource", in.S3BucketSource),
		required("inputFormat", in.InputFormat),
		oneOf("inputFormat", in.InputFormat, formatJSON, "ION", "CSV"),
		oneOf("inputCompressionType", in.InputCompressionType, "GZIP", "ZSTD", "NONE"),
		notNull("tableCreationParameters", in.TableCreationParameters))
	return first(err, checkReadable(in.InputFormat, in.InputCompressionType))
}

// checkReadable refuses files that nobody here can read.
func checkReadable(format, compression string) error {
	switch {
	case format == "ION":
		return api.Invalid("InputFormat ION is not supported by this endpoint, use DYNAMODB_JSON or CSV")
	case compression == "ZSTD":
		return api.Invalid("InputCompressionType ZSTD is not supported by this endpoint, use GZIP or NONE")
	}
	return nil
}

func describeImport(in *api.ImportTableInput, t *table) *api.ImportDescription {
	c := in.TableCreationParameters
	compression := in.InputCompressionType
	if compression == "" {
		compression = "NONE"
	}
	return &api.ImportDescription{
		ImportStatus:         "COMPLETED",
		TableArn:             t.description.TableArn,
		TableId:              t.description.TableId,
		ClientToken:          deref(in.ClientToken),
		S3BucketSource:       in.S3BucketSource,
		InputFormat:          in.InputFormat,
		InputCompressionType: compression,
		TableCreationParameters: &api.TableCreationParameters{
			TableName:              c.TableName,
			AttributeDefinitions:   c.AttributeDefinitions,
			KeySchema:              c.KeySchema,
			BillingMode:            c.BillingMode,
			GlobalSecondaryIndexes: c.GlobalSecondaryIndexes,
		},
		StartTime: t.description.CreationDateTime,
	}
}

// An importer reads the files of an import.
type importer struct {
	request *api.ImportTableInput
	root    *os.Root
	schema  *schema
	desc    *api.ImportDescription
	seen    map[string]bool // storage keys; the first item of a key counts
}

// each puts the items of all files, in the order of their names.
func (r *importer) each(put func(attr.Item) bool) error {
	r.seen = make(map[string]bool)
	prefix := deref(r.request.S3BucketSource.S3KeyPrefix)
	return eachInput(r.root, prefix, r.request.InputCompressionType, func(text io.Reader) error {
		if r.request.InputFormat == "CSV" {
			return r.csv(text, put)
		}
		return r.json(text, put)
	})
}

// eachInput reads the files of a bucket whose names begin with the prefix, in
// the order of their names.
func eachInput(bucket *os.Root, prefix, compression string, read func(text io.Reader) error) error {
	return fs.WalkDir(bucket.FS(), ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasPrefix(name, prefix) || isManifest(name) {
			return err
		}
		f, err := bucket.Open(name)
		if err != nil {
			return err
		}
		defer f.Close()
		if compression != "GZIP" {
			return read(f)
		}
		text, err := gzip.NewReader(f)
		if err != nil {
			return fmt.Errorf("%s is not a gzip file", name)
		}
		return read(text)
	})
}

// isManifest tells the files of an export that have no items.
func isManifest(name string) bool {
	return strings.HasSuffix(name, "manifest-summary.json") || strings.HasSuffix(name, "manifest-files.json")
}

// maxLineBytes bounds a line of DynamoDB JSON: an item of 400 KB whose every
// byte is escaped.
const maxLineBytes = 6 * attr.MaxItemBytes

func (r *importer) json(text io.Reader, put func(attr.Item) bool) error {
	lines := bufio.NewScanner(text)
	lines.Buffer(nil, maxLineBytes)
	for lines.Scan() {
		if line := lines.Bytes(); len(line) > 0 {
			r.desc.ProcessedSizeBytes += int64(len(line))
			item, err := itemOfLine(line)
			r.take(item, err, put)
		}
	}
	return lines.Err()
}

// itemOfLine reads a line {"Item": {…}}.
func itemOfLine(line []byte) (item attr.Item, err error) {
	s := attr.NewScanner(line)
	for s.Object(attr.StructureOf("Item")); s.NextField(); {
		if string(s.Field()) == "Item" {
			item = s.Item()
		} else {
			s.Skip()
		}
	}
	return item, first(s.End(), s.Invalid())
}

// csv reads lines of fields. All attributes are strings but those of keys.
func (r *importer) csv(text io.Reader, put func(attr.Item) bool) error {
	lines := csv.NewReader(text)
	lines.ReuseRecord = true
	var header []string
	if o := r.request.InputFormatOptions; o != nil && o.Csv != nil {
		header = o.Csv.HeaderList
		if o.Csv.Delimiter != "" {
			lines.Comma, _ = utf8.DecodeRuneInString(o.Csv.Delimiter)
		}
	}
	for {
		fields, err := lines.Read()
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		case header == nil:
			header = slices.Clone(fields)
			continue
		}
		for _, f := range fields {
			r.desc.ProcessedSizeBytes += int64(len(f) + 1)
		}
		item, err := r.itemOfFields(header, fields)
		r.take(item, err, put)
	}
}

func (r *importer) itemOfFields(header, fields []string) (attr.Item, error) {
	var entries []attr.Entry
	for i, f := range fields {
		if i >= len(header) || f == "" {
			continue
		}
		v, err := r.schema.keyValue(header[i], f)
		if err != nil {
			return attr.Item{}, err
		}
		entries = append(entries, attr.Entry{Name: header[i], Value: v})
	}
	return attr.NewItem(entries...), nil
}

// keyValue returns a field as the value of an attribute: of the type of the key
// that the attribute is part of, or else a string.
func (s *schema) keyValue(name, field string) (attr.Value, error) {
	keys := []expr.KeyAttribute{}
	keys = append(keys, s.key.all...)
	for _, x := range s.indexes {
		keys = append(keys, x.key.all...)
	}
	for _, k := range keys {
		switch {
		case k.Name != name:
		case k.Type == attr.N:
			return attr.ParseNumber(field)
		case k.Type == attr.B:
			return attr.Binary(field), nil
		}
	}
	return attr.String(field), nil
}

// take puts an item that the table can have, and counts it.
func (r *importer) take(item attr.Item, err error, put func(attr.Item) bool) {
	r.desc.ProcessedItemCount++
	err = first(err, r.schema.key.checkItem(item, false))
	if err == nil {
		err = first(r.schema.checkIndexKeys(item), checkItemSize(item))
	}
	if err != nil {
		r.desc.ErrorCount++
		return
	}
	key := r.schema.key.storageKey(item)
	if r.seen[key] {
		return
	}
	r.seen[key] = true
	r.desc.ImportedItemCount++
	put(item)
}

// DescribeImport describes an import.
func (db *DB) DescribeImport(_ context.Context, in *api.DescribeImportInput) (*api.ImportOutput, error) {
	if err := notNull("importArn", in.ImportArn); err != nil {
		return nil, err
	}
	db.mu.RLock()
	defer db.mu.RUnlock()
	at := slices.IndexFunc(db.imports, func(d *api.ImportDescription) bool { return d.ImportArn == *in.ImportArn })
	if at < 0 {
		return nil, api.Errorf(api.ImportNotFound, "Import not found: %s", *in.ImportArn)
	}
	return &api.ImportOutput{ImportTableDescription: db.imports[at]}, nil
}

// ListImports lists imports in the order of their beginning.
func (db *DB) ListImports(_ context.Context, in *api.ListImportsInput) (*api.ListImportsOutput, error) {
	db.mu.RLock()
	defer db.mu.RUnlock()
	out := &api.ListImportsOutput{ImportSummaryList: []api.ImportSummary{}}
	for _, d := range db.imports {
		if in.TableArn == nil || d.TableArn == *in.TableArn {
			out.ImportSummaryList = append(out.ImportSummaryList, api.ImportSummary{
				ImportArn: d.ImportArn, ImportStatus: d.ImportStatus, TableArn: d.TableArn, S3BucketSource: d.S3BucketSource,
				InputFormat: d.InputFormat, StartTime: d.StartTime, EndTime: d.EndTime,
			})
		}
	}
	return out, nil
}
