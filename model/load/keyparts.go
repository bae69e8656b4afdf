package load

import (
	"slices"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/expr"
	"github.com/dynmodel/dynmodel/model/plan"
)

// share is how the units of a charge are spread over the values of a partition
// key that is made by the templates.
func (s *spreader) share(c plan.Charge, templates []model.Template) Share {
	switch {
	case c.Action == nil:
		return s.of(fill(templates, readBy(c.Read)))
	case c.Action.API == plan.PutItem:
		s.fresh = c.Action.Step.Operation == model.Create
		return s.of(fill(templates, broughtBy(c.Action)))
	case c.Action.API != plan.UpdateItem:
		return s.of(fill(templates, fixedBy(c.Action.Step.If)))
	}
	return s.updated(c, templates)
}

// updated is the share of an update's units: of the values before and after it.
// Where an entry moves it is deleted in one partition and put in another.
func (s *spreader) updated(c plan.Charge, templates []model.Template) Share {
	before := s.of(fill(templates, fixedBy(c.Action.Step.If)))
	if c.Index == nil || !moves(c.Action.Change, templates) {
		return before
	}
	after := s.of(fill(templates, changedBy(c.Action)))
	out := before
	if after.Known && after.Top > before.Top {
		out = after
	}
	if len(s.whens) == 0 { // there both before and after: half of the units each
		out.Top /= 2
	}
	return out
}

// fill makes the parts of a key from its templates and what is known of the
// attributes in them.
func fill(templates []model.Template, known func(model.Part) keyPart) (parts []keyPart) {
	for _, t := range templates {
		for _, p := range t.Parts {
			switch {
			case p.Random > 0:
				parts = append(parts, keyPart{Part: p})
			case p.Attribute != nil:
				parts = append(parts, known(p))
			}
		}
	}
	return parts
}

// filled is a part with the value that stands for its attribute.
func filled(p model.Part, value expr.Operand) keyPart {
	out := keyPart{Part: p}
	switch value := value.(type) {
	case *expr.Literal:
		out.fixed = true
	case *expr.Now:
		out.present = true
	case *expr.Arith:
		return filled(p, value.Left)
	}
	return out
}

// readBy tells what a read puts for an attribute.
func readBy(r *plan.Read) func(model.Part) keyPart {
	var recipes []plan.Recipe
	for _, g := range r.Gets {
		for _, k := range g.Key {
			recipes = append(recipes, k.Value)
		}
	}
	for _, k := range r.Key {
		if k.Op == model.KeyEq {
			recipes = append(recipes, k.Values[0])
		}
	}
	return func(p model.Part) keyPart {
		for _, recipe := range recipes {
			for _, q := range recipe.Parts {
				switch {
				case q.Fan != nil && q.Fan.Kind != plan.FanIn && (q.Attribute == p.Attribute || q.Fan.Attribute == p.Attribute):
					return keyPart{Part: p, each: float64(q.Fan.Most())}
				case q.Source != nil && q.Attribute == p.Attribute:
					return filled(p, q.Source)
				}
			}
		}
		return keyPart{Part: p}
	}
}

// broughtBy tells what a put brings for an attribute.
func broughtBy(a *plan.Action) func(model.Part) keyPart {
	return func(p model.Part) keyPart {
		for _, in := range a.Inputs {
			if in.Attribute == p.Attribute {
				return filled(p, in.Value)
			}
		}
		return keyPart{Part: p}
	}
}

// fixedBy tells of the attributes that a condition fixes.
func fixedBy(c *model.Condition) func(model.Part) keyPart {
	return func(p model.Part) keyPart {
		if c == nil {
			return keyPart{Part: p}
		}
		for _, term := range expr.Conjuncts(c.Cond) {
			eq, ok := term.(*expr.Compare)
			if !ok || eq.Op != expr.Eq {
				continue
			}
			if attr, ok := eq.Left.(*expr.Attr); ok && attr.Path.Top() && attr.Path.Name == p.Path.Name {
				return filled(p, eq.Right)
			}
		}
		return keyPart{Part: p}
	}
}

// changedBy tells what an attribute is after an update.
func changedBy(a *plan.Action) func(model.Part) keyPart {
	before := fixedBy(a.Step.If)
	return func(p model.Part) keyPart {
		for _, set := range a.Change.Set {
			if set.Target.Path.Name == p.Path.Name {
				return filled(p, set.Value)
			}
		}
		return before(p)
	}
}

// moves tells whether an update changes what the templates are made of.
func moves(u *expr.Update, templates []model.Template) bool {
	if u == nil {
		return false
	}
	return slices.ContainsFunc(u.Set, func(a expr.SetAction) bool {
		return slices.ContainsFunc(templates, func(t model.Template) bool {
			return slices.ContainsFunc(t.Parts, func(p model.Part) bool {
				return p.Attribute != nil && p.Path.Name == a.Target.Path.Name
			})
		})
	})
}
