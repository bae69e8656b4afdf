package data

import (
	"slices"
	"strconv"
	"strings"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/encode"
	"github.com/dynmodel/dynmodel/model/value"
)

// Measure is one of the ways in which a pattern's world and calls can be
// thorough.
type Measure string

// The measures.
const (
	// TemplateParts: for each attribute in a key, two items that differ in it and
	// in nothing else of the key, identifiers that nothing shares aside.
	TemplateParts Measure = "template parts"
	// Bounds: for each bound of a condition, an item at it, just below and just above.
	Bounds Measure = "bounds"
	// OptionalAttributes: each one there, and each one absent.
	OptionalAttributes Measure = "optional attributes"
	// EnumerationValues: each value, of items and of parameters.
	EnumerationValues Measure = "enumeration values"
	// AdjacentEntities: for each two entities whose items may share a partition,
	// two items that follow each other there.
	AdjacentEntities Measure = "adjacent entities"
	// Children: none, one and several items that refer to another one.
	Children Measure = "children"
	// Variants: each combination of optional parameters.
	Variants Measure = "variants"
)

// Measures are all of them, in the order in which they are reported.
func Measures() []Measure {
	return []Measure{TemplateParts, Bounds, OptionalAttributes, EnumerationValues, AdjacentEntities, Children, Variants}
}

// Goal is one thing that a pattern's data should reach.
type Goal struct {
	Measure Measure
	Pattern string
	// What says it for a person: `Order.placedAt alone in the key of the table`.
	What    string
	Reached bool
}

// Coverage tells what the calls of a pattern on its world reach of all that they
// should. It is made from the world and the calls alone, whoever made them.
func (g *Generator) Coverage(p *model.Pattern, w *World, calls []Binding) []Goal {
	c := &coverage{builder: g.newBuilder(p), world: w, calls: calls, focus: entitiesOf(g.model, p), items: map[*model.Entity][]model.Item{}}
	for _, i := range w.Instances {
		c.items[i.Entity] = append(c.items[i.Entity], i.Item)
	}
	for _, e := range c.focus {
		c.keys(e)
		c.attributes(e)
		c.children(e)
	}
	c.parameters()
	c.bounds()
	c.adjacent()
	c.variants()
	return c.goals
}

// coverage gathers the goals of one pattern.
type coverage struct {
	*builder
	world *World
	calls []Binding
	focus []*model.Entity
	items map[*model.Entity][]model.Item
	goals []Goal
}

func (c *coverage) goal(m Measure, reached bool, what ...string) {
	c.goals = append(c.goals, Goal{Measure: m, Pattern: c.pattern.Name.Text, What: strings.Join(what, ""), Reached: reached})
}

// place is the table or an index: its key attributes, the partition's first.
type place struct {
	name       string
	partition  []model.KeyAttribute
	attributes []model.KeyAttribute
}

// places are the table, and the indexes that the pattern may read.
func (c *coverage) places(e *model.Entity) []place {
	t := c.g.model.Table
	out := []place{{"the table", t.Keys()[:1], t.Keys()}}
	for _, x := range t.Indexes {
		if c.mayRead(e, x.PartitionKey[0].Name) {
			out = append(out, place{x.Name.Text, x.PartitionKey, x.Keys()})
		}
	}
	return slices.DeleteFunc(out, func(p place) bool { return !p.has(e) })
}

// has tells whether items of an entity can be in the place.
func (p place) has(e *model.Entity) bool {
	return !slices.ContainsFunc(p.attributes, func(k model.KeyAttribute) bool { return e.Key(k.Name) == nil })
}

// keys are the goals of the parts of an entity's keys.
func (c *coverage) keys(e *model.Entity) {
	for _, p := range c.places(e) {
		var in []*model.Attribute
		for _, k := range p.attributes {
			for _, part := range e.Key(k.Name).Template.Parts {
				if part.Attribute != nil && !slices.Contains(in, part.Attribute) {
					in = append(in, part.Attribute)
				}
			}
		}
		for _, a := range in {
			if c.varies(e, a) && c.free(e, a, in) {
				c.goal(TemplateParts, c.alone(e, a, in), e.Name.Text, ".", a.Name.Text, " alone in the key of ", p.name)
			}
		}
	}
}

// varies tells whether an attribute can have two values in this world: those of
// references have as many as there are items referred to.
func (c *coverage) varies(e *model.Entity, a *model.Attribute) bool {
	if a.CopyOf != nil || a.Derive != nil {
		return false
	}
	for _, l := range c.g.links[e] {
		if l.has(a) {
			return len(c.items[l.target]) > 1
		}
	}
	return a.Minted || len(c.values(a)) > 1
}

