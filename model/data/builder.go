package data

import (
	"slices"
	"time"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/encode"
	"github.com/dynmodel/dynmodel/model/expr"
	"github.com/dynmodel/dynmodel/model/value"
)

// builder makes items that agree with the model and with those already there.
type builder struct {
	g       *Generator
	pattern *model.Pattern
	facts   facts
	now     time.Time
	shapes  map[*model.Entity]*shape
	placed  map[*model.Entity][]model.Item
	all     []model.Instance
	taken   map[string]bool          // identities and unique values
	counts  map[string]int           // items per parent
	minted  uint64                   // how many identifiers were minted
	made    map[*model.Attribute]int // how many of each scheme of people's own
	// promised are items referred to before there are any of their entity.
	promised map[*model.Entity][]model.Item
	most     int            // items of the world
	known    map[known]bool // values found to be ordinary, or not
}

func (g *Generator) newBuilder(p *model.Pattern) *builder {
	return &builder{
		g: g, pattern: p, now: g.options.Now, facts: factsOf(g.model, p, g.options.Now),
		shapes: map[*model.Entity]*shape{}, placed: map[*model.Entity][]model.Item{},
		taken: map[string]bool{}, counts: map[string]int{}, promised: map[*model.Entity][]model.Item{},
		known: map[known]bool{}, made: map[*model.Attribute]int{},
	}
}

// row says what an item is to be: for each dimension of its entity's shape the
// number of the value it takes.
type row []int

// draft makes an item of a row. Attributes in pins have the value given, absent
// ones included. False when a reference that must be there finds no item.
func (b *builder) draft(s *shape, r row, pins model.Item) (model.Item, bool) {
	item := model.Item{}
	for i, d := range s.dims {
		switch {
		case d.link != nil:
			if !b.follow(item, d, r[i], pins) {
				return nil, false
			}
		default:
			if _, assigned := item[d.attr.Name.Text]; !assigned {
				set(item, d.attr, b.variant(d, r[i]))
			}
		}
	}
	for _, a := range s.minted {
		if _, assigned := item[a.Name.Text]; !assigned {
			item[a.Name.Text] = b.mint(a)
		}
	}
	for name, v := range pins {
		if v.Exists() {
			item[name] = v
		} else {
			delete(item, name)
		}
	}
	for _, a := range s.entity.Attributes {
		if _, there := item[a.Name.Text]; a.Aggregate != nil && !there {
			item[a.Name.Text] = value.OfInt(0)
		}
	}
	b.mend(s.entity, item, pins)
	b.complete(s.entity, item)
	return encode.Normalise(s.entity, item), true
}

func set(item model.Item, a *model.Attribute, v value.Value) {
	if v.Exists() {
		item[a.Name.Text] = v
	}
}

// follow makes an item refer to the n-th item of the target, or the first after
// it that agrees with what is assigned already.
func (b *builder) follow(item model.Item, d dim, n int, pins model.Item) bool {
	l := d.link
	targets := b.placed[l.target]
	if n >= len(targets) && l.optional {
		return true // the last value of an optional reference: none
	}
	for i := range targets {
		target := targets[(n+i)%len(targets)]
		if l.agrees(item, target) && l.agrees(pins, target) {
			l.assign(item, target)
			return true
		}
	}
	switch {
	case l.optional, l.pinned(pins):
		return true
	case len(targets) == 0:
		l.assign(item, b.promise(l, item, n))
		return true
	}
	return false
}

// assign makes an item refer to a target.
func (l *link) assign(item, target model.Item) {
	for _, p := range l.pairs {
		set(item, p.own, target[p.target.Name.Text])
	}
}

// agrees tells whether an item that has these attributes may refer to a target.
func (l *link) agrees(item, target model.Item) bool {
	for _, p := range l.pairs {
		own, there := item[p.own.Name.Text]
		if there && !value.Equal(encode.Stored(p.own, own), target[p.target.Name.Text]) {
			return false
		}
		if there := target[p.target.Name.Text]; !there.Exists() && !p.own.Optional {
			return false
		}
	}
	return true
}

