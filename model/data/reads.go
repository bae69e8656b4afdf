package data

import (
	"maps"
	"slices"
	"time"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/value"
)

// reads makes the calls of a read: one that hits each of several items, then
// for two of them each parameter varied alone, then mixtures.
func (c *caller) reads() {
	hits := c.hits()
	most := max(2, c.g.options.Cases/3)
	if len(hits) == 0 {
		hits = []model.Instance{{}}
	}
	for _, x := range hits[:min(len(hits), most)] {
		c.add(c.hit(x, c.now), c.now, "hits "+nameOf(x))
	}
	for _, now := range c.nows() {
		c.add(c.hit(hits[0], now), now, "at another time")
	}
	bases := []Binding{{Args: c.hit(hits[0], c.now), Now: c.now}}
	if next := slices.IndexFunc(hits[1:], func(x model.Instance) bool { return x.Entity == hits[0].Entity }); next >= 0 {
		bases = append(bases, Binding{Args: c.hit(hits[1+next], c.now), Now: c.now}) // in the next scope
	}
	c.vary(bases)
	c.mix(hits)
}

func nameOf(x model.Instance) string {
	if x.Entity == nil {
		return "nothing"
	}
	return "an item of " + x.Entity.Name.Text
}

// hits are the items of the pattern's entities, of each in turn.
func (c *caller) hits() []model.Instance {
	entities := entitiesOf(c.g.model, c.pattern)
	var out []model.Instance
	for n, more := 0, true; more; n++ {
		more = false
		for _, e := range entities {
			if n < len(c.placed[e]) {
				out = append(out, model.Instance{Entity: e, Item: c.placed[e][n]})
				more = true
			}
		}
	}
	return out
}

// hit is a call whose parameters have an item's own values, and whose ranges
// hold it; nil when a range can have no ends.
func (c *caller) hit(x model.Instance, now time.Time) model.Args {
	args := model.Args{}
	for _, p := range c.pattern.Parameters {
		if v := c.own(p, x); v.Exists() {
			args[p.Name] = v
		}
	}
	for _, r := range c.uses.ranges {
		if !c.enclose(args, r, x, now) {
			return nil
		}
	}
	return args
}

// enclose sets the ends of a range to the widest pair that holds an item's
// value, or to the first pair at all; false when there is none.
func (c *caller) enclose(args model.Args, r ends, x model.Instance, now time.Time) bool {
	spans := c.spans(r, now)
	if len(spans) == 0 {
		return false
	}
	chosen, holds := spans[0], false
	if v := r.of(x.Item); x.Entity == r.entity && v.Exists() {
		for _, s := range spans {
			if compare(r.attr, s.low, v) > 0 || compare(r.attr, v, s.high) > 0 {
				continue
			}
			if !holds || compare(r.attr, s.low, chosen.low) <= 0 && compare(r.attr, s.high, chosen.high) >= 0 {
				chosen, holds = s, true
			}
		}
	}
	c.setEnds(args, r, chosen)
	return true
}

func (c *caller) setEnds(args model.Args, r ends, s span) {
	if name, _ := operandNames(r.low); name != "" {
		args[name] = s.low
	}
	if name, _ := operandNames(r.high); name != "" {
		args[name] = s.high
	}
}

// own is the value with which a parameter hits an item; where the item has
// none, that of another item, or the plainest of its domain.
func (c *caller) own(p *model.Parameter, x model.Instance) value.Value {
	if p.List && len(p.Fields) > 0 {
		return c.keys(p, x)
	}
	v := c.ownSingle(p, x)
	if p.List && v.Exists() {
		return value.OfList(v)
	}
	return v
}

func (c *caller) ownSingle(p *model.Parameter, x model.Instance) value.Value {
	var others []value.Value
	for _, u := range c.uses.of[p.Name] {
		if u.entity == x.Entity {
			if v := c.meet(u, u.of(x.Item)); c.domain(p, v) {
				return v
			}
		}
		for _, v := range c.present(u) {
			if v = c.meet(u, v); c.domain(p, v) {
				others = append(others, v)
				break
			}
		}
	}
	if len(others) > 0 {
		return others[0]
	}
	if d := p.Domain(); d != nil {
		values := c.values(d)
		if i := slices.IndexFunc(values, func(v value.Value) bool { return c.domain(p, v) }); i >= 0 {
			return values[i]
		}
		return first(values)
	}
	return value.OfString("a")
}

// meet is what a parameter must be for the condition to hold for an item that
// has a value in its place.
func (c *caller) meet(u use, v value.Value) value.Value {
	if !v.Exists() {
		return v
	}
	switch u.role {
	case roleOther:
		return first(slices.DeleteFunc(slices.Clone(c.values(u.attr)), func(w value.Value) bool { return value.Equal(v, w) }))
	case roleLow, roleHigh:
		if next := around(u.attr, v); u.strict && len(next) > 1 {
			return next[u.role-roleLow]
		}
	case rolePrefix:
		if p := prefixes(v); len(p) > 1 {
			return p[1]
		}
	case roleInside:
		if items := v.Items(); len(items) > 0 {
			return items[0]
		}
	}
	return v
}

// keys is a list of one item's key.
func (c *caller) keys(p *model.Parameter, x model.Instance) value.Value {
	return value.OfList(keyOf(p, x.Item))
}

