package typescript

import (
	"fmt"
	"slices"
	"strings"

	"github.com/dynmodel/dynmodel/generate"
	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/encode"
	"github.com/dynmodel/dynmodel/model/expr"
	"github.com/dynmodel/dynmodel/model/value"
)

// entitiesFile has the types of entities, and how each is stored and read.
func (g *generator) entitiesFile() (generate.File, error) {
	w := &writer{}
	for _, e := range g.entities {
		g.declare(w, e)
		g.normal(w, e)
		if err := g.store(w, e); err != nil {
			return generate.File{}, err
		}
		for i, u := range e.Unique {
			if err := g.guard(w, e, i, u); err != nil {
				return generate.File{}, err
			}
		}
		w.comment("The attributes of " + e.name + " among those of a stored item.")
		w.line("export function read%[1]s(stored: rt.Item): %[1]s {", e.name)
		w.line("return rt.selected(stored, %s);", quotedList(attributeNames(e.Entity)))
		w.line("}\n")
	}
	g.anyEntity(w)
	return w.file("entities.ts", "import * as rt from './runtime/index.js';"), nil
}

// declare writes the interface of an entity.
func (g *generator) declare(w *writer, e *entity) {
	if e.Description != "" {
		w.comment(e.Description)
	}
	w.line("export interface %s {", e.name)
	for _, a := range e.Attributes {
		if a.Description != "" {
			w.comment(a.Description)
		}
		w.line("%s;", field(a.Name.Text, a.Optional, typeOf(a, false)))
	}
	w.line("}\n")
}

// normal writes how an entity's values are normalised, where they are.
func (g *generator) normal(w *writer, e *entity) {
	members := normalisedMembers(e.Entity)
	if len(members) == 0 {
		return
	}
	w.comment("The item with its values as they are stored.")
	w.line("export function normal%s(item: rt.Item): rt.Item {", e.name)
	w.line("return %s;", object(w.depth, append([]string{"...item"}, members...)...))
	w.line("}\n")
}

func normalisedMembers(e *model.Entity) []string {
	var members []string
	for _, a := range e.Attributes {
		if v := normalised(a, member("item", a.Name.Text)); v != member("item", a.Name.Text) {
			members = append(members, property(a.Name.Text)+": "+v)
		}
	}
	return members
}

// normal is an item with its values as they are stored; module is where the
// function for it stands.
func (e *entity) normal(module, item string) string {
	if len(normalisedMembers(e.Entity)) == 0 {
		return item
	}
	return module + "normal" + e.name + "(" + item + ")"
}

// normalised is a value as `stored` of its attribute, or of what is in it, has it.
func normalised(a *model.Attribute, v string) string {
	switch {
	case a.Stored != "":
		return fmt.Sprintf("rt.%s(%s)", a.Stored, v)
	case a.Domain.Items != nil && (a.Type == model.TypeList || a.Type == model.TypeStringSet):
		if item := normalised(a.Domain.Items, "m"); item != "m" {
			return fmt.Sprintf("%s?.map((m: any) => %s)", v, item)
		}
	case a.Domain.Items != nil && a.Type == model.TypeMap:
		if item := normalised(a.Domain.Items, "m"); item != "m" {
			return fmt.Sprintf("%s && Object.fromEntries(Object.entries(%s).map(([n, m]: [string, any]) => [n, %s]))", v, v, item)
		}
	case a.Type == model.TypeMap:
		var members []string
		for _, m := range a.Domain.Attributes {
			of := maybeMember(v, m.Name.Text)
			if n := normalised(m, of); n != of {
				members = append(members, property(m.Name.Text)+": "+n)
			}
		}
		if len(members) > 0 {
			return fmt.Sprintf("%s && { ...%s, %s }", v, v, strings.Join(members, ", "))
		}
	}
	return v
}

// store writes the function that makes the whole stored item.
func (g *generator) store(w *writer, e *entity) error {
	w.comment("The item as it is stored: its attributes, those of all keys, and its type.")
	random := "_random"
	for _, k := range e.Keys {
		for _, p := range k.Template.Parts {
			if p.Random > 0 {
				random = "random"
			}
		}
	}
	w.line("export function store%s(item: %s, %s: (n: number) => number): rt.Item {", e.name, e.name, random)
	w.line("const it: rt.Item = %s;", e.normal("", "item"))
	if sets := setsOf(e.Entity); len(sets) > 0 {
		w.line("const stored = rt.attributes(it, %s);", quotedList(sets))
	} else {
		w.line("const stored = rt.attributes(it);")
	}
	if g.table.EntityType != "" {
		w.line("%s = %s;", member("stored", g.table.EntityType), quote(e.Type))
	}
	for _, k := range g.keySlots() {
		template, ok := encode.KeyTemplate(g.table, e.Entity, k.Name)
		if !ok || isOwn(template, k.Name) || k.Name == g.table.EntityType {
			continue
		}
		in, err := g.membership(e.Entity, k.Name)
		if err != nil {
			return err
		}
		line := fmt.Sprintf("%s = %s;", member("stored", k.Name), templateText(template, "it", "random"))
		switch in {
		case "false":
		case "true":
			w.line("%s", line)
		default:
			w.line("if (%s) {", in)
			w.line("%s", line)
			w.line("}")
		}
	}
	w.line("return stored;")
	w.line("}\n")
	return nil
}

