package plan

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/diag"
	"github.com/dynmodel/dynmodel/model/expr"
)

// rewriteIndexKeys rewrites the index key attributes that depend on what the
// update changes, each as a whole, and removes those of an index that the item
// leaves. What is needed for that and not at hand is reported.
func (s *stepper) rewriteIndexKeys() {
	before := s.certain(expr.Conjuncts(s.ifCond()), s.before)
	after := s.certain(s.lasting(), s.after)
	s.out.before, s.out.after = before, after
	var all []*inclusion
	for _, space := range s.spaces[1:] {
		if keys, missing := space.templates(s.entity); len(missing) == 0 {
			all = append(all, s.inclusion(space, keys, before, after))
		}
	}
	var done []string
	for _, in := range all {
		for _, k := range in.due() {
			if !slices.Contains(done, k.attribute.Name) {
				done = append(done, k.attribute.Name)
				s.rewrite(k, in, all)
			}
		}
	}
}

// state is whether an item is in an index after a write.
type state int

const (
	isOut   state = iota
	isIn          // for certain
	depends       // on values at hand when the request is made
	isOpen        // on old values that are not at hand
)

// inclusion is an entity's place in an index, as an update leaves it.
type inclusion struct {
	space   keyspace
	keys    []keyTemplate
	state   state
	member  Membership // of depends
	needs   []string   // of isOpen: what it depends on and is not at hand
	moved   bool       // the update may bring the item in or take it out
	wasOut  bool       // for certain it was not in the index before
	touched []keyTemplate
	upsert  bool
}

// inclusion works out whether the item is in the index after the update, from
// what is certain of it before and after.
func (s *stepper) inclusion(space keyspace, keys []keyTemplate, before, after expr.Cond) *inclusion {
	in := &inclusion{space: space, keys: keys, state: isIn, member: Membership{Index: space.index}, upsert: s.step.Upsert}
	for _, k := range keys {
		if s.touchesKey(k) {
			in.touched = append(in.touched, k)
		}
	}
	f := fit{space: space, entity: s.entity, keys: keys}
	for _, w := range f.whens() {
		in.moved = in.moved || slices.ContainsFunc(expr.Attrs(w.Cond), func(a *expr.Attr) bool { return s.touches(a.Path) })
		in.wasOut = in.wasOut || s.excluded(before, w.Cond)
		s.includeWhen(in, w, after)
	}
	for _, p := range f.optional() {
		in.moved = in.moved || s.touches(p)
		in.wasOut = in.wasOut || s.excluded(before, existsAt(p))
		s.includePresent(in, p, after)
	}
	return in
}

func (s *stepper) touchesKey(k keyTemplate) bool {
	return slices.ContainsFunc(k.Parts, func(p model.Part) bool { return p.Attribute != nil && s.touches(p.Path) })
}

// excluded tells whether what is certain rules a condition out. An upsert's
// item may not have been there at all.
func (s *stepper) excluded(facts, c expr.Cond) bool {
	return !s.step.Upsert && expr.Impossible(expr.All(facts, c), domains(s.entity))
}

// includeWhen judges a condition of membership.
func (s *stepper) includeWhen(in *inclusion, w *model.Condition, facts expr.Cond) {
	switch {
	case expr.Implies(facts, w.Cond, domains(s.entity)):
	case expr.Impossible(expr.All(facts, w.Cond), domains(s.entity)):
		in.state = isOut
	default:
		in.member.When = append(in.member.When, w)
		for _, a := range expr.Attrs(w.Cond) {
			s.need(in, s.entity.Attribute(a.Path.Name))
		}
	}
}

// includePresent judges a place in the key templates where there may be nothing.
func (s *stepper) includePresent(in *inclusion, p expr.Path, facts expr.Cond) {
	switch {
	case present(s.entity, p, facts):
	case expr.Impossible(expr.All(facts, existsAt(p)), domains(s.entity)):
		in.state = isOut
	default:
		in.member.Present = append(in.member.Present, p)
		s.need(in, s.entity.Attribute(p.Name))
	}
}

