package infer

import (
	"slices"
	"strings"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/importer/draft"
	"github.com/dynmodel/dynmodel/model/value"
)

// quoteText is a text as a literal in an expression.
func quoteText(text string) string { return "'" + strings.ReplaceAll(text, "'", "''") + "'" }

func sortedKeys(set map[string]bool) []string {
	out := make([]string, 0, len(set))
	for k := range set {
		out = append(out, k)
	}
	slices.Sort(out)
	return out
}

// itemAttributes are the attributes of an entity's items that are no keys made by
// templates, in order: those stated, then by name.
func (in *inference) itemAttributes(e *draft.Entity) []string {
	var out []string
	seen := map[string]bool{in.Table.EntityType: true}
	for _, k := range e.Keys {
		if k.Parts != nil && !slices.Contains(draft.AttributesIn(k.Parts), k.Attribute) {
			seen[k.Attribute] = true
		}
	}
	add := func(name string) {
		if !seen[name] {
			seen[name] = true
			out = append(out, name)
		}
	}
	for _, k := range e.Keys {
		for _, name := range draft.AttributesIn(k.Parts) {
			top, _, _ := strings.Cut(name, ".")
			if _, whole := in.anyValue(e, name); whole || e.Attribute(name) != nil {
				top = name
			}
			add(top)
		}
		if k.Parts == nil {
			add(k.Attribute)
		}
	}
	for _, a := range e.Attributes {
		add(a.Name)
	}
	for _, s := range in.found[e] {
		for _, name := range sortedNames(s.item.Values) {
			add(name)
		}
	}
	return out
}

func (in *inference) anyValue(e *draft.Entity, name string) (value.Value, bool) {
	for _, s := range in.found[e] {
		if v, ok := s.item.Values[name]; ok {
			return v, true
		}
	}
	return value.Value{}, false
}

// attributes declares the attributes of an entity: those in keys first, then
// those stated, then those that items have. What is not stated is decided by the
// items' values.
func (in *inference) attributes(e *draft.Entity) {
	inKeys := map[string]bool{}
	needed := map[string]bool{}
	for _, k := range e.Keys {
		for _, name := range append(draft.AttributesIn(k.Parts), k.Attribute) {
			inKeys[name] = true
			if slices.Contains(in.keys, k.Attribute) {
				needed[name] = true
			}
		}
	}
	var out []*draft.Attribute
	for _, name := range in.itemAttributes(e) {
		a := e.Attribute(name)
		if a == nil {
			a = &draft.Attribute{At: e.At, Name: name}
		}
		in.describe(e, a, inKeys[name] || slices.Contains(in.indexKeys, name), needed[name])
		out = append(out, a)
	}
	e.Attributes = out
}

// describe decides what is not stated of an attribute.
func (in *inference) describe(e *draft.Entity, a *draft.Attribute, inKey, needed bool) {
	var values []value.Value
	for _, s := range in.found[e] {
		if v, ok := s.item.Values[a.Name]; ok {
			values = append(values, v)
		}
	}
	stated := a.Guess
	if len(values) > 0 && a.Type != "" && a.Type.Kind() != values[0].Kind() && a.Type != model.TypeAny {
		in.Faultf(a.At, "`%s` of %s is declared as %s, but items have %s; the items count", a.Name, e.Name, a.Type.Kind(), values[0].Kind())
		a.Type = ""
	}
	setDomain(a, values, inKey)
	if stated != "" && a.Guess != "" && a.Guess != stated {
		a.Guess = stated + ", " + a.Guess
	}
	if lacking := len(in.found[e]) - len(values); !a.Known || lacking > 0 {
		a.Optional = lacking > 0
	}
	if needed && !a.Known {
		a.Optional = false
	}
	for _, k := range keyAttributes(&in.Table) {
		if k.Name == a.Name && a.Type.Kind() != k.Kind && len(values) == 0 {
			a.Type = draft.TypeOf(k.Kind)
		}
	}
}

// projections takes out of the projections of indexes what no entity has; keys
// are in every index anyway.
func (in *inference) projections() {
	for _, x := range in.Table.Indexes {
		if x.Projection.Type != model.ProjectInclude {
			continue
		}
		x.Projection.Attributes = slices.DeleteFunc(x.Projection.Attributes, func(a model.Name) bool {
			isKey := slices.ContainsFunc(keyAttributes(&in.Table), func(k model.KeyAttribute) bool { return k.Name == a.Text })
			known := a.Text == in.Table.EntityType || slices.ContainsFunc(in.Entities, func(e *draft.Entity) bool { return e.Attribute(a.Text) != nil })
			if !known && !isKey {
				in.Lostf(a.At, "the index `%s` projects `%s`, which no entity has", x.Name.Text, a.Text)
			}
			return isKey || !known
		})
		if len(x.Projection.Attributes) == 0 {
			x.Projection.Type = model.ProjectKeysOnly
		}
	}
}

// keyAttributes are the key attributes of a table and its indexes, each once.
func keyAttributes(t *model.Table) []model.KeyAttribute {
	out := t.Keys()
	for _, x := range t.Indexes {
		for _, k := range x.Keys() {
			if !slices.ContainsFunc(out, func(o model.KeyAttribute) bool { return o.Name == k.Name }) {
				out = append(out, k)
			}
		}
	}
	return out
}
