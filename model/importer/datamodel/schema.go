package datamodel

import (
	"fmt"
	"slices"
	"strings"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/expr"
	"github.com/dynmodel/dynmodel/model/importer/draft"
	"github.com/dynmodel/dynmodel/model/importer/infer"
	"github.com/dynmodel/dynmodel/model/source"
	"github.com/dynmodel/dynmodel/model/source/yamltree"
	"github.com/dynmodel/dynmodel/model/value"
)

// readSchemas reads the schema of AWS's code generator: entities with templates
// and fields, and patterns with parameters. Sample data comes from a companion.
func readSchemas(root *yamltree.Node, tables []*yamltree.Node, samples *yamltree.Node, notes *draft.Notes) []*draft.Draft {
	var drafts []*draft.Draft
	ids := map[string]bool{}
	for _, t := range tables {
		s := &schemaReader{Draft: &draft.Draft{Format: "an AWS schema"}, ids: ids, samples: samples}
		s.table(t)
		drafts = append(drafts, s.Draft)
	}
	for _, p := range notes.List(root, "cross_table_access_patterns") {
		crossTable(drafts, p, notes)
	}
	return drafts
}

// schemaReader reads one table.
type schemaReader struct {
	*draft.Draft
	ids     map[string]bool // of patterns, over all tables
	samples *yamltree.Node
	kinds   map[string]value.Kind // of key attributes that are fields
}

func (s *schemaReader) table(n *yamltree.Node) {
	config := s.Object(n, "table_config")
	entities := s.Object(n, "entities")
	t := &s.Table
	t.At, t.Name = n.At, model.Name{Text: s.Scalar(config, "table_name"), At: n.At}
	t.Capacity = model.Capacity{OnDemand: true}
	s.kinds = s.fieldKinds(entities)
	if name := s.Scalar(config, "partition_key"); name != "" {
		t.PartitionKey = keyOf(name, s.kinds, config)
	}
	if name := s.Scalar(config, "sort_key"); name != "" {
		key := keyOf(name, s.kinds, config)
		t.SortKey = &key
	}
	s.Complete(n.At)
	for _, x := range s.List(n, "gsi_list") {
		index := &model.Index{At: x.At, Name: model.Name{Text: s.Scalar(x, "name"), At: x.At}}
		index.PartitionKey, index.SortKey = keysOf(s.Draft, x, "partition_key", s.kinds), keysOf(s.Draft, x, "sort_key", s.kinds)
		setProjection(s.Draft, index, s.Scalar(x, "projection"), x, "included_attributes")
		s.AddIndex(index)
	}
	if entities == nil {
		return
	}
	for _, e := range entities.Entries {
		s.entity(e)
	}
	s.numberKeys()
	for _, e := range s.Entities {
		s.sample(e)
	}
	for _, e := range entities.Entries {
		for _, p := range s.List(e.Value, "access_patterns") {
			s.pattern(e.Key.Text, p)
		}
	}
}

// fieldKinds are the types of fields that are numbers in all entities that have
// them: a key attribute of such a name is a number.
func (s *schemaReader) fieldKinds(entities *yamltree.Node) map[string]value.Kind {
	kinds := map[string]value.Kind{}
	if entities == nil {
		return kinds
	}
	for _, e := range entities.Entries {
		for _, f := range s.List(e.Value, "fields") {
			if kind, ok := kindOf(s.Scalar(f, "type")); ok {
				kinds[s.Scalar(f, "name")] = kind
			}
		}
	}
	return kinds
}

func (s *schemaReader) entity(entry *yamltree.Entry) {
	n := entry.Value
	e := &draft.Entity{At: entry.Key.At, Name: entry.Key.Text, Type: s.Scalar(n, "entity_type")}
	for _, f := range s.List(n, "fields") {
		s.field(e, f)
	}
	s.key(e, s.Table.PartitionKey.Name, n, "pk_template")
	if s.Table.SortKey != nil {
		s.key(e, s.Table.SortKey.Name, n, "sk_template")
	} else if s.Scalar(n, "sk_template") != "" {
		s.Faultf(n.Get("sk_template").At, "%s has a template for the sort key, and the table has no sort key", e.Name)
	}
	for _, m := range s.List(n, "gsi_mappings") {
		s.mapping(e, m)
	}
	s.Entities = append(s.Entities, e)
}

