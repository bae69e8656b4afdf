package mutation

import (
	"slices"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/expr"
)

// domainStands tells whether every pattern is served as before, and every key
// that holds values of the wider domain can be told apart.
func (c *comparison) domainStands() bool {
	if !c.sameRequests() {
		return false
	}
	if c.mutant.part.pattern != "" {
		return c.parameterStands()
	}
	e := c.broken.Entity(c.mutant.part.entity)
	for _, a := range c.carriers(e, e.Attribute(c.mutant.part.attribute)) {
		for _, k := range keysOf(a.entity) {
			if !holds(k.Template, a.attribute) {
				continue
			}
			if !slices.Contains(a.entity.Keys, k) { // of a guard
				return false
			}
			if padded(k.Template, a.attribute) || !c.stand(a.entity, k.Name.Text) {
				return false
			}
		}
	}
	return true
}

// carrier is an attribute that has values of another one's domain.
type carrier struct {
	entity    *model.Entity
	attribute *model.Attribute
}

// carriers are an attribute, and those that refer to it or are copies of it.
func (c *comparison) carriers(e *model.Entity, a *model.Attribute) []carrier {
	out := []carrier{{e, a}}
	for n := 0; n < len(out); n++ {
		for _, other := range c.broken.Entities {
			for _, b := range other.Attributes {
				x := carrier{other, b}
				for _, r := range []*model.Ref{b.Ref, b.CopyOf, b.SnapshotOf} {
					if r != nil && r.Attribute == out[n].attribute && !slices.Contains(out, x) {
						out = append(out, x)
					}
				}
			}
		}
	}
	return out
}

// keysOf are the key templates of an entity, and those of its guards.
func keysOf(e *model.Entity) []*model.Key {
	out := slices.Clone(e.Keys)
	for _, u := range e.Unique {
		if !u.Default {
			out = append(out, u.Keys...)
		}
	}
	return out
}

func holds(t model.Template, a *model.Attribute) bool {
	return slices.ContainsFunc(t.Parts, func(p model.Part) bool { return p.Attribute == a })
}

// padded tells whether a template takes an attribute's value to a fixed number
// of digits, which a wider domain may exceed.
func padded(t model.Template, a *model.Attribute) bool {
	return slices.ContainsFunc(t.Parts, func(p model.Part) bool {
		return p.Attribute == a && slices.ContainsFunc(p.Funcs, func(f expr.Func) bool { return f.Name == expr.Pad || f.Name == expr.Invert })
	})
}

// parameterStands tells whether a parameter of a wider domain meets no
// attribute that is in a key.
func (c *comparison) parameterStands() bool {
	p := c.broken.Pattern(c.mutant.part.pattern)
	if p == nil {
		return false
	}
	q := p.Parameter(c.mutant.part.attribute)
	if q == nil || q.LikeEntity == nil || len(p.Key) > 0 {
		return false
	}
	return !slices.ContainsFunc(keysOf(q.LikeEntity), func(k *model.Key) bool { return holds(k.Template, q.Like) })
}

// otherQuestion tells whether the condition is one of a read whose requests
// follow from it, so that nothing else says what it is to return.
func (c *comparison) otherQuestion() bool {
	p := c.broken.Pattern(c.mutant.part.pattern)
	if p == nil || c.mutant.part.step != nil || p.Statement != nil || len(p.Key) > 0 || p.One {
		return false
	}
	by := c.broken.Table.IsolateBy
	return by == nil || !slices.Contains(names(c.mutant.part.condition), by.Text)
}

// otherCondition tells whether nothing else of the model rests on a condition
// of a write:
//   - no bound of an attribute that the same write computes anew, but that a count,
//     which is compared with what it counts, is not below nothing;
//   - no presence of an attribute that the write computes with;
//   - no value of a key or `unique` that the write takes part in changing;
//   - not the separation of tenants.
func (c *comparison) otherCondition() bool {
	s := c.mutant.part.step
	if s == nil {
		return false
	}
	named := names(c.mutant.part.condition)
	by := c.sound.Table.IsolateBy
	if by != nil && slices.Contains(named, by.Text) {
		return false
	}
	if s.Change == nil || s.Change.Update == nil {
		return s.Operation == model.Check || s.Operation == model.Delete || s.Operation == model.Create
	}
	changed, computed, from := effects(s.Change.Update)
	for _, name := range named {
		a := s.Entity.Attribute(name)
		switch {
		case slices.Contains(computed, name) && (a.Domain.Min.Exists() && !isCount(a) || a.Domain.Max.Exists()):
			return false
		case slices.Contains(from, name) && a.Optional:
			return false
		case restsOnKey(s.Entity, name, changed, computed):
			return false
		}
	}
	for _, p := range expr.Params(c.mutant.part.condition) { // `$quantity <= 5` bounds what is computed
		for _, q := range expr.Params(s.Change.Update) {
			if p.Name == q.Name {
				return false
			}
		}
	}
	return true
}

