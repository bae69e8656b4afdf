package parse

import (
	"fmt"
	"slices"
	"strings"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/expr"
	"github.com/dynmodel/dynmodel/model/source"
	"github.com/dynmodel/dynmodel/model/source/yamltree"
	"github.com/dynmodel/dynmodel/model/value"
)

// identityNames are the names of the attributes that identify an entity, before
// its attributes are read: those under `identity`, else those in its table keys.
func (b *builder) identityNames(d *draft) []string {
	var out []string
	add := func(name string) {
		if !slices.Contains(out, name) && d.attributes[name] != nil {
			out = append(out, name)
		}
	}
	if d.identity != nil {
		for _, n := range d.identity.Items {
			add(n.Text)
		}
		add(d.identity.Text)
		return out
	}
	if b.model.Table == nil {
		return nil
	}
	for _, k := range b.model.Table.Keys() {
		if written := d.keyDraft(k.Name); written != nil {
			for _, p := range written.parts {
				add(p.Path.Name)
			}
		} else {
			add(k.Name)
		}
	}
	return out
}

// readIdentity reads what identifies an item of an entity.
func (b *builder) readIdentity(d *draft) {
	if d.identity != nil {
		b.declaredIdentity(d)
		return
	}
	if b.model.Table == nil {
		return
	}
	for _, k := range b.model.Table.Keys() {
		key := d.entity.Key(k.Name)
		if key == nil {
			continue
		}
		for _, p := range key.Template.Parts {
			if p.Attribute != nil {
				identify(d.entity, p.Attribute, normalising(p.Funcs))
			}
		}
	}
}

// identify adds an attribute to an identity; where one key takes it as it is,
// it counts as it is.
func identify(e *model.Entity, a *model.Attribute, funcs []expr.Func) {
	if a.Stored != "" {
		funcs = []expr.Func{{Name: a.Stored}}
	}
	for i, part := range e.Identity {
		if part.Attribute == a {
			if len(funcs) == 0 {
				e.Identity[i].Funcs = nil
			}
			return
		}
	}
	e.Identity = append(e.Identity, model.IdentityPart{Attribute: a, Funcs: funcs})
}

// normalising are the functions under which two values count as the same: only
// case is; a bucket or a prefix groups what is different.
func normalising(funcs []expr.Func) []expr.Func {
	var out []expr.Func
	for _, f := range funcs {
		if f.Name == expr.Lower || f.Name == expr.Upper {
			out = append(out, f)
		}
	}
	return out
}

func (b *builder) declaredIdentity(d *draft) {
	d.entity.IdentityDeclared = true
	for _, n := range b.members(d.identity) {
		a := b.memberNamed(d, n)
		if a == nil {
			continue
		}
		if slices.ContainsFunc(d.entity.Identity, func(p model.IdentityPart) bool { return p.Attribute == a }) {
			b.errorf(n.At, "`%s` is listed twice", a.Name.Text)
			continue
		}
		if a.Optional {
			b.errorf(n.At, "`%s` is optional, so it cannot identify an item", a.Name.Text)
		}
		identify(d.entity, a, keyCase(d.entity, b.model.Table, a))
	}
	if len(d.entity.Identity) == 0 && len(d.identity.Items) == 0 && d.identity.Kind == yamltree.Sequence {
		b.errorf(d.identity.At, "the identity is empty; leave it out when the table's keys identify an item")
	}
}

// keyCase is the case function under which the table's keys take an attribute.
func keyCase(e *model.Entity, t *model.Table, a *model.Attribute) []expr.Func {
	if t == nil {
		return nil
	}
	var funcs []expr.Func
	for _, k := range t.Keys() {
		key := e.Key(k.Name)
		if key == nil {
			continue
		}
		for _, p := range key.Template.Parts {
			if p.Attribute == a {
				if funcs = normalising(p.Funcs); len(funcs) == 0 {
					return nil
				}
			}
		}
	}
	return funcs
}

// readUnique reads `[email, [tenantId, slug], {of: , key: , when: }]`.
func (b *builder) readUnique(d *draft) {
	if d.unique == nil {
		return
	}
	for _, n := range b.items(d.unique, "`unique` is a list of attributes, or of lists of them") {
		u := &model.Unique{At: n.At}
		if b.whole(func() { b.uniqueOf(d, u, n) }) && b.model.Table != nil {
			d.entity.Unique = append(d.entity.Unique, u)
		}
	}
}

