package data

import (
	"cmp"
	"slices"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/value"
)

// shape is what varies between the items of an entity in one pattern's world.
type shape struct {
	entity *model.Entity
	dims   []dim
	minted []*model.Attribute // new in every item
	cursor []int              // per dimension: the last value taken to give way
	rows   []row              // of items to be created
}

// dim is one thing that varies: a reference, by the number of the item it leads
// to, after which an optional one is absent; or an attribute, by the number of
// its value, one of which is absence where it is optional.
type dim struct {
	link   *link
	attr   *model.Attribute
	values []value.Value
	// scope: where items with the same value are looked for together.
	scope    bool
	identity bool // part of the entity's identity
	weight   int  // how much it matters; 0: hardly
	fixed    bool // the pattern looks for one value, the first
}

// value is the n-th value of an attribute, going round.
func (d dim) value(n int) value.Value {
	if len(d.values) == 0 {
		return value.Value{}
	}
	return d.values[n%len(d.values)]
}

// absent is the number that stands for absent, given how many there are; false
// when it must be there.
func (d dim) absent(size int) (int, bool) {
	if d.link != nil {
		return size - 1, d.link.optional
	}
	n := slices.IndexFunc(d.values, func(v value.Value) bool { return !v.Exists() })
	return n, n >= 0
}

// Weights of dimensions: what a range or an order is about comes before what
// keys are made of, that before what the pattern merely names.
const (
	weightNamed = 1 + iota
	weightKey
	weightRange
)

// shapeOf is the shape of an entity in this pattern.
func (b *builder) shapeOf(e *model.Entity) *shape {
	if s := b.shapes[e]; s != nil {
		return s
	}
	s := &shape{entity: e}
	linked := map[*model.Attribute]bool{}
	for _, l := range b.g.links[e] {
		d := dim{link: l, scope: true, weight: weightKey}
		for _, p := range l.pairs {
			linked[p.own] = true
			d.identity = d.identity || inIdentity(e, p.own)
		}
		s.dims = append(s.dims, d)
	}
	var free []dim
	for _, a := range e.Attributes {
		switch {
		case linked[a], a.CopyOf != nil, a.Derive != nil, a.Aggregate != nil:
		case a.Minted:
			s.minted = append(s.minted, a)
		default:
			free = append(free, b.dimOf(e, a))
		}
	}
	slices.SortStableFunc(free, func(c, d dim) int { return cmp.Compare(d.weight, c.weight) })
	s.dims = append(s.dims, free...)
	b.shapes[e] = s
	return s
}

func (b *builder) dimOf(e *model.Entity, a *model.Attribute) dim {
	f := b.facts[a]
	d := dim{attr: a, values: b.values(a), identity: inIdentity(e, a), scope: b.scope(e, a)}
	switch {
	case !a.Optional:
	case f != nil && f.absent:
		d.values = append([]value.Value{{}}, d.values...)
	default:
		d.values = append(d.values[:len(d.values):len(d.values)], value.Value{})
	}
	if b.inKeys(e, a) || d.identity {
		d.weight = weightKey
	}
	switch {
	case f == nil:
	case f.ranged:
		d.weight = weightRange
	case f.named:
		d.weight = max(d.weight, weightNamed)
	}
	d.fixed = f != nil && (f.fixed.Exists() || f.absent)
	for _, m := range a.Domain.Attributes {
		if f := b.facts[m]; f != nil {
			d.scope = d.scope || f.equal
			d.fixed = d.fixed || f.fixed.Exists()
		}
	}
	return d
}

// scope tells whether items with one value of the attribute are looked for
// together: the caller gives it, it separates whose data is whose, or it is in
// the table's partition key.
func (b *builder) scope(e *model.Entity, a *model.Attribute) bool {
	t := b.g.model.Table
	if by := t.IsolateBy; by != nil && by.Text == a.Name.Text {
		return true
	}
	if f := b.facts[a]; f != nil && (f.equal || f.ranged) {
		return f.equal
	}
	k := e.Key(t.PartitionKey.Name)
	return k != nil && inTemplate(k.Template, a)
}

func inIdentity(e *model.Entity, a *model.Attribute) bool {
	return slices.ContainsFunc(e.Identity, func(p model.IdentityPart) bool { return p.Attribute == a })
}

func inTemplate(t model.Template, a *model.Attribute) bool {
	return slices.ContainsFunc(t.Parts, func(p model.Part) bool { return p.Attribute == a })
}

// inKeys tells whether an attribute is in a key that matters: of the table, of an
// index that the pattern may read (any, when it writes), or of a guard.
func (b *builder) inKeys(e *model.Entity, a *model.Attribute) bool {
	return slices.ContainsFunc(e.Keys, func(k *model.Key) bool { return inTemplate(k.Template, a) && b.mayRead(e, k.Name.Text) }) ||
		slices.ContainsFunc(e.Unique, func(u *model.Unique) bool { return slices.Contains(u.Of, a) })
}

// mayRead tells whether the pattern may read by a key attribute: of the table,
// or of an index of which it names part of the partition key.
func (b *builder) mayRead(e *model.Entity, key string) bool {
	is := func(k model.KeyAttribute) bool { return k.Name == key }
	if hasWrites(b.pattern) || slices.ContainsFunc(b.g.model.Table.Keys(), is) {
		return true
	}
	for _, x := range b.g.model.Table.Indexes {
		if slices.ContainsFunc(x.Keys(), is) && (!b.pattern.IndexPinned || b.pattern.Index == x) && b.names(e, x.PartitionKey) {
			return true
		}
	}
	return false
}

// names tells whether the pattern names an attribute in keys, or there is none.
func (b *builder) names(e *model.Entity, keys []model.KeyAttribute) bool {
	none := true
	for _, k := range keys {
		own := e.Key(k.Name)
		if own == nil {
			return false
		}
		for _, p := range own.Template.Parts {
			if p.Attribute == nil {
				continue
			}
			none = false
			if f := b.facts[p.Attribute]; f != nil && f.named {
				return true
			}
		}
	}
	return none
}
