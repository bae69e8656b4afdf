package golang

import (
	"fmt"
	"slices"
	"strings"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/encode"
	"github.com/dynmodel/dynmodel/model/value"
)

// entity writes an entity's struct, and what makes a stored item of it and back.
func (g *generator) entity(w *writer, e *entity) error {
	w.comment(fmt.Sprintf("%s is an item of the entity %s. %s", e.name, e.Name.Text, sentenceOf(e.Description)))
	g.structType(w, e.name, e.fields)
	w.line("func (%s) isEntity() {}\n", e.name)
	if err := g.marshal(w, e); err != nil {
		return err
	}
	g.unmarshal(w, e)
	g.validate(w, e.name, e.fields, "MarshalItem")
	return nil
}

// structType writes a struct of fields.
func (g *generator) structType(w *writer, name string, fields []*field) {
	w.line("type %s struct {", name)
	for _, f := range fields {
		w.line("%s %s%s", f.name, f.fieldType(), fieldComment(f))
	}
	w.line("}\n")
}

// fieldComment says what the Go type does not.
func fieldComment(f *field) string {
	var notes []string
	if d := strings.Join(strings.Fields(f.attr.Description), " "); d != "" {
		notes = append(notes, d)
	}
	if exported(f.attr.Name.Text) != f.name || strings.ContainsFunc(f.attr.Name.Text, func(r rune) bool { return r > 127 || strings.ContainsRune("#. -", r) }) {
		notes = append(notes, fmt.Sprintf("the attribute %q", f.attr.Name.Text))
	}
	if f.attr.Version {
		notes = append(notes, "kept by the accessors")
	}
	if len(notes) == 0 {
		return ""
	}
	return " // " + strings.Join(notes, "; ")
}

// marshal writes MarshalItem.
func (g *generator) marshal(w *writer, e *entity) error {
	w.line("// MarshalItem is the item as it is stored, with the keys of the table and of the")
	w.line("// indexes that it is in.")
	receiver := fmt.Sprintf("func (o %s) MarshalItem() (map[string]types.AttributeValue, error) {", e.name)
	if e.random {
		w.line("%s return o.marshal(rand.IntN) }\n", receiver)
		receiver = fmt.Sprintf("func (o %s) marshal(draw func(n int) int) (stored, error) {", e.name)
	}
	w.line("%s", receiver)
	w.line("f := &fault{}")
	w.line("item := make(stored, %d)", len(e.fields)+1+len(e.Keys))
	for _, f := range e.fields {
		g.marshalField(w, e, f)
	}
	if t := g.table.EntityType; t != "" {
		w.line("item[%q] = str(%q)", t, e.Type)
	}
	if err := g.marshalKeys(w, e); err != nil {
		return err
	}
	w.line("return f.item(item)")
	w.line("}\n")
	return nil
}

// marshalField writes one attribute into the item.
func (g *generator) marshalField(w *writer, e *entity, f *field) {
	name, code := f.attr.Name.Text, "o."+f.name
	if f.attr.Optional && f.typ.pointer() {
		w.line("if %s != nil {", code)
		if f.typ.kind != kindObject {
			code = "*" + code
		}
		g.storeField(w, e, f, code)
		w.line("}")
		return
	}
	switch ttl := g.table.TTL; {
	case f.typ.isSet():
		w.line("if len(%s) > 0 {", code)
	case f.typ.kind == kindTime && ttl != nil && ttl.Text == name:
		w.line("if !%s.IsZero() {", code)
	case f.attr.Optional:
		w.line("if %s != nil {", code)
	case f.typ.kind == kindAny:
		w.line("if %s != nil && !isNull(%s) {", code, code)
	default:
		g.storeField(w, e, f, code)
		return
	}
	g.storeField(w, e, f, code)
	w.line("}")
}

// storeField writes the value of an attribute into the item; one that is a key
// itself is held against what keys may be.
func (g *generator) storeField(w *writer, e *entity, f *field, code string) {
	name := f.attr.Name.Text
	if limit := g.ownKeyLimit(e, name); limit != "" && f.typ.attr.Type.Kind() == value.String {
		w.line("item[%q] = %s", name, keyCode(name, f.typ.text(f.typ.foldedText(code), name), limit))
		return
	}
	w.line("item[%q] = %s", name, f.typ.stored(code, name))
}

