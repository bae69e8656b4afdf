package data

import (
	"maps"
	"slices"
	"time"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/encode"
	"github.com/dynmodel/dynmodel/model/expr"
	"github.com/dynmodel/dynmodel/model/value"
)

// hasSteps tells whether a pattern has several steps, or one in a list.
func hasSteps(p *model.Pattern) bool { return len(p.Steps) > 0 }

// writes makes the calls of a pattern of steps: for row after row of what is
// created and item after item of what is changed, and on two of them each
// parameter varied alone; items that are there already, and values that are
// taken.
func (c *caller) writes() {
	cases := c.g.options.Cases
	first := c.compose(0, c.now)
	for n := 0; n < max(2, cases/4) && !c.givenUp(); n++ {
		c.add(c.compose(n, c.now), c.now, "on what is there")
	}
	for _, now := range c.nows() {
		c.add(c.compose(0, now), now, "at another time")
	}
	for _, s := range c.pattern.AllSteps() {
		if s.Operation == model.Create || s.Operation == model.Put {
			c.clashes(s, first)
		}
	}
	c.vary([]Binding{{Args: first, Now: c.now}, {Args: c.compose(1, c.now), Now: c.now}})
	for n := cases / 4; n < cases && !c.enough(); n++ {
		c.add(c.compose(n, c.now), c.now, "on what is there")
	}
}

// composition is a call being made, step by step.
type composition struct {
	now   time.Time
	used  map[string]bool // identities of items addressed already
	taken []string        // what the items to be created claim, to be given back
}

// compose makes the n-th call.
func (c *caller) compose(n int, now time.Time) model.Args {
	args := model.Args{}
	m := &composition{now: now, used: map[string]bool{}}
	steps := c.pattern.Steps
	if c.pattern.Step != nil {
		steps = []*model.Step{c.pattern.Step}
	}
	for _, s := range steps {
		c.step(m, s, n, args)
	}
	for _, p := range c.pattern.Parameters {
		if _, bound := args[p.Name]; !bound && !p.MayBeAbsent && p.Name != c.pattern.Token {
			if v := c.own(p, model.Instance{}); v.Exists() {
				args[p.Name] = v
			}
		}
	}
	for _, r := range c.uses.ranges {
		if !c.enclose(args, r, model.Instance{}, now) {
			args = nil
		}
	}
	for _, claim := range m.taken {
		delete(c.taken, claim)
	}
	return args
}

// step binds the parameters of one step; false when it finds no item, or no
// further one, to be about.
func (c *caller) step(m *composition, s *model.Step, n int, args model.Args) bool {
	switch {
	case s.ForEach != nil:
		return c.forEach(m, s.ForEach, n, args)
	case s.Operation == model.Create || s.Operation == model.Put:
		return c.create(m, s, n, args)
	}
	return c.address(m, s, n, args)
}

// repeatsMax is the most members of a generated for_each list: what one
// transaction takes,
// docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_TransactWriteItems.html
const repeatsMax = 100

// forEach makes a list of as many members as the n-th call has: the fewest, the
// most, and some between; fewer where there are not enough items.
func (c *caller) forEach(m *composition, f *model.ForEach, n int, args model.Args) bool {
	low, high := max(1, int(f.Count.Min)), min(int(f.Count.Max), repeatsMax)
	if high < low {
		high = low
	}
	counts := []int{min(low+1, high), low, high, min(low+2, high)}
	p := c.pattern.Parameter(f.Param)
	var members []value.Value
	for i := range counts[n%len(counts)] {
		inner, found := maps.Clone(args), true
		for _, s := range f.Steps {
			found = c.step(m, s, n+i, inner) && found
		}
		if !found && len(members) >= low {
			break
		}
		if member := fieldsOf(p, inner, args); !contains(members, member) {
			members = append(members, member)
		}
	}
	args[f.Param] = value.OfList(members...)
	return true
}

// fieldsOf are the values inside a for_each as the member of its list.
func fieldsOf(p *model.Parameter, inner, outer model.Args) value.Value {
	var fields []value.Field
	for _, f := range p.Fields {
		_, bound := outer[f.Name]
		if v := inner[f.Name]; v.Exists() && !bound {
			fields = append(fields, value.Field{Name: f.Name, Value: v})
		}
	}
	return value.OfMap(fields...)
}

// create binds the parameters of an item to be created: the item of the n-th
// row, with what is bound already.
func (c *caller) create(m *composition, s *model.Step, n int, args model.Args) bool {
	shape := c.shapeOf(s.Entity)
	pins := c.pins(m, s, args)
	rows := c.rowsOf(shape)
	r := rows[n%len(rows)]
	item, ok := c.settle(shape, r, pins)
	if !ok {
		if item, ok = c.draft(shape, r, pins); !ok {
			return false
		}
	}
	for _, claim := range claims(s.Entity, item) {
		if !c.taken[claim] {
			c.taken[claim] = true
			m.taken = append(m.taken, claim)
		}
	}
	if n%2 == 1 {
		withoutDefaults(s, item)
	}
	c.bind(s, item, n, args)
	return true
}