// alone tells whether two items differ in one attribute of a key and in no other
// that is free to stay as it is.
func (c *coverage) alone(e *model.Entity, a *model.Attribute, in []*model.Attribute) bool {
	seen := map[string]string{}
	rest := c.others(e, a, in)
	for _, item := range c.items[e] {
		v := item[a.Name.Text]
		if !v.Exists() {
			continue
		}
		var others strings.Builder
		for _, b := range rest {
			others.WriteString(brief(item[b.Name.Text]) + " ")
		}
		was, there := seen[others.String()]
		if there && was != brief(v) {
			return true
		}
		seen[others.String()] = brief(v)
	}
	return false
}

// others are the attributes of a key that may stay as they are when one changes.
func (c *coverage) others(e *model.Entity, a *model.Attribute, in []*model.Attribute) []*model.Attribute {
	return slices.DeleteFunc(slices.Clone(in), func(b *model.Attribute) bool {
		return b == a || b.Minted || c.derived(b) || c.together(e, a, b)
	})
}

// free tells whether two items may differ in one attribute of a key alone: not
// where the others identify an item, are unique, or have at most one.
func (c *coverage) free(e *model.Entity, a *model.Attribute, in []*model.Attribute) bool {
	rest := c.others(e, a, in)
	fixed := func(b *model.Attribute) bool { return slices.Contains(rest, b) }
	all := func(of []*model.Attribute) bool {
		return !slices.ContainsFunc(of, func(b *model.Attribute) bool { return !fixed(b) })
	}
	var identity []*model.Attribute
	for _, p := range e.Identity {
		identity = append(identity, p.Attribute)
	}
	if all(identity) || slices.ContainsFunc(e.Unique, func(u *model.Unique) bool { return all(u.Of) }) {
		return false
	}
	for _, v := range e.Volumes {
		if v.Rate != nil || v.Count.Max != 1 {
			continue
		}
		if v.PerAttribute != nil && fixed(v.PerAttribute) {
			return false
		}
		if slices.ContainsFunc(c.g.links[e], func(l *link) bool { return l.target == v.PerEntity && fixed(l.pairs[0].own) }) {
			return false
		}
	}
	return true
}

// together tells whether two attributes refer together.
func (c *coverage) together(e *model.Entity, a, b *model.Attribute) bool {
	return slices.ContainsFunc(c.g.links[e], func(l *link) bool { return l.has(a) && l.has(b) })
}

// attributes are the goals of an entity's optional attributes and enumerations.
func (c *coverage) attributes(e *model.Entity) {
	for _, a := range e.Attributes {
		name := e.Name.Text + "." + a.Name.Text
		has := func(is func(value.Value) bool) bool {
			return slices.ContainsFunc(c.items[e], func(item model.Item) bool { return is(item[a.Name.Text]) })
		}
		if a.Optional && a.Derive == nil && a.CopyOf == nil {
			c.goal(OptionalAttributes, has(func(v value.Value) bool { return v.Exists() }), name, " is there")
			c.goal(OptionalAttributes, has(func(v value.Value) bool { return !v.Exists() }), name, " is absent")
		}
		for _, v := range c.choices(a) {
			c.goal(EnumerationValues, has(func(w value.Value) bool { return value.Equal(v, w) }), name, " is ", v.String())
		}
	}
}

// choicesMax is the most values of an enumeration that a world is to have all of.
const choicesMax = 12

// choices are the values of an enumeration or boolean that is free to have any.
func (c *coverage) choices(a *model.Attribute) []value.Value {
	if a.CopyOf != nil || a.Derive != nil || a.Type != model.TypeBoolean && len(a.Domain.Values) == 0 || len(a.Domain.Values) > choicesMax {
		return nil
	}
	return c.g.Values(a)
}

// parameters are the goals of parameters that are one of an enumeration.
func (c *coverage) parameters() {
	for _, p := range c.pattern.Parameters {
		if p.Domain() == nil || len(p.Fields) > 0 || len(p.Funcs) > 0 || p.Domain().Type == model.TypeAny {
			continue
		}
		for _, v := range c.choices(p.Domain()) {
			c.goal(EnumerationValues, slices.ContainsFunc(c.calls, func(b Binding) bool {
				given := b.Args[p.Name]
				return value.Equal(given, v) || contains(given.Items(), v)
			}), "$", p.Name, " is ", v.String())
		}
	}
}

// children are the goals of how many items refer to one of an entity's.
func (c *coverage) children(e *model.Entity) {
	for _, m := range c.g.cast(c.pattern) {
		for _, l := range c.g.links[m.entity] {
			if l.target != e || m.entity == e || l.optional {
				continue
			}
			low, high := c.declaredChildren(m.entity, e)
			counts := map[int64]bool{}
			for _, parent := range c.items[e] {
				n := int64(0)
				for _, item := range c.items[m.entity] {
					if l.complete(item) && l.agrees(item, parent) {
						n++
					}
				}
				counts[min(n, 2)] = true
			}
			for n, word := range []string{"no", "one", "several"} {
				if int64(n) <= high && (n > 0 || low == 0) {
					c.goal(Children, counts[int64(n)], e.Name.Text, " with ", word, " ", m.entity.Name.Text)
				}
			}
		}
	}
}