// given tells whether some of the reference is given.
func (l *link) given(pins model.Item) bool {
	return slices.ContainsFunc(l.pairs, func(p pair) bool { return pins[p.own.Name.Text].Exists() })
}

// pinned tells whether all of the reference is given: it may then lead nowhere.
func (l *link) pinned(pins model.Item) bool {
	for _, p := range l.pairs {
		if !pins[p.own.Name.Text].Exists() && !p.own.Optional {
			return false
		}
	}
	return true
}

// mint makes an identifier that nothing else has. Those that hold a time hold
// one of the times that matter.
func (b *builder) mint(a *model.Attribute) value.Value {
	times := timePool(a, b.now)
	at := times[int(b.minted)%len(times)]
	b.minted++
	if !a.Type.IsID() {
		return b.ownScheme(a)
	}
	return Mint(a.Type, at, b.g.options.Seed<<32+b.minted)
}

// complete works out what follows from the other attributes: copies, what
// stands together, and what is derived.
func (b *builder) complete(e *model.Entity, item model.Item) {
	for _, a := range e.Attributes {
		if a.CopyOf != nil {
			b.copy(e, item, a)
		}
	}
	for _, a := range e.Attributes {
		if a.PresentWith == nil {
			continue
		}
		_, there := item[a.Name.Text]
		if _, with := item[a.PresentWith.Name.Text]; with && !there {
			set(item, a, first(b.values(a)))
		} else if !with && there {
			remove(e, item, a)
		}
	}
	for _, a := range e.Attributes {
		if a.Derive == nil {
			continue
		}
		delete(item, a.Name.Text)
		set(item, a, derive(e, item, a, a.Derive.Expr))
	}
}

// copy gives a copy its source's value.
func (b *builder) copy(e *model.Entity, item model.Item, a *model.Attribute) {
	delete(item, a.Name.Text)
	source, ok := b.g.sourceOf(e, item, a.CopyOf.Entity, b.placed[a.CopyOf.Entity])
	if !ok {
		set(item, a, first(b.values(a)))
		return
	}
	set(item, a, source[a.CopyOf.Attribute.Name.Text])
}

// sourceOf is the item among those of another entity that an item belongs to:
// the one it refers to or, where it has no reference to that entity, the first.
func (g *Generator) sourceOf(e *model.Entity, item model.Item, of *model.Entity, items []model.Item) (model.Item, bool) {
	refers := false
	for _, l := range g.links[e] {
		if l.target != of {
			continue
		}
		refers = true
		if at := l.find(item, items); at >= 0 {
			return items[at], true
		}
	}
	if refers || len(items) == 0 {
		return nil, false
	}
	return items[0], true
}

// find is the number of the item that another one refers to, or -1.
func (l *link) find(item model.Item, items []model.Item) int {
	if !l.complete(item) {
		return -1
	}
	return slices.IndexFunc(items, func(target model.Item) bool { return l.agrees(item, target) })
}

// complete tells whether an item refers at all.
func (l *link) complete(item model.Item) bool { return item[l.pairs[0].own.Name.Text].Exists() }

// derive computes a derived attribute; absent when what it needs is.
func derive(e *model.Entity, item model.Item, a *model.Attribute, o expr.Operand) value.Value {
	switch o := o.(type) {
	case *expr.Attr:
		return convert(e.AttributeAt(o.Path), a, encode.Lookup(item, o.Path))
	case *expr.Literal:
		return o.Value
	case *expr.Arith:
		left := derive(e, item, a, o.Left)
		if d, ok := o.Right.(*expr.Duration); ok && left.Exists() {
			by := d.Length
			if o.Minus {
				by = -by
			}
			v, _ := encode.Shift(a, left, by)
			return v
		}
		right := derive(e, item, a, o.Right)
		if left.Kind() != value.Number || right.Kind() != value.Number {
			return value.Value{}
		}
		if o.Minus {
			right = right.Neg()
		}
		return add(left, right)
	case *expr.Call:
		return deriveCall(e, item, a, o)
	}
	return value.Value{}
}

