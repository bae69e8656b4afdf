package plan

import (
	"slices"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/expr"
)

// residual is what where says beyond what the key condition and membership in
// the index imply.
func (f *fit) residual() []expr.Cond {
	settled := slices.Concat(f.partition.exact, f.sort.exact)
	known := expr.All(slices.Concat(settled, f.terms.narrowed, f.membership())...)
	var rest []expr.Cond
	for _, term := range f.terms.all {
		if !slices.Contains(settled, term) && !expr.Implies(known, term, domains(f.entity)) {
			rest = append(rest, term)
		}
	}
	return rest
}

// membership is what holds of every item of the entity in the keyspace.
func (f *fit) membership() []expr.Cond {
	var known []expr.Cond
	for _, w := range f.whens() {
		known = append(known, w.Cond)
	}
	for _, p := range pathsOf(f.keys) {
		known = append(known, existsAt(p))
	}
	return known
}

// checkFilter says why conditions are no legal filter of a query.
func (f *fit) checkFilter(terms []expr.Cond) {
	for _, term := range terms {
		for _, a := range expr.Attrs(term) {
			if f.space.isKey(a.Path.Name) {
				f.against(IllegalFilter, "`%s` would need a filter on %s, which is part of its key, and DynamoDB refuses that", expr.String(term), a.Path.Name)
				return
			}
		}
		what := uncomputable(term)
		if p := f.opened(term); what != "" && p != nil {
			f.against(IllegalFilter, "its key answers `%s` only in part: %s can hold the %q that follows it there, and a filter would need %s, which DynamoDB does not have",
				expr.String(term), p.Path, p.following[0].Literal, what)
		} else if what != "" {
			f.against(IllegalFilter, "`%s` cannot be a filter: DynamoDB has no %s", expr.String(term), what)
		}
	}
}

// opened is the part of the sort key whose beginning a term asks for, where what
// follows it there can be taken for a piece of its value; nil for none.
func (f *fit) opened(term expr.Cond) *sortPart {
	if len(f.rest) == 0 || f.rest[0].closed() || len(f.rest[0].following) == 0 || f.rest[0].following[0].Literal == "" {
		return nil
	}
	p := &f.rest[0]
	_, c := seen(p.Part)
	begins := func(b *prefix) bool {
		return b.term == term && b.path.String() == p.Path.String() && slices.Equal(b.chain, c)
	}
	if !slices.ContainsFunc(f.terms.begins, begins) {
		return nil
	}
	return p
}

// uncomputable is what DynamoDB cannot work out of a condition, "" for nothing:
// a template function of an attribute, or a sum with one.
func uncomputable(c expr.Cond) string {
	what := ""
	expr.Walk(c, func(n expr.Node) {
		switch n := n.(type) {
		case *expr.Call:
			if n.Func.Name.IsTemplate() && !expr.Constant(n) {
				what = string(n.Func.Name) + "()"
			}
		case *expr.Arith:
			if !expr.Constant(n) {
				what = "sums in conditions"
			}
		}
	})
	return what
}

// normalised is a condition whose operands are as the attributes they meet are
// stored: what is compared with a `stored: lower` attribute goes through lower.
func normalised(e *model.Entity, c expr.Cond) expr.Cond {
	switch c := c.(type) {
	case *expr.And:
		return &expr.And{At: c.At, Terms: normalisedAll(e, c.Terms)}
	case *expr.Or:
		return &expr.Or{At: c.At, Terms: normalisedAll(e, c.Terms)}
	case *expr.Not:
		return &expr.Not{At: c.At, Term: normalised(e, c.Term)}
	case *expr.Compare:
		return &expr.Compare{At: c.At, Op: c.Op, Left: beside(e, c.Left, c.Right), Right: beside(e, c.Right, c.Left)}
	case *expr.Between:
		return &expr.Between{At: c.At, X: c.X, Low: beside(e, c.Low, c.X), High: beside(e, c.High, c.X)}
	case *expr.In:
		if c.FromList {
			return c // its members are folded one by one
		}
		list := make([]expr.Operand, len(c.List))
		for i, o := range c.List {
			list[i] = beside(e, o, c.X)
		}
		return &expr.In{At: c.At, X: c.X, List: list}
	case *expr.Test:
		if c.Arg != nil && c.Name != expr.AttributeType { // whose argument is the name of a type
			return &expr.Test{At: c.At, Name: c.Name, X: c.X, Arg: beside(e, c.Arg, c.X)}
		}
	}
	return c
}

func normalisedAll(e *model.Entity, terms []expr.Cond) []expr.Cond {
	out := make([]expr.Cond, len(terms))
	for i, t := range terms {
		out[i] = normalised(e, t)
	}
	return out
}

// beside is an operand as it is compared with another: folded as that is stored.
func beside(e *model.Entity, o, other expr.Operand) expr.Operand {
	attr, ok := other.(*expr.Attr)
	if !ok || !expr.Constant(o) {
		return o
	}
	a := e.AttributeAt(attr.Path)
	if a == nil || a.Stored == "" {
		return o
	}
	return stored(a, o)
}

// stored is an operand folded as the attribute is stored.
func stored(a *model.Attribute, o expr.Operand) expr.Operand {
	if call, ok := o.(*expr.Call); a.Stored == "" || ok && call.Func.Name == a.Stored {
		return o
	}
	return &expr.Call{At: o.Span(), Func: expr.Func{Name: a.Stored}, Args: []expr.Operand{o}}
}