func (s *schemaReader) field(e *draft.Entity, n *yamltree.Node) {
	name, word := s.Scalar(n, "name"), s.Scalar(n, "type")
	if name == "" {
		s.Faultf(n.At, "a field of %s has no name; it is left out", e.Name)
		return
	}
	if e.Attribute(name) != nil {
		s.Faultf(n.At, "%s has the field `%s` twice; the later one is left out", e.Name, name)
		return
	}
	a := &draft.Attribute{At: n.At, Name: name, Type: typeOf(word), Known: true, Optional: !s.True(n, "required"), Description: s.Scalar(n, "description")}
	if a.Type == "" {
		s.Faultf(n.At, "the field `%s` of %s has the type `%s`, which there is not; it is taken for a string", name, e.Name, word)
		a.Type = model.TypeString
	}
	if item := typeOf(s.Scalar(n, "item_type")); item != "" && a.Type == model.TypeList {
		a.Items = &draft.Attribute{Type: item}
	}
	e.Attributes = append(e.Attributes, a)
}

// numberKeys makes numbers of the key attributes that are a number in every
// entity: a template of one attribute alone keeps its type.
func (s *schemaReader) numberKeys() {
	set := func(k *model.KeyAttribute) {
		kinds := map[value.Kind]bool{}
		for _, e := range s.Entities {
			own := e.Key(k.Name)
			switch {
			case own == nil:
			case len(own.Parts) == 1 && own.Parts[0].Attribute != "" && len(own.Parts[0].Funcs) == 0:
				if a := e.Attribute(own.Parts[0].Attribute); a != nil {
					kinds[a.Type.Kind()] = true
				}
			default:
				kinds[value.String] = true
			}
		}
		if len(kinds) == 1 && kinds[value.Number] {
			k.Kind = value.Number
		}
	}
	set(&s.Table.PartitionKey)
	if s.Table.SortKey != nil {
		set(s.Table.SortKey)
	}
	for _, x := range s.Table.Indexes {
		for i := range x.PartitionKey {
			set(&x.PartitionKey[i])
		}
		for i := range x.SortKey {
			set(&x.SortKey[i])
		}
	}
}

// mapping reads the templates of one index.
func (s *schemaReader) mapping(e *draft.Entity, n *yamltree.Node) {
	x := s.Table.Index(s.Scalar(n, "name"))
	if x == nil {
		s.Faultf(n.At, "%s has templates for the index `%s`, which there is not", e.Name, s.Scalar(n, "name"))
		return
	}
	for _, part := range []struct {
		key  string
		keys []model.KeyAttribute
	}{{"pk_template", x.PartitionKey}, {"sk_template", x.SortKey}} {
		v := n.Get(part.key)
		switch {
		case v == nil || v.Kind == yamltree.Null:
		case v.Kind == yamltree.Sequence:
			for i, item := range v.Items {
				if i < len(part.keys) {
					s.template(e, part.keys[i].Name, item)
				}
			}
		case len(part.keys) == 1:
			s.template(e, part.keys[0].Name, v)
		case len(part.keys) == 0:
			s.Faultf(v.At, "%s has a `%s` for the index `%s`, which has no such key", e.Name, part.key, x.Name.Text)
		default:
			s.Faultf(v.At, "the index `%s` has %d key attributes there, and %s one template", x.Name.Text, len(part.keys), e.Name)
		}
	}
}

func (s *schemaReader) key(e *draft.Entity, attribute string, n *yamltree.Node, key string) {
	if v := n.Get(key); v != nil && v.Kind == yamltree.Scalar {
		s.template(e, attribute, v)
	}
}