// ownKeyLimit is the most bytes of an attribute that is itself a key of the table
// or an index; "" for another one.
func (g *generator) ownKeyLimit(e *entity, name string) string {
	if k := e.Key(name); k == nil || !isOwn(k.Template, name) {
		return ""
	}
	limit := ""
	for _, s := range g.slots() {
		if s.attribute.Name == name {
			limit = s.limit
		}
	}
	return limit
}

func isOwn(t model.Template, key string) bool {
	whole := t.Whole()
	return whole != nil && whole.Path.Top() && whole.Path.Name == key
}

// slot is a key attribute of the table or of some indexes.
type slot struct {
	attribute model.KeyAttribute
	limit     string
	table     bool
	indexes   []*model.Index
}

// slots are all key attributes, each once.
func (g *generator) slots() []*slot {
	var out []*slot
	add := func(k model.KeyAttribute, limit string, x *model.Index) {
		i := slices.IndexFunc(out, func(s *slot) bool { return s.attribute.Name == k.Name })
		if i < 0 {
			out = append(out, &slot{attribute: k, limit: limit, table: x == nil})
			i = len(out) - 1
		}
		if x != nil {
			out[i].indexes = append(out[i].indexes, x)
		}
		if limit == "maxSortKey" {
			out[i].limit = limit
		}
	}
	for i, k := range g.table.Keys() {
		add(k, limitName(i), nil)
	}
	for _, x := range g.table.Indexes {
		for _, k := range x.PartitionKey {
			add(k, "maxPartitionKey", x)
		}
		for _, k := range x.SortKey {
			add(k, "maxSortKey", x)
		}
	}
	return out
}

// marshalKeys writes the key attributes that templates make.
func (g *generator) marshalKeys(w *writer, e *entity) error {
	for _, x := range g.table.Indexes {
		condition, ok, err := g.membership(e, x)
		if err != nil {
			return err
		}
		if ok && condition != "" && g.guards(e, x) {
			w.line("in%s := %s", exported(x.Name.Text), condition)
		}
	}
	open := ""
	for _, s := range g.slots() {
		template, ok := encode.KeyTemplate(g.table, e.Entity, s.attribute.Name)
		if !ok || isOwn(template, s.attribute.Name) || s.attribute.Name == g.table.EntityType {
			continue
		}
		condition, written, err := g.written(e, s)
		if err != nil {
			return err
		}
		if !written {
			continue
		}
		if condition != open && open != "" {
			w.line("}")
		}
		if condition != open && condition != "" {
			w.line("if %s {", condition)
		}
		open = condition
		code, err := g.templateKey(e, s, template)
		if err != nil {
			return err
		}
		w.line("item[%q] = %s", s.attribute.Name, code)
	}
	if open != "" {
		w.line("}")
	}
	return nil
}

// guards tells whether a key attribute is written because of the index alone.
func (g *generator) guards(e *entity, x *model.Index) bool {
	return slices.ContainsFunc(g.slots(), func(s *slot) bool {
		template, ok := encode.KeyTemplate(g.table, e.Entity, s.attribute.Name)
		if !ok || s.table || isOwn(template, s.attribute.Name) || s.attribute.Name == g.table.EntityType {
			return false
		}
		condition, _, err := g.written(e, s)
		return err == nil && condition != "" && slices.Contains(s.indexes, x)
	})
}

// written is the condition on which a key attribute is written; "" for always,
// false for never.
func (g *generator) written(e *entity, s *slot) (condition string, ok bool, err error) {
	if s.table {
		return "", true, nil
	}
	var some []string
	for _, x := range s.indexes {
		when, in, err := g.membership(e, x)
		switch {
		case err != nil:
			return "", false, err
		case in && when == "":
			return "", true, nil
		case in:
			some = append(some, "in"+exported(x.Name.Text))
		}
	}
	return strings.Join(some, " || "), len(some) > 0, nil
}

