package data

import (
	"slices"
	"strconv"
	"strings"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/encode"
	"github.com/dynmodel/dynmodel/model/value"
)

// place is the table or an index: its key attributes, the partition's first.
type place struct {
	name       string
	partition  []model.KeyAttribute
	attributes []model.KeyAttribute
}

// places are the table, and the indexes that the pattern may read.
func (b *builder) places(e *model.Entity) []place {
	t := b.g.model.Table
	out := []place{{"the table", t.Keys()[:1], t.Keys()}}
	for _, x := range t.Indexes {
		if b.mayRead(e, x.PartitionKey[0].Name) {
			out = append(out, place{x.Name.Text, x.PartitionKey, x.Keys()})
		}
	}
	return slices.DeleteFunc(out, func(p place) bool { return !p.has(e) })
}

// partitionOf are the attributes in an entity's partition key.
func (p place) partitionOf(e *model.Entity) []*model.Attribute {
	var out []*model.Attribute
	for _, k := range p.partition {
		for _, part := range e.Key(k.Name).Template.Parts {
			if part.Attribute != nil {
				out = append(out, part.Attribute)
			}
		}
	}
	return out
}

// has tells whether items of an entity can be in the place.
func (p place) has(e *model.Entity) bool {
	return !slices.ContainsFunc(p.attributes, func(k model.KeyAttribute) bool { return e.Key(k.Name) == nil })
}

// stored is one item's key in a place.
type stored struct {
	entity    *model.Entity
	partition string
	sort      value.Value
}

// rows are the keys of the first so many items of a world in a place, in order.
type rows struct {
	of     int
	stored []stored
}

// stored are the keys of all items in a place, in order.
func (c *coverage) stored(p place) []stored {
	r := c.rows[p.name]
	if r == nil {
		r = &rows{}
		c.rows[p.name] = r
	}
	if r.of == len(c.all) {
		return r.stored
	}
	for _, i := range c.all[r.of:] {
		if s, ok := p.key(i); ok {
			r.stored = append(r.stored, s)
		}
	}
	r.of = len(c.all)
	slices.SortStableFunc(r.stored, func(a, b stored) int {
		if n := strings.Compare(a.partition, b.partition); n != 0 {
			return n
		}
		n, _ := value.Compare(a.sort, b.sort)
		return n
	})
	return r.stored
}

// key is an item's key in the place; false when it is not in it.
func (p place) key(i model.Instance) (stored, bool) {
	s := stored{entity: i.Entity}
	for n, k := range p.attributes {
		own := i.Entity.Key(k.Name)
		if own == nil || own.When != nil && !encode.Holds(own.When.Cond, i.Entity, i.Item) {
			return s, false
		}
		v, err := encode.Render(own.Template, i.Item, noShard)
		switch {
		case err != nil:
			return s, false
		case n < len(p.partition):
			s.partition += strconv.Quote(v.String())
		case n == len(p.partition):
			s.sort = v
		}
	}
	return s, true
}
