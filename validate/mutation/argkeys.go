package mutation

import (
	"slices"
	"strings"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/expr"
	"github.com/dynmodel/dynmodel/model/keytext"
	"github.com/dynmodel/dynmodel/model/value"
)

// keysStand tells whether the mutant's keys can be told apart by those who read
// them, wherever the changed template takes part: see place.stands.
func (c *comparison) keysStand() bool {
	e := c.broken.Entity(c.mutant.part.entity)
	if e == nil || c.mutant.part.key == "" || e.Key(c.mutant.part.key) == nil {
		return false
	}
	return c.stand(e, c.mutant.part.key)
}

// stand looks at the table and at each index that a key attribute is in.
func (c *comparison) stand(e *model.Entity, key string) bool {
	found := false
	for _, p := range c.places(e) {
		if !p.has(key) {
			continue
		}
		found = true
		if !p.stands(c.broken, c.compared(e)) {
			return false
		}
	}
	return found
}

// place is an entity's keys in the table or in an index.
type place struct {
	entity     *model.Entity
	table      bool
	partition  []*model.Key
	sort       []*model.Key
	attributes [2][]model.KeyAttribute
}

// places are where the items of an entity stand.
func (c *comparison) places(e *model.Entity) []place {
	t := c.broken.Table
	var sortKey []model.KeyAttribute
	if t.SortKey != nil {
		sortKey = []model.KeyAttribute{*t.SortKey}
	}
	var out []place
	add := func(table bool, partition, sort []model.KeyAttribute) {
		p := place{entity: e, table: table, attributes: [2][]model.KeyAttribute{partition, sort}}
		for _, k := range partition {
			p.partition = append(p.partition, e.Key(k.Name))
		}
		for _, k := range sort {
			p.sort = append(p.sort, e.Key(k.Name))
		}
		if !slices.Contains(p.partition, nil) && !slices.Contains(p.sort, nil) {
			out = append(out, p)
		}
	}
	add(true, []model.KeyAttribute{t.PartitionKey}, sortKey)
	for _, x := range t.Indexes {
		add(false, x.PartitionKey, x.SortKey)
	}
	return out
}

func (p place) keys() []*model.Key { return slices.Concat(p.partition, p.sort) }

func (p place) has(key string) bool {
	return slices.ContainsFunc(p.keys(), func(k *model.Key) bool { return k.Name.Text == key })
}

// stands tells whether, in this place,
//   - every key can be read in one way only, by what its attributes declare;
//   - in the table, the keys hold all that identifies an item;
//   - no beginning of a sort key, up to the end of a part, is one of another
//     value's: a key condition on the first parts catches no one else's;
//   - the parts that precede another one are of a fixed width where the pattern
//     has a range over, or an order by, an attribute of the sort key;
//   - no other entity's items stand in the same partition, or else the sort keys
//     differ in what they begin with.
//
// Then a request that is made from the templates means one set of attribute
// values, or one range of them, and nothing else can be in it.
func (p place) stands(m *model.Model, compared func(string) bool) bool {
	for _, k := range p.keys() {
		if !readable(k.Template) {
			return false
		}
	}
	if p.table && !p.holdIdentity() {
		return false
	}
	for _, k := range p.sort {
		if !beginnings(k.Template) || ranged(k.Template, compared) && !fixedWidths(k.Template) {
			return false
		}
	}
	for _, other := range m.Entities {
		if other != p.entity && !p.apart(other) {
			return false
		}
	}
	return true
}

// text is an attribute whose values are any text.
var text = model.Attribute{Type: model.TypeString}

// followed is a template with any text after it.
func followed(parts ...model.Part) model.Template {
	return model.Template{Parts: append(slices.Clone(parts), model.Part{Attribute: &text, Path: expr.Path{Name: "text"}})}
}

// readable tells whether a template's texts can be read in one way only. Where
// keytext has too much to look at to find out, they are taken not to be: it
// would find that any text after any text can be read in two ways.
func readable(t model.Template) bool {
	if t.Whole() != nil {
		return true
	}
	if _, _, _, looked := keytext.Ambiguous(followed(followed(t.Parts...).Parts...)); !looked {
		return false
	}
	_, _, _, ambiguous := keytext.Ambiguous(t)
	return !ambiguous
}

