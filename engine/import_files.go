package engine

import (
	"bufio"
	"compress/gzip"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/klauspost/compress/zstd"

	"github.com/dynmodel/dynmodel/engine/api"
	"github.com/dynmodel/dynmodel/engine/attr"
	"github.com/dynmodel/dynmodel/engine/expr"
	"github.com/dynmodel/dynmodel/engine/ion"
)

// The values of InputCompressionType.
const (
	compressedGzip = "GZIP"
	compressedZstd = "ZSTD"
	compressedNot  = "NONE"
)

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
		if r.request.InputFormat == formatCSV {
			return r.csv(text, put)
		}
		read := itemOfLine
		if r.request.InputFormat == formatION {
			read = itemOfIonLine
		}
		return eachLine(text, func(line []byte) {
			r.desc.ProcessedSizeBytes += int64(len(line))
			item, err := read(line)
			r.take(item, err, put)
		})
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
		return readCompressed(f, compression, name, read)
	})
}

// maxWindow bounds the memory that a compressed file can ask for.
const maxWindow = 64 << 20

func readCompressed(f io.Reader, compression, name string, read func(text io.Reader) error) error {
	switch compression {
	case compressedGzip:
		text, err := gzip.NewReader(f)
		if err != nil {
			return fmt.Errorf("%s is not a gzip file", name)
		}
		return read(text)
	case compressedZstd:
		text, err := zstd.NewReader(f, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(maxWindow))
		if err != nil {
			return fmt.Errorf("%s is not a zstd file", name)
		}
		defer text.Close()
		return read(text)
	}
	return read(f)
}

// isManifest tells the files of an export that have no items.
func isManifest(name string) bool {
	for _, end := range []string{"manifest-summary.json", "manifest-files.json", "manifest-summary.checksum", "manifest-files.checksum", "_started"} {
		if strings.HasSuffix(name, end) {
			return true
		}
	}
	return false
}

// maxLineBytes bounds a line: an item of 400 KB whose every byte is escaped.
const maxLineBytes = 6 * attr.MaxItemBytes

// eachLine reads the lines that are not empty.
func eachLine(text io.Reader, read func(line []byte)) error {
	lines := bufio.NewScanner(text)
	lines.Buffer(nil, maxLineBytes)
	for lines.Scan() {
		if line := lines.Bytes(); len(line) > 0 {
			read(line)
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

// itemOfIonLine reads a line $ion_1_0 {Item: {…}}.
func itemOfIonLine(line []byte) (item attr.Item, err error) {
	all, err := ion.ReadStruct(string(line))
	if err != nil {
		return item, err
	}
	found, _ := all.Get("Item")
	if found.Type() != attr.M {
		return item, errors.New("the line has no Item")
	}
	if all.Depth()-1 > attr.MaxDepth {
		return item, attr.ErrTooNested
	}
	return found.Item(), nil
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
