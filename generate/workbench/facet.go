package workbench

import (
	"encoding/base64"
	"slices"

	"github.com/dynmodel/dynmodel/generate/document/example"
	"github.com/dynmodel/dynmodel/generate/tree"
	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/encode"
	"github.com/dynmodel/dynmodel/model/plan"
	"github.com/dynmodel/dynmodel/model/value"
)

// named is an attribute of stored items with its type; None where items tell.
type named struct {
	name string
	kind value.Kind
}

// stored are the attributes of an entity's items beside the table's keys: its own,
// the keys of indexes, and the entity type.
func stored(m *model.Model, e *model.Entity) []named {
	var out []named
	seen := map[string]bool{}
	for _, k := range m.Table.Keys() {
		seen[k.Name] = true
	}
	add := func(name string, kind value.Kind) {
		if !seen[name] {
			seen[name] = true
			out = append(out, named{name, kind})
		}
	}
	for _, a := range e.Attributes {
		add(a.Name.Text, a.Type.Kind())
	}
	for _, x := range m.Table.Indexes {
		for _, k := range x.Keys() {
			if e.Key(k.Name) != nil {
				add(k.Name, k.Kind)
			}
		}
	}
	if m.Table.EntityType != "" {
		add(m.Table.EntityType, value.String)
	}
	return out
}

// declarations are the attributes of all entities, each once. One whose type is
// not declared has that of the first item with it.
func declarations(m *model.Model, world *example.World) tree.List {
	var out tree.List
	seen := map[string]bool{}
	for _, e := range m.Entities {
		for _, a := range stored(m, e) {
			if seen[a.name] {
				continue
			}
			seen[a.name] = true
			out = append(out, attribute(a.name, kindOf(a, world)))
		}
	}
	return out
}

func kindOf(a named, world *example.World) value.Kind {
	if a.kind != value.None {
		return a.kind
	}
	for _, item := range world.Items {
		if v, ok := item.Stored[a.name]; ok {
			return v.Kind()
		}
	}
	return value.String
}

// facets are the entities, with their items.
func facets(m *model.Model, world *example.World) tree.List {
	var out tree.List
	for _, e := range m.Entities {
		alias := tree.Map{{Key: "PartitionKeyAlias", Value: tree.Text(aliasOf(m.Table, e, m.Table.PartitionKey.Name))}}
		if m.Table.SortKey != nil {
			alias.Add("SortKeyAlias", tree.Text(aliasOf(m.Table, e, m.Table.SortKey.Name)))
		}
		var names []string
		for _, a := range stored(m, e) {
			names = append(names, a.name)
		}
		data := tree.List{}
		for _, item := range world.Items {
			if item.Entity == e && item.Guard == nil {
				data = append(data, itemOf(item.Stored))
			}
		}
		out = append(out, tree.Map{
			{Key: "FacetName", Value: tree.Text(e.Name.Text)},
			{Key: "KeyAttributeAlias", Value: alias},
			{Key: "TableData", Value: data},
			{Key: "NonKeyAttributes", Value: tree.Texts(names...)},
			{Key: "DataAccess", Value: tree.Map{{Key: "MySql", Value: tree.Map{}}}},
		})
	}
	return out
}

// aliasOf is the template of a table key, which is what a facet's alias is for.
func aliasOf(t *model.Table, e *model.Entity, key string) string {
	if k := e.Key(key); k != nil && k.Implied {
		return key
	}
	template, _ := encode.KeyTemplate(t, e, key)
	return template.Text
}

// itemOf is an item in DynamoDB's JSON, its attributes by name.
func itemOf(item plan.Stored) tree.Map {
	var out tree.Map
	for name, v := range item {
		out.Add(name, valueOf(v))
	}
	slices.SortFunc(out, func(a, b tree.Field) int {
		if a.Key < b.Key {
			return -1
		}
		return 1
	})
	return out
}

func valueOf(v value.Value) tree.Map {
	one := func(n tree.Node) tree.Map { return tree.Map{{Key: v.Kind().String(), Value: n}} }
	switch v.Kind() {
	case value.Bool:
		return one(tree.Bool(v.Truth()))
	case value.Null:
		return one(tree.Bool(true))
	case value.Binary:
		return one(tree.Text(base64.StdEncoding.EncodeToString([]byte(v.Text()))))
	case value.List:
		list := tree.List{}
		for _, item := range v.Items() {
			list = append(list, valueOf(item))
		}
		return one(list)
	case value.Map:
		fields := tree.Map{}
		for _, f := range v.Fields() {
			fields.Add(f.Name, valueOf(f.Value))
		}
		return one(fields)
	case value.StringSet, value.NumberSet:
		list := tree.List{}
		for _, item := range v.Items() {
			list = append(list, tree.Text(item.Text()))
		}
		return one(list)
	case value.BinarySet:
		list := tree.List{}
		for _, item := range v.Items() {
			list = append(list, tree.Text(base64.StdEncoding.EncodeToString([]byte(item.Text()))))
		}
		return one(list)
	}
	return one(tree.Text(v.Text()))
}
