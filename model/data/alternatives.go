package data

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/encode"
	"github.com/dynmodel/dynmodel/model/expr"
	"github.com/dynmodel/dynmodel/model/value"
)

// option is a value to try for a parameter, and what it tries.
type option struct {
	value value.Value
	note  string
}

// alternatives are the values to try for a parameter in place of the one that a
// call has, the most telling first.
func (c *caller) alternatives(p *model.Parameter, has value.Value) []option {
	var out []option
	if p.List {
		out = c.lists(p, has)
	} else {
		out = c.singles(p, has)
	}
	var kept []option
	for _, o := range out {
		if !value.Equal(o.value, has) && !slices.ContainsFunc(kept, func(k option) bool { return value.Equal(k.value, o.value) }) {
			kept = append(kept, o)
		}
	}
	return kept
}

// singles are those of a parameter that is one value.
func (c *caller) singles(p *model.Parameter, has value.Value) []option {
	var out []option
	try := func(note string, values ...value.Value) {
		for _, v := range values {
			if c.domain(p, v) {
				out = append(out, option{v, p.Name + " " + note})
			}
		}
	}
	for _, u := range c.uses.of[p.Name] {
		present := c.present(u)
		switch u.role {
		case roleEqual, roleOther:
			try("is a neighbour of an item's value", neighbours(has, present)...)
			try("is of another item", present...)
			try("is next to an item's value", around(u.attr, has)...)
		case roleLow, roleHigh:
			try("is next to an item's value", around(u.attr, has)...)
			try("is at an end of the domain", extremes(u.attr)...)
			for _, v := range present {
				try("is an item's value", v)
				try("is next to an item's value", around(u.attr, v)...)
			}
		case rolePrefix:
			for _, v := range present {
				try("is a prefix of an item's value", prefixes(v)...)
			}
		case roleInside:
			for _, v := range present {
				try("is inside an item's value", v.Items()...)
				try("is inside an item's value", prefixes(v)...)
			}
		case roleNew:
			try("becomes an attribute's value", c.values(u.attr)...)
			try("is taken by an item", present[:min(len(present), 2)]...)
		default:
			try("brings an attribute to a bound", reaching(u.attr, present)...)
		}
	}
	if d := p.Domain(); d != nil && len(p.Funcs) == 0 {
		values := c.values(d)
		if !c.assigned(p) {
			values = values[:min(len(values), elsewhereMax)]
		}
		try("is elsewhere in the domain", values...)
	}
	return out
}

// elsewhereMax is the most values tried that no item has, where the parameter
// only looks for items.
const elsewhereMax = 12

// assigned tells whether a parameter becomes an attribute's value, or part of it.
func (c *caller) assigned(p *model.Parameter) bool {
	return slices.ContainsFunc(c.uses.of[p.Name], func(u use) bool { return u.role == roleNew || u.role.changes() })
}

// present are the different values that items have where a parameter is used.
func (c *caller) present(u use) []value.Value {
	key := u.entity.Name.Text + " " + u.path.String()
	for _, f := range u.funcs {
		key += " " + f.String()
	}
	out, known := c.presents[key]
	if !known {
		out = c.collect(u)
		c.presents[key] = out
	}
	return out
}

func (c *caller) collect(u use) []value.Value {
	var out []value.Value
	for _, item := range c.placed[u.entity] {
		if v := u.of(item); v.Exists() && !contains(out, v) {
			out = append(out, v)
		}
	}
	return out
}

// extremes are the least and greatest value of a number or time.
func extremes(a *model.Attribute) []value.Value {
	if a.Type.IsTime() {
		low, high := timeBounds(a)
		return []value.Value{ofTime(a, low), ofTime(a, high)}
	}
	if a.Type.Kind() == value.Number {
		low, high := numberBounds(a)
		return []value.Value{low, high}
	}
	return nil
}

// neighbours are values that begin with one, or that it begins with, and its
// case twins.
func neighbours(v value.Value, all []value.Value) []value.Value {
	var out []value.Value
	for _, w := range all {
		if w.Kind() == v.Kind() && (strings.HasPrefix(w.Text(), v.Text()) || strings.HasPrefix(v.Text(), w.Text()) || strings.EqualFold(v.Text(), w.Text())) {
			out = append(out, w)
		}
	}
	if v.Kind() == value.String {
		out = append(out, value.OfString(strings.ToUpper(v.Text())), value.OfString(strings.ToLower(v.Text())))
	}
	return out
}

