package typescript

import (
	"fmt"
	"slices"
	"strings"

	"github.com/dynmodel/dynmodel/generate"
	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/value"
)

// electroFile has the ElectroDB entities, their service, and what connects to a table.
func (g *generator) electroFile() (generate.File, error) {
	g.collect()
	w := &writer{}
	w.comment("The entities of ElectroDB, and the service that they are together.")
	w.line("export function electro(client: DynamoDBClient, table: string, random: (n: number) => number) {")
	g.configuration(w)
	var all []string
	for _, e := range g.entities {
		if e.unfit != "" {
			w.line("// %s has no entity of ElectroDB: %s.\n", e.name, e.unfit)
			continue
		}
		g.electroEntity(w, e)
		all = append(all, e.name)
	}
	if len(all) > 0 {
		w.line("return %s;", object(w.depth, append(all, "service: new Service("+object(0, all...)+")")...))
	} else {
		w.line("return {};")
	}
	w.line("}\n")
	w.comment("The table, with its ElectroDB entities: what the functions of access patterns take first.")
	w.line("export class Store extends rt.Database {")
	w.line("readonly electro: ReturnType<typeof electro>;\n")
	w.line("constructor(client: DynamoDBClient, options: rt.Options) {")
	w.line("super(client, %s, options);", quote(g.table.Name.Text))
	w.line("this.electro = electro(client, this.table, this.random);")
	w.line("}")
	w.line("}\n")
	w.comment("The table behind a client.")
	w.line("export function connect(client: DynamoDBClient, options: rt.Options = {}): Store {")
	w.line("return new Store(client, options);")
	w.line("}")
	text := w.String()
	var used []string
	for _, n := range []string{"CustomAttributeType", "Entity", "Service"} {
		if strings.Contains(text, n+"(") || strings.Contains(text, n+"<") {
			used = append(used, n)
		}
	}
	imports := []string{"import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';"}
	if len(used) > 0 {
		imports = append(imports, "import { "+strings.Join(used, ", ")+" } from 'electrodb';")
	}
	return w.file("electro.ts", append(imports, "import * as rt from './runtime/index.js';")...), nil
}

// configuration writes what all entities are made with. With an entity type
// attribute, that is what ElectroDB knows items by: as the entity's name and as its
// version, so that it adds nothing to items. Without, it knows them by their keys.
func (g *generator) configuration(w *writer) {
	if !slices.ContainsFunc(g.entities, func(e *entity) bool { return e.unfit == "" }) {
		return
	}
	if t := g.table.EntityType; t != "" {
		w.line("const configuration = { client, table, identifiers: { entity: %s, version: %s } };\n", quote(t), quote(t))
		return
	}
	w.line("const configuration = { client, table, ignoreOwnership: true };\n")
}

func (g *generator) electroEntity(w *writer, e *entity) {
	version := "1"
	if g.table.EntityType != "" {
		version = e.Type
	}
	w.line("const %s = new Entity(", e.name)
	w.line("{")
	w.line("model: { entity: %s, version: %s, service: %s },", quote(e.Type), quote(version), quote(g.Model.Name))
	w.line("attributes: {")
	for _, a := range e.Attributes {
		w.line("%s: %s,", property(a.Name.Text), object(w.depth, g.electroAttribute(a)...))
	}
	for _, h := range e.hidden {
		g.hiddenAttribute(w, h)
	}
	w.line("},")
	w.line("indexes: {")
	for _, a := range e.indexes {
		w.line("%s: {", property(a.name))
		if a.index != nil {
			w.line("index: %s,", quote(a.index.Name.Text))
		}
		if p := projection(e.Entity, a.index); p != "" {
			w.line("projection: %s,", p)
		}
		if a.collection != "" {
			w.line("collection: %s,", quote(a.collection))
		}
		w.line("pk: %s,", a.pk.definition(w.depth))
		if a.sk != nil {
			w.line("sk: %s,", a.sk.definition(w.depth))
		}
		w.line("},")
	}
	w.line("},")
	w.line("} as const,")
	w.line("configuration,")
	w.line(");\n")
}

