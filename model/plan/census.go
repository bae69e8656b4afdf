package plan

import (
	"maps"
	"slices"
	"time"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/expr"
	"github.com/dynmodel/dynmodel/model/value"
)

// census knows how many items there are at the declared volume.
type census struct {
	totals map[*model.Entity]estimate
	age    time.Duration // by which declared growth has gone on
}

// estimate is an expected number; known tells that everything it takes is declared.
type estimate struct {
	n     float64
	known bool
}

func (e estimate) times(f estimate) estimate { return estimate{e.n * f.n, e.known && f.known} }

func (e estimate) plus(f estimate) estimate { return estimate{e.n + f.n, e.known && f.known} }

func newCensus(m *model.Model, age time.Duration) *census {
	c := &census{totals: map[*model.Entity]estimate{}, age: age}
	for _, e := range m.Entities {
		c.total(e)
	}
	return c
}

// total is the expected number of an entity's items.
func (c *census) total(e *model.Entity) estimate {
	if n, ok := c.totals[e]; ok {
		return n
	}
	c.totals[e] = estimate{n: 1} // should volumes go round in a circle
	for _, v := range e.Volumes {
		n := c.average(v)
		if parent := parentOf(v); parent != nil {
			n = n.times(c.total(parent))
		} else if v.PerAttribute != nil {
			continue // of how many values nobody says
		}
		if n.known {
			c.totals[e] = n
			break
		}
	}
	return c.totals[e]
}

// parentOf is the entity that a volume is counted by, nil for none.
func parentOf(v *model.Volume) *model.Entity {
	if v.PerAttribute != nil && v.PerAttribute.Ref != nil {
		return v.PerAttribute.Ref.Entity
	}
	return v.PerEntity
}

// average is the expected count of a volume: the average, else the midpoint; of
// a rate, what comes in while it is kept; each grown by the census's age.
func (c *census) average(v *model.Volume) estimate {
	n := 0.0
	switch {
	case v.Average > 0:
		n = v.Average
	case v.Rate != nil && v.Keep > 0:
		n = v.Rate.PerSecond * v.Keep.Seconds()
	case v.Rate != nil: // for how long they are kept, nobody says
		return estimate{n: 1}
	default:
		n = middle(&v.Count)
	}
	return estimate{n * v.Growth.After(c.age), true}
}

// facts are attributes with the value they are equal to; an absent value stands
// for one that the call brings.
type facts map[string]value.Value

// matches is the expected number of an entity's items for which all facts hold.
func (c *census) matches(e *model.Entity, fixed facts) estimate {
	if fixed.single(e) {
		return estimate{1, true}
	}
	n, used := c.under(e, fixed)
	for _, a := range e.Attributes {
		name := a.Name.Text
		v, ok := fixed[name]
		if _, done := used[name]; !ok || done {
			continue
		}
		if a.Minted {
			return estimate{1, true}
		}
		n = n.times(c.share(a, v))
	}
	return n
}

// under is the expected number of an entity's items under the parents that the
// facts fix, and the facts which that takes. The most telling parent counts:
// what is counted by the project is more exact than by the tenant.
func (c *census) under(e *model.Entity, fixed facts) (estimate, facts) {
	n, used := c.total(e), facts{}
	for _, v := range e.Volumes {
		if of := fixed.parent(v); len(of) > len(used) {
			n, used = c.average(v), of
		}
	}
	for _, a := range e.Attributes {
		if of := fixed.together(a); len(of) > len(used) {
			n, used = c.total(e).times(c.oneOf(a.Ref.Entity)), of
		}
	}
	return n, used
}

// glimpses are attributes of which no more is known than what functions make of
// them, each with the expected part of the items that leaves.
type glimpses map[string]estimate

// add takes the narrower of two views of one attribute: the hour, not the day.
func (g glimpses) add(name string, part estimate) {
	if known, ok := g[name]; !ok || part.n < known.n {
		g[name] = part
	}
}

// part is what all of them leave together, apart from attributes that are fixed.
func (g glimpses) part(fixed facts) estimate {
	n := estimate{1, true}
	for _, name := range slices.Sorted(maps.Keys(g)) {
		if _, ok := fixed[name]; !ok {
			n = n.times(g[name])
		}
	}
	return n
}

// oneOf is the part of all items that belongs to one item of a parent.
func (c *census) oneOf(parent *model.Entity) estimate {
	total := c.total(parent)
	return estimate{1 / max(1, total.n), total.known}
}

