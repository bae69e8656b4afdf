package infer

import (
	"slices"
	"strings"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/format"
	"github.com/dynmodel/dynmodel/model/importer/draft"
)

// proposed are the access patterns that the keys are good for, where none are
// stated: each entity created and read by its key, and queries by the partition
// key of the table and of each index.
func (in *inference) proposed() []*draft.Pattern {
	used := names{}
	var out []*draft.Pattern
	add := func(p *draft.Pattern, name, why string) {
		if slices.ContainsFunc(out, func(o *draft.Pattern) bool { return slices.Equal(o.Fields, p.Fields) }) {
			return // another index answers it, too
		}
		p.Name, p.Guess = used.unused(kebab(name), "-"), why
		out = append(out, p)
	}
	for _, e := range in.Entities {
		create, get := &draft.Pattern{}, &draft.Pattern{}
		create.Add("create", e.Name)
		add(create, "create "+e.Name, "proposed")
		if in.addressable(e) {
			get.Add("get", e.Name)
			add(get, e.Name+" by key", "proposed")
		}
	}
	for _, e := range in.Entities {
		if p := in.byPartition(e, "", in.Table.Keys()); p != nil && len(in.keys) > 1 {
			add(p, plural(kebab(e.Name))+" of "+in.partitionName(e, in.keys[0]), "proposed from the keys of the table")
		}
	}
	for _, x := range in.Table.Indexes {
		if x.Local {
			continue // what its partitions hold, the table's do
		}
		for _, e := range in.Entities {
			if p := in.byPartition(e, x.Name.Text, x.Keys()); p != nil {
				add(p, plural(kebab(e.Name))+" by "+in.indexWords(e, x), "proposed from the keys of "+x.Name.Text)
			}
		}
	}
	return out
}

// addressable tells whether an item can be read by its key: no part is drawn.
func (in *inference) addressable(e *draft.Entity) bool {
	for _, key := range in.keys {
		if k := e.Key(key); k != nil {
			for _, p := range k.Parts {
				if p.Random > 0 {
					return false
				}
			}
		}
	}
	return true
}

// byPartition is a query for the items of an entity under one partition key; nil
// where the key takes functions that no single value goes through, where every
// item has one of its own, or where the entity is not in the index.
func (in *inference) byPartition(e *draft.Entity, index string, keys []model.KeyAttribute) *draft.Pattern {
	for _, k := range keys {
		own := e.Key(k.Name)
		if own == nil || own.Parts == nil {
			if e.Attribute(k.Name) == nil {
				return nil
			}
			continue
		}
		for _, p := range own.Parts {
			period := len(p.Funcs) == 1 && p.Funcs[0].Name.IsPeriod() && timed(e, p.Attribute)
			if len(p.Funcs) > 0 && k.Name == keys[0].Name && !period || p.Random > 0 {
				return nil
			}
		}
	}
	if index == "" && len(in.keys) > 1 && in.sortAddsNothing(e) {
		return nil
	}
	p, reason := in.query(&draft.Request{Index: index, Entity: e.Name})
	if reason != "" {
		return nil
	}
	if x := in.Table.Index(index); x != nil && x.Projection.Type != model.ProjectAll {
		held := in.projected(e, x)
		if len(held) == 0 {
			return nil
		}
		p.Add("select", "["+strings.Join(held, ", ")+"]")
	}
	return p
}

// projected are the attributes of an entity that an index holds: those listed, and
// key attributes that are its own.
func (in *inference) projected(e *draft.Entity, x *model.Index) []string {
	var out []string
	for _, a := range e.Attributes {
		listed := slices.ContainsFunc(x.Projection.Attributes, func(p model.Name) bool { return p.Text == a.Name })
		key := slices.ContainsFunc(append(in.Table.Keys(), x.Keys()...), func(k model.KeyAttribute) bool { return k.Name == a.Name })
		if listed || key {
			out = append(out, format.Scalar(a.Name))
		}
	}
	return out
}

// timed tells whether an attribute is a point in time, of which a range can be asked for.
func timed(e *draft.Entity, attribute string) bool {
	a := e.Attribute(attribute)
	return a != nil && a.Type.IsTime()
}

// sortAddsNothing tells whether the partition key alone identifies an item.
func (in *inference) sortAddsNothing(e *draft.Entity) bool {
	inPartition := in.inKey(e, in.keys[0])
	for _, name := range in.inKey(e, in.keys[1]) {
		if !slices.Contains(inPartition, name) {
			return false
		}
	}
	return true
}

// partitionName says in words what a partition stands for.
func (in *inference) partitionName(e *draft.Entity, key string) string {
	if names := in.inKey(e, key); len(names) > 0 {
		return strings.Join(names, " ")
	}
	if k := e.Key(key); k != nil {
		return constantWord(k.Parts)
	}
	return key
}

func (in *inference) indexWords(e *draft.Entity, x *model.Index) string {
	if words := in.inKey(e, x.PartitionKey[0].Name); len(words) > 0 {
		return strings.Join(words, " ")
	}
	return x.Name.Text
}
