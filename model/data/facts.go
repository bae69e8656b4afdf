package data

import (
	"slices"
	"time"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/encode"
	"github.com/dynmodel/dynmodel/model/expr"
	"github.com/dynmodel/dynmodel/model/value"
)

// comparison is a place in a condition where an attribute meets something else.
type comparison struct {
	attr  *expr.Attr
	funcs []expr.Func    // applied to the attribute
	op    string         // an expr.Op, an expr.TestName, "IN" or "BETWEEN", as seen from the attribute
	with  []expr.Operand // what it meets: two for BETWEEN, none for attribute_exists
	list  bool           // with is one list parameter
	top   bool           // every item the condition holds for passes here
}

const (
	opIn      = "IN"
	opBetween = "BETWEEN"
)

// comparisons are all places in a condition where attributes are compared, in order.
func comparisons(c *model.Condition) []comparison {
	if c == nil || c.Cond == nil {
		return nil
	}
	return comparisonsIn(c.Cond, true)
}

func comparisonsIn(c expr.Cond, top bool) []comparison {
	switch c := c.(type) {
	case *expr.And:
		return comparisonsOf(c.Terms, top)
	case *expr.Or:
		return comparisonsOf(c.Terms, false)
	case *expr.Not:
		return comparisonsIn(c.Term, false)
	case *expr.Compare:
		return append(comparisonOf(c.Left, string(c.Op), top, c.Right), comparisonOf(c.Right, string(c.Op.Flip()), top, c.Left)...)
	case *expr.Between:
		out := comparisonOf(c.X, opBetween, top, c.Low, c.High)
		out = append(out, comparisonOf(c.Low, string(expr.Le), top, c.X)...)
		return append(out, comparisonOf(c.High, string(expr.Ge), top, c.X)...)
	case *expr.In:
		out := comparisonOf(c.X, opIn, top, c.List...)
		for i := range out {
			out[i].list = c.FromList
		}
		return out
	case *expr.Test:
		if c.Arg == nil {
			return comparisonOf(c.X, string(c.Name), top)
		}
		return comparisonOf(c.X, string(c.Name), top, c.Arg)
	}
	return nil
}

func comparisonsOf(terms []expr.Cond, top bool) []comparison {
	var out []comparison
	for _, t := range terms {
		out = append(out, comparisonsIn(t, top)...)
	}
	return out
}

// comparisonOf is the comparison of x when that is an attribute, or functions of
// one, of which the size can only be the last.
func comparisonOf(x expr.Operand, op string, top bool, with ...expr.Operand) []comparison {
	var funcs []expr.Func
	for {
		switch o := x.(type) {
		case *expr.Attr:
			slices.Reverse(funcs)
			return []comparison{{attr: o, funcs: funcs, op: op, with: with, top: top}}
		case *expr.Call:
			if len(o.Args) == 0 {
				return nil
			}
			funcs = append(funcs, o.Func)
			x = o.Args[0]
		default:
			return nil
		}
	}
}

// of tells whether the comparison is about an attribute of the entity, and
// which; a member of a map stands for itself.
func (c comparison) of(e *model.Entity) *model.Attribute {
	if c.attr.Entity != "" && c.attr.Entity != e.Name.Text {
		return nil
	}
	return e.AttributeAt(c.attr.Path)
}

// fact is what a pattern says about one attribute of an entity.
type fact struct {
	equal  bool        // every item looked for has one value that the caller gives
	fixed  value.Value // every item looked for has this value
	absent bool        // no item looked for has one
	ranged bool        // it is in a range or an order
	named  bool        // it is named at all
	values []value.Value
}

// facts are what a pattern says about the attributes of the entities in it.
type facts map[*model.Attribute]*fact

func (f facts) of(a *model.Attribute) *fact {
	if f[a] == nil {
		f[a] = &fact{}
	}
	return f[a]
}

// factsOf gathers what a pattern's conditions, changes and order say.
func factsOf(m *model.Model, p *model.Pattern, now time.Time) facts {
	f := facts{}
	for _, e := range entitiesOf(m, p) {
		for _, c := range p.Selects(e) {
			f.condition(e, c, now)
		}
		for _, o := range p.Order {
			if a := e.Attribute(o.Attribute); a != nil && (o.Entity == nil || o.Entity == e) {
				f.of(a).ranged, f.of(a).named = true, true
			}
		}
		if ttl := m.Table.TTL; ttl != nil {
			if a := e.Attribute(ttl.Text); a != nil {
				f.of(a).add(a, ofTime(a, now))
			}
		}
	}
	if p.Then != nil {
		f.condition(p.Then.Entity, p.LiveOf(p.Then.Entity), now)
	}
	for _, s := range p.AllSteps() {
		f.condition(s.Entity, s.If, now)
		f.change(s)
	}
	for _, e := range m.Entities {
		f.memberships(e, now)
	}
	return f
}

