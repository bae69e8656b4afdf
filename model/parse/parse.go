// Package parse reads the text of a model into the domain types of package
// model, and reports everything that is wrong with it: errors of YAML and of
// the language (invalid-model), and names of things that do not exist
// (unknown-reference).
//
// A part that is broken is reported and left out, together with what cannot be
// without it; the rest is read, checked and kept. A finding is reported once:
// what only fails because something else is broken stays silent.
package parse

import (
	"io/fs"
	"slices"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/diag"
	"github.com/dynmodel/dynmodel/model/expr"
	"github.com/dynmodel/dynmodel/model/source"
	"github.com/dynmodel/dynmodel/model/source/yamltree"
)

// File reads a model document and what it includes. Names under `include` are
// looked up in includes, which is the folder of the file; nil when there is
// none, as for standard input.
//
// The model is nil when the table, without which nothing can be judged, could
// not be read. Otherwise it is whole as far as it goes: every pointer is set,
// and every name in it refers to a part of it.
func File(file *source.File, includes fs.FS) (*model.Model, *diag.List) {
	list := &diag.List{}
	b := &builder{
		reader: &reader{list: list},
		model:  &model.Model{File: file},
		byName: map[string]*draft{},
	}
	b.load(file, includes)
	b.build()
	if !b.usableTable {
		return nil, list
	}
	return b.model, list
}

// builder puts a model together, in the order in which its parts need each
// other: table, entities, attributes, keys, patterns, samples.
type builder struct {
	*reader
	model      *model.Model
	documents  []*document
	common     []*yamltree.Entry // the attributes that all entities have
	lostCommon bool              // more of them may be in what could not be read
	drafts     []*draft          // the entities as far as they are read, in order
	byName     map[string]*draft // the same by name
	// entityNames and patternNames are for messages.
	entityNames, patternNames []string
	patterns                  []*patternDraft
	// patternsByName has of patterns of one name the first.
	patternsByName map[string]*patternDraft
	roles          *yamltree.Node
	// usableTable tells that the table with its indexes could be read as a whole.
	// Otherwise model.Table has what could be read, if that is anything, and
	// nothing is said of keys and indexes that may be in what could not.
	usableTable bool
}

// document is a file with the sections it holds.
type document struct {
	file *source.File
	root *yamltree.Node

	table, common, entities, patterns, samples, generate *yamltree.Node
	include, ignore                                      *yamltree.Node
}

func (b *builder) build() {
	if len(b.documents) == 0 {
		return
	}
	b.readTable()
	b.declareEntities()
	b.readAttributes()
	b.typeTableKeys()
	b.checkTableNames()
	b.readKeys()
	b.readEntities()
	b.readPatterns()
	b.readSamples()
	b.assemble()
	b.readRoles()
	for _, d := range b.documents {
		b.model.Files = append(b.model.Files, d.file)
		b.model.Ignores = append(b.model.Ignores, b.ignores(d.ignore)...)
		b.readGenerate(d.generate)
	}
}

// assemble takes over what is whole.
func (b *builder) assemble() {
	for _, d := range b.drafts {
		if d.usable() {
			b.model.Entities = append(b.model.Entities, d.entity)
		}
	}
	b.dropDangling()
	b.assemblePatterns()
}

// dropDangling takes out references to entities that are left out.
func (b *builder) dropDangling() {
	kept := map[*model.Entity]bool{}
	for _, e := range b.model.Entities {
		kept[e] = true
	}
	for _, e := range b.model.Entities {
		for _, a := range e.Attributes {
			for _, ref := range []**model.Ref{&a.Ref, &a.CopyOf, &a.SnapshotOf} {
				if *ref != nil && !kept[(*ref).Entity] {
					*ref = nil
				}
			}
			a.Refs = slices.DeleteFunc(a.Refs, func(r *model.Ref) bool { return !kept[r.Entity] })
			if a.Aggregate != nil && !kept[a.Aggregate.Source] {
				a.Aggregate = nil
			}
		}
		var volumes []*model.Volume
		for _, v := range e.Volumes {
			if (v.PerEntity == nil || kept[v.PerEntity]) && (v.Rate == nil || v.Rate.Each == nil || kept[v.Rate.Each]) {
				volumes = append(volumes, v)
			}
		}
		e.Volumes = volumes
	}
}

