package data

import (
	"slices"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/encode"
	"github.com/dynmodel/dynmodel/model/expr"
	"github.com/dynmodel/dynmodel/model/value"
)

// keeps tells whether an item keeps the invariants of its entity. One says
// nothing of an item that lacks an attribute it compares.
func keeps(e *model.Entity, item model.Item) bool {
	return !slices.ContainsFunc(e.Invariants, func(c *model.Condition) bool {
		return slices.ContainsFunc(expr.Conjuncts(c.Cond), func(term expr.Cond) bool { return broken(e, item, term) })
	})
}

// broken tells whether an item contradicts a term of an invariant.
func broken(e *model.Entity, item model.Item, term expr.Cond) bool {
	for _, attr := range compared(term) {
		if !encode.Lookup(item, attr.Path).Exists() {
			return false
		}
	}
	return !encode.Holds(summed(e, item, term), e, item)
}

// compared are the attributes that a condition compares, and not those of which
// it only asks whether they are there.
func compared(c expr.Cond) []*expr.Attr {
	switch c := c.(type) {
	case *expr.And:
		return comparedIn(c.Terms)
	case *expr.Or:
		return comparedIn(c.Terms)
	case *expr.Not:
		return compared(c.Term)
	case *expr.Test:
		if c.Arg == nil {
			return nil
		}
	}
	return expr.Attrs(c)
}

func comparedIn(terms []expr.Cond) []*expr.Attr {
	var out []*expr.Attr
	for _, t := range terms {
		out = append(out, compared(t)...)
	}
	return out
}

// summed is a condition with its sums worked out for an item: times in the form
// of the attribute they begin with.
func summed(e *model.Entity, item model.Item, c expr.Cond) expr.Cond {
	return expr.Rewrite(c, func(o expr.Operand) expr.Operand {
		sum, ok := o.(*expr.Arith)
		attrs := expr.Attrs(o)
		if !ok || len(attrs) == 0 {
			return o
		}
		a := e.AttributeAt(attrs[0].Path)
		if a == nil {
			return o
		}
		return &expr.Literal{At: sum.At, Value: derive(e, item, a, sum)}
	})
}

// mend makes an item keep the invariants that compare two of its attributes: they
// change places, or one takes the other's value. Attributes in pins stay as they are.
func (b *builder) mend(e *model.Entity, item, pins model.Item) {
	for _, invariant := range e.Invariants {
		for _, term := range expr.Conjuncts(invariant.Cond) {
			c, ok := term.(*expr.Compare)
			if !ok || !broken(e, item, term) {
				continue
			}
			left, right := b.loose(e, pins, c.Left), b.loose(e, pins, c.Right)
			x, y := valueOf(item, c.Left), valueOf(item, c.Right)
			if left != nil && right != nil && Valid(left, y) && Valid(right, x) {
				item[left.Name.Text], item[right.Name.Text] = y, x
			}
			if left != nil && Valid(left, y) && broken(e, item, term) {
				item[left.Name.Text] = y
			}
			if right != nil && Valid(right, x) && broken(e, item, term) {
				item[right.Name.Text] = x
			}
		}
	}
}

// loose is the attribute that an operand is, when another value may be put in
// its place; nil otherwise.
func (b *builder) loose(e *model.Entity, pins model.Item, o expr.Operand) *model.Attribute {
	attr, ok := o.(*expr.Attr)
	if !ok || !attr.Path.Top() {
		return nil
	}
	a := e.Attribute(attr.Path.Name)
	_, pinned := pins[attr.Path.Name]
	if a == nil || pinned || inIdentity(e, a) || a.CopyOf != nil || a.Derive != nil || a.Aggregate != nil || slices.ContainsFunc(b.g.links[e], func(l *link) bool { return l.has(a) }) {
		return nil
	}
	return a
}

// valueOf is what an item has where an operand says; absent for all but attributes.
func valueOf(item model.Item, o expr.Operand) value.Value {
	if attr, ok := o.(*expr.Attr); ok {
		return encode.Lookup(item, attr.Path)
	}
	return value.Value{}
}
