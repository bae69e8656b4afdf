package seed

import (
	"bufio"
	"compress/gzip"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/dynmodel/dynmodel/cmd/dynmodel/internal/modelfiles"
	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/value"
)

// files writes items to files that DynamoDB imports.
type files struct {
	options *Options
	columns []string // of CSV
	to      *part
	parts   int
}

// part is one file.
type part struct {
	items   int
	out     *bufio.Writer
	csv     *csv.Writer
	closers []io.Closer // from the inside out
}

func newFiles(o *Options, m *model.Model) (*files, error) {
	f := &files{options: o}
	if o.format == "csv" {
		f.columns = columns(m)
		if err := plainValues(m); err != nil {
			return nil, err
		}
	}
	if o.output == "-" {
		return f, nil
	}
	if err := os.MkdirAll(o.output, 0o755); err != nil {
		return nil, modelfiles.CannotWrite(o.output, err)
	}
	there, err := os.ReadDir(o.output)
	if err == nil && len(there) > 0 {
		err = fmt.Errorf("%s is not empty; name a new folder", o.output)
	}
	return f, err
}

// columns are all attributes of all items: keys first, then the entities' own.
func columns(m *model.Model) []string {
	var out []string
	add := func(name string) {
		if name != "" && !slices.Contains(out, name) {
			out = append(out, name)
		}
	}
	for _, k := range m.Table.Keys() {
		add(k.Name)
	}
	for _, x := range m.Table.Indexes {
		for _, k := range x.Keys() {
			add(k.Name)
		}
	}
	add(m.Table.EntityType)
	for _, e := range m.Entities {
		for _, a := range e.Attributes {
			add(a.Name.Text)
		}
	}
	return out
}

// plainValues tells whether CSV can hold the items: DynamoDB imports all that is
// no key as strings from it (Developer Guide, "Amazon S3 import formats").
func plainValues(m *model.Model) error {
	for _, e := range m.Entities {
		for _, a := range e.Attributes {
			if k := a.Type.Kind(); k != value.String && !isKey(m.Table, a.Name.Text) {
				return fmt.Errorf("CSV cannot hold %s.%s: DynamoDB imports everything but keys as strings from it, and it is %s; use --format dynamodb-json",
					e.Name.Text, a.Name.Text, a.Type)
			}
		}
	}
	return nil
}

func isKey(t *model.Table, name string) bool {
	keys := t.Keys()
	for _, x := range t.Indexes {
		keys = append(keys, x.Keys()...)
	}
	return slices.ContainsFunc(keys, func(k model.KeyAttribute) bool { return k.Name == name })
}

func (f *files) write(_ context.Context, blocks [][]stored) error {
	for _, item := range slices.Concat(blocks...) {
		if f.to == nil || f.to.items >= f.options.part && f.options.output != "-" {
			if err := f.next(); err != nil {
				return err
			}
		}
		f.to.items++
		if err := f.item(item); err != nil {
			return err
		}
	}
	return nil
}

// item writes one item.
func (f *files) item(item stored) error {
	if f.to.csv != nil {
		row := make([]string, len(f.columns))
		for i, name := range f.columns {
			row[i] = item[name].Text()
		}
		return f.to.csv.Write(row)
	}
	line, err := dynamoJSON(item)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(f.to.out, "{\"Item\":%s}\n", line)
	return err
}

// next begins another file.
func (f *files) next() error {
	if err := f.end(); err != nil {
		return err
	}
	p := &part{}
	var out io.Writer = f.options.streams.Out
	if f.options.output != "-" {
		f.parts++
		file, err := os.Create(filepath.Join(f.options.output, f.name()))
		if err != nil {
			return err
		}
		p.closers = append(p.closers, file)
		out = file
	}
	if f.options.gzip {
		z := gzip.NewWriter(out)
		p.closers = append([]io.Closer{z}, p.closers...)
		out = z
	}
	p.out = bufio.NewWriterSize(out, 1<<16)
	if f.columns != nil {
		p.csv = csv.NewWriter(p.out)
		if err := p.csv.Write(f.columns); err != nil {
			return err
		}
	}
	f.to = p
	return nil
}

func (f *files) name() string {
	name := fmt.Sprintf("items-%05d.%s", f.parts, strings.TrimPrefix(f.options.format, "dynamodb-"))
	if f.options.gzip {
		name += ".gz"
	}
	return name
}

// end ends a file.
func (f *files) end() error {
	p := f.to
	if p == nil {
		return nil
	}
	f.to = nil
	var errs []error
	if p.csv != nil {
		p.csv.Flush()
		errs = append(errs, p.csv.Error())
	}
	errs = append(errs, p.out.Flush())
	for _, c := range p.closers {
		errs = append(errs, c.Close())
	}
	return errors.Join(errs...)
}

func (f *files) reached(int) error { return nil }

func (f *files) close() error { return f.end() }
