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
		if other == s.step || other.Entity != a.CopyOf.Entity || !s.sees(other) || !s.refersTo(a, other) {
			continue
		}
		if v := s.written(other, a.CopyOf.Attribute); v != nil {
			return stored(a.CopyOf.Attribute, v)
		}
	}
	return nil
}

// written is the value that another step gives an attribute, where the call
// alone tells it; nil otherwise.
func (s *stepper) written(other *model.Step, a *model.Attribute) expr.Operand {
	source := stepper{builder: s.builder, step: other, entity: other.Entity}
	path := expr.Path{Name: a.Name.Text}
	switch other.Operation {
	case model.Create, model.Put:
	case model.UpdateItem:
		if other.Change == nil {
			return nil
		}
		if source.change = other.Change.Update.WithoutParams(s.left); !source.touches(path) {
			return nil
		}
	default:
		return nil
	}
	return source.constantAfter(&expr.Attr{Path: path})
}

// sees tells whether the names of another step mean the same here: it is in no
// for_each, or in that of this step.
func (s *stepper) sees(other *model.Step) bool {
	for _, top := range s.pattern.Steps {
		if top.ForEach != nil && slices.Contains(top.ForEach.Steps, other) {
			return slices.Contains(top.ForEach.Steps, s.step)
		}
	}
	return true
}

// refersTo tells whether the references by which a copy finds its source lead
// to the item of the other step: by the same operands.
func (s *stepper) refersTo(a *model.Attribute, other *model.Step) bool {
	links := linksOf(s.entity, a)
	for _, link := range links {
		from := s.constantAfter(&expr.Attr{Path: expr.Path{Name: link.Name.Text}})
		to := inputs(other)(link.Ref.Attribute.Name.Text)
		if from == nil || to == nil || !expr.EqualOperands(from, to) {
			return false
		}
	}
	return len(links) > 0
}

// linksOf are the attributes that refer to the source of a copy. Of several
// that refer to one attribute it is the one whose name begins most like that of
// the copy: senderName is of the sender.
func linksOf(e *model.Entity, a *model.Attribute) []*model.Attribute {
	var links []*model.Attribute
	for _, from := range e.Attributes {
		if from.Ref == nil || from.Ref.Entity != a.CopyOf.Entity {
			continue
		}
		i := slices.IndexFunc(links, func(l *model.Attribute) bool { return l.Ref.Attribute == from.Ref.Attribute })
		switch {
		case i < 0:
			links = append(links, from)
		case likeness(from, a) > likeness(links[i], a):
			links[i] = from
		}
	}
	return links
}

// likeness is the length of the beginning that two names share.
func likeness(a, b *model.Attribute) int {
	n := 0
	for n < len(a.Name.Text) && n < len(b.Name.Text) && a.Name.Text[n] == b.Name.Text[n] {
		n++
	}
	return n
}

// addCopies adds to an update the copies whose source the same pattern writes.
func (s *stepper) addCopies() {
	u := *s.change
	for _, a := range s.entity.Attributes {
		if a.CopyOf == nil || a.KeptBy != "" || s.touches(expr.Path{Name: a.Name.Text}) {
			continue
		}
		if v := s.copied(a); v != nil {
			u.Set = append(slices.Clone(u.Set), expr.SetAction{Target: attribute(a.Name.Text), Value: v})
		}
	}
	s.change = &u
}