// keyOf is an item's key as a list parameter's member.
func keyOf(p *model.Parameter, item model.Item) value.Value {
	var fields []value.Field
	for _, f := range p.Fields {
		if f.Like != nil {
			if v := item[f.Like.Name.Text]; v.Exists() {
				fields = append(fields, value.Field{Name: f.Name, Value: v})
			}
		}
	}
	return value.OfMap(fields...)
}

// batchMax is the most keys of one BatchGetItem; more are sent in several:
// docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_BatchGetItem.html
const batchMax = 100

// keyLists are lists of keys: of one item, of several, of all, with some that
// are near an item's, and more than one request takes.
func (c *caller) keyLists(p *model.Parameter) []option {
	most := batchMax
	if p.Max > 0 {
		most = int(p.Max)
	}
	var hits, misses []value.Value
	for _, item := range c.placed[p.Fields[0].LikeEntity] {
		hits = append(hits, keyOf(p, item))
	}
	hits = merge(nil, hits)
	for n := 0; n < 3*most && len(misses) < most && len(hits) > 0; n++ {
		for _, f := range p.Fields {
			if f.Like == nil {
				continue
			}
			v := another(f.Like, n+1)
			if n < len(hits) {
				v = hits[(n+1)%len(hits)].Field(f.Name)
			}
			near := slices.Clone(hits[n%len(hits)].Fields())
			key := value.OfMap(append(near, value.Field{Name: f.Name, Value: v})...)
			if v.Exists() && !contains(hits, key) && !contains(misses, key) {
				misses = append(misses, key)
			}
		}
	}
	var out []option
	try := func(note string, keys ...value.Value) {
		if keys = keys[:min(len(keys), most)]; len(keys) > 0 {
			out = append(out, option{value.OfList(keys...), p.Name + " " + note})
		}
	}
	try("has all items", hits...)
	try("has items and near misses", append(cut(hits, 0, min(2, len(hits))), misses[:min(2, len(misses))]...)...)
	try("has near misses only", misses[:min(3, len(misses))]...)
	try("is as long as can be", append(hits[:len(hits):len(hits)], misses...)...)
	for i, key := range hits {
		try("has one item", key)
		try("has two items", cut(hits, i, min(2, len(hits)))...)
	}
	for _, key := range misses[:min(8, len(misses))] {
		try("has a near miss", key)
	}
	return out
}

// move makes a call in which one thing is changed.
type move func() Binding

// vary tries every parameter's alternatives and every range's ends alone, of
// each in turn, on one of the bases after the other.
func (c *caller) vary(bases []Binding) {
	bases = slices.DeleteFunc(bases, func(b Binding) bool { return b.Args == nil })
	if len(bases) == 0 {
		return
	}
	var columns [][]move
	for _, p := range c.pattern.Parameters {
		if !c.ranged[p.Name] && p.Name != c.pattern.Token && c.free(p) {
			columns = append(columns, c.moves(p, bases))
		}
	}
	for _, r := range c.uses.ranges {
		columns = append(columns, c.rangeMoves(r, bases))
	}
	for n, more := 0, true; more && !c.enough(); n++ {
		more = false
		for _, column := range columns {
			if n < len(column) {
				call := column[n]()
				c.add(call.Args, call.Now, call.Note)
				more = true
			}
		}
	}
}

// moves are a parameter's alternatives as moves.
func (c *caller) moves(p *model.Parameter, bases []Binding) []move {
	options := c.optionsOf(p, bases[0].Args[p.Name])
	if _, known := c.options[p.Name]; !known {
		c.options[p.Name] = options
	}
	var out []move
	for n, o := range options {
		base := bases[n%len(bases)]
		if value.Equal(base.Args[p.Name], o.value) {
			base = bases[0]
		}
		out = append(out, func() Binding { return Binding{with(base.Args, p.Name, o.value), base.Now, o.note} })
	}
	return out
}

func (c *caller) optionsOf(p *model.Parameter, has value.Value) []option {
	if p.List && len(p.Fields) > 0 {
		if p.Fields[0].LikeEntity == nil || hasSteps(c.pattern) {
			return nil
		}
		return c.keyLists(p)
	}
	return c.alternatives(p, has)
}

// rangeMoves are a range's ends as moves.
func (c *caller) rangeMoves(r ends, bases []Binding) []move {
	var out []move
	for n, s := range c.spans(r, bases[0].Now) {
		base := bases[n%len(bases)]
		out = append(out, func() Binding {
			args := maps.Clone(base.Args)
			c.setEnds(args, r, s)
			return Binding{args, base.Now, "ends of a range over " + r.path.String()}
		})
	}
	return out
}

// mix calls with an item's values for some parameters and alternatives for
// others, by chance, while there is room. With one thing to vary there is
// nothing to mix.
func (c *caller) mix(hits []model.Instance) {
	if len(c.options)+len(c.uses.ranges) < 2 {
		return
	}
	for tries := 2 * (c.g.options.Cases - len(c.calls)); tries > 0 && !c.enough(); tries-- {
		args := c.hit(hits[c.random.IntN(len(hits))], c.now)
		if args == nil {
			continue
		}
		for _, p := range c.pattern.Parameters {
			if options := c.options[p.Name]; len(options) > 0 && c.random.IntN(2) == 0 {
				args = with(args, p.Name, options[c.random.IntN(len(options))].value)
			}
		}
		for _, r := range c.uses.ranges {
			if spans := c.spans(r, c.now); len(spans) > 0 {
				c.setEnds(args, r, spans[c.random.IntN(len(spans))])
			}
		}
		c.add(args, c.now, "a mixture")
	}
}
