// Package document is what the design document of a table says: its entities
// and keys, how each access pattern is served and what it takes, example items
// as a console would show them, sizes, capacity, operations, security and
// limits. It is plain data, so that every renderer tells the same story.
//
// Texts are as a person reads them, without any markup: renderers escape them.
package document

import (
	"strings"

	"github.com/dynmodel/dynmodel/generate"
	"github.com/dynmodel/dynmodel/generate/document/example"
	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/cost"
	"github.com/dynmodel/dynmodel/model/load"
	"github.com/dynmodel/dynmodel/model/plan"
)

// Document is the content of a design document, in the order of a review.
type Document struct {
	Name        string
	Description string
	Table       string // DynamoDB's name of the table
	// Glance are the few figures that tell a reader what is ahead.
	Glance []Fact

	// Columns are the key attributes of the table and then of its indexes, each once.
	Columns  []Column
	Entities []Entity
	// Relations are the references between entities, for the diagram.
	Relations []Relation
	// Layout are the table and its indexes with the item collections that keys make.
	Layout   []Space
	Patterns []Pattern

	// Items are the example items; Views show them in the table and in each index.
	Items []Item
	// Made are the entities whose example items are made up, as the model has no
	// samples of them.
	Made  []string
	Views []View

	Sizes      []Size
	Mix        Mix
	Capacity   Capacity
	Indexes    []Index
	Operations []Fact
	Security   Security
	Limits     []Limit
	Accepted   []Accepted
}

// Fact is something to say under a label.
type Fact struct{ Label, Value string }

// Column is a key attribute: a column of the entity chart.
type Column struct {
	Name string
	Type string // S, N or B
	// Roles are what it keys: "partition key of the table", "sort key of GSI1".
	Roles []string
}

// Outline is a document of nothing but the names, the entities and their keys.
func Outline(in generate.Input) Document {
	b := &builder{model: in.Model}
	d := Document{Name: b.model.Name, Description: b.model.Description, Table: b.model.Table.Name.Text,
		Columns: b.columns(), Entities: b.entities(), Relations: b.relations(), Layout: b.layout()}
	if d.Name == "" {
		d.Name = d.Table
	}
	return d
}

// New makes the document of a model.
func New(in generate.Input) Document {
	b := newBuilder(in)
	d := Outline(in)
	d.Patterns, d.Items, d.Views = b.patterns(), b.items, b.views()
	d.Sizes, d.Mix, d.Capacity, d.Indexes = b.sizes(), b.mix(), b.capacity(), b.indexes()
	d.Operations, d.Security, d.Limits, d.Accepted = b.operations(), b.security(), b.limits(), b.accepted()
	for _, e := range b.world.Made {
		d.Made = append(d.Made, e.Name.Text)
	}
	d.Glance = glance(d)
	return d
}

// builder makes the parts of a document.
type builder struct {
	model   *model.Model
	planner *plan.Planner
	plans   []*plan.Plan
	load    *load.Load
	// estimate is what the table costs; nil when its region has no prices.
	estimate *cost.Estimate
	world    *example.World
	items    []Item // those of world
}

func newBuilder(in generate.Input) *builder {
	b := &builder{model: in.Model, planner: in.Planner, plans: in.Plans,
		load: load.Of(in.Model, in.Planner, in.Plans), world: example.New(in.Model)}
	if e, err := cost.Of(in.Model, cost.Options{}); err == nil {
		b.estimate = e
	}
	for _, i := range b.world.Items {
		item := Item{Entity: i.Entity.Name.Text, Stored: i.Stored}
		if i.Guard != nil {
			item.Guard = strings.Join(namesOf(i.Guard.Of), ", ")
		}
		b.items = append(b.items, item)
	}
	return b
}

// glance are the figures at the head of the document.
func glance(d Document) []Fact {
	facts := []Fact{
		{"Entities", Count(float64(len(d.Entities)))},
		{"Access patterns", Count(float64(len(d.Patterns)))},
		{"Indexes", Count(float64(len(d.Indexes)))},
		{"Capacity", d.Capacity.Mode},
	}
	if count, bytes, known := d.Total(); known {
		facts = append(facts, Fact{"Items", Count(count)}, Fact{"Data", Bytes(bytes)})
	}
	if d.Capacity.Cost != nil && d.Mix.Known {
		label := "Cost a month"
		if len(d.Mix.Guessed) > 0 {
			label += ", in part a guess"
		}
		facts = append(facts, Fact{label, d.Capacity.Cost.Total})
	}
	return facts
}

// spaces are the table (nil) and its indexes, in the order of the model.
func (b *builder) spaces() []*model.Index {
	return append([]*model.Index{nil}, b.model.Table.Indexes...)
}

// TableName is how the table itself is called beside its indexes.
const TableName = "table"

func spaceName(x *model.Index) string {
	if x == nil {
		return TableName
	}
	return x.Name.Text
}

// keysOf are the key attributes of the table or an index: those of the partition
// key, then those of the sort key.
func (b *builder) keysOf(x *model.Index) (partition, sort []model.KeyAttribute) {
	if x != nil {
		return x.PartitionKey, x.SortKey
	}
	keys := b.model.Table.Keys()
	return keys[:1], keys[1:]
}