func (b *builder) uniqueOf(d *draft, u *model.Unique, n *yamltree.Node) {
	var keys *yamltree.Node
	switch n.Kind {
	case yamltree.Mapping:
		b.object(n, head(n), "a unique", []field{
			{"of", true, func(n *yamltree.Node) { b.uniqueAttributes(d, u, n) }},
			{"key", false, keep(&keys)},
			{"when", false, func(n *yamltree.Node) { u.When = b.when(d, n) }},
		})
	default:
		b.uniqueAttributes(d, u, n)
	}
	switch {
	case b.model.Table == nil || len(u.Of) == 0:
	case keys != nil:
		b.guardKeys(d, u, keys)
	default:
		b.defaultGuard(d, u)
	}
}

func (b *builder) uniqueAttributes(d *draft, u *model.Unique, n *yamltree.Node) {
	for _, item := range b.members(n) {
		a := b.memberNamed(d, item)
		if a == nil {
			continue
		}
		if kind := a.Type.Kind(); !kind.IsKey() {
			b.errorf(item.At, "`%s` is %s; only text, numbers and binary can be unique", a.Name.Text, typeName(a.Type))
		}
		u.Of = append(u.Of, a)
	}
	if n.Kind == yamltree.Sequence && len(n.Items) == 0 {
		b.errorf(n.At, "no attribute is named")
	}
}

// guardKeys reads the templates of a guard item's keys.
func (b *builder) guardKeys(d *draft, u *model.Unique, n *yamltree.Node) {
	t := b.model.Table
	var names []string
	for _, k := range t.Keys() {
		names = append(names, k.Name)
	}
	written := map[string]*model.Key{}
	for _, e := range b.entries(n, "`key` is a mapping from the table's keys to templates") {
		if !slices.Contains(names, e.Key.Text) {
			if !b.usableTable {
				b.broken()
				continue
			}
			b.unknownf(e.Key.At, "`%s` is no key of the table%s", clip(e.Key.Text), b.meant(e.Key.Text, names, "; its keys are "))
			continue
		}
		if key := b.key(d, b.declareKey(e)); key != nil {
			if key.When != nil {
				b.errorf(key.When.At, "`when` stands beside `of` and `key`, and counts for the whole guard")
			}
			written[e.Key.Text] = key
		} else {
			b.broken()
		}
	}
	for _, name := range names {
		if key := written[name]; key != nil {
			u.Keys = append(u.Keys, key)
		} else if !has(n, name) {
			b.errorf(head(n), "the guard's key needs `%s`", name)
		}
	}
}

// defaultGuard makes the default keys of a guard item: one text that names
// entity, attributes and values, in all keys of the table.
func (b *builder) defaultGuard(d *draft, u *model.Unique) {
	u.Default = true
	var names []string
	for _, a := range u.Of {
		names = append(names, a.Name.Text)
	}
	literal := "UNIQUE#" + d.entity.Name.Text + "#" + strings.Join(names, "#") + "#"
	t := model.Template{At: u.At, Text: literal}
	for i, a := range u.Of {
		if i > 0 {
			literal = "#"
			t.Text += literal
		}
		t.Text += "{" + a.Name.Text + "}"
		t.Parts = append(t.Parts, model.Part{At: u.At, Literal: literal},
			model.Part{At: u.At, Attribute: a, Path: expr.Path{Name: a.Name.Text}})
	}
	for _, k := range b.model.Table.Keys() {
		if k.Kind != value.String {
			b.errorf(u.At, "the guard's key would be text, and `%s` is %s; write it: {of: …, key: {%s: …}}", k.Name, kindName(k.Kind), k.Name)
			return
		}
		u.Keys = append(u.Keys, &model.Key{At: u.At, Name: model.Name{Text: k.Name, At: u.At}, Template: t})
	}
}

// kindName is a DynamoDB type for messages.
func kindName(k value.Kind) string {
	switch k {
	case value.String:
		return "text (S)"
	case value.Number:
		return "a number (N)"
	case value.Binary:
		return "binary (B)"
	case value.Bool:
		return "true or false (BOOL)"
	case value.Null:
		return "null (NULL)"
	case value.None:
		return "of any type"
	}
	return fmt.Sprintf("a %s (%s)", map[value.Kind]string{value.List: "list", value.Map: "map"}[k]+setWord(k), k)
}

func setWord(k value.Kind) string {
	if k == value.List || k == value.Map {
		return ""
	}
	return "set"
}

// readVolumes reads how many items of an entity there are. A volume that is
// broken is left out; nothing depends on it.
func (b *builder) readVolumes(d *draft) {
	if d.volume == nil {
		return
	}
	for _, n := range b.members(d.volume) {
		v := &model.Volume{At: n.At}
		if b.whole(func() { b.volume(d, v, n) }) {
			d.entity.Volumes = append(d.entity.Volumes, v)
		}
	}
}

