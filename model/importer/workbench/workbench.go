// Package workbench reads the models of NoSQL Workbench for DynamoDB, versions
// 1.0 to 3.0: tables, indexes, facets with their items, and the entity schemas
// and queries that the browser modeler adds.
package workbench

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/importer/draft"
	"github.com/dynmodel/dynmodel/model/source"
	"github.com/dynmodel/dynmodel/model/source/yamltree"
	"github.com/dynmodel/dynmodel/model/value"
)

// Read reads a model: a draft for each of its tables. The error says that the
// file is none.
func Read(file *source.File) ([]*draft.Draft, error) {
	var notes draft.Notes
	root, err := draft.ReadJSON(file, &notes)
	if err != nil {
		return nil, err
	}
	if !Recognised(root) {
		return nil, fmt.Errorf("%s: no NoSQL Workbench model: there is no list `DataModel` at its top", file.Name())
	}
	r := &reader{root: root, metadata: notes.Object(root, "ModelMetadata")}
	var drafts []*draft.Draft
	names := map[string]bool{}
	for _, n := range notes.List(root, "DataModel") {
		if n.Kind != yamltree.Mapping {
			notes.Faultf(n.At, "a table is an object, not %s; it is left out", n.Describe())
			continue
		}
		d := r.table(n)
		if names[d.Table.Name.Text] {
			d.Faultf(n.At, "two tables are named `%s`", d.Table.Name.Text)
		}
		names[d.Table.Name.Text] = true
		drafts = append(drafts, d)
	}
	if len(drafts) == 0 {
		return nil, errors.New(file.Name() + ": the list `DataModel` has no table")
	}
	drafts[0].Join(&notes)
	if len(drafts) == 1 {
		own(drafts[0], root)
	}
	return drafts, nil
}

// Recognised tells whether a document is a model of NoSQL Workbench.
func Recognised(root *yamltree.Node) bool {
	n := root.Get("DataModel")
	return n != nil && n.Kind == yamltree.Sequence
}

type reader struct {
	root, metadata *yamltree.Node
}

func (r *reader) table(n *yamltree.Node) *draft.Draft {
	d := &draft.Draft{Format: "NoSQL Workbench"}
	if v := d.Scalar(r.metadata, "Version"); v != "" {
		d.Format += " " + v
	}
	d.Description = d.Scalar(r.metadata, "Description")
	d.Table.At = n.At
	d.Table.Name = model.Name{Text: d.Scalar(n, "TableName"), At: n.At}
	d.Table.PartitionKey, d.Table.SortKey = keyAttributes(d, n)
	for _, x := range d.List(n, "GlobalSecondaryIndexes") {
		d.AddIndex(indexOf(d, x))
	}
	capacity(d, n)
	d.Complete(n.At)
	declared := declarations(d, n)
	for _, f := range d.List(n, "TableFacets") {
		facet(d, f, declared)
	}
	items := d.List(n, "TableData")
	for _, item := range items {
		if item.Kind == yamltree.Mapping {
			d.Items = append(d.Items, d.ReadItem(item))
		} else {
			d.Faultf(item.At, "an item is an object, not %s; it is left out", item.Describe())
		}
	}
	schema(d, r.schemaOf(n))
	savedQueries(d, n)
	return d
}

// schemaOf is the schema that the browser modeler keeps: with the table, or for
// a document of one table at its top.
func (r *reader) schemaOf(n *yamltree.Node) *yamltree.Node {
	if s := n.Get("ModelSchema"); s != nil {
		return s
	}
	if tables := r.root.Get("DataModel"); len(tables.Items) == 1 {
		return r.root.Get("ModelSchema")
	}
	return nil
}

// keyAttributes reads the KeyAttributes of a table or an index.
func keyAttributes(d *draft.Draft, n *yamltree.Node) (partition model.KeyAttribute, sort *model.KeyAttribute) {
	keys := d.Object(n, "KeyAttributes")
	partition = keyAttribute(d, d.Object(keys, "PartitionKey"))
	if k := keyAttribute(d, d.Object(keys, "SortKey")); k.Name != "" {
		sort = &k
	}
	return partition, sort
}

func keyAttribute(d *draft.Draft, n *yamltree.Node) model.KeyAttribute {
	if n == nil {
		return model.KeyAttribute{}
	}
	name := d.Scalar(n, "AttributeName")
	return model.KeyAttribute{At: n.At, Name: name, Kind: d.KeyKind(n, "AttributeType", name)}
}

func indexOf(d *draft.Draft, n *yamltree.Node) *model.Index {
	x := &model.Index{At: n.At, Name: model.Name{Text: d.Scalar(n, "IndexName"), At: n.At}, Projection: d.Projection(n)}
	partition, sort := keyAttributes(d, n)
	if partition.Name != "" {
		x.PartitionKey = []model.KeyAttribute{partition}
	}
	if sort != nil {
		x.SortKey = []model.KeyAttribute{*sort}
	}
	return x
}

