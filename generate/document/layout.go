package document

import "slices"

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

// Layout is the key layout: the entities by the templates of their keys.
func (d Document) Layout() []Space {
	var out []Space
	for _, v := range d.Views {
		s := Space{Name: v.Name, Partition: v.Partition, Sort: v.Sort}
		for _, e := range d.Entities {
			partition, whole := d.templates(e, v.Partition)
			sort, rest := d.templates(e, v.Sort)
			if !whole || !rest {
				continue
			}
			i := slices.IndexFunc(s.Collections, func(c Collection) bool { return slices.Equal(c.Partition, partition) })
			if i < 0 {
				i, s.Collections = len(s.Collections), append(s.Collections, Collection{Partition: partition})
			}
			s.Collections[i].Members = append(s.Collections[i].Members, Member{Entity: e.Name, Sort: sort, When: d.when(e, append(slices.Clone(v.Partition), v.Sort...))})
		}
		out = append(out, s)
	}
	return out
}

// templates are an entity's for some key attributes; false when it lacks one.
func (d Document) templates(e Entity, names []string) ([]string, bool) {
	var out []string
	for _, n := range names {
		key := d.key(e, n)
		if key.Template == "" {
			return nil, false
		}
		out = append(out, key.Template)
	}
	return out, true
}

// when is the condition on some keys of an entity.
func (d Document) when(e Entity, names []string) string {
	for _, n := range names {
		if w := d.key(e, n).When; w != "" {
			return w
		}
	}
	return ""
}

func (d Document) key(e Entity, name string) Key {
	i := slices.IndexFunc(d.Columns, func(c Column) bool { return c.Name == name })
	return e.Keys[i]
}
