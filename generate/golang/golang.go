// Package golang generates a Go package that reads and writes the items of a
// model: a struct for every entity, a method for every access pattern. It works
// from plans: which index is read, what a key is made of and what a write has to
// keep are decided there, and only written down as Go here.
//
// A generated package has a part that is the same for every model, package store,
// and depends on the AWS SDK and the standard library alone.
package golang

import (
	"fmt"
	"go/token"
	"regexp"
	"slices"
	"strings"

	"github.com/dynmodel/dynmodel/generate"
	"github.com/dynmodel/dynmodel/model"
)

// Target is the target named go.
func Target() generate.Target {
	return generate.Target{
		Name:  "go",
		Title: "A Go package with a type for every entity and a method for every access pattern",
		Text: `A package over the AWS SDK's DynamoDB client. store.New(client, "table") gives a
Table whose methods are the access patterns: iterators and pages over queries,
typed errors of writes, transactions, batches that retry what was left undone.
docs/go-accessors.md describes it.`,
		Options: []generate.Option{
			{Name: "package", Text: "the name of the package", Default: defaultPackage},
			{Name: "test", Text: "whether to write a test that calls every accessor on the embedded engine; it needs the module of dynmodel", Values: []string{"true", "false"}, Default: "false"},
		},
		Path:  defaultPackage + "/",
		Files: files,
	}
}

const defaultPackage = "store"

var packageName = regexp.MustCompile(`^[a-z][a-z0-9_]*$`)

// files makes the package.
func files(in generate.Input) ([]generate.File, error) {
	pkg := in.Options["package"]
	if pkg == "" {
		pkg = defaultPackage
	}
	if !packageName.MatchString(pkg) || token.IsKeyword(pkg) {
		return nil, fmt.Errorf("%q is no name for a Go package: use small letters and digits", pkg)
	}
	g, err := newGenerator(in)
	if err != nil {
		return nil, err
	}
	writers, err := g.write()
	if err != nil {
		return nil, err
	}
	fixed, err := g.fixed.file(pkg)
	if err != nil {
		return nil, err
	}
	out := []generate.File{fixed}
	for _, w := range writers {
		if w.Len() == 0 {
			continue
		}
		f, err := w.file(pkg)
		if err != nil {
			return nil, err
		}
		out = append(out, f)
	}
	if in.Options["test"] == "true" {
		f, err := g.testFile(pkg)
		if err != nil {
			return nil, err
		}
		out = append(out, f)
	}
	return out, nil
}

// generator makes the package of one model.
type generator struct {
	model    *model.Model
	table    *model.Table
	fixed    fixed
	names    scope // of the package
	methods  scope // of Table
	entities []*entity
	patterns []*pattern
	types    map[*model.Attribute]*goType
	enums    []*enum
	objects  []*object
	regexps  []compiled
}

// entity is an entity with its names in Go.
type entity struct {
	*model.Entity
	name   string // of its struct
	key    string // of the struct of its key; "" when it cannot be addressed
	fields []*field
	keys   []*field // the attributes that its table key is made of
	random bool     // a shard is drawn for one of its keys
}

func (e *entity) field(attribute string) *field {
	for _, f := range e.fields {
		if f.attr.Name.Text == attribute {
			return f
		}
	}
	return nil
}

// makes tells whether the template of a key holds an attribute.
func (e *entity) makes(key string, a *model.Attribute) bool {
	k := e.Key(key)
	return k != nil && slices.ContainsFunc(k.Template.Parts, func(p model.Part) bool { return p.Attribute == a })
}

// of is the entity of the model as the generator sees it.
func (g *generator) of(e *model.Entity) *entity {
	for _, out := range g.entities {
		if out.Entity == e {
			return out
		}
	}
	return nil
}

