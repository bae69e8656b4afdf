package document

import (
	"fmt"
	"slices"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/plan"
	"github.com/dynmodel/dynmodel/model/value"
)

// Item is an example item, as it is stored.
type Item struct {
	Entity string
	// Guard is, of an item that only keeps a value unique, the attributes it
	// keeps for Entity; "" of an item of Entity itself.
	Guard  string
	Stored plan.Stored
}

// namedMost is how many entities whose items are made up are named one by one.
const namedMost = 8

// Origin says in a sentence where the example items come from.
func (d Document) Origin() string {
	switch made := len(d.Made); {
	case made == 0:
		return "The items are the model's samples."
	case made == len(d.Entities):
		return "The items are made up, as the model has no samples."
	case made > namedMost:
		return fmt.Sprintf("The items are the model's samples; those of %d entities without any are made up.", made)
	}
	return "The items are the model's samples; those of " + list(d.Made) + " are made up."
}

// View is the table, or an index, with the example items in it.
type View struct {
	Name       string   // TableName, or the index's name
	Partition  []string // the attributes of the partition key
	Sort       []string // those of the sort key
	Holds      string   // what it holds of an item
	Partitions []Partition
}

// Items is how many items a view shows.
func (v View) Items() int {
	n := 0
	for _, p := range v.Partitions {
		n += len(p.Rows)
	}
	return n
}

// Partition is the item collection of one partition key value.
type Partition struct {
	Key  []string // its values
	Rows []Row    // in the order of the sort key
}

// Row is an item in a view.
type Row struct {
	Item       int    // its number
	Label      string // the entity, or what guard it is
	Sort       []string
	Attributes []Fact // what else the view holds of it
}

func (b *builder) views() []View {
	var out []View
	for _, x := range b.spaces() {
		out = append(out, b.view(x))
	}
	return out
}

func (b *builder) view(x *model.Index) View {
	partition, sort := b.keysOf(x)
	v := View{Name: spaceName(x), Partition: keyNames(partition), Sort: keyNames(sort), Holds: holds(x)}
	for _, numbers := range b.world.Partitions(x) {
		first := b.world.Items[numbers[0]]
		p := Partition{Key: texts(first.Stored, v.Partition)}
		for _, n := range numbers {
			item := b.items[n]
			row := Row{Item: n, Label: item.Entity, Sort: texts(item.Stored, v.Sort)}
			if item.Guard != "" {
				row.Label = "guard of " + item.Entity + "." + item.Guard
			}
			row.Attributes = b.attributes(x, n, append(slices.Clone(v.Partition), v.Sort...))
			p.Rows = append(p.Rows, row)
		}
		v.Partitions = append(v.Partitions, p)
	}
	return v
}

// attributes are what a view holds of an item beside its own keys: the entity's
// attributes in their order, then the keys of the table and other indexes.
func (b *builder) attributes(x *model.Index, n int, keys []string) []Fact {
	item := b.world.Items[n]
	held := b.world.Projected(x, item.Stored)
	var out []Fact
	add := func(name string) {
		v, there := held[name]
		said := func(f Fact) bool { return f.Label == name }
		if there && !slices.Contains(keys, name) && !slices.ContainsFunc(out, said) {
			out = append(out, Fact{name, plain(v)})
		}
	}
	if item.Guard == nil {
		for _, a := range item.Entity.Attributes {
			add(a.Name.Text)
		}
	}
	for _, y := range b.spaces() {
		partition, sort := b.keysOf(y)
		for _, k := range append(slices.Clone(partition), sort...) {
			add(k.Name)
		}
	}
	return out
}

// holds says what the table or an index holds of an item.
func holds(x *model.Index) string {
	if x == nil {
		return "all attributes"
	}
	switch x.Projection.Type {
	case model.ProjectKeysOnly:
		return "keys only"
	case model.ProjectInclude:
		return "keys and " + list(textsOf(x.Projection.Attributes))
	}
	return "all attributes"
}

func keyNames(keys []model.KeyAttribute) []string {
	var out []string
	for _, k := range keys {
		out = append(out, k.Name)
	}
	return out
}

func textsOf(names []model.Name) []string {
	var out []string
	for _, n := range names {
		out = append(out, n.Text)
	}
	return out
}

func texts(item map[string]value.Value, names []string) []string {
	var out []string
	for _, n := range names {
		out = append(out, plain(item[n]))
	}
	return out
}