func deriveCall(e *model.Entity, item model.Item, a *model.Attribute, o *expr.Call) value.Value {
	if len(o.Args) != 1 {
		return value.Value{}
	}
	of, typ := a, a.Type
	if attr, ok := o.Args[0].(*expr.Attr); ok {
		if source := e.AttributeAt(attr.Path); source != nil {
			of, typ = source, source.Type
		}
	}
	v := derive(e, item, of, o.Args[0])
	if !v.Exists() {
		return v
	}
	out, err := encode.Apply([]expr.Func{o.Func}, v, typ)
	if err != nil {
		return value.Value{}
	}
	return out
}

// convert writes a time of one attribute as another one writes it.
func convert(from, to *model.Attribute, v value.Value) value.Value {
	if from == nil || !from.Type.HasTime() || !to.Type.IsTime() {
		return v
	}
	t, ok := encode.Time(v, from.Type)
	if !ok {
		return value.Value{}
	}
	return ofTime(to, t)
}

// values are an attribute's pool in this pattern: what the pattern names comes
// after the plainest value.
func (b *builder) values(a *model.Attribute) []value.Value {
	values := b.g.Values(a)
	if slices.ContainsFunc(a.Domain.Attributes, func(member *model.Attribute) bool { return b.facts[member] != nil }) {
		values = mapsOf(a, b.values)
	}
	f := b.facts[a]
	if f == nil {
		return values
	}
	var named []value.Value
	if f.fixed.Exists() && Valid(a, f.fixed) {
		named = append(named, f.fixed)
	} else if len(values) > 0 {
		named = append(named, values[0])
	}
	for _, v := range f.values {
		if Valid(a, v) && !contains(named, v) {
			named = append(named, v)
		}
	}
	return merge(named, values)
}

// room tells whether an item may join those that are there, for all that they
// take for themselves.
func (b *builder) room(e *model.Entity, item model.Item) bool {
	for _, c := range claims(e, item) {
		if b.taken[c] {
			return false
		}
	}
	for _, h := range b.g.holders(e, item) {
		if int64(b.counts[h.key]) >= h.most {
			return false
		}
	}
	return true
}

// whole tells whether an item has all it must have, within its domains, and keeps
// its invariants.
func (b *builder) whole(e *model.Entity, item model.Item) bool {
	for _, a := range e.Attributes {
		v, there := item[a.Name.Text]
		if !there && !a.Optional && !a.HasDefault() || there && !b.valid(a, v) {
			return false
		}
	}
	return keeps(e, item)
}

// known is a scalar of an attribute.
type known struct {
	attr     *model.Attribute
	text     string
	ordinary bool // ordinary was asked for, not valid
}

// scalar tells whether a value is told by its text.
func scalar(a *model.Attribute, v value.Value) bool {
	k := v.Kind()
	return (k == value.String || k == value.Number) && k == a.Type.Kind()
}

// valid is Valid, remembered.
func (b *builder) valid(a *model.Attribute, v value.Value) bool {
	return b.remembered(known{a, v.Text(), false}, v, Valid)
}

// ordinary is ordinary, remembered.
func (b *builder) ordinary(a *model.Attribute, v value.Value) bool {
	return b.remembered(known{a, v.Text(), true}, v, ordinary)
}

func (b *builder) remembered(key known, v value.Value, is func(*model.Attribute, value.Value) bool) bool {
	if !scalar(key.attr, v) {
		return is(key.attr, v)
	}
	if b.g.known[key] {
		return true
	}
	yes, asked := b.known[key]
	if !asked {
		yes = is(key.attr, v)
		b.known[key] = yes
	}
	return yes
}

// place adds an item to the world.
func (b *builder) place(e *model.Entity, item model.Item) {
	for _, c := range claims(e, item) {
		b.taken[c] = true
	}
	for _, h := range b.g.holders(e, item) {
		b.counts[h.key]++
	}
	b.placed[e] = append(b.placed[e], item)
	b.all = append(b.all, model.Instance{Entity: e, Item: item})
}