// prefixes are what a text begins with: one character, half of it, all but the
// last, and all; and one more than it has.
func prefixes(v value.Value) []value.Value {
	runes := []rune(v.Text())
	n := len(runes)
	if v.Kind() != value.String || n == 0 {
		return nil
	}
	var out []value.Value
	for _, end := range []int{1, n / 2, n - 1, n} {
		out = append(out, value.OfString(string(runes[:end])))
	}
	return append(out, value.OfString(v.Text()+"a"))
}

// reaching are amounts that bring a number just to, below and beyond the ends
// of its domain, and sets that hold some of an item's members.
func reaching(a *model.Attribute, present []value.Value) []value.Value {
	var out []value.Value
	for _, v := range present {
		switch v.Kind() {
		case value.Number:
			for _, end := range []value.Value{a.Domain.Min, a.Domain.Max} {
				if end.Exists() {
					distance := add(v, end.Neg())
					if strings.HasPrefix(distance.Text(), "-") {
						distance = distance.Neg()
					}
					out = append(out, distance, add(distance, Step(a)), add(distance, Step(a).Neg()))
				}
			}
			out = append(out, value.OfInt(1), v, add(v, Step(a)))
		case value.StringSet, value.NumberSet, value.BinarySet:
			out = append(out, v, value.OfSet(v.Kind(), v.Items()[0]))
		}
	}
	return out
}

// listMax is the most members of a list to compare with.
const listMax = 25

// lists are those of a list parameter: one member, several, all there are, and
// some that no item has; no member twice.
func (c *caller) lists(p *model.Parameter, has value.Value) []option {
	single := *p
	single.List = false
	var members []value.Value
	for _, o := range c.singles(&single, first(has.Items())) {
		if !contains(members, o.value) {
			members = append(members, o.value)
		}
	}
	members = merge(has.Items(), members)
	most := min(len(members), listMax)
	if p.Max > 0 {
		most = min(most, int(p.Max))
	}
	var out []option
	for _, n := range []int{1, 2, 3, most, most / 2} {
		for from := range min(6, len(members)) {
			if n >= 1 && n <= most {
				out = append(out, option{value.OfList(cut(members, from, n)...), p.Name + " is a list"})
			}
		}
	}
	return out
}

// span is a lower and an upper end to try.
type span struct{ low, high value.Value }

// spans are the ends to try for a range, in order, within the pattern's span:
// just around an item, from item to item, between two, and to the ends of all.
func (c *caller) spans(r ends, now time.Time) []span {
	key := spanKey{r.low, r.high, r.entity, now}
	out, known := c.spansOf[key]
	if !known {
		out = c.findSpans(r, now)
		c.spansOf[key] = out
	}
	return out
}

// spanKey names the ends tried for a range.
type spanKey struct {
	low, high expr.Operand
	entity    *model.Entity
	now       time.Time
}

func (c *caller) findSpans(r ends, now time.Time) []span {
	present := c.present(r.use)
	values := slices.Clone(present)
	low, high := c.given(r, r.low, now), c.given(r, r.high, now)
	values = append(values, c.reach(r, low, c.pattern.Span)...)
	values = append(values, c.reach(r, high, -c.pattern.Span)...)
	values = append(values, c.beginnings(r, r.low)...)
	values = append(values, c.beginnings(r, r.high)...)
	slices.SortStableFunc(values, func(v, w value.Value) int { return compare(r.attr, v, w) })
	var points []value.Value
	for _, v := range values {
		next := around(r.attr, v)
		if len(next) >= 2 {
			points = append(points, next[0], v, next[1])
		} else {
			points = append(points, v)
		}
	}
	var out []span
	try := func(l, h value.Value) {
		if low.Exists() {
			l = low
		}
		if high.Exists() {
			h = high
		}
		if c.spanAllowed(r, l, h) && !slices.ContainsFunc(out, func(s span) bool { return value.Equal(s.low, l) && value.Equal(s.high, h) }) {
			out = append(out, span{l, h})
		}
	}
	from := func(low value.Value) { // as wide as is allowed
		before := len(out)
		for j := len(points) - 1; j >= 0 && len(out) == before; j-- {
			try(low, points[j])
		}
	}
	to := func(high value.Value) {
		before := len(out)
		for i := 0; i < len(points) && len(out) == before; i++ {
			try(points[i], high)
		}
	}
	if len(present) > 0 { // the first item at each end, just inside and just outside
		for _, v := range append(around(r.attr, present[0]), present[0]) {
			from(v)
			to(v)
		}
	}
	for _, i := range spread(len(points)) {
		from(points[i])
		for _, distance := range []int{0, 1, 4, 9} {
			if i+distance < len(points) {
				try(points[i], points[i+distance])
			}
		}
	}
	for _, v := range c.values(r.attr) {
		try(v, v)
	}
	return out
}

