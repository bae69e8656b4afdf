package oracle

import (
	"cmp"
	"slices"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/expr"
	"github.com/dynmodel/dynmodel/model/value"
)

// Answer is what a read must give.
type Answer struct {
	// Matches are all items that match, in the order asked for; ties, and all of
	// them when no order is asked for, are in the order of the world.
	Matches []model.Instance
	// Identities are those of the matches, in the same order.
	Identities []string
	// Want is how many of them must come back: all, or as many as the limit allows.
	Want  int
	order []model.OrderBy
}

// Read answers a pattern that reads: a get of any kind, a query, a scan, or a
// statement whose meaning the pattern states.
func (w *World) Read(c Call) Answer {
	s := c.scope(model.Instance{})
	var matches []model.Instance
	switch c.Pattern.Operation {
	case model.Get, model.BatchGet, model.TransactGet:
		matches = w.addressed(c.Pattern, s)
	default:
		matches = w.selected(c.Pattern, s)
	}
	a := Answer{Matches: matches, Want: len(matches), order: c.Pattern.Order}
	if n := c.Pattern.Limit; n > 0 {
		a.Want = min(a.Want, n)
	}
	slices.SortStableFunc(a.Matches, a.Compare)
	for _, in := range a.Matches {
		a.Identities = append(a.Identities, Identity(in))
	}
	return a
}

// Compare orders two items as the pattern asks: 0 for a tie, and always 0
// without an `order`. An absent attribute comes before every value.
func (a Answer) Compare(x, y model.Instance) int {
	if p, q := model.PlaceOf(a.order, x.Entity), model.PlaceOf(a.order, y.Entity); p != q {
		return cmp.Compare(p, q)
	}
	for _, by := range model.OrderWithin(a.order, x.Entity) {
		c := compareAttribute(by.Attribute, x, y)
		if by.Desc {
			c = -c
		}
		if c != 0 {
			return c
		}
	}
	return 0
}

func compareAttribute(name string, x, y model.Instance) int {
	v, w := x.Item[name], y.Item[name]
	if c, ok := inOrder(v, w, x.Entity.Attribute(name), y.Entity.Attribute(name)); ok {
		return c
	}
	return cmp.Compare(v.Kind(), w.Kind())
}

// Prefix tells whether the items, given in the order of their coming, are a
// correct prefix of the answer in length and order of the attributes asked
// for: position by position they tie with the sorted matches.
func (a Answer) Prefix(got []model.Instance) bool {
	if len(got) > len(a.Matches) {
		return false
	}
	for i, in := range got {
		if a.Compare(in, a.Matches[i]) != 0 {
			return false
		}
	}
	return true
}

// Holds tells whether a condition of the pattern's holds for an item, as a
// caller that applies a filter after a read would find.
func (c Call) Holds(cond expr.Cond, in model.Instance) bool {
	return c.scope(in).meetsAll(cond)
}

// selected are the items of the pattern's entities for which `where` holds and
// which are live, and for which `filter` holds unless it belongs to a request
// written out by the user, of which `where` is the definition.
func (w *World) selected(p *model.Pattern, s scope) []model.Instance {
	entities := p.Entities
	if p.Statement != nil {
		entities = p.Statement.Returns
	}
	var out []model.Instance
	for _, in := range w.instances {
		if !p.All && !slices.Contains(entities, in.Entity) {
			continue
		}
		s := s.on(in.Entity, in.Item)
		if s.meets(p.Where) && s.meets(p.LiveOf(in.Entity)) && (p.Key != nil || s.meets(p.Filter)) {
			out = append(out, in)
		}
	}
	return out
}

// meets tells whether the item in view is one that a `where` or `filter` asks for.
func (s scope) meets(c *model.Condition) bool {
	return c == nil || s.meetsAll(c.Cond)
}

// addressed are the items that a get, batch_get or transact_get names by their
// keys, less those that the reader drops: by `filter`, or because they are not live.
func (w *World) addressed(p *model.Pattern, s scope) []model.Instance {
	var wanted []func(model.Instance) bool
	for _, step := range p.AllSteps() {
		wanted = append(wanted, s.addresses(step))
	}
	if len(wanted) == 0 {
		wanted = s.keyed(p)
	}
	var out []model.Instance
	for _, in := range w.instances {
		named := slices.ContainsFunc(wanted, func(is func(model.Instance) bool) bool { return is(in) })
		s := s.on(in.Entity, in.Item)
		if named && s.meets(p.Filter) && s.meets(p.LiveOf(in.Entity)) {
			out = append(out, in)
		}
	}
	return out
}

// keyed tells the items of a get apart by the call's parameters, or those of a
// batch by each element of its list parameter.
func (s scope) keyed(p *model.Pattern) []func(model.Instance) bool {
	var wanted []func(model.Instance) bool
	for _, e := range p.Entities {
		if p.Operation == model.Get {
			wanted = append(wanted, s.args.names(e, p.Parameters))
			continue
		}
		for _, list := range p.Parameters {
			for _, element := range s.args.args[list.Name].Items() {
				wanted = append(wanted, s.args.inner(list.Name, element).names(e, list.Fields))
			}
		}
	}
	return wanted
}

// names tells the items whose attributes are equal to the parameters named after them.
func (b *bindings) names(e *model.Entity, params []*model.Parameter) func(model.Instance) bool {
	return func(in model.Instance) bool {
		if in.Entity != e {
			return false
		}
		for _, p := range params {
			a := e.Attribute(p.Name)
			if a == nil || p.List {
				continue
			}
			v, _ := b.lookup(p.Name)
			if !same(e, a, in.Item[p.Name], v) {
				return false
			}
		}
		return true
	}
}

// addresses tells the items that a step names by its inputs.
func (s scope) addresses(step *model.Step) func(model.Instance) bool {
	return func(in model.Instance) bool {
		if in.Entity != step.Entity {
			return false
		}
		s := s.on(in.Entity, in.Item)
		for _, input := range step.Inputs {
			v := s.value(input.Value, input.Attribute)
			if !same(step.Entity, input.Attribute, in.Item[input.Attribute.Name.Text], v) {
				return false
			}
		}
		return true
	}
}

// same tells whether two values of an attribute name one item: as they are
// stored, and as the entity's identity sees them.
func same(e *model.Entity, a *model.Attribute, v, w value.Value) bool {
	v, w = storedForm(v, a), storedForm(w, a)
	for _, part := range e.Identity {
		if part.Attribute != a {
			continue
		}
		for _, f := range part.Funcs {
			v, w = apply(f, v, a), apply(f, w, a)
		}
	}
	return v.Exists() && value.Equal(v, w)
}