// declaredChildren are how many items of an entity there are per parent: at
// most one where nothing else than the reference identifies them.
func (c *coverage) declaredChildren(e, parent *model.Entity) (low, high int64) {
	high = 2
	if c.onlyParent(e) == parent {
		high = 1
	}
	for _, v := range e.Volumes {
		if v.PerEntity == parent && v.Rate == nil && v.Count.Max > 0 {
			high = min(high, v.Count.Max)
		}
	}
	return low, high
}

// variants are the goals of optional parameters.
func (c *coverage) variants() {
	var names []string
	for _, p := range c.pattern.Parameters {
		if p.Optional {
			names = append(names, p.Name)
		}
	}
	left := map[string]bool{}
	for _, b := range c.calls {
		left[c.absent(names, func(i int) bool { return !b.Args[names[i]].Exists() })] = true
	}
	for _, mask := range combinations(len(names)) {
		what := c.absent(names, func(i int) bool { return mask>>i&1 == 1 })
		c.goal(Variants, left[what], "called ", what)
	}
}

func (c *coverage) absent(names []string, is func(int) bool) string {
	var out []string
	for i, name := range names {
		if is(i) {
			out = append(out, "$"+name)
		}
	}
	if len(out) == 0 {
		return "with all parameters"
	}
	return "without " + strings.Join(out, " and ")
}

// adjacent are the goals of the pattern's entities and others that may share a
// partition with them.
func (c *coverage) adjacent() {
	done := map[string]bool{}
	for _, e := range c.focus {
		for _, p := range c.places(e) {
			rows := c.stored(p)
			for _, m := range c.g.cast(c.pattern) {
				f := m.entity
				what := []string{e.Name.Text, " next to ", f.Name.Text, " in ", p.name}
				if f == e || !p.has(f) || done[f.Name.Text+e.Name.Text+p.name] || !c.share(p, e, f) {
					continue
				}
				done[e.Name.Text+f.Name.Text+p.name] = true
				c.goal(AdjacentEntities, nextTo(rows, e, f), what...)
			}
		}
	}
}

// share tells whether items of two entities may be in one partition: some
// partition key of the one can be read as one of the other.
func (c *coverage) share(p place, e, f *model.Entity) bool {
	return len(p.attributes) > len(p.partition) && (c.readAs(p, e, f) || c.readAs(p, f, e))
}

// readAs tells whether the partition key of an item can be one of another entity's.
func (c *coverage) readAs(p place, e, f *model.Entity) bool {
	for _, item := range c.items[e] {
		known := []model.Item{{}}
		for _, k := range p.partition {
			text, err := encode.Render(e.Key(k.Name).Template, item, noShard)
			if err != nil || len(known) == 0 {
				return false
			}
			known = read(f.Key(k.Name).Template, text, known[0])
		}
		if len(known) > 0 {
			return true
		}
	}
	return false
}

// stored is one item's key in a place.
type stored struct {
	entity    *model.Entity
	partition string
	sort      value.Value
}

// stored are the keys of all items in a place, in order.
func (c *coverage) stored(p place) []stored {
	var out []stored
	for _, i := range c.world.Instances {
		if s, ok := p.key(i); ok {
			out = append(out, s)
		}
	}
	slices.SortStableFunc(out, func(a, b stored) int {
		if n := strings.Compare(a.partition, b.partition); n != 0 {
			return n
		}
		n, _ := value.Compare(a.sort, b.sort)
		return n
	})
	return out
}

// key is an item's key in the place; false when it is not in it.
func (p place) key(i model.Instance) (stored, bool) {
	s := stored{entity: i.Entity}
	for n, k := range p.attributes {
		own := i.Entity.Key(k.Name)
		if own == nil || own.When != nil && !encode.Holds(own.When.Cond, i.Entity, i.Item) {
			return s, false
		}
		v, err := encode.Render(own.Template, i.Item, noShard)
		switch {
		case err != nil:
			return s, false
		case n < len(p.partition):
			s.partition += strconv.Quote(v.String())
		case n == len(p.partition):
			s.sort = v
		}
	}
	return s, true
}

// nextTo tells whether items of two entities follow each other in a partition.
func nextTo(rows []stored, e, f *model.Entity) bool {
	for i := 1; i < len(rows); i++ {
		a, b := rows[i-1], rows[i]
		if a.partition == b.partition && (a.entity == e && b.entity == f || a.entity == f && b.entity == e) {
			return true
		}
	}
	return false
}
