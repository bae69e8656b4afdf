package document

import (
	"slices"

	"github.com/dynmodel/dynmodel/model"
)

// Space is the table or an index with the item collections that its keys make.
type Space struct {
	Name            string   // TableName, or the index's name
	Partition, Sort []string // its key attributes
	Collections     []Collection
}

// Collection are the entities that share the templates of a partition key.
type Collection struct {
	Partition []string // the templates
	Members   []Member
}

// Member is an entity in a collection.
type Member struct {
	Entity string
	Sort   []string // the templates of its sort key
	When   string   // the condition under which an item is there; "": always
}

// layout is the key layout: the entities by the templates of their keys.
func (b *builder) layout() []Space {
	var out []Space
	for _, x := range b.spaces() {
		partition, sort := b.keysOf(x)
		s := Space{Name: spaceName(x), Partition: keyNames(partition), Sort: keyNames(sort)}
		for _, e := range b.model.Entities {
			collection, when, whole := b.templates(e, partition)
			sorted, sortWhen, rest := b.templates(e, sort)
			if !whole || !rest {
				continue
			}
			if when == "" {
				when = sortWhen
			}
			i := slices.IndexFunc(s.Collections, func(c Collection) bool { return slices.Equal(c.Partition, collection) })
			if i < 0 {
				i, s.Collections = len(s.Collections), append(s.Collections, Collection{Partition: collection})
			}
			s.Collections[i].Members = append(s.Collections[i].Members, Member{Entity: e.Name.Text, Sort: sorted, When: when})
		}
		out = append(out, s)
	}
	return out
}

// templates are an entity's for some key attributes, and the first condition on
// them; false when it lacks one.
func (b *builder) templates(e *model.Entity, keys []model.KeyAttribute) (templates []string, when string, whole bool) {
	for _, k := range keys {
		key := b.keyOf(e, k.Name)
		if key.Template == "" {
			return nil, "", false
		}
		templates = append(templates, key.Template)
		if when == "" {
			when = key.When
		}
	}
	return templates, when, true
}