// membership is the condition on which an item is in an index; "" for always,
// false for never.
func (g *generator) membership(e *entity, x *model.Index) (condition string, ok bool, err error) {
	fr := &frame{g: g, item: "item", entity: e.Entity}
	var all []string
	add := func(text string) {
		if !slices.Contains(all, text) {
			all = append(all, text)
		}
	}
	for _, k := range x.Keys() {
		template, ok := encode.KeyTemplate(g.table, e.Entity, k.Name)
		if !ok {
			return "", false, nil
		}
		for _, p := range template.Parts {
			if p.Attribute == nil || !p.Attribute.Optional && p.Path.Top() && !g.mayBeAbsent(e.field(p.Path.Name)) {
				continue
			}
			code, err := fr.at("item", p.Path)
			if err != nil {
				return "", false, err
			}
			add(code + " != nil")
		}
		if key := e.Key(k.Name); key != nil && key.When != nil {
			text, err := fr.holds(key.When.Cond)
			if err != nil {
				return "", false, err
			}
			if len(x.Keys()) > 1 && strings.Contains(text, " || ") {
				text = "(" + text + ")"
			}
			add(text)
		}
	}
	return strings.Join(all, " && "), true, nil
}

// mayBeAbsent tells the fields that are left out though they are not optional.
func (g *generator) mayBeAbsent(f *field) bool {
	ttl := g.table.TTL
	return f != nil && (f.typ.isSet() || f.typ.kind == kindAny || f.typ.kind == kindTime && ttl != nil && ttl.Text == f.attr.Name.Text)
}

// templateKey is the value of a key attribute that a template makes of an item.
func (g *generator) templateKey(e *entity, s *slot, t model.Template) (string, error) {
	fr := &frame{g: g, item: "item", entity: e.Entity}
	if whole := t.Whole(); whole != nil {
		v, err := g.partOf(fr, e, *whole)
		if err != nil {
			return "", err
		}
		switch s.attribute.Kind {
		case value.Number:
			return v.written(), nil
		case value.Binary:
			return fmt.Sprintf("bin(f.keyBytes(%q, %s, %s))", s.attribute.Name, v.code, s.limit), nil
		}
		return keyCode(s.attribute.Name, v.text(), s.limit), nil
	}
	text, err := g.templateText(fr, e, t)
	return keyCode(s.attribute.Name, text, s.limit), err
}

// templateText is the text that a template makes of an item.
func (g *generator) templateText(fr *frame, e *entity, t model.Template) (string, error) {
	var out phrase
	for i, p := range t.Parts {
		switch {
		case p.Random > 0:
			out.code(fmt.Sprintf("strconv.Itoa(draw(%d))", p.Random))
		case p.Attribute == nil:
			out.literal(p.Literal)
		default:
			v, err := g.partOf(fr, e, p)
			if err != nil {
				return "", err
			}
			out.code(guarded(v, t, i))
		}
	}
	return out.String(), nil
}

// partOf is the value of a template's part before its functions are applied; of
// the field where there is one, else of the stored item.
func (g *generator) partOf(fr *frame, e *entity, p model.Part) (val, error) {
	f := e.field(p.Path.Name)
	if p.Path.Top() && f != nil && !g.mayBeAbsent(f) {
		v := val{code: "o." + f.name, name: p.Path.Name, typ: f.typ}
		if f.attr.Optional && f.typ.pointer() {
			v.code = "*" + v.code
		}
		return v.folded(f.attr).through(p.Funcs, false), nil
	}
	code, err := fr.at("item", p.Path)
	return rawVal(code, p.Path.String(), p.Attribute.Member(p.Path.Rest)).through(p.Funcs, false), err
}

// unmarshal writes the function that reads a stored item.
func (g *generator) unmarshal(w *writer, e *entity) {
	w.line("// Unmarshal%s reads an item as it is stored.", e.name)
	w.line("func Unmarshal%s(item map[string]types.AttributeValue) (%s, error) {", e.name, e.name)
	w.line("r := reader{item: item, entity: %q}", e.Name.Text)
	if t := g.table.EntityType; t != "" {
		w.line("r.is(%q, %q)", t, e.Type)
	}
	w.line("o := %s{", e.name)
	for _, f := range e.fields {
		w.line("%s: %s,", f.name, g.readField(f, "&r"))
	}
	w.line("}")
	w.line("return o, r.err")
	w.line("}\n")
}

