package datamodel

import (
	"strconv"
	"strings"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/importer/draft"
	"github.com/dynmodel/dynmodel/model/source/yamltree"
	"github.com/dynmodel/dynmodel/model/value"
)

// readEstimates reads tables as they are described for a cost estimate: entities
// with sizes and numbers, and patterns with rates.
func readEstimates(root *yamltree.Node, tables []*yamltree.Node, notes *draft.Notes) []*draft.Draft {
	var drafts []*draft.Draft
	for _, t := range tables {
		drafts = append(drafts, estimateOf(t))
	}
	for _, p := range notes.List(root, "access_patterns") {
		rated(drafts, p, notes)
	}
	return drafts
}

func estimateOf(n *yamltree.Node) *draft.Draft {
	d := &draft.Draft{Format: "an AWS data model"}
	t := &d.Table
	t.At, t.Name = n.At, model.Name{Text: d.Scalar(n, "table_name"), At: n.At}
	t.Capacity = model.Capacity{OnDemand: true}
	kinds := map[string]value.Kind{}
	for _, a := range d.List(n, "attribute_definitions") {
		kinds[d.Scalar(a, "attribute_name")], _ = kindOf(d.Scalar(a, "attribute_type"))
	}
	if schema := d.Object(n, "key_schema"); schema != nil {
		t.PartitionKey = keyOf(d.Scalar(schema, "partition_key"), kinds, schema)
		if name := d.Scalar(schema, "sort_key"); name != "" {
			key := keyOf(name, kinds, schema)
			t.SortKey = &key
		}
	}
	d.Complete(n.At)
	if strings.Contains(strings.ToUpper(d.Scalar(n, "table_class")), "INFREQUENT") {
		t.Class = "infrequent_access"
	}
	for _, x := range d.List(n, "gsis") {
		estimatedIndex(d, x, kinds)
	}
	if list := d.List(n, "vector_indexes"); len(list) > 0 {
		d.Lostf(list[0].At, "vector indexes are not in the language")
	}
	if g := n.Get("global_tables"); g != nil && g.Kind != yamltree.Null {
		d.Lostf(g.At, "the settings of global tables are not read; see `replicas`")
	}
	for _, e := range d.List(n, "entities") {
		d.Entities = append(d.Entities, estimatedEntity(d, e))
	}
	return d
}

func estimatedIndex(d *draft.Draft, n *yamltree.Node, kinds map[string]value.Kind) {
	x := &model.Index{At: n.At, Name: model.Name{Text: d.Scalar(n, "index_name"), At: n.At}}
	x.PartitionKey = keysOf(d, n, "partition_key", kinds)
	x.SortKey = keysOf(d, n, "sort_key", kinds)
	x.Projection.Type = model.ProjectAll
	projection := d.Object(n, "projection")
	setProjection(d, x, d.Scalar(projection, "type"), projection, "attributes")
	d.AddIndex(x)
}

// keysOf reads one name, or a list of names.
func keysOf(d *draft.Draft, n *yamltree.Node, key string, kinds map[string]value.Kind) []model.KeyAttribute {
	v := n.Get(key)
	switch {
	case v == nil || v.Kind == yamltree.Null:
		return nil
	case v.Kind == yamltree.Sequence:
		var out []model.KeyAttribute
		for _, item := range v.Items {
			out = append(out, keyOf(item.Text, kinds, item))
		}
		return out
	}
	name := d.Scalar(n, key)
	if name == "" {
		return nil
	}
	return []model.KeyAttribute{keyOf(name, kinds, v)}
}

func setProjection(d *draft.Draft, x *model.Index, word string, n *yamltree.Node, list string) {
	x.Projection.Type = model.ProjectAll
	switch strings.ToUpper(word) {
	case "KEYS_ONLY":
		x.Projection.Type = model.ProjectKeysOnly
	case "INCLUDE":
		x.Projection.Type = model.ProjectInclude
		for _, a := range d.List(n, list) {
			x.Projection.Attributes = append(x.Projection.Attributes, model.Name{Text: a.Text, At: a.At})
		}
	}
}

func estimatedEntity(d *draft.Draft, n *yamltree.Node) *draft.Entity {
	e := &draft.Entity{
		At: n.At, Name: d.Scalar(n, "entity_name"),
		Size: d.Number(n, "estimated_item_size_bytes"), Count: d.Number(n, "estimated_item_count"),
	}
	for _, a := range d.List(n, "attributes") {
		name := d.Scalar(a, "name")
		if name == "" || e.Attribute(name) != nil {
			d.Faultf(a.At, "an attribute of %s has no name, or one that stands there already; it is left out", e.Name)
			continue
		}
		e.Attributes = append(e.Attributes, &draft.Attribute{At: a.At, Name: name, Type: typeOf(d.Scalar(a, "type")), Known: true})
	}
	return e
}

// typeOf is the language's type for a word of DynamoDB or of a schema; "" when
// it has none.
func typeOf(word string) model.Type {
	switch strings.ToLower(word) {
	case "s", "string":
		return model.TypeString
	case "n", "number", "decimal", "float":
		return model.TypeNumber
	case "integer", "int":
		return model.TypeInteger
	case "uuid":
		return model.TypeUUID
	case "bool", "boolean":
		return model.TypeBoolean
	case "b", "binary":
		return model.TypeBinary
	case "l", "list", "array":
		return model.TypeList
	case "m", "map", "object":
		return model.TypeMap
	case "ss":
		return model.TypeStringSet
	case "ns":
		return model.TypeNumberSet
	case "bs":
		return model.TypeBinarySet
	}
	return ""
}

// rated reads a pattern with its rates.
func rated(drafts []*draft.Draft, n *yamltree.Node, notes *draft.Notes) {
	description := notes.Scalar(n, "description")
	id := notes.Scalar(n, "pattern_id")
	r := &draft.Request{
		At: n.At, Name: patternName(id, description), Description: description, Operation: notes.Scalar(n, "operation"),
		Index: index(notes, n, "index"), Rate: perSecond(notes.Scalar(n, "avg_rps")), Peak: perSecond(notes.Scalar(n, "peak_rps")),
		Consistent: notes.Scalar(n, "consistency") == "strong",
	}
	table := notes.Scalar(n, "table")
	d := draftOf(drafts, table)
	if d == nil {
		notes.Faultf(n.At, "the access pattern `%s` is of the table `%s`, which is not here", r.Name, table)
		return
	}
	if written := notes.List(n, "entities_written"); len(written) == 1 {
		r.Entity = written[0].Text
	} else if len(d.Entities) == 1 {
		r.Entity = d.Entities[0].Name
	}
	if attributes := notes.List(n, "attributes_written"); r.Operation == "UpdateItem" && len(attributes) > 0 {
		for _, a := range attributes {
			r.Parameters = append(r.Parameters, draft.Parameter{Name: a.Text})
		}
	}
	d.Requests = append(d.Requests, r)
}

// perSecond is a rate in the language; "" for none.
func perSecond(text string) string {
	if f, err := strconv.ParseFloat(text, 64); err != nil || f <= 0 || f > 1e12 {
		return ""
	}
	return text + "/s"
}