func setsOf(e *model.Entity) []string {
	var out []string
	for _, a := range e.Attributes {
		if isSet(a) {
			out = append(out, a.Name.Text)
		}
	}
	return out
}

// isOwn tells that a key attribute is the entity's own attribute, which is stored
// in any case.
func isOwn(t model.Template, key string) bool {
	whole := t.Whole()
	return whole != nil && whole.Path.Top() && whole.Path.Name == key
}

// keySlots are the key attributes of the table and its indexes, each once.
func (g *generator) keySlots() []model.KeyAttribute {
	var out []model.KeyAttribute
	seen := map[string]bool{}
	add := func(keys []model.KeyAttribute) {
		for _, k := range keys {
			if !seen[k.Name] {
				seen[k.Name] = true
				out = append(out, k)
			}
		}
	}
	add(g.table.Keys())
	for _, x := range g.table.Indexes {
		add(x.Keys())
	}
	return out
}

// membership is the condition on which a key attribute is written: true, false, or
// that the item `it` is in one of the indexes that it keys.
func (g *generator) membership(e *model.Entity, key string) (string, error) {
	for _, k := range g.table.Keys() {
		if k.Name == key {
			return "true", nil
		}
	}
	var any []string
	for _, x := range g.table.Indexes {
		if !keys(x, key) {
			continue
		}
		in, err := g.inIndex(e, x)
		if err != nil || in == "true" {
			return in, err
		}
		if in != "false" {
			any = append(any, in)
		}
	}
	if len(any) == 0 {
		return "false", nil
	}
	return strings.Join(any, " || "), nil
}

func keys(x *model.Index, key string) bool {
	for _, k := range x.Keys() {
		if k.Name == key {
			return true
		}
	}
	return false
}

// inIndex is the condition on which the item `it` is in an index.
func (g *generator) inIndex(e *model.Entity, x *model.Index) (string, error) {
	var terms []string
	seen := map[string]bool{}
	add := func(term string) {
		if !seen[term] {
			seen[term] = true
			terms = append(terms, term)
		}
	}
	s := scope{}.reading(e, "it")
	for _, k := range x.Keys() {
		template, ok := encode.KeyTemplate(g.table, e, k.Name)
		if !ok {
			return "false", nil
		}
		for _, p := range template.Parts {
			if p.Attribute != nil && (p.Attribute.Optional || !p.Path.Top()) {
				add("rt.exists(" + s.path("it", p.Path) + ")")
			}
		}
		if key := e.Key(k.Name); key != nil && key.When != nil {
			when, err := s.holds(key.When.Cond)
			if err != nil {
				return "", err
			}
			if strings.Contains(when, " || ") || strings.Contains(when, " && ") {
				when = "(" + when + ")"
			}
			add(when)
		}
	}
	if len(terms) == 0 {
		return "true", nil
	}
	return strings.Join(terms, " && "), nil
}

// templateText is a key as a template makes it of an item.
func templateText(t model.Template, item, random string) string {
	s := scope{}
	if whole := t.Whole(); whole != nil {
		return s.path(item, whole.Path)
	}
	var b strings.Builder
	for _, p := range t.Parts {
		switch {
		case p.Random > 0:
			fmt.Fprintf(&b, "${%s(%d)}", random, p.Random)
		case p.Attribute == nil:
			b.WriteString(inTemplate(p.Literal))
		default:
			fmt.Fprintf(&b, "${rt.text(%s)}", through(p.Funcs, s.path(item, p.Path), encode.TypeOf(p), false))
		}
	}
	return written(b.String())
}

// guard writes the function that makes the key of a guard; undefined for none.
func (g *generator) guard(w *writer, e *entity, i int, u *model.Unique) error {
	var absent, members []string
	for _, a := range u.Of {
		absent = append(absent, "!rt.exists("+member("it", a.Name.Text)+")")
	}
	if u.When != nil {
		when, err := scope{}.reading(e.Entity, "it").holds(u.When.Cond)
		if err != nil {
			return err
		}
		absent = append(absent, "!("+when+")")
	}
	for _, slot := range g.table.Keys() {
		for _, k := range u.Keys {
			if k.Name.Text == slot.Name {
				members = append(members, property(slot.Name)+": "+templateText(k.Template, "it", "random"))
			}
		}
	}
	w.comment(fmt.Sprintf("The key of the item that keeps %s of %s unique; undefined when none does.", strings.Join(uniqueNames(u), " and "), e.name))
	w.line("export function %s(item: rt.Item): rt.Item | undefined {", guardName(e, i))
	w.line("const it: rt.Item = %s;", e.normal("", "item"))
	w.line("if (%s) {", strings.Join(absent, " || "))
	w.line("return undefined;")
	w.line("}")
	w.line("return %s;", object(w.depth, members...))
	w.line("}\n")
	return nil
}

