// Package infer completes drafts of models: it finds which items are of one type,
// how their keys are made from attributes, what the attributes hold, and which
// access patterns the keys are for.
package infer

import (
	"fmt"
	"slices"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/importer/draft"
	"github.com/dynmodel/dynmodel/model/value"
)

// Missing finds what the input did not say: entities, key templates, the domains
// of attributes, references, and access patterns. What it decides by items or
// names is marked as a guess.
func Missing(d *draft.Draft) {
	if d.Text != "" {
		return
	}
	in := &inference{Draft: d, found: map[*draft.Entity][]*subject{}, renamed: map[string]*draft.Entity{}}
	d.Total = len(in.allItems())
	in.prepare()
	in.assign()
	in.nameEntities()
	for _, e := range d.Entities {
		in.tableKeys(e)
	}
	in.nameHoles()
	for _, e := range d.Entities {
		in.makeIndexKeys(e)
		in.attributes(e)
		in.legalEntity(e)
	}
	in.guardsOf()
	in.references()
	for _, e := range d.Entities {
		in.checkItems(e)
	}
	in.placeholder()
	in.projections()
	if d.Patterns = in.requests(); len(d.Patterns) == 0 {
		d.Patterns = in.proposed()
	}
	in.agree()
}

// inference is a run of Missing.
type inference struct {
	*draft.Draft
	reader    *reader
	keys      []string // of the table
	indexKeys []string // of indexes only, in order
	found     map[*draft.Entity][]*subject
	guards    []*draft.Item
	renamed   map[string]*draft.Entity // by the names that were stated
	// sampleBytes is about how large the samples are by now.
	sampleBytes int
	style       style
}

func (in *inference) prepare() {
	t := &in.Table
	in.legalTable()
	for _, k := range t.Keys() {
		in.keys = append(in.keys, k.Name)
	}
	for _, x := range t.Indexes {
		for _, k := range x.Keys() {
			if !slices.Contains(in.keys, k.Name) && !slices.Contains(in.indexKeys, k.Name) {
				in.indexKeys = append(in.indexKeys, k.Name)
			}
		}
	}
	in.bound()
	in.legalNames()
	in.soundItems()
	in.Items = in.takeGuards(in.Items)
	in.style = styleOf(in.attributeNames())
	if !in.Typed {
		t.EntityType = in.typeAttribute()
	}
	in.reader = &reader{own: map[string]bool{}, contexts: map[string]map[string]int{}}
	for _, key := range append(slices.Clone(in.keys), in.indexKeys...) {
		in.reader.own[key] = !isGenericKey(key) && !endsAsKey(key)
	}
	for _, item := range in.allItems() {
		s := in.subject(item)
		for _, key := range append(slices.Clone(in.keys), in.indexKeys...) {
			in.reader.note(s, key)
		}
	}
}

// entity is the entity that was stated by a name, or has it.
func (in *inference) entity(name string) *draft.Entity {
	if e := in.Entity(name); e != nil {
		return e
	}
	return in.renamed[name]
}

// bound leaves out the items that are too many to look at.
func (in *inference) bound() {
	left := draft.MaxItems
	cut := func(items []*draft.Item) []*draft.Item {
		n := min(len(items), left)
		left -= n
		return items[:n]
	}
	before := len(in.allItems())
	for _, e := range in.Entities {
		e.Items = cut(e.Items)
	}
	in.Items = cut(in.Items)
	if before > draft.MaxItems {
		in.Lostf(in.Table.At, "the table has %d items; the first %d were looked at", before, draft.MaxItems)
	}
}

func (in *inference) allItems() []*draft.Item {
	all := slices.Clone(in.Items)
	for _, e := range in.Entities {
		all = append(all, e.Items...)
	}
	return all
}

// soundItems leaves out items that no table could hold, and says why.
func (in *inference) soundItems() {
	seen := map[string]bool{}
	sound := func(item *draft.Item) bool {
		for _, k := range in.Table.Keys() {
			if reason := wrongKey(item.Values[k.Name], k); reason != "" {
				in.Faultf(item.At, "the item's key attribute `%s` %s; the item is left out%s", k.Name, reason, in.meant(item, k.Name))
				return false
			}
		}
		id := ""
		for _, k := range in.keys {
			id += item.Values[k].String() + " "
		}
		if seen[id] {
			in.Faultf(item.At, "another item has the same primary key %s; this one is left out", draft.Clip(id))
			return false
		}
		seen[id] = true
		for _, x := range in.Table.Indexes {
			in.soundIndexKeys(item, x)
		}
		return true
	}
	in.Items = slices.DeleteFunc(slices.Clone(in.Items), func(i *draft.Item) bool { return !sound(i) })
	for _, e := range in.Entities {
		e.Items = slices.DeleteFunc(slices.Clone(e.Items), func(i *draft.Item) bool { return !sound(i) })
	}
}

