package document

import (
	"slices"
	"strings"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/encode"
)

// Entity is a row of the entity chart.
type Entity struct {
	Name        string
	Description string
	Keys        []Key // one for each of Document.Columns
	Attributes  []Attribute
	Identity    []string // the attributes that identify an item
	Unique      []string // the attributes that no two items share, each by itself
	// Rules are what holds of its items: identity, unique attributes, invariants.
	Rules []Fact
}

// Key is how an entity makes a key attribute.
type Key struct {
	Template string // "" when it does not
	When     string // the condition under which it does; "": always
}

func (b *builder) columns() []Column {
	var out []Column
	add := func(keys []model.KeyAttribute, role, of string) {
		for _, k := range keys {
			i := slices.IndexFunc(out, func(c Column) bool { return c.Name == k.Name })
			if i < 0 {
				i, out = len(out), append(out, Column{Name: k.Name, Type: k.Kind.String()})
			}
			out[i].Roles = append(out[i].Roles, role+" key of "+of)
		}
	}
	for _, x := range b.spaces() {
		partition, sort := b.keysOf(x)
		of := spaceName(x)
		if x == nil {
			of = "the table"
		}
		add(partition, "partition", of)
		add(sort, "sort", of)
	}
	return out
}

func (b *builder) entities() []Entity {
	columns := b.columns()
	var out []Entity
	for _, e := range b.model.Entities {
		entity := Entity{Name: e.Name.Text, Description: e.Description, Identity: identityOf(e), Rules: rulesOf(e)}
		for _, u := range e.Unique {
			if len(u.Of) == 1 {
				entity.Unique = append(entity.Unique, u.Of[0].Name.Text)
			}
		}
		for _, c := range columns {
			entity.Keys = append(entity.Keys, b.keyOf(e, c.Name))
		}
		for _, a := range e.Attributes {
			entity.Attributes = append(entity.Attributes, attributeOf(a))
		}
		out = append(out, entity)
	}
	return out
}

func (b *builder) keyOf(e *model.Entity, name string) Key {
	template, ok := encode.KeyTemplate(b.model.Table, e, name)
	if !ok {
		return Key{}
	}
	key := Key{Template: templateText(template)}
	if k := e.Key(name); k != nil && k.When != nil {
		key.When = k.When.Text
	}
	return key
}

// templateText is a template as it is written; one that was not written is the
// attribute it stands for.
func templateText(t model.Template) string {
	if t.Text != "" {
		return t.Text
	}
	var out strings.Builder
	for _, p := range t.Parts {
		if p.Attribute == nil {
			out.WriteString(p.Literal)
			continue
		}
		out.WriteString("{" + p.Path.String() + "}")
	}
	return out.String()
}

func rulesOf(e *model.Entity) []Fact {
	var out []Fact
	add := func(label, value string) {
		if value != "" {
			out = append(out, Fact{label, value})
		}
	}
	add("Identity", strings.Join(identityOf(e), ", "))
	for _, u := range e.Unique {
		text := strings.Join(namesOf(u.Of), ", ")
		if u.When != nil {
			text += " when " + u.When.Text
		}
		add("Unique", text)
	}
	for _, c := range e.Invariants {
		add("Always", c.Text)
	}
	if e.Live != nil {
		add("Seen when", e.Live.Text)
	}
	return out
}

func identityOf(e *model.Entity) []string {
	var out []string
	for _, p := range e.Identity {
		out = append(out, p.Attribute.Name.Text)
	}
	return out
}

func namesOf(attributes []*model.Attribute) []string {
	var out []string
	for _, a := range attributes {
		out = append(out, a.Name.Text)
	}
	return out
}

// Relation is a reference from the items of one entity to those of another.
type Relation struct {
	From, To string   // entities: From refers to To
	By       []string // the attributes of From that refer together
	// Least and Most are how many items of From refer to one of To; Most is 0
	// when nothing bounds it.
	Least, Most int64
	// Optional tells that an item of From may refer to nothing.
	Optional bool
}

func (b *builder) relations() []Relation {
	var out []Relation
	for _, e := range b.model.Entities {
		for _, a := range e.Attributes {
			for _, r := range refsOf(a) {
				rel := relation(e, a, r)
				same := func(o Relation) bool { return o.From == rel.From && o.To == rel.To && slices.Equal(o.By, rel.By) }
				if !slices.ContainsFunc(out, same) {
					out = append(out, rel)
				}
			}
		}
	}
	return out
}

// relation is one reference of an entity; attributes that refer together come in
// the entity's order, whichever of them it stands on.
func relation(e *model.Entity, a *model.Attribute, r *model.Ref) Relation {
	out := Relation{From: e.Name.Text, To: r.Entity.Name.Text, Optional: a.Optional}
	var by []*model.Attribute
	for _, b := range e.Attributes {
		if b == a || slices.ContainsFunc(r.With, func(w model.RefPart) bool { return w.Own == b }) {
			by = append(by, b)
		}
	}
	out.By = namesOf(by)
	for _, v := range e.Volumes {
		if v.PerEntity == r.Entity && (v.PerAttribute == nil || slices.Contains(by, v.PerAttribute)) {
			out.Least, out.Most = v.Count.Min, v.Count.Max
		}
	}
	return out
}
