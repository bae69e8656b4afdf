package typescript

import (
	"fmt"
	"slices"
	"strings"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/encode"
	"github.com/dynmodel/dynmodel/model/expr"
	"github.com/dynmodel/dynmodel/model/value"
)

// access is an index, or the table itself, as ElectroDB knows it.
type access struct {
	index      *model.Index // nil for the table
	name       string
	pk         keyPart
	sk         *keyPart // nil for none
	collection string   // "" for none
}

// keyPart is a key attribute of an access.
type keyPart struct {
	field string
	// template is that of the model, for a key that ElectroDB composes of
	// attributes; for a hidden key the attribute itself.
	template model.Template
	hidden   bool
}

// hidden is a key attribute that ElectroDB gets as a computed attribute.
type hidden struct {
	key      string
	template model.Template
	watch    []string
	when     string // the condition on which it is written
}

// describe decides what of an entity ElectroDB can express. This is the only place
// that says so of entities; via says it of access patterns.
func (g *generator) describe(e *entity) {
	if e.unfit = g.unfit(e.Entity); e.unfit != "" {
		return
	}
	used := map[string]string{}
	if table := g.access(e, nil, used); table != nil {
		e.indexes = append(e.indexes, table)
	} else {
		e.unfit = "its keys are not the texts that ElectroDB writes"
		return
	}
	for _, x := range g.table.Indexes {
		if a := g.access(e, x, used); a != nil {
			e.indexes = append(e.indexes, a)
		}
	}
	for _, k := range g.keySlots() {
		g.hide(e, k)
	}
}

// unfit is why ElectroDB cannot hold an entity's attributes.
func (g *generator) unfit(e *model.Entity) string {
	for _, a := range e.Attributes {
		name := a.Name.Text
		switch {
		case !plainName.MatchString(name):
			return "the name of its attribute " + name + " has other characters than letters, digits and _"
		case name == g.table.EntityType:
			return "its attribute " + name + " is that of the entity type"
		case a.Type == model.TypeBinarySet:
			return "its attribute " + name + " is a set of binary values"
		}
		for _, k := range g.keySlots() {
			if template, ok := encode.KeyTemplate(g.table, e, k.Name); ok && k.Name == name && !isOwn(template, name) {
				return "its attribute " + name + " has the name of a key that is made of others"
			}
		}
	}
	return ""
}

// access is the index for ElectroDB; nil when it does not know such an index, or
// the entity is not in it. A field has the same part in all indexes of ElectroDB.
func (g *generator) access(e *entity, x *model.Index, used map[string]string) *access {
	out := &access{index: x, name: "table"}
	all := g.table.Keys()
	if x != nil {
		out.name = x.Name.Text
		if out.name == "table" {
			out.name = "index"
		}
		all = x.Keys()
		if len(x.PartitionKey) != 1 || len(x.SortKey) > 1 {
			return nil
		}
	}
	plain := x == nil || g.always(e.Entity, x)
	var parts []keyPart
	for _, k := range all {
		template, ok := encode.KeyTemplate(g.table, e.Entity, k.Name)
		if !ok || k.Kind != value.String || k.Name == g.table.EntityType {
			return nil
		}
		part := keyPart{field: k.Name, template: template}
		part.hidden = !isOwn(template, k.Name) && !(plain && composable(template))
		parts = append(parts, part)
	}
	out.pk = parts[0]
	if len(parts) > 1 {
		out.sk = &parts[1]
		if !out.sk.hidden && shared(out.pk, *out.sk) {
			if isOwn(out.sk.template, out.sk.field) {
				return nil
			}
			out.sk.hidden = true
		}
	}
	for _, p := range parts {
		said := fmt.Sprint(p.hidden, p.template.Text)
		if before, ok := used[p.field]; ok && before != said {
			return nil
		}
	}
	for _, p := range parts {
		used[p.field] = fmt.Sprint(p.hidden, p.template.Text)
	}
	return out
}

// always tells whether all items of an entity are in an index.
func (g *generator) always(e *model.Entity, x *model.Index) bool {
	in, err := g.inIndex(e, x)
	return err == nil && in == "true"
}