// readRoot reads the top level of a document.
func (b *builder) readRoot(d *document, main bool) {
	m := b.model
	ignored := func(*yamltree.Node) {}
	name, description, version := ignored, ignored, ignored
	if main {
		m.At = d.root.At
		name = func(n *yamltree.Node) { m.Name, _ = b.text(n) }
		description = b.into(&m.Description)
	}
	version = func(n *yamltree.Node) {
		if text, ok := b.text(n); ok && text != "1" {
			b.errorf(n.At, "this is version 1 of the language, not `%s`; write `version: 1`", clip(text))
		}
	}
	owner := source.Span{File: d.file}
	part := main && isPart(d.root)
	if part {
		b.errorf(owner, "there is no `table`, so that this is a part of a model: it is checked with the model whose `include` names it. A model of its own needs `version: 1` and `table`")
	}
	b.object(d.root, owner, "a model", []field{
		{"version", main && !part, version},
		{"name", false, name},
		{"description", false, description},
		{"table", main && !part, keep(&d.table)},
		{"common", false, keep(&d.common)},
		{"entities", false, keep(&d.entities)},
		{"access_patterns", false, keep(&d.patterns)},
		{"samples", false, keep(&d.samples)},
		{"include", false, keep(&d.include)},
		{"ignore", false, keep(&d.ignore)},
		{"generate", false, keep(&d.generate)},
	})
	if !main && d.table != nil {
		b.errorf(head(d.table), "an included file is a part of a model and has no table of its own; the table is in %s", m.File.Name())
		d.table = nil
	}
}

// essence is what models are made of, beside their version and table.
var essence = []string{"common", "entities", "access_patterns", "samples"}

// isForeign tells whether a document is something else than a model: a template,
// say, or a pipeline. Nothing in it has a name of what models are made of, or one
// that is near it.
func isForeign(root *yamltree.Node) bool {
	if root == nil || root.Kind != yamltree.Mapping || root.Incomplete {
		return false
	}
	names := append([]string{"version", "table"}, essence...)
	return !slices.ContainsFunc(root.Entries, func(e *yamltree.Entry) bool {
		return slices.Contains(names, e.Key.Text) || diag.Nearest(e.Key.Text, names) != ""
	})
}

// isPart tells whether a document has what models are made of, and no table.
func isPart(root *yamltree.Node) bool {
	has := func(key string) bool { return root.Get(key) != nil }
	return !root.Incomplete && !has("table") && slices.ContainsFunc(essence, has) &&
		!slices.ContainsFunc(root.Entries, func(e *yamltree.Entry) bool { return diag.Nearest(e.Key.Text, []string{"table"}) != "" })
}

// keep puts a value aside to be read later.
func keep(target **yamltree.Node) func(*yamltree.Node) {
	return func(n *yamltree.Node) { *target = n }
}

// input is a scalar's text as package expr wants it.
func (b *builder) input(n *yamltree.Node) expr.Input {
	return expr.Input{Text: n.Text, At: n.At, Offset: n.Offset, IsEntity: func(name string) bool { return b.byName[name] != nil }}
}

// problem reports an error of syntax in an expression or template. Where YAML
// took the end of the text for a comment, that is the news.
func (b *builder) problem(n *yamltree.Node, p *expr.Problem) {
	if comment := n.Comment(); n.Style == yamltree.Plain && cutOff(comment) {
		b.cutOff(comment)
		return
	}
	b.report(diag.Finding{Rule: diag.InvalidModel, Severity: diag.Error, Span: p.At, Message: p.Message, Fix: p.Fix})
}

func (b *builder) cutOff(comment source.Span) {
	b.errorf(comment, "` #` starts a comment in YAML, so the value ends before it; put the whole value in quotes")
}
