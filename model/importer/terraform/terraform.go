// Package terraform reads the aws_dynamodb_table resources of a Terraform
// configuration. Variables are taken at their defaults, and locals are worked out;
// what refers to anything else becomes text, and is noted.
package terraform

import (
	"errors"
	"fmt"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/importer/draft"
	"github.com/dynmodel/dynmodel/model/source"
	"github.com/dynmodel/dynmodel/model/value"
)

// The bounds of what is read: hand-written configurations are far below.
const (
	MaxSize  = 1 << 20 // bytes
	maxDepth = 200     // brackets inside brackets, or operators in a row
)

// Read reads a configuration: a draft for each of its tables. The error says that
// it cannot be read, or has no table.
func Read(file *source.File) ([]*draft.Draft, error) {
	if err := bounded(file); err != nil {
		return nil, err
	}
	parsed, diags := hclsyntax.ParseConfig([]byte(file.Text()), file.Name(), hcl.InitialPos)
	if diags.HasErrors() {
		first := diags.Errs()[0]
		return nil, errors.New(strings.ReplaceAll(first.Error(), "\n", " "))
	}
	body, ok := parsed.Body.(*hclsyntax.Body)
	if !ok {
		return nil, fmt.Errorf("%s: no Terraform configuration", file.Name())
	}
	var notes draft.Notes
	c := &configuration{file: file, notes: &notes, values: evaluate(body)}
	drafts := c.tables(body)
	if len(drafts) == 0 {
		return nil, fmt.Errorf("%s: the configuration has no aws_dynamodb_table", file.Name())
	}
	drafts[0].Join(&notes)
	return drafts, nil
}

// bounded refuses what the parser, which calls itself for what is inside, could
// not take.
func bounded(file *source.File) error {
	text := file.Text()
	if len(text) > MaxSize {
		return fmt.Errorf("%s: larger than %d MB, which no configuration of tables is", file.Name(), MaxSize>>20)
	}
	depth, operators := 0, 0
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '{', '[', '(':
			depth++
		case '}', ']', ')':
			depth = max(depth-1, 0)
		case '!', '-', '?', ':', '<':
			operators++
		case '\n':
			operators = 0
		}
		if depth > maxDepth || operators > 10*maxDepth {
			at := file.Position(i)
			return fmt.Errorf("%s:%d:%d: more than %d brackets or operators inside each other", file.Name(), at.Line, at.Column, maxDepth)
		}
	}
	return nil
}

// configuration is one file with the values that its expressions may use.
type configuration struct {
	file   *source.File
	notes  *draft.Notes
	values *hcl.EvalContext
}

func (c *configuration) span(r hcl.Range) source.Span {
	return source.Span{File: c.file, Start: r.Start.Byte, End: r.End.Byte}
}

func (c *configuration) tables(body *hclsyntax.Body) []*draft.Draft {
	byResource := map[string]*draft.Draft{}
	var drafts []*draft.Draft
	for _, b := range body.Blocks {
		if b.Type == "resource" && len(b.Labels) == 2 && b.Labels[0] == "aws_dynamodb_table" {
			d := c.table(b)
			byResource[b.Labels[1]] = d
			drafts = append(drafts, d)
		}
	}
	for _, b := range body.Blocks {
		switch {
		case b.Type == "resource" && len(b.Labels) == 2 && b.Labels[0] == "aws_dynamodb_global_secondary_index":
			c.separateIndex(b, byResource)
		case b.Type == "module":
			c.notes.Lostf(c.span(b.DefRange()), "what is in the module %s is not read", strings.Join(b.Labels, " "))
		}
	}
	return drafts
}

// table reads one resource.
func (c *configuration) table(b *hclsyntax.Block) *draft.Draft {
	d := &draft.Draft{Format: "a Terraform configuration"}
	r := &resource{configuration: c, Draft: d, kinds: map[string]value.Kind{}}
	at := c.span(b.DefRange())
	t := &d.Table
	t.At, t.Name = at, model.Name{Text: r.text(b.Body, "name"), At: at}
	for _, inner := range b.Body.Blocks {
		if inner.Type == "attribute" {
			name := r.text(inner.Body, "name")
			r.kinds[name] = kindOf(r.text(inner.Body, "type"))
		}
	}
	if name := r.text(b.Body, "hash_key"); name != "" {
		t.PartitionKey = r.key(name, at)
	}
	if name := r.text(b.Body, "range_key"); name != "" {
		key := r.key(name, at)
		t.SortKey = &key
	}
	if t.Name.Text == "" {
		t.Name.Text = b.Labels[1]
	}
	d.Complete(at)
	r.settings(b.Body)
	for _, inner := range b.Body.Blocks {
		r.block(inner)
	}
	return d
}

func kindOf(letter string) value.Kind {
	switch letter {
	case "N":
		return value.Number
	case "B":
		return value.Binary
	}
	return value.String
}
