// Package example holds a model's table with a few items in it, as a person
// would see them in a console, and what a call of each access pattern reads of
// them. The items are the model's samples; entities without any get one or two
// that are made up to be read, not to break anything.
//
// It runs the plan's own requests on the items as DynamoDB would, so that a
// reader can trust what a page shows: the tests hold it against the engine.
package example

import (
	"cmp"
	"slices"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/data"
	"github.com/dynmodel/dynmodel/model/encode"
	"github.com/dynmodel/dynmodel/model/plan"
	"github.com/dynmodel/dynmodel/model/value"
)

// Item is an item of the example, as it is stored.
type Item struct {
	Entity *model.Entity
	// Guard is the unique rule that the item keeps for one of Entity; nil for
	// an item of Entity itself.
	Guard  *model.Unique
	Stored plan.Stored
}

// World is a table with a few items in it.
type World struct {
	// Items have no key in common. Their numbers are their places here.
	Items []Item
	// Made are the entities of which items are made up, for lack of samples.
	Made []*model.Entity

	model     *model.Model
	generator *data.Generator
	data      *data.World
	// partitions are those of the table (nil) and of each index.
	partitions map[*model.Index][]Partition
}

// casesMost bounds the calls among which the one to show is chosen.
const casesMost = 16

// New makes the example of a model.
func New(m *model.Model) *World {
	w := &World{model: m, generator: data.New(m, data.Options{Cases: casesMost, Items: 24})}
	w.data = w.generator.Samples()
	w.fill()
	var kept []model.Instance
	for _, i := range w.data.Instances {
		if w.store(i) {
			kept = append(kept, i)
		}
	}
	w.data.Instances = kept
	w.partitions = map[*model.Index][]Partition{nil: w.gather(nil)}
	for _, x := range m.Table.Indexes {
		w.partitions[x] = w.gather(x)
	}
	return w
}

// store adds an instance's item and its guards; false when it cannot be stored
// or its key is taken.
func (w *World) store(i model.Instance) bool {
	stored, err := encode.Item(w.model, i.Entity, i.Item, nil)
	if err != nil || w.at(stored) >= 0 {
		return false
	}
	guards, err := encode.Guards(w.model, i.Entity, i.Item)
	if err != nil {
		return false
	}
	w.Items = append(w.Items, Item{Entity: i.Entity, Stored: stored})
	for _, g := range guards {
		if w.at(g.Key) < 0 {
			w.Items = append(w.Items, Item{Entity: i.Entity, Guard: g.Unique, Stored: g.Key})
		}
	}
	return true
}

// at is the number of the item with the table key of the given one, -1 for none.
func (w *World) at(key plan.Stored) int {
	return slices.IndexFunc(w.Items, func(i Item) bool {
		return sameUnder(w.model.Table.Keys(), i.Stored, key)
	})
}

func sameUnder(keys []model.KeyAttribute, a, b plan.Stored) bool {
	return !slices.ContainsFunc(keys, func(k model.KeyAttribute) bool { return !value.Equal(a[k.Name], b[k.Name]) })
}

// Partition is the items of one partition key value, in the order of the sort key.
type Partition []int

// Partitions are the items in an index, or in the table where it is nil. The
// partitions come in the order in which their first items do.
func (w *World) Partitions(x *model.Index) []Partition { return w.partitions[x] }

func (w *World) gather(x *model.Index) []Partition {
	partition, sort := keysOf(w.model.Table, x)
	var out []Partition
	for n, item := range w.Items {
		if !has(item.Stored, partition) || !has(item.Stored, sort) {
			continue
		}
		i := slices.IndexFunc(out, func(p Partition) bool { return sameUnder(partition, w.Items[p[0]].Stored, item.Stored) })
		if i < 0 {
			i, out = len(out), append(out, nil)
		}
		out[i] = append(out[i], n)
	}
	// Items of one key come in the order of the table's keys.
	order := append(slices.Clone(sort), w.model.Table.Keys()...)
	for _, p := range out {
		slices.SortStableFunc(p, func(a, b int) int { return compareBy(order, w.Items[a].Stored, w.Items[b].Stored) })
	}
	return out
}

// keysOf are the attributes of the partition key and of the sort key.
func keysOf(t *model.Table, x *model.Index) (partition, sort []model.KeyAttribute) {
	if x != nil {
		return x.PartitionKey, x.SortKey
	}
	keys := t.Keys()
	return keys[:1], keys[1:]
}

// has tells whether an item has key values of all of these attributes.
func has(item plan.Stored, keys []model.KeyAttribute) bool {
	return !slices.ContainsFunc(keys, func(k model.KeyAttribute) bool { return item[k.Name].Kind() != k.Kind })
}

func compareBy(keys []model.KeyAttribute, a, b plan.Stored) int {
	for _, k := range keys {
		if c := compare(a[k.Name], b[k.Name]); c != 0 {
			return c
		}
	}
	return 0
}

// compare orders values; those of different types by type.
func compare(a, b value.Value) int {
	if c, ok := value.Compare(a, b); ok {
		return c
	}
	return cmp.Compare(a.Kind(), b.Kind())
}
