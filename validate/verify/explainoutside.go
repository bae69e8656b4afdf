package verify

import (
	"fmt"
	"slices"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/expr"
	"github.com/dynmodel/dynmodel/model/value"
)

// explainOutside explains an attribute that a write takes out of its domain.
func (t *trial) explainOutside(f *failure) explanation {
	a := f.step.Entity.Attribute(f.attribute)
	before, after := f.before, f.after
	e := explanation{cause: "outside " + f.attribute}
	if !after.Exists() {
		e.why = fmt.Sprintf("Every %s must have %s.", f.step.Entity.Name.Text, f.attribute)
		if a.PresentWith != nil {
			e.why = fmt.Sprintf("%s is there exactly when %s is.", f.attribute, a.PresentWith.Name.Text)
		}
		e.fix = fmt.Sprintf("Keep %s in `change`, or declare it optional.", f.attribute)
		if a.PresentWith != nil {
			e.fix = fmt.Sprintf("Set or remove %s and %s together in `change`.", f.attribute, a.PresentWith.Name.Text)
		}
		return e
	}
	from := "its new value is " + after.String()
	if before.Exists() {
		from = fmt.Sprintf("it goes from %s to %s", before, after)
	}
	e.why = fmt.Sprintf("%s: %s, and %s is accepted.", boundText(a), from, t.guardText(f))
	e.fix = fmt.Sprintf("Let `if` hold only where the new %s is within its domain%s.", f.attribute, t.bound(f, a, before, after))
	return e
}

// boundText is the declared domain of an attribute in words.
func boundText(a *model.Attribute) string {
	switch d := a.Domain; {
	case d.Min.Exists() && d.Max.Exists():
		return fmt.Sprintf("%s is from %s to %s", a.Name.Text, d.Min, d.Max)
	case d.Min.Exists():
		return fmt.Sprintf("%s is at least %s", a.Name.Text, d.Min)
	case d.Max.Exists():
		return fmt.Sprintf("%s is at most %s", a.Name.Text, d.Max)
	}
	return a.Name.Text + " has a declared domain"
}

func (t *trial) guardText(f *failure) string {
	if f.step.If == nil {
		return "without an `if` the call"
	}
	return fmt.Sprintf("with `if: %s` the call", f.step.If.Text)
}

// bound proposes the condition that keeps a number within its domain, where it
// is counted up or down by a fixed step, or an amount is taken from it.
func (t *trial) bound(f *failure, a *model.Attribute, before, after value.Value) string {
	if before.Kind() != value.Number || after.Kind() != value.Number {
		return ""
	}
	if taken := takenFrom(f.step, a); taken != "" {
		if a.Domain.Min.Exists() && a.Domain.Min.Text() == "0" {
			return fmt.Sprintf(": `%s >= $%s`", a.Name.Text, taken)
		}
		return ""
	}
	step, err := after.Add(before.Neg())
	if err != nil {
		return ""
	}
	op, limit := ">=", a.Domain.Min
	if c, _ := value.Compare(step, value.OfInt(0)); c > 0 {
		op, limit = "<=", a.Domain.Max
	}
	if !limit.Exists() || !countsByLiteral(f.step, a) {
		return ""
	}
	if limit, err = limit.Add(step.Neg()); err != nil {
		return ""
	}
	return fmt.Sprintf(": `%s %s %s`", a.Name.Text, op, limit)
}

// takenFrom is the parameter that an update takes from an attribute, "" when it
// does something else.
func takenFrom(step *model.Step, a *model.Attribute) string {
	sum := sumOf(step, a)
	if sum == nil || !sum.Minus {
		return ""
	}
	if p, ok := sum.Right.(*expr.Param); ok {
		return p.Name
	}
	return ""
}

// countsByLiteral tells whether an update adds a fixed number to an attribute,
// or takes it away.
func countsByLiteral(step *model.Step, a *model.Attribute) bool {
	if sum := sumOf(step, a); sum != nil {
		_, ok := sum.Right.(*expr.Literal)
		return ok
	}
	return step.Change != nil && slices.ContainsFunc(step.Change.Update.Add, func(add expr.AddAction) bool {
		_, ok := add.Value.(*expr.Literal)
		return ok && add.Target.Path.Top() && add.Target.Path.Name == a.Name.Text
	})
}

// sumOf is `a + x` or `a - x` where an update sets the attribute a to that, else nil.
func sumOf(step *model.Step, a *model.Attribute) *expr.Arith {
	if step.Change == nil {
		return nil
	}
	for _, set := range step.Change.Update.Set {
		sum, ok := set.Value.(*expr.Arith)
		if !ok || !set.Target.Path.Top() || set.Target.Path.Name != a.Name.Text {
			continue
		}
		if left, ok := sum.Left.(*expr.Attr); ok && left.Path.Top() && left.Path.Name == a.Name.Text {
			return sum
		}
	}
	return nil
}
