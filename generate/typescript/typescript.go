// Package typescript makes an ElectroDB model of a checked model, and a typed
// function for every access pattern: over ElectroDB where that sends just what the
// plan says, else over the document client of the AWS SDK.
package typescript

import (
	"embed"
	"fmt"
	"path"

	"github.com/dynmodel/dynmodel/generate"
	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/plan"
)

// Target is the generator.
func Target() generate.Target {
	return generate.Target{
		Name:  "typescript",
		Title: "TypeScript: an ElectroDB model, and a typed function for every access pattern",
		Text: `Makes a folder of TypeScript modules over the AWS SDK v3 and ElectroDB 3:

  import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
  import { connect, recentOrders } from './typescript/index.js';
  const db = connect(new DynamoDBClient({}));
  const orders = await recentOrders(db, { customerId, since });

electro.ts has an ElectroDB entity for every entity of the model, with its indexes,
collections and a service; entities.ts the types, patterns.ts the functions. It
needs the packages @aws-sdk/client-dynamodb, @aws-sdk/lib-dynamodb, electrodb and
@types/node.
docs/typescript.md describes it.`,
		Path:  "typescript/",
		Files: files,
	}
}

// runtime is the part that is the same for every model.
//
//go:embed runtime/*.ts
var runtime embed.FS

func files(in generate.Input) ([]generate.File, error) {
	if err := unnameable(in.Model); err != nil {
		return nil, err
	}
	g := newGenerator(in)
	entities, err := g.entitiesFile()
	if err != nil {
		return nil, err
	}
	electro, err := g.electroFile()
	if err != nil {
		return nil, err
	}
	patterns, err := g.patternsFile()
	if err != nil {
		return nil, err
	}
	index := &writer{}
	for _, file := range []string{"electro", "entities", "patterns"} {
		index.line("export * from './%s.js';", file)
	}
	out := []generate.File{index.file("index.ts"), entities, electro, patterns}
	fixed, err := runtime.ReadDir("runtime")
	if err != nil {
		return nil, err
	}
	for _, f := range fixed {
		text, err := runtime.ReadFile(path.Join("runtime", f.Name()))
		if err != nil {
			return nil, err
		}
		w := &writer{}
		w.WriteString(string(text))
		out = append(out, w.file(path.Join("runtime", f.Name())))
	}
	return out, nil
}

// unnameable is an error for an attribute of a name that objects of JavaScript
// keep for themselves.
func unnameable(m *model.Model) error {
	for _, e := range m.Entities {
		if e.Attribute("__proto__") != nil {
			return fmt.Errorf("entity %s: JavaScript has no attribute __proto__: give it another name", e.Name.Text)
		}
	}
	return nil
}

// generator holds the names of what is generated.
type generator struct {
	generate.Input
	table    *model.Table
	entities []*entity
	names    names // exported, of all modules
}

// entity is an entity with its names.
type entity struct {
	*model.Entity
	name    string    // of its type, and of its ElectroDB entity
	hidden  []hidden  // key attributes that ElectroDB gets as attributes
	indexes []*access // that ElectroDB knows
	unfit   string    // why there is no ElectroDB entity; "" when there is one
}

func newGenerator(in generate.Input) *generator {
	g := &generator{Input: in, table: in.Model.Table, names: names{}}
	for _, e := range in.Model.Entities {
		made := &entity{Entity: e, name: g.names.take(camel(e.Name.Text, true))}
		for _, function := range []string{"normal", "store", "read"} {
			g.names.take(function + made.name)
		}
		for i := range e.Unique {
			g.names.take(guardName(made, i))
		}
		g.entities = append(g.entities, made)
	}
	for _, e := range g.entities {
		g.describe(e)
	}
	return g
}

func (g *generator) of(e *model.Entity) *entity {
	for _, known := range g.entities {
		if known.Entity == e {
			return known
		}
	}
	return nil
}

// attributeNames are the names of an entity's attributes.
func attributeNames(e *model.Entity) []string {
	var out []string
	for _, a := range e.Attributes {
		out = append(out, a.Name.Text)
	}
	return out
}

// refused is a pattern that cannot be generated, with the reason.
func refused(p *model.Pattern, err error) error {
	return fmt.Errorf("access pattern %s: %w", p.Name.Text, err)
}

// unserved is the message for a combination of parameters that no plan serves.
func unserved(v *plan.Variant) string {
	said := "no index serves it"
	for i, name := range v.Absent {
		if i == 0 {
			said += " without "
		} else {
			said += " and "
		}
		said += name
	}
	return said
}