func (b *builder) volume(d *draft, v *model.Volume, n *yamltree.Node) {
	b.object(n, head(n), "a volume", []field{
		{"count", false, func(n *yamltree.Node) { v.Count = b.rangeOf(n, countUnit()) }},
		{"per", false, func(n *yamltree.Node) { b.per(d, v, n) }},
		{"average", false, func(n *yamltree.Node) { v.Average = b.number(n) }},
		{"rate", false, func(n *yamltree.Node) { v.Rate = b.rate(n) }},
		{"keep", false, b.duration(&v.Keep)},
		{"growth", false, func(n *yamltree.Node) { v.Growth = b.growth(n) }},
		{"size", false, func(n *yamltree.Node) { v.Size = b.wholeNumber(n, sizeUnit(), 1) }},
	})
	if n.Kind != yamltree.Mapping || n.Incomplete {
		return
	}
	switch count, rate := has(n, "count"), has(n, "rate"); {
	case count == rate:
		b.errorf(head(n), "a volume has either a `count`, or a `rate` with `keep`")
	case rate != has(n, "keep"):
		b.errorf(head(n), "`rate` and `keep` belong together: how often one comes, and how long it stays")
	case v.Average != 0 && (v.Average < float64(v.Count.Min) || v.Average > float64(v.Count.Max)):
		b.errorf(n.Get("average").At, "the average lies outside the count %s", v.Count)
	}
}

// per reads the entity or the attribute that a count is per value of.
func (b *builder) per(d *draft, v *model.Volume, n *yamltree.Node) {
	text, ok := b.text(n)
	if !ok {
		return
	}
	v.Per = model.Name{Text: text, At: n.At}
	switch {
	case d.attributes[text] != nil:
		v.PerAttribute = b.member(d, text, n.At)
		if v.PerAttribute != nil && v.PerAttribute.Ref != nil {
			v.PerEntity = v.PerAttribute.Ref.Entity
		}
	case b.byName[text] != nil:
		v.PerEntity = b.byName[text].entity
		if b.whole(func() { v.PerAttribute = b.leadsTo(d, v.PerEntity, n.At) }) && v.PerAttribute == nil {
			b.checkAncestor(d, b.byName[text], n.At)
		}
	default:
		names := d.names()
		for _, other := range b.drafts {
			names = append(names, other.entity.Name.Text)
		}
		b.unknownf(n.At, "there is neither an entity nor an attribute `%s`%s", clip(text), b.meant(text, names, "; there are "))
	}
}

// checkAncestor refuses a count per an entity that nothing refers to, not even by
// way of others: nothing then says which items belong to one of its items.
func (b *builder) checkAncestor(d, parent *draft, at source.Span) {
	switch {
	case d.faulty, d.incomplete, parent.faulty:
		b.broken()
		return
	case d != parent && b.descends(d, parent, map[*draft]bool{}):
		return
	}
	identity := parent.entity.Identity
	if len(identity) == 0 {
		return // there is one, to which all belong
	}
	b.errorf(at, "%s does not refer to %s, so none of its items belong to one; declare `%s: {ref: %s}`, or state one `count` of all", d.entity.Name.Text, parent.entity.Name.Text,
		identity[len(identity)-1].Attribute.Name.Text, parent.entity.Name.Text)
}

// descends tells whether the references of an entity lead to another one.
func (b *builder) descends(d, ancestor *draft, seen map[*draft]bool) bool {
	if d == ancestor {
		return true
	}
	if seen[d] {
		return false
	}
	seen[d] = true
	for _, a := range d.entity.Attributes {
		for _, r := range append(slices.Clone(a.Refs), a.Ref) {
			if r != nil && b.descends(b.byName[r.Entity.Name.Text], ancestor, seen) {
				return true
			}
		}
	}
	return false
}

// leadsTo is the attribute of an entity that refers to a parent, the first one
// of several that refer together; nil when none does, or two refer to parents of
// their own.
func (b *builder) leadsTo(d *draft, parent *model.Entity, at source.Span) *model.Attribute {
	var found *model.Attribute
	for _, a := range d.entity.Attributes {
		switch {
		case a.Ref == nil || a.Ref.Entity != parent:
		case found == nil:
			found = a
		case slices.ContainsFunc(found.Ref.With, func(p model.RefPart) bool { return p.Own == a }):
		case d.faulty, b.byName[parent.Name.Text].faulty:
			b.broken() // what refers together may be what is broken
			return nil
		default:
			b.errorf(at, "`%s` and `%s` both refer to %s; write which one counts, as in `per: %s`", found.Name.Text, a.Name.Text, parent.Name.Text, found.Name.Text)
			return nil
		}
	}
	return found
}
