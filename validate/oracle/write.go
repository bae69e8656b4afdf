package oracle

import (
	"slices"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/value"
)

// Refusal is why a write must be refused; the empty one means that it must not.
type Refusal string

// The reasons for which a write is refused.
const (
	Exists    Refusal = "the item exists"
	Missing   Refusal = "the item does not exist"
	Condition Refusal = "the condition does not hold"
	Stale     Refusal = "another version is stored"
	Taken     Refusal = "a unique value is taken"
	Duplicate Refusal = "one item is addressed twice"
	Invalid   Refusal = "the change cannot be applied"
)

// Outcome is what a write must do.
type Outcome struct {
	Refusal Refusal
	// Step is the one that is refused, nil when none is, and Found the item for
	// which it is: the one it is about, or the one that holds a unique value;
	// nil when there is none.
	Step  *model.Step
	Found *model.Instance
	// Unique is the rule of which a value is taken.
	Unique *model.Unique
	// World is the world afterwards: the one before when the write is refused.
	World *World
	// Changes are what became of each item, in the order of the steps; empty
	// when the write is refused.
	Changes []Change
	// Returned is the item that the call returns; nil when it returns none.
	Returned model.Item
}

// Change is an item before and after a write; nil where it does not exist.
type Change struct {
	Step          *model.Step
	Before, After *model.Instance
}

// effect is a Change in the making.
type effect struct {
	Change
	target  string // the identity addressed
	refusal Refusal
}

// Write applies a pattern that writes. A batch_write applies all its steps, a
// delete_each or update_each its step to every item that it finds and that meets
// `if`; every other write is applied whole or not at all.
func (w *World) Write(c Call) Outcome {
	s := c.scope(model.Instance{})
	var effects []effect
	if c.Pattern.Operation.WritesEach() {
		effects = w.effectsOnEach(c.Pattern, s)
	} else {
		effects = w.effects(topSteps(c.Pattern), s)
	}
	if step := repeated(effects); step != nil {
		return w.refused(Duplicate, step, nil)
	}
	for _, e := range effects {
		if e.refusal != "" {
			return w.refused(e.refusal, e.Step, e.Before)
		}
	}
	takeCopies(w, effects)
	if out, ok := w.conflict(effects); !ok {
		return out
	}
	return w.applied(c.Pattern, effects)
}

func (w *World) refused(r Refusal, step *model.Step, found *model.Instance) Outcome {
	return Outcome{Refusal: r, Step: step, Found: found, World: w}
}

// effects works out what each step does, all of them on the world as it is
// before; a for_each gives those of its steps for every element of its list.
func (w *World) effects(steps []*model.Step, s scope) []effect {
	var out []effect
	for _, step := range steps {
		if step.ForEach == nil {
			out = append(out, w.effect(step, s))
			continue
		}
		list, _ := s.args.lookup(step.ForEach.Param)
		for _, element := range list.Items() {
			inner := s
			inner.args = s.args.inner(step.ForEach.Param, element)
			out = append(out, w.effects(step.ForEach.Steps, inner)...)
		}
	}
	return out
}

// effectsOnEach works out what becomes of each item that a pattern finds.
func (w *World) effectsOnEach(p *model.Pattern, s scope) []effect {
	var out []effect
	for _, in := range w.selected(p, s) {
		for _, step := range p.Steps {
			s := s.on(in.Entity, in.Item)
			if step.Entity != in.Entity || !s.meets(step.If) {
				continue
			}
			e := effect{Change: Change{Step: step, Before: &in}, target: Identity(in)}
			after, refusal := s.after(step, model.Item{}, true)
			if e.refusal = refusal; after != nil {
				e.After = &model.Instance{Entity: in.Entity, Item: after}
			}
			out = append(out, e)
		}
	}
	return out
}

// effect works out what one step does to the item it is about.
func (w *World) effect(step *model.Step, s scope) effect {
	named := s.on(step.Entity, nil).brought(step)
	e := effect{Change: Change{Step: step}, target: Identity(model.Instance{Entity: step.Entity, Item: named})}
	e.Before = w.present(step, s, e.target)
	before := model.Item{}
	if e.Before != nil {
		before = e.Before.Item
		e.target = Identity(*e.Before)
	}
	s = s.on(step.Entity, before)
	if e.refusal = s.refusal(step, e.Before != nil); e.refusal != "" {
		return e
	}
	after, refusal := s.after(step, named, e.Before != nil)
	e.refusal = refusal
	if after != nil {
		e.After = &model.Instance{Entity: step.Entity, Item: after}
	}
	return e
}

// present is the item that the step is about, nil when there is none.
func (w *World) present(step *model.Step, s scope, identity string) *model.Instance {
	i := -1
	switch step.Operation {
	case model.Create, model.Put:
		i = w.find(identity)
	default:
		i = slices.IndexFunc(w.instances, s.addresses(step))
	}
	if i < 0 {
		return nil
	}
	return &w.instances[i]
}

// refusal is why the step, whose item is in view, is refused; "" when it is not.
func (s scope) refusal(step *model.Step, exists bool) Refusal {
	switch {
	case step.Operation == model.Create && exists:
		return Exists
	case s.mustExist(step) && !exists:
		return Missing
	case !s.asGiven(step):
		return Condition
	case !s.meets(step.If):
		return Condition
	case exists && !s.versionMatches(step):
		return Stale
	}
	return ""
}

func (s scope) mustExist(step *model.Step) bool {
	switch step.Operation {
	case model.UpdateItem:
		return !step.Upsert
	case model.Delete:
		return step.MustExist
	case model.Check:
		return step.If == nil
	}
	return false
}

