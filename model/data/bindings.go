package data

import (
	"cmp"
	"maps"
	"math/bits"
	"math/rand/v2"
	"slices"
	"strconv"
	"time"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/expr"
	"github.com/dynmodel/dynmodel/model/value"
)

// caller makes the calls of one pattern on one world.
type caller struct {
	*builder
	uses   *uses
	random *rand.Rand
	ranged map[string]bool // parameters that are an end of a range with two
	calls  []Binding
	seen   map[string]bool

	// What was worked out before: the alternatives to a parameter of the first
	// base, an attribute's present values, a range's ends.
	options  map[string][]option
	presents map[string][]value.Value
	spansOf  map[spanKey][]span
}

// Bindings are the calls of a pattern on its world, the most telling first, at
// most as many as Options.Cases, or twice as many as there are combinations of
// optional parameters when that is more. A pattern without parameters has one
// call, or one for each of several times when it speaks of $now.
func (g *Generator) Bindings(p *model.Pattern, w *World) []Binding {
	b := g.newBuilder(p)
	for _, i := range w.Instances {
		b.place(i.Entity, i.Item)
	}
	b.minted = 1 << 20 // beyond those of the world
	c := &caller{builder: b, uses: usesOf(g.model, p), random: g.random(p), ranged: map[string]bool{}, seen: map[string]bool{},
		options: map[string][]option{}, presents: map[string][]value.Value{}, spansOf: map[spanKey][]span{}}
	for _, r := range c.uses.ranges {
		for _, end := range []expr.Operand{r.low, r.high} {
			name, _ := operandNames(end)
			c.ranged[name] = true
		}
	}
	if hasWrites(p) || hasSteps(p) {
		c.writes()
	} else {
		c.reads()
	}
	c.supplement()
	return c.combine()
}

// hasWrites tells whether a pattern writes.
func hasWrites(p *model.Pattern) bool {
	return slices.ContainsFunc(p.AllSteps(), func(s *model.Step) bool { return !s.Operation.IsRead() })
}

// enough tells whether there are calls enough.
func (c *caller) enough() bool { return len(c.calls) >= c.g.options.Cases || c.givenUp() }

// givenUp tells whether nobody waits for the calls any more.
func (c *caller) givenUp() bool {
	select {
	case <-c.g.options.Done:
		return true
	default:
		return false
	}
}

// add takes a call, unless it was there before, or gives a parameter what is outside
// of its domain or lacks something.
func (c *caller) add(args model.Args, now time.Time, note string) {
	if args == nil || !c.within(args) {
		return
	}
	if t := c.pattern.Token; t != "" {
		args[t] = value.OfString("token-" + strconv.Itoa(len(c.calls)))
	}
	key := c.text(args, now)
	if !c.seen[key] {
		c.seen[key] = true
		c.calls = append(c.calls, Binding{Args: args, Now: now, Note: note})
	}
}

// within tells whether the arguments are in the domains of their parameters, and
// the members of lists whole.
func (c *caller) within(args model.Args) bool {
	for _, p := range c.pattern.Parameters {
		v, given := args[p.Name]
		switch {
		case !given && !p.Optional && !p.MayBeAbsent && p.Name != c.pattern.Token:
			return false
		case !given:
		case !p.List && !c.domain(p, v):
			return false
		case p.List && slices.ContainsFunc(v.Items(), func(m value.Value) bool {
			return len(p.Fields) == 0 && !c.domain(p, m) || hasWrites(c.pattern) && !whole(p, m)
		}):
			return false
		}
	}
	return true
}

// whole tells whether a member of a list has all that callers have to give.
func whole(p *model.Parameter, member value.Value) bool {
	return !slices.ContainsFunc(p.Fields, func(f *model.Parameter) bool {
		return !f.Optional && !f.MayBeAbsent && !member.Field(f.Name).Exists()
	})
}