// composable tells whether ElectroDB composes the text of a template just so: texts
// and attributes in turn, each attribute once and as it is, with no text at the end.
func composable(t model.Template) bool {
	var seen []string
	for i, p := range t.Parts {
		switch {
		case p.Random > 0, strings.ContainsAny(p.Literal, "${}"):
			return false
		case p.Attribute == nil && i == len(t.Parts)-1 && len(t.Parts) > 1:
			return false
		case p.Attribute == nil:
			continue
		case !p.Path.Top() || len(p.Funcs) > 0 || p.Attribute.Optional || slices.Contains(seen, p.Path.Name):
			return false
		case p.Attribute.Type.Kind() != value.String && p.Attribute.Type != model.TypeInteger:
			return false
		}
		seen = append(seen, p.Path.Name)
	}
	return true
}

// shared tells whether two keys have an attribute in common, which ElectroDB does
// not compose.
func shared(a, b keyPart) bool {
	if a.hidden {
		return false
	}
	for _, p := range attributesOf(a.template) {
		for _, q := range attributesOf(b.template) {
			if p.Name == q.Name {
				return true
			}
		}
	}
	return false
}

// hide makes a key attribute a computed one, unless it is composed or the entity's own.
func (g *generator) hide(e *entity, k model.KeyAttribute) {
	template, ok := encode.KeyTemplate(g.table, e.Entity, k.Name)
	if !ok || isOwn(template, k.Name) || k.Name == g.table.EntityType {
		return
	}
	for _, a := range e.indexes {
		for _, p := range a.parts() {
			if p.field == k.Name && !p.hidden {
				return
			}
		}
	}
	when, err := g.membership(e.Entity, k.Name)
	if err != nil || when == "false" {
		return
	}
	h := hidden{key: k.Name, template: template, when: when}
	h.watch = g.watched(e.Entity, k.Name)
	e.hidden = append(e.hidden, h)
}

// watched are the attributes that decide a key attribute: those of its template,
// and of the indexes in which it stands.
func (g *generator) watched(e *model.Entity, key string) []string {
	var out []string
	add := func(name string) {
		if !slices.Contains(out, name) {
			out = append(out, name)
		}
	}
	of := func(name string) {
		if template, ok := encode.KeyTemplate(g.table, e, name); ok {
			for _, p := range attributesOf(template) {
				add(p.Name)
			}
		}
		if k := e.Key(name); k != nil && k.When != nil {
			for _, a := range expr.Attrs(k.When.Cond) {
				add(a.Path.Name)
			}
		}
	}
	of(key)
	for _, x := range g.table.Indexes {
		if keys(x, key) {
			for _, k := range x.Keys() {
				of(k.Name)
			}
		}
	}
	return out
}

func (a *access) parts() []keyPart {
	if a.sk == nil {
		return []keyPart{a.pk}
	}
	return []keyPart{a.pk, *a.sk}
}

// collect names the collections: entities whose items share the partitions of an
// index, by the same attributes.
func (g *generator) collect() {
	for _, x := range append([]*model.Index{nil}, g.table.Indexes...) {
		byKey := map[string][]*access{}
		var order []string
		for _, e := range g.entities {
			for _, a := range e.indexes {
				if a.index != x || a.sk == nil || a.pk.hidden || a.sk.hidden || isOwn(a.pk.template, a.pk.field) || isOwn(a.sk.template, a.sk.field) {
					continue
				}
				key := a.pk.template.Text
				if byKey[key] == nil {
					order = append(order, key)
				}
				byKey[key] = append(byKey[key], a)
			}
		}
		taken := names{}
		for _, key := range order {
			if len(byKey[key]) < 2 {
				continue
			}
			name := taken.take(camel(byKey[key][0].name+" by "+strings.Join(compositeOf(byKey[key][0].pk), " and "), false))
			for _, a := range byKey[key] {
				a.collection = name
			}
		}
	}
}

func compositeOf(p keyPart) []string {
	var out []string
	for _, path := range attributesOf(p.template) {
		out = append(out, path.Name)
	}
	if len(out) == 0 {
		out = []string{"all"}
	}
	return out
}