// asGiven tells whether the present values given by `old` are the stored ones.
func (s scope) asGiven(step *model.Step) bool {
	for _, old := range step.Old {
		given := storedForm(s.value(old.Value, old.Attribute), old.Attribute)
		if !value.Equal(s.item[old.Attribute.Name.Text], given) {
			return false
		}
	}
	return true
}

// versionMatches tells whether the caller knows the stored version, where the
// entity has one and the step does not read it first.
func (s scope) versionMatches(step *model.Step) bool {
	if step.Version == nil {
		return true
	}
	known := s.value(step.Version.Value, step.Version.Attribute)
	return value.Equal(s.item[step.Version.Attribute.Name.Text], known)
}

func versionOf(e *model.Entity) *model.Attribute {
	for _, a := range e.Attributes {
		if a.Version {
			return a
		}
	}
	return nil
}

// brought are the attributes whose values the call brings, as they are stored.
func (s scope) brought(step *model.Step) model.Item {
	item := model.Item{}
	for _, input := range step.Inputs {
		if input.Value == nil {
			continue
		}
		if v := s.value(input.Value, input.Attribute); v.Exists() {
			item[input.Attribute.Name.Text] = storedForm(v, input.Attribute)
		}
	}
	return item
}

// after is the item that the step leaves, whose present item is in view; nil
// when it leaves none.
func (s scope) after(step *model.Step, named model.Item, exists bool) (model.Item, Refusal) {
	switch step.Operation {
	case model.Delete:
		return nil, ""
	case model.Check:
		if !exists {
			return nil, ""
		}
		return s.item, ""
	case model.UpdateItem:
		return s.updated(step, named, exists)
	}
	return s.whole(step, named), ""
}

// whole is the item that a create or put stores.
func (s scope) whole(step *model.Step, named model.Item) model.Item {
	for _, a := range step.Entity.Attributes {
		if named[a.Name.Text].Exists() || !a.HasDefault() {
			continue
		}
		v := a.Default
		if a.DefaultNow != nil {
			v = s.value(a.DefaultNow, a)
		}
		named[a.Name.Text] = storedForm(v, a)
	}
	if a := versionOf(step.Entity); a != nil && !s.unversioned(step) {
		before := s.item[a.Name.Text]
		if step.Version != nil {
			before = s.value(step.Version.Value, a)
		}
		named[a.Name.Text] = following(before)
	}
	s.derive(step.Entity, named, func(*model.Attribute) bool { return true })
	return named
}

func (s scope) unversioned(step *model.Step) bool { return step.Unversioned || s.args.unversioned }

// following is the version after the given one; 1 after none.
func following(version value.Value) value.Value {
	one := value.OfInt(1)
	if version.Kind() == value.Number {
		if next, err := version.Add(one); err == nil {
			return next
		}
	}
	return one
}

// derive computes the derived attributes of the item whose source is due.
func (s scope) derive(e *model.Entity, item model.Item, due func(source *model.Attribute) bool) {
	s = s.on(e, item)
	for _, a := range e.Attributes {
		if a.Derive == nil || !due(s.attribute(a.Derive.Expr)) {
			continue
		}
		if v := s.value(a.Derive.Expr, a); v.Exists() {
			item[a.Name.Text] = v
		} else {
			delete(item, a.Name.Text)
		}
	}
}

// updated is the item after an update's change.
func (s scope) updated(step *model.Step, named model.Item, exists bool) (model.Item, Refusal) {
	base := s.item
	if !exists {
		base = named
	}
	item, ok := s.changed(step.Change, base, exists)
	if !ok {
		return nil, Invalid
	}
	if a := versionOf(step.Entity); a != nil && !s.unversioned(step) {
		item[a.Name.Text] = following(base[a.Name.Text])
	}
	s.derive(step.Entity, item, func(source *model.Attribute) bool {
		return source != nil && !value.Equal(base[source.Name.Text], item[source.Name.Text])
	})
	return item, ""
}

// applied is the outcome of effects that are all accepted.
func (w *World) applied(p *model.Pattern, effects []effect) Outcome {
	out := Outcome{World: &World{instances: slices.Clone(w.instances), identities: slices.Clone(w.identities)}}
	for _, e := range effects {
		out.Changes = append(out.Changes, e.Change)
		if e.Step.Operation != model.Check {
			out.World.replace(e.target, e.After)
		}
	}
	w.keepAggregates(&out)
	if len(effects) == 1 {
		out.Returned = returned(p.Returns, out.Changes[0])
	}
	return out
}

// replace puts the item, nil for none, in the place of the one with that identity.
func (w *World) replace(identity string, after *model.Instance) {
	i := w.find(identity)
	switch {
	case i < 0 && after != nil:
		w.instances = append(w.instances, *after)
		w.identities = append(w.identities, Identity(*after))
	case i >= 0 && after != nil:
		w.instances[i], w.identities[i] = *after, Identity(*after)
	case i >= 0:
		w.instances = slices.Delete(w.instances, i, i+1)
		w.identities = slices.Delete(w.identities, i, i+1)
	}
}

func returned(which string, c Change) model.Item {
	switch {
	case which == "new" && c.After != nil:
		return c.After.Item
	case which == "old" && c.Before != nil:
		return c.Before.Item
	}
	return nil
}

// repeated is the first step that addresses an item another one addresses too.
func repeated(effects []effect) *model.Step {
	seen := make(map[string]bool, len(effects))
	for _, e := range effects {
		if seen[e.target] {
			return e.Step
		}
		seen[e.target] = true
	}
	return nil
}

// topSteps are the pattern's steps as they are written.
func topSteps(p *model.Pattern) []*model.Step {
	if p.Step != nil {
		return []*model.Step{p.Step}
	}
	return p.Steps
}
