package data

import (
	"slices"
	"strings"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/expr"
	"github.com/dynmodel/dynmodel/model/value"
)

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
			}), func() { c.give(p, v) }, "$", p.Name, " is ", v.String())
		}
	}
}

// missed are calls for what the calls so far do not reach of their goals.
func (c *caller) missed() []Binding {
	if len(c.calls) == 0 {
		return nil
	}
	goals := c.coverage(nil)
	goals.pursue, goals.calls, goals.caller = true, c.calls, c
	goals.parameters()
	goals.met()
	return goals.more
}

// give adds a call in which a parameter has a value.
func (c *coverage) give(p *model.Parameter, v value.Value) {
	if p.List {
		v = value.OfList(v)
	}
	base := c.calls[0]
	c.more = append(c.more, Binding{Args: with(base.Args, p.Name, v), Now: base.Now, Note: p.Name + " is each of its values"})
}

// aim adds a call that meets an item on a bound's side.
func (c *coverage) aim(b bound) {
	p, isParam := b.operand.(*expr.Param)
	n, at := c.witness(b, c.calls[0])
	if n < 0 || isParam && c.caller.ranged[p.Name] { // ranges of two ends are tried from end to end
		return
	}
	args := c.caller.on(b.entity, n)
	if isParam && args != nil {
		args = with(args, p.Name, at)
	}
	if args != nil {
		c.more = append(c.more, Binding{Args: args, Now: c.caller.now, Note: b.name})
	}
}

// on is a call about the n-th item of an entity; nil when there is none.
func (c *caller) on(e *model.Entity, n int) model.Args {
	if hasWrites(c.pattern) || hasSteps(c.pattern) {
		return c.compose(n, c.now)
	}
	return c.hit(model.Instance{Entity: e, Item: c.placed[e][n]}, c.now)
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
		c.goal(Variants, left[what], nil, "called ", what)
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