// reach is an end that the pattern fixes, and what is just within its span of
// it; nothing when the end is a parameter.
func (c *caller) reach(r ends, end value.Value, span time.Duration) []value.Value {
	if !end.Exists() {
		return nil
	}
	out := []value.Value{end}
	if v, ok := encode.Shift(r.attr, end, span); ok && r.attr.Type.IsTime() {
		out = append(out, v)
	}
	return out
}

// beginnings are what an end of a type of its own can be near the items: the
// days or months of times, where an end is declared to be one.
func (c *caller) beginnings(r ends, end expr.Operand) []value.Value {
	name, _ := operandNames(end)
	p := c.pattern.Parameter(name)
	if p == nil || p.Declared == nil || p.Declared.Type == r.attr.Type {
		return nil
	}
	var out []value.Value
	for _, v := range c.present(r.use) {
		for i := range v.Text() {
			if w := value.OfString(v.Text()[:i]); c.domain(p, w) && !contains(out, w) {
				out = append(out, w)
				out = append(out, around(p.Declared, w)...)
			}
		}
	}
	return out
}

// spread are the numbers below n, neighbours far from each other.
func spread(n int) []int {
	out := make([]int, 0, n)
	for start := range spreadStep {
		for i := start; i < n; i += spreadStep {
			out = append(out, i)
		}
	}
	return out
}

const spreadStep = 7

// given is an end that the pattern fixes; absent when it is a parameter.
func (c *caller) given(r ends, o expr.Operand, now time.Time) value.Value {
	if _, isParam := o.(*expr.Param); isParam {
		return value.Value{}
	}
	return constant(r.attr, o, now)
}

// spanAllowed tells whether ends are in order, in the domain and not further
// apart than the pattern allows.
func (c *caller) spanAllowed(r ends, low, high value.Value) bool {
	for _, end := range []struct {
		operand expr.Operand
		value   value.Value
	}{{r.low, low}, {r.high, high}} {
		name, _ := operandNames(end.operand)
		if p := c.pattern.Parameter(name); p != nil && !c.domain(p, end.value) {
			return false
		}
	}
	if compare(r.attr, low, high) > 0 {
		return false
	}
	span := c.pattern.Span
	if walkable := c.walkable(r.attr); walkable > 0 && (!c.given(r, r.low, c.now).Exists() || !c.given(r, r.high, c.now).Exists()) {
		span = min(cmp.Or(span, walkable), walkable)
	}
	from, fromOK := encode.Time(low, r.attr.Type)
	to, toOK := encode.Time(high, r.attr.Type)
	return span == 0 || !fromOK || !toOK || to.Sub(from) <= span
}

// mostPeriods are walked through in one call of a range whose ends are not fixed.
const mostPeriods = 40

// walkable is how far apart the ends of a range over a time are at most, whatever
// its span: there is a request for each period that a partition key holds. Zero
// when none does.
func (c *caller) walkable(a *model.Attribute) time.Duration {
	var shortest time.Duration
	for _, e := range entitiesOf(c.g.model, c.pattern) {
		for _, k := range e.Keys {
			if !partitions(c.g.model.Table, k.Name.Text) {
				continue
			}
			for _, p := range k.Template.Parts {
				if n := len(p.Funcs); n > 0 && p.Attribute == a && p.Funcs[n-1].Name.IsPeriod() {
					start := encode.PeriodStart(p.Funcs[n-1], c.now)
					length := encode.NextPeriod(p.Funcs[n-1], start).Sub(start)
					shortest = min(cmp.Or(shortest, length), length)
				}
			}
		}
	}
	return mostPeriods * shortest
}

// partitions tells whether a key attribute is in a partition key.
func partitions(t *model.Table, key string) bool {
	named := func(k model.KeyAttribute) bool { return k.Name == key }
	return named(t.PartitionKey) || slices.ContainsFunc(t.Indexes, func(x *model.Index) bool {
		return !x.Local && slices.ContainsFunc(x.PartitionKey, named)
	})
}
