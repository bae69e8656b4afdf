package verify

import (
	"fmt"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/expr"
	"github.com/dynmodel/dynmodel/model/value"
)

// explainBroken explains an item that a write leaves without keeping an invariant.
func (t *trial) explainBroken(f *failure) explanation {
	e := explanation{cause: "broken " + f.invariant.Text, at: f.invariant.At,
		why: fmt.Sprintf("Nothing in the write keeps `%s`: %s is accepted.", f.invariant.Text, t.guardText(f))}
	switch c := kept(f.step, f.invariant.Cond); {
	case f.step.Operation != model.UpdateItem:
		e.fix = "Take the values that the write fixes or copies out of the invariant, or fix others."
	case len(expr.Attrs(c)) == 0:
		e.fix = fmt.Sprintf("Callers can see to it: declare `require: %s`.", expr.String(c))
	case !sums(c):
		e.fix = fmt.Sprintf("Let the write be refused where it would not hold: `if: %s`.", expr.String(c))
	default:
		e.fix = "Let `if` hold only where the invariant still holds after the change. DynamoDB has no sums in conditions, so compare what is stored with what it must still be away from the bound."
	}
	return e
}

// kept is the condition under which an invariant holds after an update, over what
// is stored before: every attribute as the change makes it.
func kept(s *model.Step, invariant expr.Cond) expr.Cond {
	if s.Change == nil || s.Change.Update == nil {
		return invariant
	}
	after := expr.Rewrite(invariant, func(o expr.Operand) expr.Operand {
		attr, ok := o.(*expr.Attr)
		if !ok {
			return o
		}
		for _, a := range s.Change.Update.Set {
			if a.Target.Path.String() == attr.Path.String() {
				return a.Value
			}
		}
		for _, a := range s.Change.Update.Add {
			if a.Target.Path.String() == attr.Path.String() {
				return &expr.Arith{Left: attr, Right: a.Value}
			}
		}
		return o
	})
	return counted(after)
}

// counted writes `x + 1 <= y` as `x < y`, which is the same of whole numbers.
func counted(c expr.Cond) expr.Cond {
	compare, ok := c.(*expr.Compare)
	if !ok {
		return c
	}
	one := func(o expr.Operand, minus bool) expr.Operand {
		sum, ok := o.(*expr.Arith)
		if !ok || sum.Minus != minus {
			return nil
		}
		if l, ok := sum.Right.(*expr.Literal); ok && value.Equal(l.Value, value.OfInt(1)) {
			return sum.Left
		}
		return nil
	}
	out := *compare
	switch left, right := one(compare.Left, compare.Op == expr.Ge), one(compare.Right, compare.Op == expr.Le); {
	case compare.Op == expr.Le && left != nil:
		out.Op, out.Left = expr.Lt, left
	case compare.Op == expr.Le && right != nil:
		out.Op, out.Right = expr.Lt, right
	case compare.Op == expr.Ge && left != nil:
		out.Op, out.Left = expr.Gt, left
	case compare.Op == expr.Ge && right != nil:
		out.Op, out.Right = expr.Gt, right
	}
	return &out
}

// sums tells whether a condition adds to what is stored, which DynamoDB cannot.
func sums(c expr.Cond) bool {
	return within(c, func(n expr.Node) bool {
		sum, ok := n.(*expr.Arith)
		return ok && len(expr.Attrs(sum)) > 0
	})
}