// need makes the membership depend on an attribute's value after the update.
func (s *stepper) need(in *inclusion, a *model.Attribute) {
	if in.state == isOut || a == nil {
		return
	}
	v, ok := s.after(expr.Path{Name: a.Name.Text})
	if !ok {
		in.state = isOpen
		in.needs = append(in.needs, a.Name.Text)
		return
	}
	if in.state == isIn {
		in.state = depends
	}
	known := func(k *model.Assignment) bool { return k.Attribute == a }
	if !slices.ContainsFunc(in.member.Known, known) {
		in.member.Known = append(in.member.Known, &model.Assignment{Attribute: a, Value: v.value})
	}
}

// due are the key attributes to write or remove because of this index.
func (in *inclusion) due() []keyTemplate {
	switch {
	case in.state == isOut && (in.wasOut || !in.moved):
		return nil // it was not there before either
	case in.moved, in.upsert && in.state != isOpen:
		return in.keys
	}
	return in.touched
}

// rewrite makes the new value of a key attribute, or removes it when no index
// that has it includes the item.
func (s *stepper) rewrite(k keyTemplate, because *inclusion, all []*inclusion) {
	if s.spaces[0].isKey(k.attribute.Name) || isOwn(k) {
		return
	}
	shared := slices.DeleteFunc(slices.Clone(all), func(in *inclusion) bool { return !in.space.isKey(k.attribute.Name) })
	out := &IndexKey{Attribute: k.attribute}
	state, needs := s.sharedState(shared, out)
	switch {
	case state == isIn && !s.touchesKey(k) && !s.step.Upsert && slices.ContainsFunc(shared, (*inclusion).stays):
		return
	case state == isOpen:
		s.undecided(because, k, needs)
		return
	case state == isOut:
		s.out.IndexKeys = append(s.out.IndexKeys, out)
		return
	}
	recipe, lacking := s.newKey(k)
	switch {
	case len(lacking) == 0:
		out.Value = recipe
		s.out.IndexKeys = append(s.out.IndexKeys, out)
	case s.step.Upsert && !s.touchesKey(k):
		// Of an item that exists the key stays as it is.
	default:
		s.stale(because, fmt.Sprintf("its key %s = %q needs %s", k.attribute.Name, k.Text, strings.Join(lacking, " and ")), lacking)
	}
}

// undecided reports that old values decide whether the key is there, and what
// it is made of then.
func (s *stepper) undecided(because *inclusion, k keyTemplate, needs []string) {
	why := "whether it is there depends on " + strings.Join(needs, " and ")
	_, lacking := s.newKey(k)
	lacking = slices.DeleteFunc(lacking, func(name string) bool { return slices.Contains(needs, name) })
	if len(lacking) > 0 {
		why += fmt.Sprintf(", and its key %s = %q needs %s", k.attribute.Name, k.Text, strings.Join(lacking, " and "))
	}
	s.stale(because, why, slices.Concat(needs, lacking))
}

// stays tells whether the item was in the index and still is.
func (in *inclusion) stays() bool { return in.state == isIn && !in.moved }

// sharedState is whether a key attribute is there because of any of the indexes
// that have it; of isOpen with what is not at hand. What decides goes into out.
func (s *stepper) sharedState(shared []*inclusion, out *IndexKey) (state, []string) {
	var needs []string
	for _, in := range shared {
		switch in.state {
		case isIn:
			out.Members = nil
			return isIn, nil
		case depends:
			out.Members = append(out.Members, in.member)
		case isOpen:
			needs = append(needs, in.needs...)
		}
	}
	switch {
	case len(needs) > 0:
		return isOpen, distinct(needs)
	case len(out.Members) > 0:
		return depends, nil
	}
	return isOut, nil
}

// isOwn tells whether a key attribute is simply the entity's attribute of that
// name, which the change itself writes.
func isOwn(k keyTemplate) bool {
	whole := k.Whole()
	return whole != nil && whole.Path.Top() && whole.Path.Name == k.attribute.Name
}

// newKey is the key after the update, and the attributes that are not at hand for it.
func (s *stepper) newKey(k keyTemplate) (Recipe, []string) {
	recipe := Recipe{Kind: recipeKind(k.attribute, k.Template)}
	var lacking []string
	for _, p := range k.Parts {
		part, ok := s.part(p, s.after)
		if !ok {
			lacking = append(lacking, p.Path.String())
			continue
		}
		recipe.Parts = append(recipe.Parts, part)
	}
	return recipe, distinct(lacking)
}