func uniqueNames(u *model.Unique) []string {
	var out []string
	for _, a := range u.Of {
		out = append(out, a.Name.Text)
	}
	return out
}

func guardName(e *entity, i int) string {
	if i == 0 {
		return "guard" + e.name
	}
	return fmt.Sprintf("guard%s%d", e.name, i+1)
}

// anyEntity writes the function that reads an item of any entity.
func (g *generator) anyEntity(w *writer) {
	w.comment("An item of any entity, with the name of its entity.")
	if len(g.entities) == 0 {
		w.line("export type AnyItem = never;\n")
		return
	}
	w.line("export type AnyItem =")
	for i, e := range g.entities {
		end := ""
		if i == len(g.entities)-1 {
			end = ";"
		}
		w.line("  | { entity: %s; item: %s }%s", quote(e.Name.Text), e.name, end)
	}
	w.line("")
	w.comment("The stored item as one of its entity, which " + g.told() + " tells; undefined for an item of another kind.")
	w.line("export function readAny(stored: rt.Item): AnyItem | undefined {")
	if g.table.EntityType != "" {
		w.line("switch (%s) {", member("stored", g.table.EntityType))
		for _, e := range g.entities {
			w.line("case %s:", quote(e.Type))
			w.line("  return { entity: %s, item: read%s(stored) };", quote(e.Name.Text), e.name)
		}
		w.line("}")
	} else {
		g.byKeys(w)
	}
	w.line("return undefined;")
	w.line("}\n")
}

func (g *generator) told() string {
	if g.table.EntityType != "" {
		return "its attribute " + g.table.EntityType
	}
	return "its key"
}

// byKeys tells items apart by their keys: as those that the templates make of
// their attributes, else by the templates' fixed texts.
func (g *generator) byKeys(w *writer) {
	for _, e := range g.entities {
		var same []string
		for _, k := range g.table.Keys() {
			template, ok := encode.KeyTemplate(g.table, e.Entity, k.Name)
			if !ok {
				continue
			}
			for _, p := range template.Parts {
				if p.Attribute != nil {
					same = append(same, "rt.exists("+scope{}.path("stored", p.Path)+")")
				}
			}
			same = append(same, fmt.Sprintf("rt.equal(%s, %s)", member("stored", k.Name), templateText(template, "stored", "(() => 0)")))
		}
		w.line("if (%s) {", strings.Join(same, " && "))
		w.line("return { entity: %s, item: read%s(stored) };", quote(e.Name.Text), e.name)
		w.line("}")
	}
	for _, e := range mostFixed(g) {
		w.line("if (%s) {", strings.Join(g.fits(e), " && "))
		w.line("return { entity: %s, item: read%s(stored) };", quote(e.Name.Text), e.name)
		w.line("}")
	}
}

// fits are the conditions that an item's keys could be those of an entity.
func (g *generator) fits(e *entity) []string {
	var out []string
	for _, k := range g.table.Keys() {
		template, _ := encode.KeyTemplate(g.table, e.Entity, k.Name)
		if k.Kind != value.String || template.Whole() != nil {
			out = append(out, "rt.exists("+member("stored", k.Name)+")")
			continue
		}
		var pattern strings.Builder
		for _, p := range template.Parts {
			if p.Literal == "" {
				pattern.WriteString("[^]*")
			} else {
				pattern.WriteString(regexpQuote(p.Literal))
			}
		}
		out = append(out, fmt.Sprintf("/^%s$/.test(%s)", pattern.String(), member("stored", k.Name)))
	}
	return out
}

// regexpQuote is a text as a regular expression of JavaScript that matches it.
func regexpQuote(s string) string {
	var b strings.Builder
	for _, r := range s {
		if strings.ContainsRune(`\^$.*+?()[]{}|/`, r) {
			b.WriteByte('\\')
		}
		switch {
		case r < ' ' || r == '\u2028' || r == '\u2029':
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// mostFixed are the entities, those with the longest fixed texts in their keys first.
func mostFixed(g *generator) []*entity {
	fixed := func(e *entity) (n int) {
		for _, k := range g.table.Keys() {
			template, _ := encode.KeyTemplate(g.table, e.Entity, k.Name)
			for _, p := range template.Parts {
				n += len(p.Literal)
			}
		}
		return n
	}
	out := append([]*entity(nil), g.entities...)
	slices.SortStableFunc(out, func(a, b *entity) int { return fixed(b) - fixed(a) })
	return out
}

// attributesOf are the attributes in the parts of a template.
func attributesOf(t model.Template) []expr.Path {
	var out []expr.Path
	for _, p := range t.Parts {
		if p.Attribute != nil {
			out = append(out, p.Path)
		}
	}
	return out
}
