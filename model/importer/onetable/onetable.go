// Package onetable reads the schemas of OneTable, as JSON or as the object
// literal of JavaScript or TypeScript that applications keep them in.
package onetable

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/format"
	"github.com/dynmodel/dynmodel/model/importer/draft"
	"github.com/dynmodel/dynmodel/model/source"
	"github.com/dynmodel/dynmodel/model/source/jsontree"
	"github.com/dynmodel/dynmodel/model/source/yamltree"
	"github.com/dynmodel/dynmodel/model/value"
)

// Read reads a schema. The error says that the file holds none.
func Read(file *source.File) ([]*draft.Draft, error) {
	d := &draft.Draft{Format: "a OneTable schema"}
	root, err := find(file)
	if err != nil {
		return nil, err
	}
	s := &schema{Draft: d, params: d.Object(root, "params")}
	s.indexes(d.Object(root, "indexes"))
	d.Table.At = root.At
	d.Table.Name = model.Name{Text: s.tableName(root), At: root.At}
	d.Table.Capacity = model.Capacity{OnDemand: true}
	d.Typed, d.Table.EntityType = true, "_type"
	if field := d.Scalar(s.params, "typeField"); field != "" {
		d.Table.EntityType = field
	}
	for _, m := range d.Object(root, "models").Entries {
		s.entity(m)
	}
	d.Complete(root.At)
	return []*draft.Draft{d}, nil
}

// Recognised tells whether a document is a schema.
func Recognised(root *yamltree.Node) bool {
	return root != nil && isObject(root.Get("indexes")) && isObject(root.Get("models"))
}

func isObject(n *yamltree.Node) bool { return n != nil && n.Kind == yamltree.Mapping }

// literal is where an object may begin in a script.
var literal = regexp.MustCompile(`(?:=|default|return|\()\s*\{`)

// maxLiterals is how many objects of a script are tried.
const maxLiterals = 64

// find is the schema in a file: all of it when that is JSON, else the first
// object literal that has indexes and models.
func find(file *source.File) (*yamltree.Node, error) {
	if strings.HasPrefix(strings.TrimSpace(file.Text()), "{") {
		root, err := jsontree.Script(file, strings.IndexByte(file.Text(), '{'))
		if err == nil && !Recognised(root) {
			err = fmt.Errorf("%s: no OneTable schema: there are no objects `indexes` and `models` at its top", file.Name())
		}
		return root, err
	}
	var first error
	for _, at := range literal.FindAllStringIndex(file.Text(), maxLiterals) {
		root, err := jsontree.Script(file, at[1]-1)
		if Recognised(root) && err == nil {
			return root, nil
		}
		if first == nil {
			first = err
		}
	}
	if first == nil {
		first = fmt.Errorf("%s: no OneTable schema: no object has `indexes` and `models`", file.Name())
	}
	return nil, first
}

type schema struct {
	*draft.Draft
	params *yamltree.Node
}

// tableName is what the schema calls its table; OneTable names it elsewhere.
func (s *schema) tableName(root *yamltree.Node) string {
	for _, key := range []string{"name", "tableName"} {
		if v := root.Get(key); v != nil && v.Kind == yamltree.Scalar && v.Style != yamltree.Plain {
			return v.Text
		}
	}
	s.Lostf(root.At, "a OneTable schema does not name its table; it is named `app`")
	return "app"
}

// indexes reads the table's key, which is the index `primary`, and the others.
func (s *schema) indexes(n *yamltree.Node) {
	t := &s.Table
	key := func(n *yamltree.Node, name string) []model.KeyAttribute {
		if text := s.Scalar(n, name); text != "" {
			return []model.KeyAttribute{{At: n.At, Name: text, Kind: value.String}}
		}
		return nil
	}
	if primary := s.Object(n, "primary"); primary != nil {
		if hash := key(primary, "hash"); hash != nil {
			t.PartitionKey = hash[0]
		}
		if sort := key(primary, "sort"); sort != nil {
			t.SortKey = &sort[0]
		}
	}
	for _, e := range n.Entries {
		if e.Key.Text == "primary" || e.Value.Kind != yamltree.Mapping {
			continue
		}
		x := &model.Index{
			At: e.Key.At, Name: model.Name{Text: e.Key.Text, At: e.Key.At}, Local: s.Scalar(e.Value, "type") == "local",
			PartitionKey: key(e.Value, "hash"), SortKey: key(e.Value, "sort"), Projection: s.projection(e.Value.Get("project")),
		}
		s.AddIndex(x)
		if s.True(e.Value, "follow") {
			s.Lostf(e.Value.Get("follow").At, "`follow` is not carried over: the model says what is projected")
		}
	}
}

