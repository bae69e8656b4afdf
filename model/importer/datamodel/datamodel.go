// Package datamodel reads the JSON documents in which AWS's tools and agents
// write DynamoDB designs down. Three shapes share the name: CreateTable inputs
// with items and AWS CLI commands, table descriptions for cost estimates, and the
// schema of a code generator with its companion of sample data.
package datamodel

import (
	"errors"
	"fmt"
	"strings"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/importer/draft"
	"github.com/dynmodel/dynmodel/model/source"
	"github.com/dynmodel/dynmodel/model/source/yamltree"
	"github.com/dynmodel/dynmodel/model/value"
)

// Read reads a document: a draft for each of its tables. Usage is the companion
// with sample data of a code generator's schema; nil when there is none. The
// error says that the file is none of the three.
func Read(file, usage *source.File) ([]*draft.Draft, error) {
	var notes draft.Notes
	root, err := draft.ReadJSON(file, &notes)
	if err != nil {
		return nil, err
	}
	tables := notes.List(root, "tables")
	if len(tables) == 0 {
		return nil, fmt.Errorf("%s: no AWS data model: there is no list `tables` at its top", file.Name())
	}
	var drafts []*draft.Draft
	switch shapeOf(tables) {
	case createTable:
		drafts = readCreateTables(root, tables, &notes)
	case estimate:
		drafts = readEstimates(root, tables, &notes)
	case schema:
		samples, err := readUsage(usage, &notes)
		if err != nil {
			return nil, err
		}
		drafts = readSchemas(root, tables, samples, &notes)
	default:
		return nil, errors.New(file.Name() + ": no AWS data model: its tables have neither `TableName`, `table_name` nor `table_config`")
	}
	distinct(drafts)
	drafts[0].Join(&notes)
	return drafts, nil
}

// Recognised tells whether a document is one of the three.
func Recognised(root *yamltree.Node) bool {
	tables := root.Get("tables")
	return tables != nil && tables.Kind == yamltree.Sequence && shapeOf(tables.Items) != unknown
}

type shape int

const (
	unknown shape = iota
	createTable
	estimate
	schema
)

// shapeOf tells the shape by the first table that has the mark of one.
func shapeOf(tables []*yamltree.Node) shape {
	for _, t := range tables {
		switch {
		case t.Get("TableName") != nil:
			return createTable
		case t.Get("table_name") != nil:
			return estimate
		case t.Get("table_config") != nil:
			return schema
		}
	}
	return unknown
}

// distinct reports tables of one name; they would be written into one file.
func distinct(drafts []*draft.Draft) {
	seen := map[string]bool{}
	for _, d := range drafts {
		if seen[d.Table.Name.Text] {
			d.Faultf(d.Table.At, "two tables are named `%s`", d.Table.Name.Text)
		}
		seen[d.Table.Name.Text] = true
	}
}

// patternName is a name for a pattern that has a number or range, and a
// description.
func patternName(id, description string) string {
	words := strings.Fields(description)
	if len(words) > 6 {
		words = words[:6]
	}
	if len(words) == 0 {
		return "pattern " + id
	}
	return strings.Join(words, " ")
}

// readCreateTables reads CreateTable inputs, their items, and patterns with AWS
// CLI commands.
func readCreateTables(root *yamltree.Node, tables []*yamltree.Node, notes *draft.Notes) []*draft.Draft {
	var drafts []*draft.Draft
	for _, t := range tables {
		d := &draft.Draft{Format: "an AWS data model"}
		d.CreateTable(t)
		d.Complete(t.At)
		drafts = append(drafts, d)
	}
	if items := notes.Object(root, "items"); items != nil {
		for _, e := range items.Entries {
			d := draftOf(drafts, e.Key.Text)
			if d == nil {
				notes.Faultf(e.Key.At, "there are items of `%s`, which is no table", e.Key.Text)
				continue
			}
			putRequests(d, e.Value)
		}
	}
	for _, p := range notes.List(root, "access_patterns") {
		command(drafts, p, notes)
	}
	return drafts
}

func draftOf(drafts []*draft.Draft, table string) *draft.Draft {
	for _, d := range drafts {
		if d.Table.Name.Text == table {
			return d
		}
	}
	return nil
}

// putRequests reads items as BatchWriteItem has them.
func putRequests(d *draft.Draft, list *yamltree.Node) {
	for _, n := range list.Items {
		item := d.Object(d.Object(n, "PutRequest"), "Item")
		if item == nil {
			d.Faultf(n.At, "this is no {\"PutRequest\": {\"Item\": …}}; it is left out")
			continue
		}
		d.Items = append(d.Items, d.ReadItem(item))
	}
}

// command reads a pattern whose request is an AWS CLI command.
func command(drafts []*draft.Draft, n *yamltree.Node, notes *draft.Notes) {
	description := notes.Scalar(n, "description")
	r := &draft.Request{
		At: n.At, Name: patternName(notes.Scalar(n, "pattern"), description), Description: description,
		Operation: notes.Scalar(n, "dynamodb_operation"), Index: index(notes, n, "index"),
	}
	table := notes.Scalar(n, "table")
	if text := notes.Scalar(n, "implementation"); strings.Contains(text, "aws dynamodb") {
		c, err := draft.ParseCommand(text)
		if err != nil {
			notes.Faultf(n.Get("implementation").At, "the command cannot be read: %v", err)
		} else {
			c.Fill(r)
			if table == "" {
				table = c.Table
			}
		}
	}
	d := draftOf(drafts, table)
	if d == nil && len(drafts) == 1 {
		d = drafts[0]
	}
	switch {
	case d == nil:
		notes.Lostf(n.At, "the access pattern `%s` is of no table here", r.Name)
	case r.Operation == "":
		d.Lostf(n.At, "the access pattern `%s` states no operation%s", r.Name, because(notes.Scalar(n, "reason")))
	default:
		d.Requests = append(d.Requests, r)
	}
}

func because(reason string) string {
	if reason == "" {
		return ""
	}
	return ": " + reason
}

// index is the name of an index; words that say "none" are none.
func index(notes *draft.Notes, n *yamltree.Node, key string) string {
	switch name := notes.Scalar(n, key); strings.ToLower(name) {
	case "", "none", "n/a", "primary", "main", "table", "base table":
		return ""
	default:
		return name
	}
}

// kindOf is the type of an attribute by one of the letters or words in use.
func kindOf(word string) (value.Kind, bool) {
	switch strings.ToLower(word) {
	case "s", "string", "uuid":
		return value.String, true
	case "n", "number", "integer", "decimal":
		return value.Number, true
	case "b", "binary":
		return value.Binary, true
	}
	return value.String, false
}

func keyOf(name string, kinds map[string]value.Kind, at *yamltree.Node) model.KeyAttribute {
	kind, known := kinds[name]
	if !known {
		kind = value.String
	}
	return model.KeyAttribute{At: at.At, Name: name, Kind: kind}
}
