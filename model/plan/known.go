package plan

import (
	"slices"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/expr"
	"github.com/dynmodel/dynmodel/model/value"
)

// known is a value that is at hand when the request is made: an operand over
// parameters and the item read first, and the way into it. A nil value is an
// attribute that is certainly absent.
type known struct {
	value expr.Operand
	into  []expr.Step
}

// before is the value of a place before the write: brought by the call as part
// of the key, given by `old`, fixed by `if`, or read first.
func (s *stepper) before(p expr.Path) (known, bool) {
	addressed := s.step.Operation != model.Create && s.step.Operation != model.Put
	if addressed && s.exactInput(p.Name) {
		return known{value: inputs(s.step)(p.Name), into: p.Rest}, true
	}
	for _, old := range s.step.Old {
		if old.Attribute.Name.Text == p.Name {
			return known{value: old.Value, into: p.Rest}, true
		}
	}
	for _, e := range termsOf(s.entity, s.ifCond()).equal {
		if e.path.String() == p.String() && !e.in && injective(e.chain[len(e.stored):]) && len(e.chain) == len(e.stored) {
			return known{value: e.values[0]}, true
		}
	}
	if s.step.ReadFirst {
		return known{value: &expr.Attr{Path: p}}, true
	}
	return known{}, false
}

// exactInput tells whether the call brings the attribute's value as it is
// stored: not where the key holds it only through a function that loses something.
func (s *stepper) exactInput(name string) bool {
	if inputs(s.step)(name) == nil {
		return false
	}
	keys, _ := s.spaces[0].templates(s.entity)
	for _, k := range keys {
		for _, p := range k.Parts {
			if p.Attribute == nil || p.Path.Name != name || !p.Path.Top() {
				continue
			}
			a, c := seen(p)
			if injective(c[len(chain(a, nil)):]) {
				return true
			}
		}
	}
	return false
}

// after is the value of a place after the write.
func (s *stepper) after(p expr.Path) (known, bool) {
	if s.step.Operation == model.Create || s.step.Operation == model.Put {
		return known{value: inputs(s.step)(p.Name), into: p.Rest}, true
	}
	if !s.touches(p) {
		return s.before(p)
	}
	if s.removed(p) {
		return known{}, true
	}
	if v := s.step.Version; v != nil && p.Top() && p.Name == v.Attribute.Name.Text {
		return known{value: s.nextVersion(v.Attribute)}, true
	}
	for _, a := range s.change.Set {
		if within(p, a.Target.Path) {
			return s.assigned(a.Value, p.Rest[len(a.Target.Path.Rest):])
		}
	}
	for _, a := range s.change.Add {
		if a.Target.Path.String() == p.String() {
			return s.added(p, a.Value)
		}
	}
	return known{}, false
}

// assigned is the right-hand side of a SET, with the old values it takes.
func (s *stepper) assigned(o expr.Operand, into []expr.Step) (known, bool) {
	v := replaced(o, s.old)
	return known{value: v, into: into}, v != nil
}

// old is the operand of an attribute's value before the write, nil when it is not at hand.
func (s *stepper) old(a *expr.Attr) expr.Operand {
	if v, ok := s.before(a.Path); ok && v.value != nil && len(v.into) == 0 {
		return v.value
	}
	return nil
}

// added is what ADD leaves: the old number, or nothing, plus the value.
func (s *stepper) added(p expr.Path, by expr.Operand) (known, bool) {
	a := s.entity.AttributeAt(p)
	old := s.old(&expr.Attr{Path: p})
	if a == nil || a.Type.Kind() != value.Number || old == nil {
		return known{}, false
	}
	return known{value: &expr.Arith{Left: ifNotExists(old, value.OfInt(0)), Right: by}}, true
}

// part is a part of a template with the value that the place has then; false
// when it is not at hand.
func (s *stepper) part(p model.Part, at func(expr.Path) (known, bool)) (Part, bool) {
	if p.Attribute == nil {
		return Part{Literal: p.Literal, Random: p.Random}, true
	}
	a, c := seen(p)
	v, ok := at(p.Path)
	if !ok && !s.touches(p.Path) {
		return s.lossyInput(p, a, c)
	}
	if !ok || v.value == nil {
		return Part{}, false
	}
	return Part{Source: v.value, Into: v.into, Attribute: a, Funcs: c, chain: c}, true
}

// lossyInput is a part that the call fixes although not the attribute itself:
// the table's key holds it through the same functions.
func (s *stepper) lossyInput(p model.Part, a *model.Attribute, c []expr.Func) (Part, bool) {
	from := inputs(s.step)(p.Path.Name)
	if from == nil {
		return Part{}, false
	}
	keys, _ := s.spaces[0].templates(s.entity)
	for _, k := range keys {
		for _, q := range k.Parts {
			if q.Attribute == nil || q.Path.String() != p.Path.String() {
				continue
			}
			if _, d := seen(q); len(d) <= len(c) && slices.Equal(d, c[:len(d)]) {
				return Part{Source: from, Into: p.Path.Rest, Attribute: a, Funcs: c, chain: c}, true
			}
		}
	}
	return Part{}, false
}