func (s *schema) projection(n *yamltree.Node) model.Projection {
	p := model.Projection{Type: model.ProjectAll}
	switch {
	case n == nil:
	case n.Kind == yamltree.Sequence:
		p.Type = model.ProjectInclude
		for _, a := range n.Items {
			p.Attributes = append(p.Attributes, model.Name{Text: a.Text, At: a.At})
		}
	case n.Text == "keys":
		p.Type = model.ProjectKeysOnly
	}
	return p
}

// entity reads a model.
func (s *schema) entity(m *yamltree.Entry) {
	e := &draft.Entity{At: m.Key.At, Name: m.Key.Text, Type: m.Key.Text}
	if m.Value.Kind != yamltree.Mapping {
		s.Faultf(m.Value.At, "the model `%s` is %s, not an object; it is left out", e.Name, m.Value.Describe())
		return
	}
	for _, a := range m.Value.Entries {
		s.attribute(e, a)
	}
	s.timestamps(e)
	for _, k := range e.Keys {
		s.declare(e, k)
	}
	s.Entities = append(s.Entities, e)
}

// isKey tells a key attribute of the table or an index.
func (s *schema) isKey(name string) bool {
	for _, k := range s.Table.Keys() {
		if k.Name == name {
			return true
		}
	}
	for _, x := range s.Table.Indexes {
		for _, k := range x.Keys() {
			if k.Name == name {
				return true
			}
		}
	}
	return false
}

func (s *schema) attribute(e *draft.Entity, entry *yamltree.Entry) {
	name, n := entry.Key.Text, entry.Value
	if name == s.Table.EntityType {
		return
	}
	template := n.Get("value")
	if template != nil && template.Kind == yamltree.Scalar && template.Style != yamltree.Plain && s.isKey(name) {
		e.Keys = append(e.Keys, &draft.Key{At: template.At, Attribute: name, Parts: s.parts(template)})
		return
	}
	a := s.typed(name, n)
	if e.Attribute(name) != nil {
		s.Faultf(entry.Key.At, "%s has the attribute `%s` twice; the later one is left out", e.Name, name)
		return
	}
	a.At, a.Known = entry.Key.At, true
	a.Optional = !s.True(n, "required") && !s.isKey(name) && n.Get("generate") == nil && n.Get("default") == nil
	if template != nil {
		s.Lostf(template.At, "`%s` of %s is computed by `%s`; the model stores it as it is given", name, e.Name, template.Text)
	}
	if s.True(n, "unique") {
		e.Unique = append(e.Unique, []string{name})
	}
	if s.True(n, "ttl") {
		s.Table.TTL = &model.Name{Text: name, At: entry.Key.At}
		a.Type, a.Precision = model.TypeEpoch, ""
	}
	e.Attributes = append(e.Attributes, a)
}

// typed is an attribute with its type and domain.
func (s *schema) typed(name string, n *yamltree.Node) *draft.Attribute {
	a := &draft.Attribute{Name: name, Type: s.typeOf(n), Description: s.literal(n, "description")}
	for _, word := range s.List(n, "enum") {
		if word.Kind == yamltree.Scalar {
			a.Values = append(a.Values, word.Text)
		}
	}
	if len(a.Values) > 1 {
		a.Type = model.TypeEnum
	} else {
		a.Values = nil
	}
	if def := n.Get("default"); def != nil && def.Kind == yamltree.Scalar && (def.Style != yamltree.Plain || def.Text == "true" || def.Text == "false" || isNumber(def.Text)) {
		a.Default = format.Scalar(def.Text)
	}
	if a.Type == model.TypeDatetime {
		a.Precision = model.PrecisionMilli
	}
	if v := n.Get("validate"); v != nil {
		s.Lostf(v.At, "the check `%s` of `%s` is not carried over; a `pattern` may say it", clip(v.Text), name)
	}
	if items := n.Get("items"); isObject(items) && a.Type == model.TypeList {
		a.Items = s.typed("", items)
	}
	if inner := n.Get("schema"); isObject(inner) && a.Type == model.TypeMap {
		for _, m := range inner.Entries {
			member := s.typed(m.Key.Text, m.Value)
			member.Optional = !s.True(m.Value, "required")
			a.Members = append(a.Members, member)
		}
	}
	return a
}

func clip(text string) string {
	if len(text) > 60 {
		return text[:60] + "…"
	}
	return text
}