// single tells whether the facts fix an identity or a unique value.
func (f facts) single(e *model.Entity) bool {
	identity := len(e.Identity) > 0
	for _, part := range e.Identity {
		_, ok := f[part.Attribute.Name.Text]
		identity = identity && ok
	}
	if identity {
		return true
	}
	for _, u := range e.Unique {
		if f.all(u.Of) {
			return true
		}
	}
	return false
}

func (f facts) all(attributes []*model.Attribute) bool {
	for _, a := range attributes {
		if _, ok := f[a.Name.Text]; !ok {
			return false
		}
	}
	return len(attributes) > 0
}

// parent are the facts that fix what the volume is counted by; nil when they do not.
func (f facts) parent(v *model.Volume) facts {
	by := v.By()
	if !f.all(by) {
		return nil
	}
	return named(by)
}

// together are the facts that fix a reference of several attributes as a whole;
// nil when they do not.
func (f facts) together(a *model.Attribute) facts {
	if a.Ref == nil || len(a.Ref.With) == 0 {
		return nil
	}
	all := []*model.Attribute{a}
	for _, part := range a.Ref.With {
		all = append(all, part.Own)
	}
	if !f.all(all) {
		return nil
	}
	return named(all)
}

func named(attributes []*model.Attribute) facts {
	out := facts{}
	for _, a := range attributes {
		out[a.Name.Text] = value.Value{}
	}
	return out
}

// seen is the expected part of an entity's items that have one value of an
// attribute as it is seen through functions that take several values for one.
func (c *census) seen(e *model.Entity, chain []expr.Func) estimate {
	last := chain[len(chain)-1]
	if last.Name == expr.Shard {
		return estimate{1 / float64(max(1, last.N)), true}
	}
	for _, v := range e.Volumes {
		if last.Name.IsPeriod() && v.Keep > 0 {
			return estimate{min(1, float64(shortest(last))/float64(v.Keep)), true}
		}
	}
	return estimate{assumedEqual, false}
}

// telling tells whether functions lead different values to different ones, or
// all but: those that differ in case alone.
func telling(chain []expr.Func) bool {
	return !slices.ContainsFunc(chain, func(f expr.Func) bool {
		return f.Name.IsPeriod() || f.Name == expr.Shard || f.Name == expr.Prefix
	})
}

// share is the expected part of the items that have one value of an attribute.
func (c *census) share(a *model.Attribute, v value.Value) estimate {
	for _, choice := range a.Domain.Values {
		if choice.Share > 0 && value.Equal(choice.Value, v) {
			return estimate{choice.Share, true}
		}
	}
	switch {
	case len(a.Domain.Values) > 0:
		return estimate{1 / float64(len(a.Domain.Values)), true}
	case a.Type == model.TypeBoolean:
		return estimate{0.5, true}
	case a.Ref != nil && (len(a.Ref.With) == 0 || a.Ref.Attribute.Minted):
		return c.oneOf(a.Ref.Entity)
	}
	return estimate{assumedEqual, false}
}

// The shares of items assumed to meet a term of which nothing is declared.
const (
	assumedEqual = 0.1
	assumedOther = 0.5
)

// meeting is the expected part of an entity's items that meet terms.
func (c *census) meeting(e *model.Entity, terms []expr.Cond) estimate {
	n := estimate{1, true}
	for _, term := range terms {
		n = n.times(c.meetingOne(e, term))
	}
	return n
}

func (c *census) meetingOne(e *model.Entity, term expr.Cond) estimate {
	if equal := termsOf(e, term).equal; len(equal) > 0 && equal[0].path.Top() {
		eq, sum := equal[0], estimate{0, true}
		for _, o := range eq.values {
			sum = sum.plus(c.share(eq.attribute, literalValue(o)))
		}
		return estimate{min(1, sum.n), sum.known && !eq.fromList}
	}
	if cmp, ok := term.(*expr.Compare); ok && cmp.Op == expr.Ne {
		eq := c.meetingOne(e, &expr.Compare{Op: expr.Eq, Left: cmp.Left, Right: cmp.Right})
		return estimate{1 - eq.n, eq.known}
	}
	return estimate{assumedOther, false}
}

func literalValue(o expr.Operand) value.Value {
	if lit, ok := o.(*expr.Literal); ok {
		return lit.Value
	}
	return value.Value{}
}
