package rules

import (
	"fmt"
	"slices"
	"strings"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/encode"
	"github.com/dynmodel/dynmodel/model/keytext"
	"github.com/dynmodel/dynmodel/model/source"
)

// place is where a key attribute keys items: the table or an index, by its
// partition or its sort key.
type place struct {
	index *model.Index // nil: the table
	sort  bool
}

// role names the key: "sort key of index GSI1".
func (p place) role() string {
	what := "partition key"
	if p.sort {
		what = "sort key"
	}
	return what + " of " + placeName(p.index)
}

// placeName names an index, or the table, inside a sentence.
func placeName(x *model.Index) string {
	if x == nil {
		return "the table"
	}
	return "index " + x.Name.Text
}

// indexName is the index as a finding names it.
func indexName(x *model.Index) string {
	if x == nil {
		return ""
	}
	return x.Name.Text
}

// keyOf is how an entity makes a key attribute, and where that keys its items.
type keyOf struct {
	entity    *model.Entity
	attribute model.KeyAttribute
	template  model.Template
	places    []place
	at        source.Span
}

// in is the first place of the key that satisfies; nil when none does.
func (k *keyOf) in(satisfies func(place) bool) *place {
	i := slices.IndexFunc(k.places, satisfies)
	if i < 0 {
		return nil
	}
	return &k.places[i]
}

func inTable(p place) bool { return p.index == nil }
func sorting(p place) bool { return p.sort }

// written is the key as it stands in the model: SK = "ORDER#{orderId}".
func (k *keyOf) written() string {
	return fmt.Sprintf("%s = %q", k.attribute.Name, k.template.Text)
}

// isText tells whether the key is a text, and not a number or binary.
func (k *keyOf) isText() bool {
	whole := k.template.Whole()
	return whole == nil || encode.TypeOf(*whole).Kind().String() == "S"
}

// keysOf are the keys of all entities, each key attribute once, in the order of
// the entities, the table's keys and the indexes.
func keysOf(m *model.Model) []*keyOf {
	var out []*keyOf
	for _, e := range m.Entities {
		first := len(out)
		add := func(attribute model.KeyAttribute, p place) {
			for _, k := range out[first:] {
				if k.attribute.Name == attribute.Name {
					k.places = append(k.places, p)
					return
				}
			}
			template, _ := encode.KeyTemplate(m.Table, e, attribute.Name)
			at := e.Name.At
			if key := e.Key(attribute.Name); key != nil {
				at = key.At
			}
			out = append(out, &keyOf{entity: e, attribute: attribute, template: template, places: []place{p}, at: at})
		}
		for _, x := range homes(m.Table, e) {
			partition, sort := keyAttributes(m.Table, x)
			for _, k := range partition {
				add(k, place{index: x})
			}
			for _, k := range sort {
				add(k, place{index: x, sort: true})
			}
		}
	}
	return out
}

// keyAttributes are the partition and the sort key of the table (nil) or an index.
func keyAttributes(t *model.Table, x *model.Index) (partition, sort []model.KeyAttribute) {
	if x == nil {
		return t.Keys()[:1], t.Keys()[1:]
	}
	return x.PartitionKey, x.SortKey
}

// homes are the table (nil) and the indexes that items of an entity can be in.
func homes(t *model.Table, e *model.Entity) []*model.Index {
	var out []*model.Index
	if lives(t, e, nil) {
		out = append(out, nil)
	}
	for _, x := range t.Indexes {
		if lives(t, e, x) {
			out = append(out, x)
		}
	}
	return out
}

// lives tells whether the entity has templates for all keys of a place.
func lives(t *model.Table, e *model.Entity, x *model.Index) bool {
	partition, sort := keyAttributes(t, x)
	return !slices.ContainsFunc(slices.Concat(partition, sort), func(k model.KeyAttribute) bool {
		_, ok := encode.KeyTemplate(t, e, k.Name)
		return !ok
	})
}

// partitionParts are the parts of all templates of the partition key under
// which an entity's items stand in a place.
func partitionParts(t *model.Table, e *model.Entity, x *model.Index) (parts []model.Part) {
	partition, _ := keyAttributes(t, x)
	for _, k := range partition {
		template, _ := encode.KeyTemplate(t, e, k.Name)
		parts = append(parts, template.Parts...)
	}
	return parts
}

// sparse tells whether only some of an entity's items are in an index.
func sparse(t *model.Table, e *model.Entity, x *model.Index) bool {
	if x == nil {
		return false
	}
	for _, k := range x.Keys() {
		key := e.Key(k.Name)
		if key == nil {
			continue
		}
		if key.When != nil || slices.ContainsFunc(key.Template.Parts, func(p model.Part) bool { return p.Attribute != nil && p.Attribute.Optional }) {
			return true
		}
	}
	return false
}

// list writes names as in a sentence: a, b and c.
func list(names []string) string {
	if len(names) < 2 {
		return strings.Join(names, "")
	}
	return strings.Join(names[:len(names)-1], ", ") + " and " + names[len(names)-1]
}

// meets tells whether two keys can have the same text.
func meets(a, b *model.Key) bool { return keytext.Meet(a.Template, b.Template) }