// soundIndexKeys takes index keys off an item that DynamoDB would refuse.
func (in *inference) soundIndexKeys(item *draft.Item, x *model.Index) {
	for _, k := range x.Keys() {
		v, ok := item.Values[k.Name]
		if !ok || slices.Contains(in.keys, k.Name) {
			continue
		}
		if reason := wrongKey(v, k); reason != "" {
			in.Faultf(item.At, "the item's key attribute `%s` of the index `%s` %s; it is taken off the item", k.Name, x.Name.Text, reason)
			delete(item.Values, k.Name)
		}
	}
}

// wrongKey says what is wrong with the value of a key; "" when nothing is.
func wrongKey(v value.Value, k model.KeyAttribute) string {
	switch {
	case !v.Exists():
		return "is missing"
	case v.Kind() != k.Kind:
		return fmt.Sprintf("is of type %s, not %s", v.Kind(), k.Kind)
	case v.Text() == "":
		return "is empty, which DynamoDB refuses"
	}
	return ""
}

// meant points to an attribute whose name differs from a key's only in case.
func (in *inference) meant(item *draft.Item, key string) string {
	for _, name := range sortedNames(item.Values) {
		if name != key && len(name) == len(key) && fold(name) == fold(key) {
			return fmt.Sprintf(" (it has `%s`, which is another attribute)", name)
		}
	}
	return ""
}

func (in *inference) attributeNames() []string {
	seen := map[string]bool{}
	var out []string
	add := func(name string) {
		if !seen[name] && !isGenericKey(name) {
			seen[name] = true
			out = append(out, name)
		}
	}
	for _, item := range in.allItems() {
		for _, name := range sortedNames(item.Values) {
			add(name)
		}
	}
	for _, e := range in.Entities {
		for _, a := range e.Attributes {
			add(a.Name)
		}
	}
	return out
}

// subject is an item with the attributes that may explain its keys: all but
// those that are keys by name, and the entity type.
func (in *inference) subject(item *draft.Item) *subject {
	s := newSubject(item, func(name string) bool {
		isKey := slices.Contains(in.keys, name) || slices.Contains(in.indexKeys, name)
		return name == in.Table.EntityType || isKey && (isGenericKey(name) || endsAsKey(name))
	})
	s.seal()
	return s
}

func (in *inference) subjects(items []*draft.Item) []*subject {
	out := make([]*subject, len(items))
	for i, item := range items {
		out[i] = in.subject(item)
	}
	return out
}

// placeholder gives a design without any entity one, so that it is a model: with
// the attributes that the table's settings name.
func (in *inference) placeholder() {
	if len(in.Entities) > 0 {
		return
	}
	in.Lostf(in.Table.At, "nothing says what is stored in `%s`; the entity below only names its keys", in.Table.Name.Text)
	e := &draft.Entity{Name: entityName(in.Table.Name.Text), Guess: "nothing says what is stored"}
	for _, k := range keyAttributes(&in.Table) {
		a := &draft.Attribute{Name: k.Name, Type: draft.TypeOf(k.Kind), Known: true, Optional: !slices.Contains(in.keys, k.Name)}
		e.Attributes = append(e.Attributes, a)
	}
	for _, k := range in.keys {
		e.Keys = append(e.Keys, &draft.Key{Attribute: k})
	}
	add := func(name string, t model.Type) {
		if e.Attribute(name) == nil && name != in.Table.EntityType {
			e.Attributes = append(e.Attributes, &draft.Attribute{Name: name, Type: t, Known: true, Optional: true})
		}
	}
	if ttl := in.Table.TTL; ttl != nil {
		add(ttl.Text, model.TypeEpoch)
	}
	for _, x := range in.Table.Indexes {
		for _, a := range x.Projection.Attributes {
			add(a.Text, model.TypeAny)
		}
	}
	in.Entities = append(in.Entities, e)
}