// isCount tells whether an attribute is a count of items.
func isCount(a *model.Attribute) bool { return a.Aggregate != nil && a.Aggregate.Sum == nil }

// effects are the attributes that an update changes, those that it computes
// from something, and those that it computes from.
func effects(u *expr.Update) (changed, computed, from []string) {
	for _, x := range u.Set {
		changed = append(changed, x.Target.Path.Name)
		if len(expr.Attrs(x.Value)) > 0 || isArith(x.Value) {
			computed = append(computed, x.Target.Path.Name)
		}
		from = append(from, names(x.Value)...)
	}
	for _, x := range slices.Concat(u.Add, u.Delete) {
		changed = append(changed, x.Target.Path.Name)
		computed = append(computed, x.Target.Path.Name)
		from = append(from, x.Target.Path.Name)
	}
	for _, x := range u.Remove {
		changed = append(changed, x.Path.Name)
	}
	return changed, computed, from
}

func isArith(o expr.Operand) bool {
	_, is := o.(*expr.Arith)
	return is
}

// restsOnKey tells whether an attribute is, with one that changes, in a key
// template, in what decides whether the key is there, or unique.
func restsOnKey(e *model.Entity, name string, changed, computed []string) bool {
	given := slices.Contains(changed, name) && !slices.Contains(computed, name) // the key needs the new value alone
	for _, k := range keysOf(e) {
		in := templateNames(k.Template)
		if slices.Contains(in, name) && overlap(in, changed) && !given {
			return true
		}
		if k.When != nil {
			when := names(k.When.Cond)
			if slices.Contains(when, name) && overlap(slices.Concat(in, when), changed) && !given {
				return true // whether the item is in the index depends on the old value
			}
		}
	}
	return slices.ContainsFunc(e.Unique, func(u *model.Unique) bool {
		of := uniqueNames(u)
		return slices.Contains(of, name) && overlap(of, changed)
	})
}

func overlap(a, b []string) bool {
	return slices.ContainsFunc(a, func(s string) bool { return slices.Contains(b, s) })
}

// uniqueUnused tells whether no pattern takes for granted that at most one item
// has the values that were unique.
func (c *comparison) uniqueUnused() bool {
	e := c.broken.Entity(c.mutant.part.entity)
	return !slices.ContainsFunc(c.broken.Patterns, func(p *model.Pattern) bool {
		return p.One && slices.Contains(p.Entities, e) && p.Where != nil && slices.Contains(names(p.Where.Cond), c.mutant.part.attribute)
	})
}

// oldValuesUnneeded tells whether no key or guard is made of what the updates of
// a pattern do not bring: the keys that hold a changed attribute hold no others
// than those that are given, by the address of the item or as a new value that
// is not computed; nothing that changes decides whether a key is there, or is
// unique. Deletes need old values where anything is unique.
func (c *comparison) oldValuesUnneeded() bool {
	p := c.sound.Pattern(c.mutant.part.pattern)
	for _, s := range p.AllSteps() {
		if s.Change == nil || s.Change.Update == nil {
			if len(s.Entity.Unique) > 0 {
				return false
			}
			continue
		}
		changed, computed, _ := effects(s.Change.Update)
		var given []string
		for _, in := range s.Inputs {
			given = append(given, in.Attribute.Name.Text)
		}
		for _, name := range changed {
			if !slices.Contains(computed, name) {
				given = append(given, name)
			}
		}
		if slices.ContainsFunc(s.Entity.Keys, func(k *model.Key) bool { return needsOld(s.Entity, k, changed, given) }) {
			return false
		}
		for _, u := range s.Entity.Unique {
			if overlap(uniqueNames(u), changed) || u.When != nil && overlap(names(u.When.Cond), changed) {
				return false
			}
		}
	}
	return true
}

// needsOld tells whether a changed key is made of something that is not given.
func needsOld(e *model.Entity, k *model.Key, changed, given []string) bool {
	if k.When != nil && overlap(slices.Concat(names(k.When.Cond), templateNames(k.Template)), changed) {
		return true
	}
	if k.Template.Whole() != nil || !overlap(templateNames(k.Template), changed) {
		return false
	}
	return slices.ContainsFunc(templateNames(k.Template), func(name string) bool {
		return !slices.Contains(given, name) || e.Attribute(name).Optional
	})
}

// templateNames are the attributes in a template.
func templateNames(t model.Template) []string {
	var out []string
	for _, p := range t.Parts {
		if p.Attribute != nil {
			out = append(out, p.Attribute.Name.Text)
		}
	}
	return out
}

func uniqueNames(u *model.Unique) []string {
	var out []string
	for _, a := range u.Of {
		out = append(out, a.Name.Text)
	}
	return out
}