// newGenerator names everything there is: entities first, then patterns, so that
// what stands first in the model keeps its plain name.
func newGenerator(in generate.Input) (*generator, error) {
	g := &generator{model: in.Model, table: in.Model.Table, types: map[*model.Attribute]*goType{}}
	var err error
	if g.fixed, err = readFixed(); err != nil {
		return nil, err
	}
	g.names = g.fixed.names
	for _, name := range []string{"Querier", "UnmarshalAny", "CreateTableInput"} {
		g.names[name] = true
	}
	for _, e := range in.Model.Entities {
		g.entities = append(g.entities, &entity{Entity: e, name: g.names.takeOr(typeName(e.Name.Text), "Item")})
	}
	for _, e := range g.entities {
		g.describe(e)
	}
	g.methods = scope{}
	for _, p := range in.Plans {
		if p.Pattern.Operation != model.External {
			g.patterns = append(g.patterns, &pattern{Pattern: p.Pattern, plan: p, method: g.methods.take(exported(p.Pattern.Name.Text))})
		}
	}
	for _, p := range g.patterns {
		g.describeParams(p)
	}
	return g, nil
}

// typeName is the name of an entity's struct. That of one which is called as what
// reads another one gets a letter before it.
func typeName(entity string) string {
	name := exported(entity)
	if strings.HasPrefix(name, "Unmarshal") {
		name = "X" + name
	}
	return name
}

// describe names the parts of an entity.
func (g *generator) describe(e *entity) {
	e.key = g.names.take(e.name + "Key")
	e.fields = g.fields(e.Attributes, e.name)
	for _, k := range e.Keys {
		for _, p := range k.Template.Parts {
			e.random = e.random || p.Random > 0
		}
	}
	for _, f := range e.fields {
		if slices.ContainsFunc(g.table.Keys(), func(k model.KeyAttribute) bool { return e.makes(k.Name, f.attr) }) {
			e.keys = append(e.keys, f)
		}
	}
}

// write writes the files, each with one subject.
func (g *generator) write() ([]*writer, error) {
	entities, keys, querier, table := &writer{path: "entities.go"}, &writer{path: "keys.go"}, &writer{path: "querier.go"}, &writer{path: "table.go"}
	out := []*writer{entities, keys, querier, table}
	g.createTable(table)
	for _, e := range g.entities {
		if err := g.entity(entities, e); err != nil {
			return nil, fmt.Errorf("entity %s: %w", e.Name.Text, err)
		}
		if err := g.keyFuncs(keys, e); err != nil {
			return nil, fmt.Errorf("entity %s: %w", e.Name.Text, err)
		}
	}
	g.unmarshalAny(entities)
	g.declareTypes(entities)
	g.declarePatterns(entities)
	reads, writes := &writer{path: "reads.go"}, &writer{path: "writes.go"}
	var methods []patternMethods
	for _, p := range g.patterns {
		to := writes
		if p.Operation.IsRead() || p.Operation == model.PartiQL {
			to = reads
		}
		signatures, err := g.pattern(to, p)
		if err != nil {
			return nil, fmt.Errorf("%s: access pattern %s: %w", g.place(p.Pattern), p.Name.Text, err)
		}
		methods = append(methods, patternMethods{p.Pattern, signatures})
	}
	g.querier(querier, methods)
	return append(out, reads, writes), nil
}

// place is where a pattern stands, for messages.
func (g *generator) place(p *model.Pattern) string {
	at := p.Name.At
	if !at.Known() {
		return g.model.Name
	}
	from := at.From()
	return fmt.Sprintf("%s:%d:%d", at.File.Name(), from.Line, from.Column)
}

// patternMethods are the signatures of the methods of an access pattern.
type patternMethods struct {
	of         *model.Pattern
	signatures []string
}

// querier writes the interface of all methods.
func (g *generator) querier(w *writer, methods []patternMethods) {
	if len(methods) == 0 {
		return
	}
	w.line("// Querier is what a *Table can do, by access patterns, for those who want to put something else")
	w.line("// in its place.")
	w.line("type Querier interface {")
	for i, m := range methods {
		if i > 0 {
			w.line("")
		}
		about := m.of.Name.Text
		if m.of.Description != "" {
			about += ": " + sentenceOf(m.of.Description)
		}
		w.comment(about)
		for _, s := range m.signatures {
			w.line("%s", s)
		}
	}
	w.line("}\n")
	w.line("var _ Querier = (*Table)(nil)")
	for _, p := range g.model.Patterns {
		if p.Operation == model.External {
			w.line("")
			w.comment(fmt.Sprintf("The access pattern %s is served by %s, and not by the table.", p.Name.Text, p.Service))
		}
	}
}

// sentenceOf is a text as a sentence of a comment.
func sentenceOf(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	if text != "" && !strings.HasSuffix(text, ".") {
		text += "."
	}
	return text
}