// lasting is what the change leaves certain: the terms of `if` that it does not
// touch, and that what it sets is there.
func (s *stepper) lasting() []expr.Cond {
	terms := slices.DeleteFunc(slices.Clone(expr.Conjuncts(s.ifCond())), func(term expr.Cond) bool {
		return slices.ContainsFunc(expr.Attrs(term), func(a *expr.Attr) bool { return s.touches(a.Path) })
	})
	for _, a := range s.entity.Attributes {
		if s.sets(expr.Path{Name: a.Name.Text}) {
			terms = append(terms, exists(a.Name.Text))
		}
	}
	return terms
}

// certain is what holds of the item at a time, whatever else there is to it: the
// terms, and the values that are at hand.
func (s *stepper) certain(terms []expr.Cond, at func(expr.Path) (known, bool)) expr.Cond {
	var all []expr.Cond
	for _, term := range terms {
		all = append(all, normalised(s.entity, term))
	}
	for _, a := range s.entity.Attributes {
		path := expr.Path{Name: a.Name.Text}
		v, ok := at(path)
		switch {
		case ok && v.value == nil:
			all = append(all, notExists(a.Name.Text))
		case ok && expr.Constant(v.value) && len(v.into) == 0:
			all = append(all, compare(attribute(a.Name.Text), expr.Eq, stored(a, v.value)))
		}
	}
	return expr.All(all...)
}

// sets tells whether the change leaves a value at the place, whichever.
func (s *stepper) sets(p expr.Path) bool {
	if s.change == nil {
		return false
	}
	is := func(t *expr.Attr) bool { return within(t.Path, p) }
	return slices.ContainsFunc(s.change.Set, func(a expr.SetAction) bool { return is(a.Target) }) ||
		slices.ContainsFunc(s.change.Add, func(a expr.AddAction) bool { return is(a.Target) })
}

// stale reports an index key that would have to be rewritten and cannot be.
func (s *stepper) stale(in *inclusion, why string, needs []string) {
	s.report(diag.Finding{Rule: diag.StaleIndexKey, Entity: s.entity.Name.Text, Index: in.space.name(), Span: s.changeAt(),
		Message: fmt.Sprintf("the change of %s moves %s in index %s: %s, whose present value is not at hand",
			s.movers(in), s.entity.Name.Text, in.space.name(), why),
		Fix: handing(s.entity, needs)})
}

// handing says how a write gets old values at hand. Members of maps cannot be
// given by `old`.
func handing(e *model.Entity, names []string) string {
	var old, equal []string
	for _, n := range names {
		old = append(old, n+": $"+oldName(n))
		equal = append(equal, n+" = $"+oldName(n))
	}
	if slices.ContainsFunc(names, func(n string) bool { return e.Attribute(n) == nil }) {
		return fmt.Sprintf("demand it in `if` (`%s`), or read the item first (`read_first: true`)", strings.Join(equal, " AND "))
	}
	return fmt.Sprintf("have the caller give it (`old: {%s}`), demand it in `if`, or read the item first (`read_first: true`)", strings.Join(old, ", "))
}

// oldName is a parameter for an attribute's old value: oldPlacedAt.
func oldName(attribute string) string {
	name := "old"
	for _, word := range strings.FieldsFunc(attribute, func(r rune) bool { return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		letters := []rune(word)
		name += string(unicode.ToUpper(letters[0])) + string(letters[1:])
	}
	return name
}

// movers are the changed attributes that the index depends on.
func (s *stepper) movers(in *inclusion) string {
	var names []string
	for _, k := range in.keys {
		for _, p := range k.Parts {
			if p.Attribute != nil && s.touches(p.Path) {
				names = append(names, p.Path.String())
			}
		}
		if k.when == nil {
			continue
		}
		for _, a := range expr.Attrs(k.when.Cond) {
			if s.touches(a.Path) {
				names = append(names, a.Path.String())
			}
		}
	}
	return strings.Join(distinct(names), " and ")
}