// readField is the expression that reads an attribute of an item.
func (g *generator) readField(f *field, r string) string {
	verb := "field"
	switch {
	case f.attr.Optional && f.typ.pointer():
		verb = "optional"
	case f.attr.Optional, g.mayBeAbsent(f):
		verb = "maybe"
	case f.typ.kind == kindText || f.typ.kind == kindEnum:
		return fmt.Sprintf("text[%s](%s, %q)", f.typ.name, r, f.attr.Name.Text)
	}
	return fmt.Sprintf("%s(%s, %q, %s)", verb, r, f.attr.Name.Text, f.typ.reader())
}

// declareTypes writes the enumerations, and the structs of maps.
func (g *generator) declareTypes(w *writer) {
	for _, o := range g.objects {
		w.comment(fmt.Sprintf("%s is what the map %s holds.", o.name, o.about))
		g.structType(w, o.name, o.fields)
		w.line("func (o %s) value(f *fault) types.AttributeValue {", o.name)
		w.line("item := make(stored, %d)", len(o.fields))
		for _, f := range o.fields {
			g.marshalField(w, &entity{Entity: &model.Entity{}}, f)
		}
		w.line("return &types.AttributeValueMemberM{Value: item}")
		w.line("}\n")
		w.line("func unmarshal%s(r *reader, v types.AttributeValue) %s {", o.name, o.name)
		w.line("in := r.inside(v)")
		w.line("o := %s{", o.name)
		for _, f := range o.fields {
			w.line("%s: %s,", f.name, g.readField(f, "in"))
		}
		w.line("}")
		w.line("r.close(in)")
		w.line("return o")
		w.line("}\n")
		g.validate(w, o.name, o.fields, "value")
	}
	for _, e := range g.enums {
		w.comment(fmt.Sprintf("%s is a value of %s.", e.name, e.about))
		w.line("type %s string\n", e.name)
		w.line("// The values of %s.", e.name)
		w.line("const (")
		for _, c := range e.constants {
			w.line("%s %s = %q", c.name, e.name, c.value)
		}
		w.line(")\n")
	}
}

// unmarshalAny writes the function that reads an item of any entity.
func (g *generator) unmarshalAny(w *writer) {
	w.line("// UnmarshalAny reads an item of any entity as it is stored, also one from the table's")
	w.line("// stream. The error is an ErrUnknownItem when it is of none.")
	w.line("func UnmarshalAny(item map[string]types.AttributeValue) (Entity, error) {")
	if t := g.table.EntityType; t != "" {
		w.line("switch name := textAt(item, %q); name {", t)
		for _, e := range g.entities {
			w.line("case %q: return asEntity(Unmarshal%s(item))", e.Type, e.name)
		}
		w.line(`case "": // not stored, or not projected`)
		w.line("default: return nil, unknownItem(name)")
		w.line("}")
	}
	w.line("return readShaped(item, []shape{")
	for _, e := range g.entities {
		w.line("{%q, []keyShape{%s}, func(item stored) (Entity, error) { return asEntity(Unmarshal%s(item)) }},", e.Name.Text, g.keyShapes(e), e.name)
	}
	w.line("})")
	w.line("}\n")
}

// keyShapes are how the table's keys of an entity look.
func (g *generator) keyShapes(e *entity) string {
	var out []string
	for _, k := range g.table.Keys() {
		template, ok := encode.KeyTemplate(g.table, e.Entity, k.Name)
		if !ok {
			continue
		}
		pieces := ""
		if template.Whole() == nil {
			for i, p := range template.Parts {
				if i > 0 {
					pieces += ", "
				}
				pieces += fmt.Sprintf("%q", p.Literal)
			}
			pieces = ", []string{" + pieces + "}"
		} else {
			pieces = ", nil"
		}
		out = append(out, fmt.Sprintf("{%q, %q%s}", k.Name, k.Kind, pieces))
	}
	return strings.Join(out, ", ")
}
