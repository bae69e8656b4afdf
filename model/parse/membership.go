package parse

import (
	"slices"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/source/yamltree"
	"github.com/dynmodel/dynmodel/model/value"
)

// keysOf puts the keys of an entity into order and checks that the table's are
// complete and that every key written is of use.
func (b *builder) keysOf(d *draft, written map[string]*model.Key) {
	t := b.model.Table
	for _, k := range t.Keys() {
		if k.Name != "" && k.Name != t.EntityType { // else reported
			b.tableKey(d, k, written)
		}
	}
	for _, x := range t.Indexes {
		for _, k := range x.Keys() {
			if d.entity.Key(k.Name) == nil {
				if key := b.keyNamed(d, k.Name, written); key != nil {
					d.entity.Keys = append(d.entity.Keys, key)
				}
			}
		}
	}
	b.checkWritten(d)
	b.checkExclusions(d)
}

// tableKey adds a key of the table, which every entity has.
func (b *builder) tableKey(d *draft, k model.KeyAttribute, written map[string]*model.Key) {
	key := b.keyNamed(d, k.Name, written)
	switch {
	case key == nil && (d.keyDraft(k.Name) != nil || d.attributes[k.Name] != nil || d.incomplete || d.lostKeys):
		b.broken()
	case key == nil:
		b.errorf(d.entity.Name.At, "%s has no key `%s`: write its template under `keys`, or give the entity an attribute of that name", d.entity.Name.Text, k.Name)
	case key.When != nil:
		b.errorf(key.When.At, "`when` limits an index; `%s` is a key of the table, in which every item is", k.Name)
	}
	if key != nil {
		d.entity.Keys = append(d.entity.Keys, key)
	}
}

// keyNamed is the key written for a key attribute, else the one that the
// entity's own attribute of that name makes, else nil.
func (b *builder) keyNamed(d *draft, name string, written map[string]*model.Key) *model.Key {
	if key := written[name]; key != nil {
		return key
	}
	if a := d.attributes[name]; a != nil && a.attribute != nil && d.keyDraft(name) == nil {
		return implied(a.attribute, a.name)
	}
	return nil
}

// keyDraft is the key as written, or nil.
func (d *draft) keyDraft(name string) *keyDraft {
	for _, k := range d.keys {
		if k.name.Text == name {
			return k
		}
	}
	return nil
}

// checkWritten reports keys that key nothing.
func (b *builder) checkWritten(d *draft) {
	t := b.model.Table
	var names []string
	for _, k := range t.Keys() {
		names = append(names, k.Name)
	}
	for _, x := range t.Indexes {
		for _, k := range x.Keys() {
			names = append(names, k.Name)
		}
	}
	for _, k := range d.keys {
		switch a := d.attributes[k.name.Text]; {
		case !slices.Contains(names, k.name.Text) && !b.usableTable:
			b.broken()
		case !slices.Contains(names, k.name.Text):
			b.unknownf(k.name.At, "`%s` keys neither the table nor an index%s", clip(k.name.Text), b.meant(k.name.Text, compact(names), "; the key attributes are "))
		case k.name.Text == t.EntityType:
			b.errorf(k.name.At, "`%s` carries the entity's type by itself; it takes no template", k.name.Text)
		case a != nil && k.node != nil && k.ok && !(len(k.parts) == 1 && k.parts[0].Path.Name == k.name.Text && len(k.parts[0].Funcs) == 0):
			b.errorf(k.name.At, "`%s` is an attribute of %s already and keeps its own value; the template needs a key attribute of another name", k.name.Text, d.entity.Name.Text)
		case k.ok && b.usableTable && !b.completes(d, k.name.Text):
			b.errorf(k.name.At, "`%s` is written but never in an index: %s lacks the index's other keys", k.name.Text, d.entity.Name.Text)
		}
	}
}

func compact(names []string) []string {
	slices.Sort(names)
	return slices.Compact(names)
}

// completes tells whether a key attribute is part of the table's keys or of an
// index all of whose keys the entity has.
func (b *builder) completes(d *draft, name string) bool {
	t := b.model.Table
	for _, k := range t.Keys() {
		if k.Name == name {
			return true
		}
	}
	for _, x := range t.Indexes {
		keys := x.Keys()
		if slices.ContainsFunc(keys, func(k model.KeyAttribute) bool { return k.Name == name }) &&
			!slices.ContainsFunc(keys, func(k model.KeyAttribute) bool { return !d.provides(t, k.Name) }) {
			return true
		}
	}
	return false
}

