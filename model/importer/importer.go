// Package importer turns the designs of other tools into models, in three steps.
//
// A package of its own reads each format and says what stands there: a draft.
// What is not said, package infer finds, the same for all formats; package printer
// writes the model. Only a text that cannot be read at all is an error: what is
// wrong in it, and what cannot be carried over, is noted in the draft.
//
// This package lists the formats, and recognises them.
package importer

import (
	"fmt"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"github.com/dynmodel/dynmodel/model/importer/cloudformation"
	"github.com/dynmodel/dynmodel/model/importer/datamodel"
	"github.com/dynmodel/dynmodel/model/importer/describetable"
	"github.com/dynmodel/dynmodel/model/importer/draft"
	"github.com/dynmodel/dynmodel/model/importer/onetable"
	"github.com/dynmodel/dynmodel/model/importer/terraform"
	"github.com/dynmodel/dynmodel/model/importer/workbench"
	"github.com/dynmodel/dynmodel/model/source"
	"github.com/dynmodel/dynmodel/model/source/jsontree"
	"github.com/dynmodel/dynmodel/model/source/yamltree"
)

// Format is a kind of document that holds designs of tables.
type Format struct {
	Name       string // as on the command line
	Title      string // one line, for help
	Extensions []string
	// Read gives a draft for each table. Samples is a second document with sample
	// data, nil for none; only formats with Samples use it. The error says why the
	// document is none of this format.
	Read    func(file, samples *source.File) ([]*draft.Draft, error)
	Samples bool
	// recognised tells a JSON document of this format; nil: it is no JSON.
	recognised func(*yamltree.Node) bool
}

// Formats are all that are read, in the order of help.
func Formats() []Format {
	return []Format{
		{"workbench", "a model of NoSQL Workbench for DynamoDB (JSON)", []string{"json"}, alone(workbench.Read), false, workbench.Recognised},
		{"data-model", "an AWS data-modeling document (JSON): tables with CLI commands, estimates, or a generator's schema", []string{"json"}, datamodel.Read, true, datamodel.Recognised},
		{"cloudformation", "the tables of a CloudFormation or SAM template (YAML, JSON)", []string{"yaml", "yml", "json", "template"}, alone(cloudformation.Read), false, cloudformation.Recognised},
		{"terraform", "the tables of a Terraform configuration (HCL)", []string{"tf"}, alone(terraform.Read), false, nil},
		{"describe-table", "what `aws dynamodb describe-table` prints, or the input of create-table (JSON)", []string{"json"}, alone(describetable.Read), false, describetable.Recognised},
		{"onetable", "a OneTable schema (JSON, JavaScript, TypeScript)", []string{"json", "js", "mjs", "cjs", "ts"}, alone(onetable.Read), false, onetable.Recognised},
	}
}

// alone is a reader of documents that have no second one.
func alone(read func(*source.File) ([]*draft.Draft, error)) func(file, samples *source.File) ([]*draft.Draft, error) {
	return func(file, _ *source.File) ([]*draft.Draft, error) { return read(file) }
}

// Find is the format of that name; false when there is none.
func Find(name string) (Format, bool) {
	for _, f := range Formats() {
		if f.Name == name {
			return f, true
		}
	}
	return Format{}, false
}

// Recognise tells the format of a document by its name and content. The error
// says what it looks like instead.
func Recognise(file *source.File) (Format, error) {
	if err := Sound(file); err != nil {
		return Format{}, err
	}
	name := ""
	switch strings.TrimPrefix(filepath.Ext(file.Name()), ".") {
	case "tf":
		name = "terraform"
	case "js", "mjs", "cjs", "ts":
		name = "onetable"
	case "yaml", "yml", "template":
		name = "cloudformation"
	}
	if text := strings.TrimSpace(file.Text()); strings.HasPrefix(text, "{") && name != "onetable" {
		return recogniseJSON(file)
	}
	if f, ok := Find(name); ok {
		return f, nil
	}
	return Format{}, fmt.Errorf("%s: the format is not recognised; name it: dynmodel import FORMAT %s", file.Name(), file.Name())
}

func recogniseJSON(file *source.File) (Format, error) {
	root, _, err := jsontree.Parse(file)
	if err != nil {
		return Format{}, err
	}
	for _, f := range Formats() {
		if f.recognised != nil && f.recognised(root) {
			return f, nil
		}
	}
	return Format{}, fmt.Errorf("%s: the JSON is of no format that is known; a model of NoSQL Workbench has `DataModel`, an AWS data model `tables`, a template `Resources`, a description `Table`, a OneTable schema `models`", file.Name())
}

// Sound refuses a document that is too large, or no text.
func Sound(file *source.File) error {
	switch {
	case len(file.Text()) > jsontree.MaxSize:
		return fmt.Errorf("%s: larger than %d MB, which no design is; is it the right file?", file.Name(), jsontree.MaxSize>>20)
	case !utf8.ValidString(file.Text()):
		return fmt.Errorf("%s: this is no text in UTF-8", file.Name())
	}
	return nil
}