// template reads a template, which are written as ours are. Attributes in it that
// are no fields are added to the entity.
func (s *schemaReader) template(e *draft.Entity, attribute string, n *yamltree.Node) {
	if e.Key(attribute) != nil {
		return // a key that two indexes share
	}
	parts, err := draft.ParseTemplate(n.Text)
	if err != nil || len(parts) == 0 {
		s.Faultf(n.At, "the template `%s` cannot be read", n.Text)
		return
	}
	k := &draft.Key{At: n.At, Attribute: attribute, Parts: parts}
	for _, p := range parts {
		top, _, _ := strings.Cut(p.Attribute, ".")
		if top != "" && e.Attribute(top) == nil {
			s.Faultf(n.At, "the template `%s` names `%s`, which is no field of %s; it is added", n.Text, top, e.Name)
			e.Attributes = append(e.Attributes, &draft.Attribute{At: n.At, Name: top, Known: true, Guess: "stands in `" + attribute + "` only"})
		}
	}
	own := e.Attribute(attribute)
	if own != nil && len(k.Parts) == 1 && k.Parts[0].Attribute == attribute {
		return // the key attribute is the entity's own attribute
	}
	if own != nil {
		s.Faultf(n.At, "`%s` is a field of %s and the key that `%s` makes; the field is left out", attribute, e.Name, n.Text)
		e.Attributes = slices.DeleteFunc(e.Attributes, func(a *draft.Attribute) bool { return a == own })
	}
	e.Keys = append(e.Keys, k)
}

// pattern reads a pattern of an entity.
func (s *schemaReader) pattern(entity string, n *yamltree.Node) {
	id := s.Scalar(n, "pattern_id")
	if s.ids[id] {
		s.Faultf(n.At, "two access patterns have the number %s", id)
	}
	s.ids[id] = true
	r := &draft.Request{
		At: n.At, Name: s.Scalar(n, "name"), Description: s.Scalar(n, "description"), Operation: s.Scalar(n, "operation"),
		Index: s.Scalar(n, "index_name"), Entity: entity, Range: s.Scalar(n, "range_condition"), Consistent: s.True(n, "consistent_read"),
	}
	if r.Name == "" {
		r.Name = patternName(id, r.Description)
	}
	switch kind := s.Scalar(n, "return_type"); kind {
	case "mixed_data":
		r.Mixed = true
	case "", "single_entity", "entity_list", "success_flag", "void":
	default:
		s.Faultf(n.At, "the access pattern `%s` returns `%s`, which there is not", r.Name, kind)
	}
	for _, q := range s.List(n, "parameters") {
		s.parameter(r, q)
	}
	if f := s.Object(n, "filter_expression"); f != nil {
		r.Where = append(r.Where, s.filter(f)...)
	}
	s.Requests = append(s.Requests, r)
}

func (s *schemaReader) parameter(r *draft.Request, n *yamltree.Node) {
	q := draft.Parameter{Name: s.Scalar(n, "name"), Entity: s.Scalar(n, "entity_type")}
	if s.Scalar(n, "type") == "entity" {
		switch {
		case q.Entity == "":
			s.Faultf(n.At, "the parameter `%s` of `%s` is an entity, and nothing says which", q.Name, r.Name)
			q.Entity = r.Entity
		case s.Entity(q.Entity) == nil:
			s.Faultf(n.At, "the parameter `%s` of `%s` is of the entity `%s`, which is not in this table", q.Name, r.Name, q.Entity)
		}
	}
	r.Parameters = append(r.Parameters, q)
}

// filter reads a filter expression into conditions of the language.
func (s *schemaReader) filter(n *yamltree.Node) []string {
	var out []string
	for _, c := range s.List(n, "conditions") {
		if text := s.condition(c); text != "" {
			out = append(out, text)
		} else {
			s.Lostf(c.At, "a condition of a filter is not carried over")
		}
	}
	if strings.EqualFold(s.Scalar(n, "logical_operator"), "OR") && len(out) > 1 {
		return []string{"(" + strings.Join(out, " OR ") + ")"}
	}
	return out
}