// provides tells whether items of the entity have a key attribute; one that is
// broken counts.
func (d *draft) provides(t *model.Table, name string) bool {
	return name == t.EntityType || d.entity.Key(name) != nil || d.keyDraft(name) != nil || d.attributes[name] != nil || d.incomplete
}

// checkExclusions refuses a `when` that could not keep an item out of its
// index, as all the index's keys are there for another reason.
func (b *builder) checkExclusions(d *draft) {
	t := b.model.Table
	for _, x := range t.Indexes {
		var when *model.Condition
		withheld := false
		for _, k := range x.Keys() {
			key := d.entity.Key(k.Name)
			if key == nil {
				continue
			}
			if key.When != nil {
				when = key.When
			}
			withheld = withheld || d.attributes[k.Name] == nil && !b.alwaysThere(d, x, k.Name)
		}
		if when != nil && !withheld {
			b.errorf(when.At, "this `when` has no key to withhold: all keys of %s are attributes of their own, or belong to the table or an index that always includes the item", x.Name.Text)
		}
	}
}

// alwaysThere tells whether a key attribute stays for the sake of the table or
// of an index, other than x, that includes every item of the entity.
func (b *builder) alwaysThere(d *draft, x *model.Index, name string) bool {
	t := b.model.Table
	for _, k := range t.Keys() {
		if k.Name == name {
			return true
		}
	}
	for _, other := range t.Indexes {
		if other == x {
			continue
		}
		keys := other.Keys()
		if slices.ContainsFunc(keys, func(k model.KeyAttribute) bool { return k.Name == name }) &&
			!slices.ContainsFunc(keys, func(k model.KeyAttribute) bool { return !unconditional(d.entity.Key(k.Name)) }) {
			return true
		}
	}
	return false
}

// unconditional tells whether every item of the entity has a key.
func unconditional(key *model.Key) bool {
	if key == nil || key.When != nil {
		return false
	}
	return !slices.ContainsFunc(key.Template.Parts, func(p model.Part) bool { return p.Attribute != nil && p.Attribute.Optional })
}

// typeTableKeys gives key attributes that are attributes of an entity their type.
func (b *builder) typeTableKeys() {
	t := b.model.Table
	if t == nil {
		return
	}
	b.typeKey(&t.PartitionKey)
	if t.SortKey != nil {
		b.typeKey(t.SortKey)
	}
	for _, x := range t.Indexes {
		for i := range x.PartitionKey {
			b.typeKey(&x.PartitionKey[i])
		}
		for i := range x.SortKey {
			b.typeKey(&x.SortKey[i])
		}
	}
}

func (b *builder) typeKey(k *model.KeyAttribute) {
	if k.Typed {
		return
	}
	for _, d := range b.drafts {
		if a := d.attributes[k.Name]; a != nil && a.attribute != nil {
			if kind := a.attribute.Type.Kind(); kind.IsKey() {
				k.Kind = kind
			} else if kind != value.None {
				b.errorf(a.name.At, "`%s` keys the table or an index, so it is text, a number or binary, not %s%s", k.Name, typeName(a.attribute.Type), insteadOf(a.attribute))
				d.faulty = true
			}
			return
		}
	}
}

// checkTableNames looks up the attributes that the table's options name.
func (b *builder) checkTableNames() {
	t := b.model.Table
	if t == nil {
		return
	}
	var names []string
	for _, d := range b.drafts {
		if d.incomplete {
			return
		}
		names = append(names, d.names()...)
	}
	names = compact(names)
	check := func(n *model.Name, what string) {
		if n != nil && !slices.Contains(names, n.Text) {
			b.unknownf(n.At, "%s names `%s`, which no entity has%s", what, clip(n.Text), b.meant(n.Text, names, "; there are "))
		}
	}
	check(t.TTL, "`ttl`")
	check(t.IsolateBy, "`isolate_by`")
	for _, x := range t.Indexes {
		for i := range x.Projection.Attributes {
			if a := &x.Projection.Attributes[i]; a.Text != t.EntityType {
				check(a, "the projection of "+x.Name.Text)
			}
		}
	}
}

// when reads a condition on index membership.
func (b *builder) when(d *draft, n *yamltree.Node) *model.Condition {
	return b.condition(n, &scope{builder: b, use: useWhen, drafts: []*draft{d}})
}