// memberships are the conditions under which items are in an index or guarded, and
// their invariants.
func (f facts) memberships(e *model.Entity, now time.Time) {
	var conditions []*model.Condition
	for _, k := range e.Keys {
		conditions = append(conditions, k.When)
	}
	for _, u := range e.Unique {
		conditions = append(conditions, u.When)
	}
	conditions = append(conditions, e.Invariants...)
	for _, when := range conditions {
		for _, c := range comparisons(when) {
			if a := c.of(e); a != nil {
				f.of(a).meet(a, c, now)
			}
		}
	}
}

func (f facts) condition(e *model.Entity, cond *model.Condition, now time.Time) {
	for _, c := range comparisons(cond) {
		a := c.of(e)
		if a == nil {
			continue
		}
		f.of(e.Attribute(c.attr.Path.Name)).named = true // it may be a member of a map
		at := f.of(a)
		at.meet(a, c, now)
		if !c.top {
			continue
		}
		switch c.op {
		case string(expr.Eq):
			switch o := c.with[0].(type) {
			case *expr.Param:
				at.equal = true
			case *expr.Literal:
				at.fixed = o.Value
			}
		case opIn:
			at.equal = at.equal || c.list
		case string(expr.AttributeNotExists):
			at.absent = true
		}
	}
}

// meet notes what an attribute is compared with.
func (at *fact) meet(a *model.Attribute, c comparison, now time.Time) {
	at.named = true
	switch c.op {
	case string(expr.Lt), string(expr.Le), string(expr.Gt), string(expr.Ge), opBetween:
		at.ranged = true
	}
	for _, o := range c.with {
		at.add(a, constant(a, o, now))
	}
}

// change notes what an update names.
func (f facts) change(s *model.Step) {
	if s.Change == nil || s.Change.Update == nil {
		return
	}
	u := s.Change.Update
	note := func(t *expr.Attr) {
		if a := s.Entity.AttributeAt(t.Path); a != nil {
			f.of(a).named = true
		}
	}
	for _, x := range u.Set {
		note(x.Target)
	}
	for _, x := range u.Remove {
		note(x)
	}
	for _, x := range slices.Concat(u.Add, u.Delete) {
		note(x.Target)
	}
}

// add notes a value that matters, with what lies next to it.
func (at *fact) add(a *model.Attribute, v value.Value) {
	if !v.Exists() {
		return
	}
	for _, w := range append([]value.Value{v}, around(a, v)...) {
		if !contains(at.values, w) {
			at.values = append(at.values, w)
		}
	}
}

// around are the values just below and just above one, in the domain or not.
func around(a *model.Attribute, v value.Value) []value.Value {
	if t, ok := encode.Time(v, a.Type); ok && a.Type.IsTime() {
		return []value.Value{shift(a, t, -1), shift(a, t, 1)}
	}
	switch v.Kind() {
	case value.Number:
		return []value.Value{add(v, Step(a).Neg()), add(v, Step(a))}
	case value.String:
		if len(a.Domain.Values) > 0 || v.Text() == "" {
			return nil
		}
		runes := []rune(v.Text())
		last := runes[len(runes)-1]
		return []value.Value{value.OfString(string(runes[:len(runes)-1])), value.OfString(v.Text() + "a"),
			value.OfString(string(runes[:len(runes)-1]) + string(last-1)), value.OfString(string(runes[:len(runes)-1]) + string(last+1))}
	}
	return nil
}

// shift moves a time by ticks of its attribute; a month by months.
func shift(a *model.Attribute, t time.Time, ticks int) value.Value {
	if a.Type == model.TypeMonth {
		return ofTime(a, t.AddDate(0, ticks, 0))
	}
	return ofTime(a, t.Add(time.Duration(ticks)*tickOf(a)))
}

// constant is the value of an operand that does not depend on the call, beside
// the time; absent for others.
func constant(a *model.Attribute, o expr.Operand, now time.Time) value.Value {
	if lit, ok := o.(*expr.Literal); ok {
		return lit.Value
	}
	if t, ok := instant(o, now); ok && a.Type.IsTime() {
		return ofTime(a, t)
	}
	return value.Value{}
}

// instant is the time that $now, or arithmetic on it, stands for.
func instant(o expr.Operand, now time.Time) (time.Time, bool) {
	switch o := o.(type) {
	case *expr.Now:
		return now, true
	case *expr.Arith:
		t, ok := instant(o.Left, now)
		d, isDuration := o.Right.(*expr.Duration)
		if !ok || !isDuration {
			return now, false
		}
		if o.Minus {
			return t.Add(-d.Length), true
		}
		return t.Add(d.Length), true
	}
	return now, false
}

// entitiesOf are the entities a pattern is about, each once, in order.
func entitiesOf(m *model.Model, p *model.Pattern) []*model.Entity {
	var out []*model.Entity
	add := func(all ...*model.Entity) {
		for _, e := range all {
			if e != nil && !slices.Contains(out, e) {
				out = append(out, e)
			}
		}
	}
	if p.All {
		add(m.Entities...)
	}
	add(p.Entities...)
	for _, s := range p.AllSteps() {
		add(s.Entity)
	}
	if p.Statement != nil {
		add(p.Statement.Returns...)
	}
	return out
}
