package data

import (
	"maps"
	"slices"
	"strings"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/encode"
	"github.com/dynmodel/dynmodel/model/value"
)

// Bounds of the search for other ways to read a key.
const (
	twinsOfKey  = 5  // items placed for one key
	readingsMax = 4  // readings of one text
	partMax     = 48 // characters of one part tried
)

// twins places items that are made to be mistaken for others: the key of an
// item, read as if other attributes had made it, gives an item of different
// identity with the same key; the whole key of the table, or the partition key
// of the table or of an index. Of each key in turn.
func (b *builder) twins(members []member) {
	keys := b.readKeys(members)
	for _, m := range members {
		if m.rank == rankFocus {
			b.delimit(m.entity, keys)
			b.guardTwins(m.entity)
		}
	}
	pairs := b.pairs(members)
	next := make([]int, len(keys))
	for range twinsOfKey {
		for i, key := range keys {
			for found := false; !found && next[i] < len(pairs) && !b.full(); next[i]++ {
				found = b.twin(pairs[next[i]], key)
			}
		}
	}
}

// readKeys are the keys by which items may be mistaken: those of the table, and
// the partition keys of indexes that the pattern may read.
func (b *builder) readKeys(members []member) [][]model.KeyAttribute {
	t := b.g.model.Table
	keys := [][]model.KeyAttribute{t.Keys(), {t.PartitionKey}}
	for _, x := range t.Indexes {
		if slices.ContainsFunc(members, func(m member) bool {
			return m.rank == rankFocus && !x.Local && b.mayRead(m.entity, x.PartitionKey[0].Name)
		}) {
			keys = append(keys, x.PartitionKey)
		}
	}
	return keys
}

// likeness is an item, and the entity of which another may be mistaken for it.
type likeness struct {
	original model.Instance
	entity   *model.Entity
}

// pairs are the items that others may be mistaken for: those that the pattern
// is about with their own kind, then with the others in the world.
func (b *builder) pairs(members []member) []likeness {
	var own, focus, others []likeness
	for _, m := range members {
		for n, item := range b.placed[m.entity] {
			original := model.Instance{Entity: m.entity, Item: item}
			for _, other := range members {
				pair := likeness{original, other.entity}
				switch {
				case m.rank == rankFocus && other.entity == m.entity:
					own = append(own, pair)
				case m.rank == rankFocus:
					focus = append(focus, pair)
				case other.rank == rankFocus && n < 2:
					others = append(others, pair)
				}
			}
		}
	}
	return slices.Concat(own, focus, others)
}

// delimit places items of an entity with a delimiter inside a value, for each
// two texts that follow each other in a key: (a#b, c) can be read as (a, b#c).
func (b *builder) delimit(e *model.Entity, keys [][]model.KeyAttribute) {
	for _, key := range keys {
		for _, k := range key {
			if own := e.Key(k.Name); own != nil {
				b.delimitIn(e, own.Template.Parts)
			}
		}
	}
}

func (b *builder) delimitIn(e *model.Entity, parts []model.Part) {
	for i := 0; i+1 < len(parts); i++ {
		a, literal, next := parts[i].Attribute, "", parts[i+1]
		if next.Literal != "" && i+2 < len(parts) {
			literal, next = next.Literal, parts[i+2]
		}
		if a == nil || next.Attribute == nil || len(parts[i].Path.Rest) > 0 {
			continue
		}
		v := value.OfString("a" + literal + "b")
		if ordinary(a, v) && !slices.ContainsFunc(b.placed[e], func(item model.Item) bool { return value.Equal(item[a.Name.Text], v) }) {
			b.addWithParents(e, model.Item{a.Name.Text: v})
		}
	}
}

// addWithParents places an item with attributes given, and what it refers to
// where that is not there.
func (b *builder) addWithParents(e *model.Entity, pins model.Item) bool {
	for _, l := range b.g.links[e] {
		wanted := model.Item{}
		for _, p := range l.pairs {
			set(wanted, p.target, pins[p.own.Name.Text])
		}
		agrees := func(target model.Item) bool { return l.agrees(pins, target) }
		if len(wanted) > 0 && l.target != e && !slices.ContainsFunc(b.placed[l.target], agrees) {
			if !b.addWithParents(l.target, wanted) {
				return false
			}
		}
	}
	if b.mintedElsewhere(e, pins) || !b.addReferred(e, pins) {
		return false
	}
	s := b.shapeOf(e)
	return !b.full() && b.add(s, make(row, len(s.dims)), pins)
}

// mintedElsewhere tells whether an identifier that is given was minted for an
// item of another entity: no two items share one.
func (b *builder) mintedElsewhere(e *model.Entity, pins model.Item) bool {
	for _, a := range e.Attributes {
		v := pins[a.Name.Text]
		if !a.Minted || !a.Type.IsID() || !v.Exists() {
			continue
		}
		if slices.ContainsFunc(b.all, func(i model.Instance) bool { return i.Entity != e && hasMinted(i, v) }) {
			return true
		}
	}
	return false
}

func hasMinted(i model.Instance, v value.Value) bool {
	return slices.ContainsFunc(i.Entity.Attributes, func(a *model.Attribute) bool {
		return a.Minted && a.Type.IsID() && value.Equal(i.Item[a.Name.Text], v)
	})
}

// full tells whether the world has as many items as it may have.
func (b *builder) full() bool { return len(b.all) >= b.most }

