package plan

import (
	"slices"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/expr"
	"github.com/dynmodel/dynmodel/model/keytext"
)

// terms are the top-level terms of a condition for one entity, sorted by what
// a key can do with them.
type terms struct {
	entity *model.Entity
	all    []expr.Cond
	equal  []*equality
	ranges []*spread
	begins []*prefix
	// narrowed holds besides, by what is declared of parameters.
	narrowed []expr.Cond
}

// subject is an attribute seen through functions: what a term compares.
type subject struct {
	attribute *model.Attribute
	path      expr.Path
	chain     []expr.Func // `stored` first
	// stored is to be applied to what the subject is compared with: how the
	// attribute is stored, unless a function was written around it.
	stored []expr.Func
}

// equality fixes a subject to a value, or to one of several.
type equality struct {
	subject
	term     expr.Cond
	values   []expr.Operand
	fromList bool
	in       bool
}

// spread holds a subject between two ends, each from a term of its own or both
// from a BETWEEN.
type spread struct {
	subject
	low, high         Bound
	lowTerm, highTerm expr.Cond
}

// prefix says how a subject's text begins.
type prefix struct {
	subject
	term  expr.Cond
	value expr.Operand
}

func (s subject) same(t subject) bool {
	return s.path.String() == t.path.String() && slices.Equal(s.chain, t.chain)
}

// termsOf sorts the terms of a condition, nil for none.
func termsOf(e *model.Entity, c expr.Cond) *terms {
	t := &terms{entity: e, all: expr.Conjuncts(c)}
	for _, term := range t.all {
		t.add(term)
	}
	return t
}

func (t *terms) add(term expr.Cond) {
	switch c := term.(type) {
	case *expr.Compare:
		t.addCompare(c)
	case *expr.Between:
		if s, ok := t.subject(c.X); ok && expr.Constant(c.Low) && expr.Constant(c.High) {
			t.addEnd(s, Bound{Value: c.Low}, term, false)
			t.addEnd(s, Bound{Value: c.High}, term, true)
		}
	case *expr.In:
		if s, ok := t.subject(c.X); ok && !slices.ContainsFunc(c.List, func(o expr.Operand) bool { return !expr.Constant(o) }) {
			t.equal = append(t.equal, &equality{subject: s, term: term, values: c.List, fromList: c.FromList, in: true})
		}
	case *expr.Or:
		t.addAlternatives(c)
	case *expr.Test:
		if s, ok := t.subject(c.X); ok && c.Name == expr.BeginsWith && expr.Constant(c.Arg) {
			t.begins = append(t.begins, &prefix{subject: s, term: term, value: c.Arg})
		}
	}
}

func (t *terms) addCompare(c *expr.Compare) {
	left, op, right := c.Left, c.Op, c.Right
	if expr.Constant(left) {
		left, op, right = right, op.Flip(), left
	}
	s, ok := t.subject(left)
	if !ok || !expr.Constant(right) {
		return
	}
	switch op {
	case expr.Eq:
		t.equal = append(t.equal, &equality{subject: s, term: c, values: []expr.Operand{right}})
	case expr.Lt, expr.Le:
		t.addEnd(s, Bound{Value: right, Excluded: op == expr.Lt}, c, true)
	case expr.Gt, expr.Ge:
		t.addEnd(s, Bound{Value: right, Excluded: op == expr.Gt}, c, false)
	}
}

// addAlternatives takes `a = x OR a = y` for `a IN (x, y)`.
func (t *terms) addAlternatives(or *expr.Or) {
	alternatives := &terms{entity: t.entity}
	for _, term := range or.Terms {
		alternatives.add(term)
	}
	if len(alternatives.equal) != len(or.Terms) {
		return
	}
	all := &equality{subject: alternatives.equal[0].subject, term: or, in: true}
	for _, e := range alternatives.equal {
		if !e.same(all.subject) || e.fromList {
			return
		}
		all.values = append(all.values, e.values...)
	}
	t.equal = append(t.equal, all)
}

// addEnd adds an end of a range; a second end of the same side is left to the filter.
func (t *terms) addEnd(s subject, b Bound, term expr.Cond, high bool) {
	for _, r := range t.ranges {
		switch {
		case !r.same(s):
		case high && r.high.Value == nil:
			r.high, r.highTerm = b, term
			return
		case !high && r.low.Value == nil:
			r.low, r.lowTerm = b, term
			return
		}
	}
	r := &spread{subject: s}
	if high {
		r.high, r.highTerm = b, term
	} else {
		r.low, r.lowTerm = b, term
	}
	t.ranges = append(t.ranges, r)
}

// terms of the range, each once.
func (r *spread) terms() []expr.Cond {
	var out []expr.Cond
	for _, term := range []expr.Cond{r.lowTerm, r.highTerm} {
		if term != nil && !slices.Contains(out, term) {
			out = append(out, term)
		}
	}
	return out
}

// subject is the attribute under the template functions of an operand.
func (t *terms) subject(o expr.Operand) (subject, bool) {
	var funcs []expr.Func
	for {
		switch x := o.(type) {
		case *expr.Call:
			if !x.Func.Name.IsTemplate() {
				return subject{}, false
			}
			funcs = append(funcs, x.Func)
			o = x.Args[0]
			continue
		case *expr.Attr:
			a := t.entity.AttributeAt(x.Path)
			if a == nil {
				return subject{}, false
			}
			slices.Reverse(funcs)
			s := subject{attribute: a, path: x.Path, chain: chain(a, funcs)}
			if len(funcs) == 0 {
				s.stored = s.chain
			}
			return s, true
		}
		return subject{}, false
	}
}

// seen is a part's attribute and the functions it is seen through.
func seen(p model.Part) (*model.Attribute, []expr.Func) {
	a := keytext.Leaf(p)
	return a, chain(a, p.Funcs)
}