// capacity reads the capacity mode; without one the model says nothing about it,
// and on demand is what new tables have.
func capacity(d *draft.Draft, n *yamltree.Node) {
	d.Table.Capacity = model.Capacity{OnDemand: true}
	settings := d.Object(n, "ProvisionedCapacitySettings")
	if d.Scalar(n, "BillingMode") != "PROVISIONED" || settings == nil {
		return
	}
	p := d.Object(settings, "ProvisionedThroughput")
	c := model.Capacity{Read: d.Number(p, "ReadCapacityUnits"), Write: d.Number(p, "WriteCapacityUnits")}
	if c.Read <= 0 || c.Write <= 0 {
		return
	}
	if scaling := d.Object(settings, "AutoScalingRead"); scaling != nil {
		target := d.Object(scaling, "ScalableTargetRequest")
		s := &model.AutoScaling{
			Min:    d.Number(target, "MinCapacity"),
			Max:    d.Number(target, "MaxCapacity"),
			Target: d.Number(d.Object(scaling, "ScalingPolicyConfiguration"), "TargetValue"),
		}
		if s.Min > 0 && s.Max >= s.Min && s.Target > 0 {
			c.AutoScaling = s
		}
	}
	d.Table.Capacity = c
}

// declaration is an attribute as NonKeyAttributes declare it.
type declaration struct {
	at   source.Span
	kind value.Kind
}

var kinds = map[string]value.Kind{
	"S": value.String, "N": value.Number, "B": value.Binary, "BOOL": value.Bool, "L": value.List, "M": value.Map,
	"SS": value.StringSet, "NS": value.NumberSet, "BS": value.BinarySet, "NULL": value.Null,
}

// declarations are the attributes that a table declares, by name.
func declarations(d *draft.Draft, n *yamltree.Node) map[string]declaration {
	out := map[string]declaration{}
	for _, a := range d.List(n, "NonKeyAttributes") {
		name, letter := d.Scalar(a, "AttributeName"), d.Scalar(a, "AttributeType")
		kind, known := kinds[letter]
		if !known {
			d.Faultf(a.At, "the attribute `%s` has the type `%s`, which DynamoDB has not", name, letter)
		}
		if _, twice := out[name]; twice {
			d.Faultf(a.At, "the attribute `%s` is declared twice", name)
			continue
		}
		out[name] = declaration{a.At, kind}
	}
	return out
}

// facet reads a facet: an entity, its keys said roughly by aliases, with items.
func facet(d *draft.Draft, n *yamltree.Node, declared map[string]declaration) {
	e := &draft.Entity{At: n.At, Name: d.Scalar(n, "FacetName")}
	if e.Name == "" {
		d.Faultf(n.At, "a facet has no name")
	}
	alias := d.Object(n, "KeyAttributeAlias")
	for _, item := range d.List(n, "TableData") {
		if item.Kind == yamltree.Mapping {
			e.Items = append(e.Items, d.ReadItem(item))
		}
	}
	for _, a := range d.List(n, "NonKeyAttributes") {
		declare(d, e, a, declared)
	}
	add := func(key, attribute string) {
		if text := d.Scalar(alias, key); text != "" {
			e.Keys = append(e.Keys, keyOf(d.List(n, "NonKeyAttributes"), alias.Get(key).At, attribute, text))
		}
	}
	add("PartitionKeyAlias", d.Table.PartitionKey.Name)
	if d.Table.SortKey != nil {
		add("SortKeyAlias", d.Table.SortKey.Name)
	}
	d.Entities = append(d.Entities, e)
}

// keyOf is a key with its alias; with its template, where the alias is one of the
// language over attributes that the facet has.
func keyOf(attributes []*yamltree.Node, at source.Span, attribute, alias string) *draft.Key {
	k := &draft.Key{At: at, Attribute: attribute, Alias: alias}
	parts, problem := draft.ParseTemplate(alias)
	known := problem == nil && strings.Contains(alias, "{") && !slices.ContainsFunc(parts, func(p draft.Part) bool {
		top, _, _ := strings.Cut(p.Attribute, ".")
		return p.Attribute != "" && !slices.ContainsFunc(attributes, func(a *yamltree.Node) bool { return a.Text == top })
	})
	if known {
		k.Alias, k.Parts = "", parts
	}
	return k
}

// declare adds an attribute of a facet, unless it is a key of an index, which
// templates may make, or no item of the facet has it while items are there.
func declare(d *draft.Draft, e *draft.Entity, a *yamltree.Node, declared map[string]declaration) {
	if e.Attribute(a.Text) != nil {
		d.Faultf(a.At, "the attribute `%s` stands twice in the facet `%s`", a.Text, e.Name)
		return
	}
	if isKey(d, a.Text) {
		return
	}
	decl, known := declared[a.Text]
	if !known {
		d.Faultf(a.At, "the facet `%s` has the attribute `%s`, which the table does not declare", e.Name, a.Text)
	}
	used := slices.ContainsFunc(e.Items, func(i *draft.Item) bool { return i.Values[a.Text].Exists() })
	e.Attributes = append(e.Attributes, &draft.Attribute{
		At: a.At, Name: a.Text, Type: typeOf(decl.kind), Known: len(e.Items) == 0, Optional: len(e.Items) > 0 && !used,
	})
}

func isKey(d *draft.Draft, name string) bool {
	for _, x := range d.Table.Indexes {
		if slices.ContainsFunc(x.Keys(), func(k model.KeyAttribute) bool { return k.Name == name }) {
			return true
		}
	}
	return slices.ContainsFunc(d.Table.Keys(), func(k model.KeyAttribute) bool { return k.Name == name })
}

// typeOf is DynamoDB's own type of a kind; "" when it is not known.
func typeOf(k value.Kind) model.Type {
	if k == value.None || k == value.Null {
		return ""
	}
	for _, t := range model.Types() {
		if t.Kind() == k && !strings.ContainsAny(string(t), "0123456789") {
			return t
		}
	}
	return ""
}