// twin places an item of the entity with the key of the original, if any.
func (b *builder) twin(of likeness, key []model.KeyAttribute) bool {
	e, original := of.entity, of.original
	var theirs, mine []*model.Key
	for _, k := range key {
		theirs, mine = append(theirs, original.Entity.Key(k.Name)), append(mine, e.Key(k.Name))
	}
	s := b.shapeOf(e)
	for _, pins := range mistaken(theirs, original.Item, mine) {
		if e == original.Entity {
			if same(pins, original.Item) {
				continue
			}
			pins = b.alike(s, original.Item, pins)
		}
		if b.addWithParents(e, pins) {
			return true
		}
	}
	return false
}

// guardTwins places for each unique of an entity an item with other values and
// the guard of another item, if there can be one.
func (b *builder) guardTwins(e *model.Entity) {
	for _, u := range e.Unique {
		for _, k := range u.Keys {
			b.delimitIn(e, k.Template.Parts)
		}
		for _, item := range slices.Clone(b.placed[e]) {
			if b.guardTwin(e, u, item) {
				break
			}
		}
	}
}

func (b *builder) guardTwin(e *model.Entity, u *model.Unique, item model.Item) bool {
	return slices.ContainsFunc(mistaken(u.Keys, item, u.Keys), func(pins model.Item) bool {
		return !same(pins, item) && b.addWithParents(e, pins)
	})
}

// mistaken are the ways to read the keys of an item as made by other templates:
// the attributes that would make them. None where a template is missing.
func mistaken(theirs []*model.Key, item model.Item, mine []*model.Key) []model.Item {
	for i := range theirs {
		if theirs[i] == nil || mine[i] == nil || !beginAlike(theirs[i].Template, mine[i].Template) {
			return nil
		}
	}
	readings := []model.Item{{}}
	for i := range theirs {
		text, err := encode.Render(theirs[i].Template, item, noShard)
		if err != nil {
			return nil
		}
		var next []model.Item
		for _, r := range readings {
			next = append(next, read(mine[i].Template, text, r)...)
		}
		readings = next[:min(len(next), readingsMax)]
	}
	return readings
}

// beginAlike tells whether keys of two templates can begin in the same way.
func beginAlike(a, b model.Template) bool {
	if len(a.Parts) == 0 || len(b.Parts) == 0 {
		return true
	}
	one, other := a.Parts[0].Literal, b.Parts[0].Literal
	return strings.HasPrefix(one, other) || strings.HasPrefix(other, one)
}

func noShard(int) int { return 0 }

// same tells whether what was read is what was written.
func same(pins, item model.Item) bool {
	for name, v := range pins {
		if !value.Equal(v, item[name]) {
			return false
		}
	}
	return true
}

// alike adds to what was read the other attributes of the original, beside its
// identity.
func (b *builder) alike(s *shape, original, pins model.Item) model.Item {
	out := maps.Clone(pins)
	for _, d := range s.dims {
		if d.link != nil || d.identity {
			continue
		}
		name := d.attr.Name.Text
		v, there := original[name]
		if _, given := out[name]; there && !given {
			out[name] = v
		}
	}
	return out
}

// read are the ways to read a key value as one made by a template, beside what
// is known of the attributes already.
func read(t model.Template, key value.Value, known model.Item) []model.Item {
	r := reader{parts: t.Parts, item: known}
	if whole := t.Whole(); whole != nil {
		r.try(*whole, key, r.keep)
	} else if key.Kind() == value.String {
		r.walk(0, key.Text())
	}
	return r.found
}

// reader reads a text by the parts of a template.
type reader struct {
	parts []model.Part
	item  model.Item // what is read so far; in the end what it was
	found []model.Item
}

// walk reads what is left of the text by the parts from the n-th on.
func (r *reader) walk(n int, rest string) {
	if len(r.found) >= readingsMax {
		return
	}
	if n == len(r.parts) {
		if rest == "" {
			r.keep()
		}
		return
	}
	p := r.parts[n]
	if p.Attribute == nil {
		if after, ok := strings.CutPrefix(rest, p.Literal); ok && p.Random == 0 {
			r.walk(n+1, after)
		}
		return
	}
	for end := range stops(r.parts, n, rest) {
		r.try(p, value.OfString(rest[:end]), func() { r.walk(n+1, rest[end:]) })
	}
}

// keep notes what is read as a way to read all of the text.
func (r *reader) keep() { r.found = append(r.found, maps.Clone(r.item)) }

// stops are the places where a part may end: all of the text for the last part,
// else before what the next literal begins with.
func stops(parts []model.Part, n int, rest string) func(func(int) bool) {
	return func(yield func(int) bool) {
		if n == len(parts)-1 {
			yield(len(rest))
			return
		}
		for end := range min(len(rest), partMax) + 1 {
			if strings.HasPrefix(rest[end:], parts[n+1].Literal) && !yield(end) {
				return
			}
		}
	}
}

// try goes on with a part's text as the value of its attribute, if it can be that.
func (r *reader) try(p model.Part, text value.Value, goOn func()) {
	if len(p.Path.Rest) > 0 {
		return
	}
	a := p.Attribute
	name := a.Name.Text
	if v, ok := r.item[name]; ok {
		if shows(p, v, text) {
			goOn()
		}
		return
	}
	v := text
	if a.Type.Kind() == value.Number && text.Kind() == value.String {
		n, err := value.OfNumber(text.Text())
		if err != nil {
			return
		}
		v = n
	}
	if ordinary(a, v) && shows(p, v, text) {
		r.item[name] = v
		goOn()
		delete(r.item, name)
	}
}

// shows tells whether a part of a template makes the text of its attribute's value.
func shows(p model.Part, v, text value.Value) bool {
	out, err := encode.Apply(p.Funcs, v, p.Attribute.Type)
	if err != nil {
		return false
	}
	return value.Equal(out, text) || out.Kind() == value.Number && text.Kind() == value.String && out.Text() == text.Text()
}
