package plan

import (
	"fmt"
	"slices"
	"strings"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/diag"
	"github.com/dynmodel/dynmodel/model/expr"
)

// deciding are the attributes that decide the key of a unique rule's guard, and
// whether there is one.
func deciding(u *model.Unique, e *model.Entity) []*model.Attribute {
	out := slices.Clone(u.Of)
	add := func(a *model.Attribute) {
		if a != nil && !slices.Contains(out, a) {
			out = append(out, a)
		}
	}
	for _, k := range u.Keys {
		for _, p := range k.Template.Parts {
			add(p.Attribute)
		}
	}
	if u.When != nil {
		for _, a := range expr.Attrs(u.When.Cond) {
			add(e.Attribute(a.Path.Name))
		}
	}
	return out
}

// guardNew puts the guards of a new item.
func (s *stepper) guardNew() {
	for _, u := range s.entity.Unique {
		values, _ := s.values(u, s.after)
		s.out.Guards = append(s.out.Guards, &Guard{Unique: u, New: values})
	}
}

// guardOld deletes the guards of an item that is deleted.
func (s *stepper) guardOld() {
	for _, u := range s.entity.Unique {
		if old, lacking := s.values(u, s.before); s.canGuard(u, lacking) {
			s.out.Guards = append(s.out.Guards, &Guard{Unique: u, Old: old})
		}
	}
}

// guardMoved moves the guards of an item that is replaced or changed.
func (s *stepper) guardMoved() {
	for _, u := range s.entity.Unique {
		replaced := s.step.Operation == model.Put
		if !replaced && !s.touchesAny(deciding(u, s.entity)) {
			continue
		}
		old, lacking := s.values(u, s.before)
		values, missing := s.values(u, s.after)
		if s.canGuard(u, append(lacking, missing...)) {
			s.out.Guards = append(s.out.Guards, &Guard{Unique: u, Old: old, New: values})
		}
	}
}

// values are the deciding attributes with their values then, and those that are
// not at hand.
func (s *stepper) values(u *model.Unique, at func(expr.Path) (known, bool)) (values []*model.Assignment, lacking []string) {
	for _, a := range deciding(u, s.entity) {
		v, ok := at(expr.Path{Name: a.Name.Text})
		if !ok {
			lacking = append(lacking, a.Name.Text)
			continue
		}
		values = append(values, &model.Assignment{Attribute: a, Value: v.value})
	}
	return values, distinct(lacking)
}

// canGuard reports a guard that cannot be kept: what it needs is not at hand,
// or the write is no transaction.
func (s *stepper) canGuard(u *model.Unique, lacking []string) bool {
	f := diag.Finding{Rule: diag.BrokenUnique, Entity: s.entity.Name.Text, Span: s.step.OperationAt}
	of := strings.Join(uniqueNames(u), ", ")
	switch {
	case s.pattern.Operation == model.BatchWrite:
		f.Message = fmt.Sprintf("a batch cannot keep the guards of %s's unique %s", s.entity.Name.Text, of)
		f.Fix = "use `transact_write`"
	case len(lacking) > 0:
		f.Message = fmt.Sprintf("%s's unique %s is given up or changed without its guard: the present value of %s is not at hand",
			s.entity.Name.Text, of, strings.Join(distinct(lacking), " and "))
		f.Fix = handing(s.entity, distinct(lacking))
	default:
		return true
	}
	s.report(f)
	return false
}

func uniqueNames(u *model.Unique) []string {
	var names []string
	for _, a := range u.Of {
		names = append(names, a.Name.Text)
	}
	return names
}