func isNumber(text string) bool {
	_, err := value.OfNumber(text)
	return err == nil
}

// literal is a text that stands in quotes; "" for an expression.
func (s *schema) literal(n *yamltree.Node, key string) string {
	if v := n.Get(key); v != nil && v.Kind == yamltree.Scalar && v.Style != yamltree.Plain {
		return v.Text
	}
	return ""
}

// typeOf is the type of an attribute: what its values are generated by says more
// than the type.
func (s *schema) typeOf(n *yamltree.Node) model.Type {
	switch generate := s.literal(n, "generate"); {
	case generate == "ulid":
		return model.TypeULID
	case generate == "uuid":
		return model.TypeUUID
	}
	word := n.Text
	if isObject(n) {
		word = ""
		if t := n.Get("type"); t != nil {
			word = t.Text
		}
	}
	switch strings.ToLower(word) {
	case "string", "":
		return model.TypeString
	case "number":
		return model.TypeNumber
	case "boolean":
		return model.TypeBoolean
	case "date":
		if s.True(s.params, "isoDates") {
			return model.TypeDatetime
		}
		return model.TypeEpochMS
	case "object":
		return model.TypeMap
	case "array":
		return model.TypeList
	case "set":
		return model.TypeStringSet
	case "buffer", "binary", "arraybuffer":
		return model.TypeBinary
	}
	s.Lostf(n.At, "the type `%s` is not known; it is taken for any", clip(word))
	return model.TypeAny
}

// timestamps adds the times that OneTable keeps of every item.
func (s *schema) timestamps(e *draft.Entity) {
	word := s.Scalar(s.params, "timestamps")
	for _, stamp := range []struct{ on, field, name string }{{"create", "createdField", "created"}, {"update", "updatedField", "updated"}} {
		if word != "true" && word != stamp.on {
			continue
		}
		name := stamp.name
		if field := s.Scalar(s.params, stamp.field); field != "" {
			name = field
		}
		if e.Attribute(name) == nil {
			a := &draft.Attribute{Name: name, Type: model.TypeEpochMS, Known: true}
			if stamp.on == "create" {
				a.Default = "$now"
			} else {
				a.OnWrite = "$now"
			}
			if s.True(s.params, "isoDates") {
				a.Type, a.Precision = model.TypeDatetime, model.PrecisionMilli
			}
			e.Attributes = append(e.Attributes, a)
		}
	}
}

// variable is an attribute in a template: ${name}, ${name:width:pad}.
var variable = regexp.MustCompile(`\$\{([^}:]+)(?::(\d+)(?::([^}]*))?)?\}`)

// parts reads a template.
func (s *schema) parts(n *yamltree.Node) []draft.Part {
	var out []draft.Part
	at := 0
	for _, m := range variable.FindAllStringSubmatchIndex(n.Text, -1) {
		if m[0] > at {
			out = append(out, draft.Part{Literal: n.Text[at:m[0]]})
		}
		p := draft.Part{Attribute: n.Text[m[2]:m[3]]}
		if m[4] >= 0 {
			width := n.Text[m[4]:m[5]]
			if m[6] >= 0 && n.Text[m[6]:m[7]] == "0" {
				p.Funcs = draft.Padded(width)
			} else {
				s.Lostf(n.At, "`%s` pads with something else than zeros, which the language does not", n.Text[m[0]:m[1]])
			}
		}
		out = append(out, p)
		at = m[1]
	}
	if at < len(n.Text) {
		out = append(out, draft.Part{Literal: n.Text[at:]})
	}
	return out
}

// declare adds the attributes that a template names and the model does not.
func (s *schema) declare(e *draft.Entity, k *draft.Key) {
	for i, p := range k.Parts {
		name, _, _ := strings.Cut(p.Attribute, ".")
		switch {
		case p.Attribute == "":
		case name == s.Table.EntityType:
			k.Parts[i] = draft.Part{Literal: e.Name}
		case e.Attribute(name) == nil:
			s.Faultf(k.At, "the template of `%s` names `%s`, which %s does not have; it is added", k.Attribute, name, e.Name)
			e.Attributes = append(e.Attributes, &draft.Attribute{At: k.At, Name: name, Known: true, Guess: "stands in `" + k.Attribute + "` only"})
		}
		if len(p.Funcs) > 0 && e.Attribute(name) != nil && e.Attribute(name).Type == model.TypeNumber {
			e.Attribute(name).Type, e.Attribute(name).Guess = model.TypeInteger, "it is padded"
		}
	}
}