// projection is what an index holds of an entity, as ElectroDB is told it; "" for all.
func projection(e *model.Entity, x *model.Index) string {
	if x == nil {
		return ""
	}
	var held []string
	for _, n := range x.Projection.Attributes {
		if e.Attribute(n.Text) != nil {
			held = append(held, n.Text)
		}
	}
	switch {
	case x.Projection.Type == model.ProjectInclude && len(held) > 0:
		return quotedList(held)
	case x.Projection.Type == model.ProjectInclude, x.Projection.Type == model.ProjectKeysOnly:
		return "'keys_only'"
	}
	return ""
}

// electroAttribute are the properties of an attribute's definition.
func (g *generator) electroAttribute(a *model.Attribute) []string {
	out := []string{"type: " + electroType(a)}
	switch {
	case a.Type == model.TypeStringSet:
		out = []string{"type: 'set'", "items: 'string'"}
	case a.Type == model.TypeNumberSet:
		out = []string{"type: 'set'", "items: 'number'"}
	}
	if !a.Optional {
		out = append(out, "required: true")
	}
	if a.Default.Exists() && a.Default.Kind() != value.List && a.Default.Kind() != value.Map && !isSet(a) {
		out = append(out, "default: "+literal(a.Default))
	}
	if a.Immutable {
		out = append(out, "readOnly: true")
	}
	if a.Stored != "" {
		out = append(out, fmt.Sprintf("set: (value?: string) => rt.%s(value)", a.Stored))
	}
	return out
}

// electroType is the type of an attribute for ElectroDB; what it does not know or
// would change is custom.
func electroType(a *model.Attribute) string {
	if len(a.Domain.Values) > 0 && a.Type.Kind() == value.String {
		var all []string
		for _, c := range a.Domain.Values {
			all = append(all, literal(c.Value))
		}
		return "[" + strings.Join(all, ", ") + "]"
	}
	switch {
	case len(a.Domain.Values) > 0:
		return "CustomAttributeType<" + typeOf(a, false) + ">('" + kindType(a.Type.Kind()) + "')"
	case a.Type.Kind() == value.String, a.Type.Kind() == value.Number, a.Type.Kind() == value.Bool:
		return quote(kindType(a.Type.Kind()))
	case a.Type == model.TypeAny:
		return "'any'"
	}
	return "CustomAttributeType<" + typeOf(a, false) + ">('any')"
}

// hiddenAttribute writes a key that is computed of what it watches.
func (g *generator) hiddenAttribute(w *writer, h hidden) {
	made := templateText(h.template, "it", "random")
	var terms []string
	if len(h.watch) > 0 {
		terms = append(terms, "rt.there(it, "+quotedList(h.watch)+")")
	}
	if h.when != "true" {
		terms = append(terms, h.when)
	}
	it := "it"
	if len(terms) == 0 {
		it = "_it"
	}
	w.line("%s: {", property(h.key))
	w.line("type: 'string',")
	w.line("hidden: true,")
	if len(h.watch) > 0 {
		w.line("watch: %s,", quotedList(h.watch))
	}
	head := "set: (_: unknown, " + it + ": rt.Item): any =>"
	if len(terms) == 0 {
		w.line("%s %s,", head, made)
	} else {
		w.line("%s", head)
		w.line("  %s", strings.Join(terms, " && "))
		w.line("    ? %s", made)
		w.line("    : undefined,")
	}
	w.line("},")
}

func (p keyPart) definition(depth int) string {
	var composite []string
	text := ""
	if p.hidden {
		composite, text = []string{p.field}, "${"+p.field+"}"
	} else {
		for _, part := range p.template.Parts {
			if part.Attribute == nil {
				text += part.Literal
				continue
			}
			composite = append(composite, part.Path.Name)
			text += "${" + part.Path.Name + "}"
		}
	}
	return object(depth, "field: "+quote(p.field), "composite: "+quotedList(composite), "template: "+quote(text), "casing: 'none'")
}
