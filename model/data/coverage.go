package data

import (
	"strings"

	"github.com/dynmodel/dynmodel/model"
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
	b := g.newBuilder(p)
	for _, i := range w.Instances {
		b.place(i.Entity, i.Item)
	}
	c := b.coverage(g.cast(p))
	c.calls = calls
	c.items()
	c.parameters()
	c.met()
	c.variants()
	return c.goals
}

// coverage goes through the goals of one pattern: it notes which are reached,
// or brings the world to those that are not.
type coverage struct {
	*builder
	calls   []Binding
	members []member
	goals   []Goal
	pursue  bool
	caller  *caller          // makes the calls, when those are to reach more
	more    []Binding        // what it made
	rows    map[string]*rows // by place
}

func (b *builder) coverage(members []member) *coverage {
	return &coverage{builder: b, members: members, rows: map[string]*rows{}}
}

// reachRounds bounds how often the goals are gone through: what is added for one
// of them can come between what another one wants together.
const reachRounds = 3

// reach adds items for what the world does not reach of its goals.
func (b *builder) reach(members []member) {
	c := b.coverage(members)
	c.pursue = true
	for range reachRounds {
		before := len(c.all)
		c.items()
		c.witnesses()
		if len(c.all) == before {
			return
		}
	}
}

// items are the goals of the world's items alone.
func (c *coverage) items() {
	c.adjacent()
	for _, m := range c.members {
		if m.rank == rankFocus {
			c.children(m.entity)
			c.attributes(m.entity)
			c.keys(m.entity)
		}
	}
}

// goal notes a goal, or has it pursued.
func (c *coverage) goal(m Measure, reached bool, pursue func(), what ...string) {
	switch {
	case !c.pursue:
		c.goals = append(c.goals, Goal{Measure: m, Pattern: c.pattern.Name.Text, What: strings.Join(what, ""), Reached: reached})
	case !reached && (c.caller != nil || !c.full()):
		pursue()
	}
}
