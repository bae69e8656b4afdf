package seed

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/data"
	"github.com/dynmodel/dynmodel/model/encode"
	"github.com/dynmodel/dynmodel/model/value"
)

// family is a family that grows.
type family struct {
	population *Population
	items      []model.Instance
	seen       map[string]bool // identities
}

// grow adds an item and everything below it. Items whose identity is taken, or
// that keep no invariant however they are drawn, are left out.
func (f *family) grow(k *kind, at path, parent *born) {
	b, ok := f.population.bear(k, at, parent)
	id := identity(k.entity, b.item)
	if !ok || f.seen[id] {
		return
	}
	f.seen[id] = true
	f.items = append(f.items, model.Instance{Entity: k.entity, Item: b.item})
	for _, c := range k.children {
		dice := f.population.dice(c, append(slices.Clone(at), -1))
		for i := range c.many(dice) {
			f.grow(c, append(slices.Clone(at), i), b)
		}
	}
}

// identity is what tells an item from others of its entity.
func identity(e *model.Entity, item model.Item) string {
	text := e.Name.Text
	for _, part := range e.Identity {
		text += "\x00" + item[part.Attribute.Name.Text].String()
	}
	return text
}

// born is an item with its parent.
type born struct {
	kind   *kind
	path   path
	item   model.Item
	parent *born
	time   time.Time // when it came to be
}

// number tells an item from all others of its kind.
func (b *born) number() int {
	last := b.path[len(b.path)-1]
	if b.parent == nil {
		return last
	}
	return b.parent.number()*b.kind.siblings() + last
}

// ancestor is the nearest item of an entity from here up, or nil.
func (b *born) ancestor(e *model.Entity) *born {
	for up := b; up != nil; up = up.parent {
		if up.kind.entity == e {
			return up
		}
	}
	return nil
}

// attempts is how often an item is drawn until it keeps its invariants.
const attempts = 30

// bear makes the item at a path. False: it cannot be made, since what it refers
// to does not exist, or its domains are exhausted.
func (p *Population) bear(k *kind, at path, parent *born) (*born, bool) {
	dice := p.dice(k, at)
	for range attempts {
		b := &born{kind: k, path: at, parent: parent, item: model.Item{}, time: p.birth(dice, parent)}
		d := drawer{population: p, born: b, dice: dice}
		if !d.all() {
			return b, false
		}
		b.item = encode.Normalise(k.entity, data.Derived(model.Instance{Entity: k.entity, Item: b.item}).Item)
		if keeps(k.entity, b.item) {
			return b, true
		}
	}
	return &born{kind: k, item: model.Item{}}, false
}

// keeps tells whether an item keeps its invariants, those about sums aside.
func keeps(e *model.Entity, item model.Item) bool {
	return !slices.ContainsFunc(e.Invariants, func(c *model.Condition) bool { return !encode.Holds(c.Cond, e, item) })
}

// years is how far back items go.
const years = 2

// birth is when an item came to be: after its parent.
func (p *Population) birth(dice *rand.Rand, parent *born) time.Time {
	from := p.Now.AddDate(-years, 0, 0)
	if parent != nil {
		from = parent.time
	}
	span := p.Now.Sub(from)
	if span <= 0 {
		return p.Now
	}
	return from.Add(time.Duration(dice.Int64N(int64(span))))
}

// at makes the item at a path again, with its parents.
func (p *Population) at(k *kind, at path) (*born, bool) {
	var parent *born
	if k.parent != nil {
		var ok bool
		if parent, ok = p.at(k.parent, at[:len(at)-1]); !ok {
			return nil, false
		}
	}
	return p.bear(k, at, parent)
}

// searches is how often an item to refer to is looked for.
const searches = 8

// pick finds an item of a kind to refer to: of the same family where it belongs
// to the same root, else of any.
func (p *Population) pick(dice *rand.Rand, k *kind, from *born) (*born, bool) {
	for range searches {
		if at, ok := p.somewhere(dice, k, from); ok {
			if b, ok := p.at(k, at); ok {
				return b, true
			}
		}
	}
	return nil, false
}

// somewhere is the path of an item of a kind; false when the parent that was
// drawn has none. Of a kind that the item itself is of, only earlier ones are
// referred to, so that nothing refers round in a circle.
func (p *Population) somewhere(dice *rand.Rand, k *kind, from *born) (path, bool) {
	if up := from.ancestor(k.entity); up != nil && up != from {
		return up.path, true
	}
	if k.parent == nil {
		n := k.count
		if from.kind == k {
			n = from.path[0]
		}
		if n == 0 {
			return nil, false
		}
		return path{dice.IntN(n)}, true
	}
	at, ok := p.somewhere(dice, k.parent, from)
	if !ok {
		return nil, false
	}
	n := k.many(p.dice(k, append(slices.Clone(at), -1)))
	if from.kind == k && slices.Equal(at, from.path[:len(from.path)-1]) {
		n = min(n, from.path[len(from.path)-1])
	}
	if n == 0 {
		return nil, false
	}
	return append(slices.Clone(at), dice.IntN(n)), true
}

// count works out the counts and sums over items of the family.
func (f *family) count() {
	for i, in := range f.items {
		for _, a := range in.Entity.Attributes {
			if a.Aggregate == nil {
				continue
			}
			item := maps.Clone(f.items[i].Item)
			item[a.Name.Text] = f.tally(a.Aggregate, in)
			f.items[i].Item = item
		}
	}
}

// tally is a count or sum over the items that belong to one.
func (f *family) tally(a *model.Aggregate, of model.Instance) value.Value {
	sum := value.OfInt(0)
	for _, in := range f.items {
		if in.Entity != a.Source || !belongs(a, in.Item, of.Item) {
			continue
		}
		add := value.OfInt(1)
		if a.Sum != nil {
			add = in.Item[a.Sum.Name.Text]
		}
		if v, err := sum.Add(add); err == nil {
			sum = v
		}
	}
	return sum
}

func belongs(a *model.Aggregate, source, of model.Item) bool {
	for _, by := range a.By {
		if !value.Equal(source[by.Own.Name.Text], of[by.Target.Name.Text]) {
			return false
		}
	}
	return a.Where == nil || encode.Holds(a.Where.Cond, a.Source, source)
}

// String names a path for errors.
func (b *born) String() string { return fmt.Sprintf("%s %v", b.kind.entity.Name.Text, b.path) }
