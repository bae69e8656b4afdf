package plan

import (
	"slices"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/expr"
)

// copied is what a copy gets because the same pattern writes its source, nil
// when it does not.
func (s *stepper) copied(a *model.Attribute) expr.Operand {
	for _, other := range s.pattern.AllSteps() {
		writes := other.Operation != model.Check && other.Operation != model.Delete
		if other == s.step || !writes || other.Entity != a.CopyOf.Entity || !s.refersTo(other) {
			continue
		}
		source := stepper{builder: s.builder, step: other, entity: other.Entity}
		if other.Change != nil {
			source.change = other.Change.Update
		}
		path := expr.Path{Name: a.CopyOf.Attribute.Name.Text}
		if other.Operation == model.UpdateItem && !source.touches(path) {
			continue
		}
		if v, ok := source.after(path); ok && v.value != nil && constant(v.value) && len(v.into) == 0 {
			return v.value
		}
	}
	return nil
}

// refersTo tells whether the item's references lead to the item of the other
// step: by the same operands.
func (s *stepper) refersTo(other *model.Step) bool {
	refers := false
	for _, a := range s.entity.Attributes {
		if a.Ref == nil || a.Ref.Entity != other.Entity {
			continue
		}
		from, ok := s.after(expr.Path{Name: a.Name.Text})
		to := inputs(other)(a.Ref.Attribute.Name.Text)
		if !ok || from.value == nil || to == nil || len(from.into) > 0 || !expr.EqualOperands(from.value, to) {
			return false
		}
		refers = true
	}
	return refers
}

// addCopies adds to an update the copies whose source the same pattern writes.
func (s *stepper) addCopies() {
	u := *s.change
	for _, a := range s.entity.Attributes {
		if a.CopyOf == nil || s.touches(expr.Path{Name: a.Name.Text}) {
			continue
		}
		if v := s.copied(a); v != nil {
			u.Set = append(slices.Clone(u.Set), expr.SetAction{Target: attribute(a.Name.Text), Value: v})
		}
	}
	s.change = &u
}
