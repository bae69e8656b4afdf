package plan

import (
	"slices"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/encode"
)

// keyspace is the table or an index, as something to read by key.
type keyspace struct {
	index     *model.Index // nil: the table
	partition []model.KeyAttribute
	sort      []model.KeyAttribute
	table     *model.Table
}

// keyspaces are the table and then its indexes, in the order of the model.
func keyspaces(t *model.Table) []keyspace {
	all := []keyspace{spaceOf(t, nil)}
	for _, x := range t.Indexes {
		all = append(all, spaceOf(t, x))
	}
	return all
}

func spaceOf(t *model.Table, x *model.Index) keyspace {
	if x != nil {
		return keyspace{index: x, partition: x.PartitionKey, sort: x.SortKey, table: t}
	}
	keys := t.Keys()
	return keyspace{partition: keys[:1], sort: keys[1:], table: t}
}

func (s keyspace) name() string { return indexName(s.index) }

// global tells whether it is a global index.
func (s keyspace) global() bool { return s.index != nil && !s.index.Local }

func (s keyspace) keys() []model.KeyAttribute { return slices.Concat(s.partition, s.sort) }

// isKey tells whether an attribute is part of the key that is read by, which no
// filter may name.
func (s keyspace) isKey(attribute string) bool {
	return slices.ContainsFunc(s.keys(), func(k model.KeyAttribute) bool { return k.Name == attribute })
}

// holds tells whether an item read here has the attribute.
func (s keyspace) holds(attribute string) bool {
	if s.index == nil || s.index.Projection.Type == model.ProjectAll || s.isKey(attribute) {
		return true
	}
	inTable := func(k model.KeyAttribute) bool { return k.Name == attribute }
	listed := func(n model.Name) bool { return n.Text == attribute }
	return slices.ContainsFunc(s.table.Keys(), inTable) ||
		s.index.Projection.Type == model.ProjectInclude && slices.ContainsFunc(s.index.Projection.Attributes, listed)
}

// keyTemplate is how an entity makes a key attribute.
type keyTemplate struct {
	model.Template
	attribute model.KeyAttribute
	when      *model.Condition // nil: always
}

// templates are the entity's templates of the key attributes; a key attribute
// that it does not make is in missing, and the entity's items are never here.
func (s keyspace) templates(e *model.Entity) (templates []keyTemplate, missing []string) {
	for _, k := range s.keys() {
		t, ok := encode.KeyTemplate(s.table, e, k.Name)
		if !ok {
			missing = append(missing, k.Name)
			continue
		}
		made := keyTemplate{Template: t, attribute: k}
		if key := e.Key(k.Name); key != nil {
			made.when = key.When
		}
		templates = append(templates, made)
	}
	return templates, missing
}

// resident is a type of items that can be in a keyspace: an entity's, or the
// guards of a unique rule.
type resident struct {
	entity *model.Entity
	guard  *model.Unique
}

// template is how items of the type make a key attribute; false when they do not.
func (r resident) template(t *model.Table, attribute string) (model.Template, bool) {
	if r.guard == nil {
		return encode.KeyTemplate(t, r.entity, attribute)
	}
	for _, k := range r.guard.Keys {
		if k.Name.Text == attribute {
			return k.Template, true
		}
	}
	return model.Template{}, false
}

// residents are the types of items that can be in the keyspace, apart from the
// items of the given entities.
func (s keyspace) residents(m *model.Model, besides []*model.Entity) []resident {
	var out []resident
	for _, e := range m.Entities {
		if !slices.Contains(besides, e) {
			out = append(out, resident{entity: e})
		}
		for _, u := range e.Unique {
			out = append(out, resident{entity: e, guard: u})
		}
	}
	return slices.DeleteFunc(out, func(r resident) bool {
		return slices.ContainsFunc(s.keys(), func(k model.KeyAttribute) bool {
			_, made := r.template(s.table, k.Name)
			return !made
		})
	})
}