// text is a call as text, the token aside: equal calls have equal texts.
func (c *caller) text(args model.Args, now time.Time) string {
	names := make([]string, 0, len(args))
	for name := range args {
		if name != c.pattern.Token {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	var text []byte
	for _, name := range names {
		text = append(append(text, name...), '=')
		text = append(args[name].Append(text), ';')
	}
	if c.uses.now {
		text = now.AppendFormat(text, time.RFC3339Nano)
	}
	return string(text)
}

// with is the call with one parameter changed; absent leaves it out.
func with(args model.Args, name string, v value.Value) model.Args {
	out := maps.Clone(args)
	if v.Exists() {
		out[name] = v
	} else {
		delete(out, name)
	}
	return out
}

// supplements bounds how often calls are made for what is missed, as each takes the
// place of another.
const supplements = 3

// supplement makes calls for what those so far do not reach, in the place of the
// last of them.
func (c *caller) supplement() {
	most := c.g.options.Cases
	for range supplements {
		c.calls = c.calls[:min(len(c.calls), most)]
		made := map[string]bool{}
		for _, b := range c.calls {
			made[c.text(b.Args, b.Now)] = true
		}
		more := slices.DeleteFunc(c.missed(), func(b Binding) bool { return made[c.text(b.Args, b.Now)] || !c.within(b.Args) })
		if len(more) == 0 {
			return
		}
		at := min(len(c.calls), 2)
		last := max(at, min(len(c.calls), most-len(more)))
		c.calls = slices.Concat(c.calls[:at], more, c.calls[at:last])
	}
}

// combine leaves optional parameters out, in every combination, with its share
// of the calls each.
func (c *caller) combine() []Binding {
	var optional []string
	for _, p := range c.pattern.Parameters {
		if p.Optional {
			optional = append(optional, p.Name)
		}
	}
	cases := c.g.options.Cases
	if len(optional) == 0 {
		return c.calls[:min(len(c.calls), cases)]
	}
	all := c.calls
	c.calls, c.seen = nil, map[string]bool{}
	masks := combinations(len(optional))
	most := max(cases, 2*len(masks))
	for _, call := range all {
		for _, mask := range masks {
			args := call.Args
			for i, name := range optional {
				if mask>>i&1 == 1 {
					args = with(args, name, value.Value{})
				}
			}
			if len(c.calls) < most {
				c.add(args, call.Now, call.Note)
			}
		}
	}
	return c.calls
}

// combinations are the sets of n things left out, as bits: none, all, each
// alone, all but each, and the others.
func combinations(n int) []uint {
	out := make([]uint, 1<<n)
	for i := range out {
		out[i] = uint(i)
	}
	order := func(mask uint) int {
		switch bits.OnesCount(mask) {
		case 0:
			return 0
		case n:
			return 1
		case 1:
			return 2
		case n - 1:
			return 3
		}
		return 4
	}
	slices.SortStableFunc(out, func(a, b uint) int { return cmp.Compare(order(a), order(b)) })
	return out
}

// nows are the other times at which a pattern that speaks of $now is called.
func (c *caller) nows() []time.Time {
	if !c.uses.now {
		return nil
	}
	all := []time.Time{c.now.Add(-time.Second), c.now.Add(12*time.Hour + 34*time.Minute + 56*time.Second), c.now.Add(time.Second),
		c.now.Add(24*time.Hour - time.Second), c.now.AddDate(0, 0, 40)}
	return all[:min(len(all), max(2, c.g.options.Cases/timeEvery))]
}

// timeEvery is how many calls of a pattern there are for each other time.
const timeEvery = 8

// Takes tells whether a value is in the domain of a pattern's parameter: of all that
// it is compared with or assigned to, or the one that it declares.
func (g *Generator) Takes(p *model.Pattern, q *model.Parameter, v value.Value) bool {
	return takes(usesOf(g.model, p), q, v, ordinary)
}

// domain tells whether a value is in a parameter's domain.
func (c *caller) domain(p *model.Parameter, v value.Value) bool {
	return takes(c.uses, p, v, c.ordinary)
}

// takes tells whether a value is in a parameter's domain. What an attribute begins
// with or contains need not be one of its values, nor what it is changed by, unless
// the parameter declares a domain of its own.
func takes(all *uses, p *model.Parameter, v value.Value, ordinary func(*model.Attribute, value.Value) bool) bool {
	if !v.Exists() {
		return false
	}
	if p.Declared != nil {
		return ordinary(p.Declared, v)
	}
	for _, u := range all.of[p.Name] {
		switch {
		case !u.role.takes(v.Kind()):
			return false
		case len(u.funcs) > 0 || len(p.Funcs) > 0:
		case u.role == rolePrefix || u.role == roleInside:
			if v.Text() == "" && len(v.Items()) == 0 {
				return false
			}
		case u.role.changes():
		case !ordinary(u.attr, v):
			return false
		}
	}
	return true
}