func (s *schemaReader) condition(n *yamltree.Node) string {
	field := expr.Name(s.Scalar(n, "field"))
	param, param2 := s.Scalar(n, "param"), s.Scalar(n, "param2")
	switch f := strings.ToLower(s.Scalar(n, "function")); f {
	case "attribute_exists", "attribute_not_exists":
		return fmt.Sprintf("%s(%s)", f, field)
	case "contains", "begins_with":
		return fmt.Sprintf("%s(%s, $%s)", f, field, param)
	case "size":
		return fmt.Sprintf("size(%s) %s $%s", field, s.Scalar(n, "operator"), param)
	}
	switch op := strings.ToUpper(s.Scalar(n, "operator")); op {
	case "=", "<>", "<", "<=", ">", ">=":
		return fmt.Sprintf("%s %s $%s", field, op, param)
	case "BETWEEN":
		return fmt.Sprintf("%s BETWEEN $%s AND $%s", field, param, param2)
	case "IN":
		var list []string
		for _, p := range s.List(n, "params") {
			list = append(list, "$"+p.Text)
		}
		return fmt.Sprintf("%s IN (%s)", field, strings.Join(list, ", "))
	}
	return ""
}

// readUsage reads the companion with sample data; nil when there is none.
func readUsage(file *source.File, notes *draft.Notes) (*yamltree.Node, error) {
	if file == nil {
		return nil, nil
	}
	root, err := draft.ReadJSON(file, notes)
	if err != nil {
		return nil, err
	}
	return notes.Object(root, "entities"), nil
}

// sample makes items of an entity's sample data, with the keys that its templates
// make of it.
func (s *schemaReader) sample(e *draft.Entity) {
	n := s.samples.Get(e.Name)
	if n == nil {
		return
	}
	for _, key := range []string{"sample_data", "access_pattern_data"} {
		data := s.Object(n, key)
		if data == nil {
			continue
		}
		item := &draft.Item{At: data.At, Values: map[string]value.Value{}}
		for _, f := range data.Entries {
			a := e.Attribute(f.Key.Text)
			if a == nil {
				s.Faultf(f.Key.At, "the sample has `%s`, which is no field of %s; it is left out", f.Key.Text, e.Name)
				continue
			}
			if v, ok := s.PlainValue(f.Key.Text, f.Value); ok && v.Kind() != value.Null {
				item.Values[f.Key.Text] = v
			}
		}
		if infer.MakeKeys(e, item, s.Table.Keys()) {
			e.Items = append(e.Items, item)
		} else {
			s.Faultf(data.At, "the sample lacks an attribute of the keys of %s; it is left out", e.Name)
		}
	}
}

// crossTable reads a transaction, where all of it is in one table.
func crossTable(drafts []*draft.Draft, n *yamltree.Node, notes *draft.Notes) {
	r := &draft.Request{At: n.At, Name: notes.Scalar(n, "name"), Description: notes.Scalar(n, "description"), Operation: notes.Scalar(n, "operation")}
	var of *draft.Draft
	for _, step := range notes.List(n, "entities_involved") {
		d := draftOf(drafts, notes.Scalar(step, "table"))
		switch {
		case d == nil:
			notes.Faultf(step.At, "`%s` involves the table `%s`, which is not here", r.Name, notes.Scalar(step, "table"))
			return
		case of != nil && d != of:
			of.Lostf(n.At, "the transaction `%s` goes over several tables, and a model is of one", r.Name)
			return
		}
		of = d
		r.Steps = append(r.Steps, stepOf(d, step))
	}
	if of != nil {
		of.Requests = append(of.Requests, r)
	}
}

func stepOf(d *draft.Draft, n *yamltree.Node) draft.Step {
	s := draft.Step{At: n.At, Entity: d.Scalar(n, "entity")}
	condition := d.Scalar(n, "condition")
	switch d.Scalar(n, "action") {
	case "Put":
		s.Operation = model.Put
		if strings.HasPrefix(condition, "attribute_not_exists(") {
			s.Operation = model.Create
		}
	case "Delete":
		s.Operation = model.Delete
	case "Update":
		s.Operation = model.UpdateItem
	case "Get":
		s.Operation = model.Get
	default:
		s.Operation = model.Check
	}
	return s
}
