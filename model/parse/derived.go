package parse

import (
	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/expr"
	"github.com/dynmodel/dynmodel/model/source/yamltree"
	"github.com/dynmodel/dynmodel/model/value"
)

// derive reads {value: $rating - $oldRating}: a parameter that is computed from
// others.
func (ps *params) derive(p *paramDraft, e *yamltree.Entry) {
	d := &model.DerivedParameter{At: e.Key.At, Name: p.name}
	ok := ps.whole(func() {
		ps.object(e.Value, e.Key.At, "a derived parameter", []field{
			{"value", true, func(n *yamltree.Node) { d.Value = ps.derivation(p, n) }},
			{"description", false, ps.into(&d.Description)},
		})
	})
	if ok {
		p.derived = d
	}
}

func (ps *params) derivation(p *paramDraft, n *yamltree.Node) expr.Operand {
	if _, ok := ps.text(n); !ok {
		return nil
	}
	operand, problem := expr.ParseOperand(ps.input(n))
	if problem != nil {
		ps.problem(n, problem)
		return nil
	}
	switch {
	case p.list:
		ps.errorf(n.At, "`$%s` is a list, which is not computed", p.name)
	case p.optional:
		ps.errorf(n.At, "`$%s` is computed, so it is not left out; what it is computed from may be given always", p.name)
	}
	for _, q := range expr.Params(operand) {
		if other := p.owner.find(q.Name); q.Name == p.name || other != nil && other.derived != nil {
			ps.errorf(q.At, "`$%s` is computed itself; say here what it is computed from", q.Name)
		}
	}
	s := &scope{builder: ps.builder, use: useWith, params: p.owner}
	t := s.operand(operand)
	if p.typed {
		s.assignable(p.like.attribute, t, operand)
	}
	return operand
}

// derived are the computed parameters by name, here and further out.
func (ps *params) derived() map[string]expr.Operand {
	out := map[string]expr.Operand{}
	for ; ps != nil; ps = ps.outer {
		for _, p := range ps.order {
			if p.derived != nil {
				out[p.name] = p.derived.Value
			}
		}
	}
	return out
}

// replaceDerived puts what derived parameters stand for in their place.
func (p *patternDraft) replaceDerived() {
	m := p.pattern
	for _, d := range p.params.order {
		if d.derived != nil {
			m.Derived = append(m.Derived, d.derived)
		}
	}
	r := replacer(p.params.derived())
	for _, c := range []*model.Condition{m.Where, m.Filter, m.Require} {
		r.condition(c)
	}
	r.steps(m.AllSteps())
}

// replacer has what parameters stand for by name.
type replacer map[string]expr.Operand

func (r replacer) operand(o expr.Operand) expr.Operand {
	if p, ok := o.(*expr.Param); ok && r[p.Name] != nil {
		return r[p.Name]
	}
	return o
}

func (r replacer) condition(c *model.Condition) {
	if c != nil && len(r) > 0 {
		c.Cond = expr.Rewrite(c.Cond, r.operand)
	}
}

func (r replacer) steps(steps []*model.Step) {
	if len(r) == 0 {
		return
	}
	for _, s := range steps {
		r.condition(s.If)
		for _, list := range [][]*model.Assignment{s.With, s.Old, s.Inputs} {
			for _, a := range list {
				a.Value = expr.RewriteOperand(a.Value, r.operand)
			}
		}
		if s.Change != nil {
			r.update(s.Change.Update)
		}
	}
}

func (r replacer) update(u *expr.Update) {
	for i := range u.Set {
		u.Set[i].Value = expr.RewriteOperand(u.Set[i].Value, r.operand)
	}
	for i := range u.Add {
		u.Add[i].Value = expr.RewriteOperand(u.Add[i].Value, r.operand)
	}
	for i := range u.Delete {
		u.Delete[i].Value = expr.RewriteOperand(u.Delete[i].Value, r.operand)
	}
}

// mapKey notes the use of a parameter that names a member of a map.
func (s *scope) mapKey(a *model.Attribute, name string, o *expr.Attr) {
	if s.params == nil {
		s.errorf(o.At, "there are no parameters here: this is decided from the item alone")
		return
	}
	keys := a.Domain.Keys
	if keys == nil {
		keys = &model.Attribute{At: o.At, Name: model.Name{Text: name, At: o.At}, Type: model.TypeString, Domain: model.Domain{Length: &model.Range{Min: 1, Max: 255}}}
	}
	s.params.use(name, usage{at: o.At, attribute: keys, entity: nil})
	if keys.Type.Kind() != value.String {
		s.broken() // reported where they are declared
	}
}
