package plan

import (
	"slices"
	"strings"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/expr"
)

// project decides which attributes are asked for, and whether they are there.
func (c *collection) project(r *Read) {
	p := c.query.pattern
	wanted := selected(p)
	if p.Then != nil && wanted != nil {
		wanted = distinct(append(wanted, holders(p.Then)...))
	}
	if r.Count {
		wanted = []string{}
	} else if c.query.needed != nil {
		wanted = c.query.needed
	} else if p.Select != nil {
		r.Projection = c.projection(r, wanted)
	}
	var needed []string
	for _, f := range c.fits {
		needed = append(needed, lackingOf(c.space, f.entity, wanted)...)
	}
	needed = append(needed, c.lackingOthers(r)...)
	lacking := distinct(needed)
	switch {
	case len(lacking) == 0:
	case c.space.global():
		c.lacking("it does not project "+strings.Join(lacking, ", "), lacking...)
	default:
		r.Fetches = lacking
	}
}

// lacking says that attributes are not projected.
func (c *collection) lacking(text string, names ...string) {
	c.add(Reason{Kind: NotProjected, Text: text, Lacks: names})
}

// selected are the attributes that the pattern asks for; nil for all.
func selected(p *model.Pattern) []string {
	var names []string
	for _, n := range p.Select {
		names = append(names, n.Text)
	}
	return names
}

// projection are the attributes to ask for: those selected, those that results
// are merged by, and the type where there are several entities.
func (c *collection) projection(r *Read, wanted []string) []string {
	names := slices.Clone(wanted)
	if r.Merge != MergeNone {
		for _, by := range r.Order {
			names = append(names, by.Attribute)
		}
	}
	if len(r.Entities) > 1 && r.typeAttribute != "" && c.space.holds(r.typeAttribute) {
		names = append(names, r.typeAttribute)
	}
	return distinct(names)
}

// lackingOf are the wanted attributes of an entity (nil: all it has) that the
// keyspace does not hold.
func lackingOf(s keyspace, e *model.Entity, wanted []string) []string {
	var out []string
	for _, a := range e.Attributes {
		name := a.Name.Text
		if (wanted == nil || slices.Contains(wanted, name)) && !s.holds(name) {
			out = append(out, name)
		}
	}
	return out
}

// lackingOthers are the attributes that filters and merging need and the
// keyspace does not hold. An index lacks what a count needs all the same.
func (c *collection) lackingOthers(r *Read) []string {
	var names []string
	for _, cond := range []expr.Cond{r.Residual, r.Boundary, r.UserFilter} {
		names = append(names, namesIn(cond)...)
	}
	if r.Merge != MergeNone && !r.Count {
		for _, by := range r.Order {
			names = append(names, by.Attribute)
		}
	}
	return slices.DeleteFunc(names, c.space.holds)
}

// distinct are the names, each once, in order of first use.
func distinct(names []string) []string {
	var out []string
	for _, n := range names {
		if !slices.Contains(out, n) {
			out = append(out, n)
		}
	}
	return out
}