// withoutDefaults leaves out what a create or put adds by itself.
func withoutDefaults(s *model.Step, item model.Item) {
	for _, in := range s.Inputs {
		name := in.Attribute.Name.Text
		if d := in.Attribute.Default; d.Exists() && value.Equal(item[name], d) || in.Attribute.DefaultNow != nil {
			delete(item, name)
		}
	}
}

// rowsOf are the rows of an entity's new items; made once. After the plainest
// every other one varies all at once, so that few calls bring many values.
func (c *caller) rowsOf(s *shape) []row {
	if s.rows != nil {
		return s.rows
	}
	rows := c.rows(s, c.g.options.Cases)
	if s.tight() {
		s.rows = rows
		return rows
	}
	for n, r := range rows {
		s.rows = append(s.rows, r)
		all := make(row, len(s.dims))
		for i, d := range s.dims {
			all[i] = (n + 1) % max(1, c.size(d))
		}
		s.rows = append(s.rows, all)
	}
	return s.rows
}

// pins are the attributes that a step's inputs fix: by literals, by $now, and
// by parameters that are bound already.
func (c *caller) pins(m *composition, s *model.Step, args model.Args) model.Item {
	pins := model.Item{}
	for _, in := range s.Inputs {
		name := in.Attribute.Name.Text
		switch o := in.Value.(type) {
		case nil:
			pins[name] = value.Value{}
		case *expr.Param:
			if v, bound := args[o.Name]; bound {
				pins[name] = v
			}
		default:
			if v := constant(in.Attribute, o, m.now); v.Exists() {
				pins[name] = v
			}
		}
	}
	return pins
}

// bind gives the parameters of a step's inputs and old values what an item has;
// the n-th value of its own domain, where a parameter declares a narrower one.
func (c *caller) bind(s *model.Step, item model.Item, n int, args model.Args) {
	for _, in := range slices.Concat(s.Inputs, s.Old) {
		name, _ := operandNames(in.Value)
		if _, bound := args[name]; name == "" || bound {
			continue
		}
		v := item[in.Attribute.Name.Text]
		if !v.Exists() {
			continue
		}
		if !c.allows(name, v) {
			values := c.values(c.parameter(name).Declared)
			v = values[n%len(values)]
		}
		args[name] = v
	}
}

// allows tells whether a value is in the domain that a parameter declares, if it
// does.
func (c *caller) allows(name string, v value.Value) bool {
	p := c.parameter(name)
	return p == nil || p.Declared == nil || c.ordinary(p.Declared, v)
}

// parameter is the parameter of that name, also inside a list; nil for none.
func (c *caller) parameter(name string) *model.Parameter {
	all := c.parameters()
	i := slices.IndexFunc(all, func(p *model.Parameter) bool { return p.Name == name })
	if i < 0 {
		return nil
	}
	return all[i]
}

// address binds the parameters of a step on an item that is there: the n-th
// that agrees with what is bound, and was not addressed before; or on one that
// is not there, false then.
func (c *caller) address(m *composition, s *model.Step, n int, args model.Args) bool {
	pins := c.pins(m, s, args)
	items := c.placed[s.Entity]
	for i := range items {
		item := items[(n+i)%len(items)]
		id := identityOf(s.Entity, item)
		if m.used[id] || !same(pins, item) {
			continue
		}
		m.used[id] = true
		c.bind(s, item, n, args)
		c.bindUses(s, item, n, args)
		return true
	}
	shape := c.shapeOf(s.Entity)
	rows := c.rowsOf(shape)
	item, _ := c.draft(shape, rows[n%len(rows)], pins)
	c.bind(s, item, n, args)
	c.bindUses(s, item, n, args)
	return false
}

// bindUses gives the parameters of a step's condition what the item has, and
// those of its change the n-th value there is. What another step does with a
// parameter is that step's item to say: of two accounts each has its own.
func (c *caller) bindUses(s *model.Step, item model.Item, n int, args model.Args) {
	for _, p := range c.parameters() {
		if _, bound := args[p.Name]; bound || p.List && len(p.Fields) > 0 {
			continue
		}
		for _, u := range c.uses.of[p.Name] {
			if u.entity != s.Entity || u.step != nil && u.step != s {
				continue
			}
			var v value.Value
			switch {
			case u.role == roleNew:
				v = c.newValue(u, n)
			case u.role.changes():
				v = c.amount(p, u, item, n)
			default:
				v = c.meet(u, u.of(item))
			}
			if c.domain(p, v) {
				if p.List {
					v = value.OfList(v)
				}
				args[p.Name] = v
				break
			}
		}
	}
}

// parameters are those of the pattern, and those inside its lists.
func (c *caller) parameters() []*model.Parameter {
	var out []*model.Parameter
	for _, p := range c.pattern.Parameters {
		out = append(out, p)
		out = append(out, p.Fields...)
	}
	return out
}

