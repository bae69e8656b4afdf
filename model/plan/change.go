package plan

import (
	"slices"
	"strings"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/diag"
	"github.com/dynmodel/dynmodel/model/expr"
	"github.com/dynmodel/dynmodel/model/source"
	"github.com/dynmodel/dynmodel/model/value"
)

func (s *stepper) update() {
	s.out.API = UpdateItem
	if s.step.Change != nil {
		s.change = s.step.Change.Update.WithoutParams(s.left)
	} else {
		s.change = &expr.Update{}
	}
	s.addDerived()
	s.addCopies()
	s.out.Condition = s.condition(s.existence(!s.step.Upsert), s.versionCheck(s.step.Upsert))
	s.out.Change = s.translated()
	s.checkTableKey()
	s.checkOperands()
	s.guardMoved()
	s.rewriteIndexKeys()
	if s.pattern.Operation == model.TransactWrite && changesNothing(s.out) {
		s.out.API, s.out.Change = ConditionCheck, nil // a transaction takes no update without a change
	}
}

// changesNothing tells whether all that an update sets has been left out by the
// caller.
func changesNothing(a *Action) bool {
	c := a.Change
	return len(c.Set)+len(c.Remove)+len(c.Add)+len(c.Delete)+len(a.IndexKeys) == 0
}

// translated is the change as it is sent: values folded as they are stored, the
// version counted, and on upsert what makes a new item whole.
func (s *stepper) translated() *expr.Update {
	u := &expr.Update{At: s.change.At, Remove: s.change.Remove, Add: s.change.Add, Delete: s.change.Delete}
	for _, a := range s.change.Set {
		if attr := s.entity.AttributeAt(a.Target.Path); attr != nil && attr.Stored != "" {
			a.Value = folded(attr, a.Value)
		}
		u.Set = append(u.Set, a)
	}
	if s.step.Upsert {
		u.Set = append(u.Set, s.upsertSets()...)
	}
	if v := s.version(); v != nil {
		u.Set = append(u.Set, expr.SetAction{Target: attribute(v.Name.Text), Value: s.counted(v)})
	}
	return u
}

// folded is a right-hand side folded as the attribute is stored, also inside
// if_not_exists.
func folded(a *model.Attribute, o expr.Operand) expr.Operand {
	if call, ok := o.(*expr.Call); ok && call.Func.Name == expr.IfNotExists {
		return &expr.Call{At: call.At, Func: call.Func, Args: []expr.Operand{call.Args[0], folded(a, call.Args[1])}}
	}
	if !expr.Constant(o) {
		return o
	}
	return stored(a, o)
}

// counted is the version plus one; a new item of an upsert starts from nothing.
func (s *stepper) counted(v *model.Attribute) expr.Operand {
	var now expr.Operand = attribute(v.Name.Text)
	if s.step.Upsert {
		now = ifNotExists(now, value.OfInt(0))
	}
	return &expr.Arith{Left: now, Right: &expr.Literal{Value: value.OfInt(1)}}
}

func ifNotExists(o expr.Operand, v value.Value) expr.Operand {
	return &expr.Call{Func: expr.Func{Name: expr.IfNotExists}, Args: []expr.Operand{o, &expr.Literal{Value: v}}}
}

// upsertSets write what a new item has beside the change: the attributes in its
// key, and its entity type.
func (s *stepper) upsertSets() []expr.SetAction {
	var out []expr.SetAction
	for _, in := range s.step.Inputs {
		name := in.Attribute.Name.Text
		if in.Value == nil || s.spaces[0].isKey(name) || s.touches(expr.Path{Name: name}) {
			continue
		}
		out = append(out, expr.SetAction{Target: attribute(name), Value: stored(in.Attribute, in.Value)})
	}
	if name := s.model.Table.EntityType; name != "" && !s.spaces[0].isKey(name) {
		out = append(out, expr.SetAction{Target: attribute(name), Value: textLiteral(s.entity.Type)})
	}
	return out
}