// beginnings tells whether no beginning of a template's texts, up to the end of
// a part and the literal after it, is one that other values make.
func beginnings(t model.Template) bool {
	for i, p := range t.Parts[:max(0, len(t.Parts)-1)] {
		if p.Attribute == nil {
			continue
		}
		first := t.Parts[i : i+1]
		if t.Parts[i+1].Literal != "" {
			first = t.Parts[i : i+2]
		}
		if _, _, _, ambiguous := keytext.Ambiguous(followed(first...)); ambiguous {
			return false
		}
	}
	return true
}

// ranged tells whether an attribute of a template is one that a test accepts.
func ranged(t model.Template, is func(string) bool) bool {
	return slices.ContainsFunc(t.Parts, func(p model.Part) bool { return p.Attribute != nil && is(p.Attribute.Name.Text) })
}

// fixedWidths tells whether all parts but the last have texts of one length.
func fixedWidths(t model.Template) bool {
	for _, p := range t.Parts[:max(0, len(t.Parts)-1)] {
		if p.Attribute != nil && !fixedWidth(p) {
			return false
		}
	}
	return true
}

func fixedWidth(p model.Part) bool {
	for _, f := range p.Funcs {
		switch f.Name {
		case expr.Pad, expr.Invert, expr.Year, expr.Month, expr.Day, expr.Hour:
			return true
		}
	}
	a := keytext.Leaf(p)
	switch a.Type {
	case model.TypeDatetime:
		return !a.Domain.AnyZone && a.Domain.Precision != model.PrecisionVariable
	case model.TypeULID, model.TypeKSUID, model.TypeUUID, model.TypeUUID7, model.TypeDate, model.TypeMonth:
		return true
	}
	return keytext.Width(a) > 0
}

// holdIdentity tells whether the keys hold all attributes of the identity, in
// forms that tell different values apart.
func (p place) holdIdentity() bool {
	for _, id := range p.entity.Identity {
		held := slices.ContainsFunc(p.keys(), func(k *model.Key) bool {
			return slices.ContainsFunc(k.Template.Parts, func(part model.Part) bool {
				return part.Attribute == id.Attribute && len(part.Path.Rest) == 0 && faithful(part.Funcs, id)
			})
		})
		if !held {
			return false
		}
	}
	return true
}

// faithful tells whether functions keep different values of an identity apart.
func faithful(funcs []expr.Func, id model.IdentityPart) bool {
	for _, f := range funcs {
		switch f.Name {
		case expr.Pad, expr.Invert:
		case expr.Lower, expr.Upper:
			if id.Attribute.Stored != f.Name && !slices.Contains(id.Funcs, f) {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// apart tells whether no item of another entity is in a partition with one of
// this entity, or that their sort keys begin differently.
func (p place) apart(other *model.Entity) bool {
	for i, k := range p.attributes[0] {
		theirs := other.Key(k.Name)
		if theirs == nil {
			return true // not in this place
		}
		if k.Kind == value.String && !keytext.Meet(p.partition[i].Template, theirs.Template) {
			return true
		}
	}
	for i, k := range p.attributes[1] {
		theirs := other.Key(k.Name)
		if theirs == nil {
			return true
		}
		mine, his := prefix(p.sort[i].Template), prefix(theirs.Template)
		if i == 0 && !strings.HasPrefix(mine, his) && !strings.HasPrefix(his, mine) {
			return true
		}
	}
	return false
}

// prefix is the literal text that a template begins with.
func prefix(t model.Template) string {
	if len(t.Parts) == 0 {
		return ""
	}
	return t.Parts[0].Literal
}

// compared tells which attributes of an entity some pattern orders by, or
// compares other than for equality.
func (c *comparison) compared(e *model.Entity) func(string) bool {
	var out []string
	for _, p := range c.broken.Patterns {
		if !slices.Contains(p.Entities, e) {
			continue
		}
		for _, o := range p.Order {
			out = append(out, o.Attribute)
		}
		if p.Where == nil {
			continue
		}
		expr.Walk(p.Where.Cond, func(n expr.Node) {
			switch n := n.(type) {
			case *expr.Compare:
				if n.Op != expr.Eq {
					out = append(out, names(n)...)
				}
			case *expr.Between, *expr.Test:
				out = append(out, names(n)...)
			}
		})
	}
	return func(name string) bool { return slices.Contains(out, name) }
}