// newValue is the n-th value for an attribute that is assigned to; one that no
// item has, where it is kept unique.
func (c *caller) newValue(u use, n int) value.Value {
	values := c.values(u.attr)
	if slices.ContainsFunc(u.entity.Unique, func(q *model.Unique) bool { return slices.Contains(q.Of, u.attr) }) {
		present := c.present(u)
		for i := range values {
			if v := values[(n+i)%len(values)]; !contains(present, encode.Stored(u.attr, v)) {
				return v
			}
		}
		return another(u.attr, n+1000)
	}
	if len(values) == 0 {
		return value.Value{}
	}
	return values[n%len(values)]
}

// amount is the n-th value to add to an attribute or to take from it.
func (c *caller) amount(p *model.Parameter, u use, item model.Item, n int) value.Value {
	options := reaching(u.attr, []value.Value{u.of(item)})
	if d := p.Domain(); d != nil {
		values := slices.DeleteFunc(slices.Clone(c.values(d)), func(v value.Value) bool { return !c.domain(p, v) })
		options = append(cut(values, 0, 1), options...)
	}
	for i := range options {
		if v := options[(n+i)%len(options)]; c.domain(p, v) {
			return v
		}
	}
	return value.Value{}
}

// clashEvery is how many calls of a pattern there are for each item that is
// created again.
const clashEvery = 16

// clashes are calls that create what is there: an item as it is, its identity
// with other attributes, its unique values, and one that refers to nothing.
func (c *caller) clashes(s *model.Step, base model.Args) {
	e := s.Entity
	shape := c.shapeOf(e)
	items := c.placed[e]
	rows := c.rowsOf(shape)
	for i, item := range items[:min(len(items), max(1, c.g.options.Cases/clashEvery))] {
		c.add(c.rebound(s, base, item), c.now, "creates an item that is there")
		pins := model.Item{}
		for _, part := range e.Identity {
			pins[part.Attribute.Name.Text] = item[part.Attribute.Name.Text]
		}
		if again, ok := c.draft(shape, rows[(i+3)%len(rows)], pins); ok && c.whole(e, again) {
			c.add(c.rebound(s, base, again), c.now, "creates an identity that is there, with other attributes")
		}
		for _, u := range e.Unique {
			args := base
			for _, a := range u.Of {
				if name := inputOf(s, a); name != "" {
					args = with(args, name, item[a.Name.Text])
				}
			}
			c.add(args, c.now, "takes a unique value that is taken")
		}
	}
	c.add(c.orphan(s, base), c.now, "refers to an item that is not there")
}

// inputOf is the parameter that an attribute of a step's item comes from, or "".
func inputOf(s *model.Step, a *model.Attribute) string {
	for _, in := range s.Inputs {
		if in.Attribute == a {
			name, _ := operandNames(in.Value)
			return name
		}
	}
	return ""
}

// rebound is a call with the inputs of one step taken from an item, as far as the
// domains that parameters declare allow them; nil when the step is inside a list,
// or fixes part of the item's identity otherwise: an identifier that is minted
// then would be shared.
func (c *caller) rebound(s *model.Step, base model.Args, item model.Item) model.Args {
	args := base
	for _, in := range s.Inputs {
		name, _ := operandNames(in.Value)
		if name == "" {
			fixed := constant(in.Attribute, in.Value, c.now)
			if inIdentity(s.Entity, in.Attribute) && !value.Equal(fixed, item[in.Attribute.Name.Text]) {
				return nil
			}
			continue
		}
		if c.pattern.Parameter(name) == nil {
			return nil
		}
		v := item[in.Attribute.Name.Text]
		switch {
		case c.allows(name, v):
			args = with(args, name, v)
		case inIdentity(s.Entity, in.Attribute):
			return nil
		}
	}
	return args
}

// orphan is a call whose new item refers to what is not there, by identifiers
// of a kind that is minted; nil when there is no such reference.
func (c *caller) orphan(s *model.Step, base model.Args) model.Args {
	for _, l := range c.g.links[s.Entity] {
		p := l.pairs[0]
		name := inputOf(s, p.own)
		if p.target.Minted && name != "" && c.pattern.Parameter(name) != nil {
			return with(base, name, c.mint(p.target))
		}
	}
	return nil
}

// free tells whether a parameter may be varied alone: it is not part of what an
// item to be created refers to, copies, or is minted with.
func (c *caller) free(p *model.Parameter) bool {
	for _, u := range c.uses.of[p.Name] {
		if u.role != roleNew {
			continue
		}
		a := u.attr
		if a.Minted || a.CopyOf != nil || a.PresentWith != nil || c.linked(u.entity, a) {
			return false
		}
		for _, other := range u.entity.Attributes {
			if other.PresentWith == a {
				return false
			}
		}
	}
	return true
}

func (c *caller) linked(e *model.Entity, a *model.Attribute) bool {
	return slices.ContainsFunc(c.g.links[e], func(l *link) bool { return l.has(a) })
}