// targets are the places that the change writes.
func (s *stepper) targets() []expr.Path {
	var out []expr.Path
	if s.change == nil {
		return nil
	}
	for _, a := range s.change.Set {
		out = append(out, a.Target.Path)
	}
	for _, a := range s.change.Remove {
		out = append(out, a.Path)
	}
	for _, a := range slices.Concat(s.change.Add, s.change.Delete) {
		out = append(out, a.Target.Path)
	}
	if v := s.version(); v != nil {
		out = append(out, expr.Path{Name: v.Name.Text})
	}
	return out
}

// touches tells whether the change writes the place, something in it, or
// something around it, or may do so: a parameter can name any member of a map.
func (s *stepper) touches(p expr.Path) bool {
	return slices.ContainsFunc(s.targets(), func(t expr.Path) bool { return t.Name == p.Name && mayMeet(t.Rest, p.Rest) })
}

// mayMeet tells whether one of two ways can lead along the other.
func mayMeet(a, b []expr.Step) bool {
	for i := range min(len(a), len(b)) {
		named := a[i].Param == "" && b[i].Param == ""
		if a[i] != b[i] && (named || a[i].InMap() != b[i].InMap()) {
			return false
		}
	}
	return true
}

func within(inner, outer expr.Path) bool {
	return inner.Name == outer.Name && len(inner.Rest) >= len(outer.Rest) && slices.Equal(inner.Rest[:len(outer.Rest)], outer.Rest)
}

// touchesAny tells whether the change writes one of the attributes.
func (s *stepper) touchesAny(attributes []*model.Attribute) bool {
	return slices.ContainsFunc(attributes, func(a *model.Attribute) bool { return s.touches(expr.Path{Name: a.Name.Text}) })
}

// addDerived adds the attributes that are computed from what the change sets.
func (s *stepper) addDerived() {
	u := *s.change
	for _, a := range s.entity.Attributes {
		if a.Derive == nil || s.touches(expr.Path{Name: a.Name.Text}) {
			continue
		}
		sources := expr.Attrs(a.Derive.Expr)
		if !slices.ContainsFunc(sources, func(source *expr.Attr) bool { return s.touches(source.Path) }) {
			continue
		}
		if s.removed(sources[0].Path) {
			u.Remove = append(slices.Clone(u.Remove), attribute(a.Name.Text))
			continue
		}
		if v := replaced(a.Derive.Expr, s.constantAfter); v != nil {
			u.Set = append(slices.Clone(u.Set), expr.SetAction{Target: attribute(a.Name.Text), Value: v})
		}
	}
	s.change = &u
}

// constantAfter is the value of an attribute after the change where the call
// alone tells it; nil otherwise.
func (s *stepper) constantAfter(a *expr.Attr) expr.Operand {
	if v, ok := s.after(a.Path); ok && v.value != nil && expr.Constant(v.value) && len(v.into) == 0 {
		return v.value
	}
	return nil
}

func (s *stepper) removed(p expr.Path) bool {
	return slices.ContainsFunc(s.change.Remove, func(a *expr.Attr) bool { return within(p, a.Path) })
}

// changeAt is the place of the change, or of the step.
func (s *stepper) changeAt() source.Span {
	if s.step.Change != nil {
		return s.step.Change.At
	}
	return s.step.OperationAt
}

// checkTableKey reports a change of what the table's own key contains: the item
// would have to move.
func (s *stepper) checkTableKey() {
	keys, _ := s.spaces[0].templates(s.entity)
	var names []string
	for _, k := range keys {
		for _, p := range k.Parts {
			if p.Attribute != nil && s.touches(p.Path) {
				names = append(names, p.Path.String())
			}
		}
	}
	if names = distinct(names); len(names) == 0 {
		return
	}
	s.report(diag.Finding{Rule: diag.MutableKey, Entity: s.entity.Name.Text, Span: s.changeAt(),
		Message: "the change writes " + strings.Join(names, " and ") + ", which the table's own key contains",
		Fix:     "take it out of the key, or delete the item and create another one in a transaction"})
}
