package plan

import (
	"slices"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/expr"
	"github.com/dynmodel/dynmodel/model/value"
)

// write plans a write: a single one, a batch or a transaction.
func (b *builder) write() {
	w := &Write{Token: b.pattern.Token, Returns: b.pattern.Returns}
	if b.pattern.Step != nil {
		b.steps(w, []*model.Step{b.pattern.Step}, nil)
	} else {
		b.steps(w, b.pattern.Steps, nil)
	}
	if len(w.Actions) == 0 {
		return
	}
	w.API = b.writeAPI(w)
	b.variant.Write = w
	b.checkTransaction(w)
}

// writeAPI is a transaction when there are several actions or guards to keep.
func (b *builder) writeAPI(w *Write) API {
	switch {
	case b.pattern.Operation == model.BatchWrite:
		return BatchWriteItem
	case b.pattern.Operation == model.TransactWrite, len(w.Actions[0].Guards) > 0:
		return TransactWriteItems
	}
	return w.Actions[0].API
}

// steps plans steps, which are repeated for the members of the lists around them.
func (b *builder) steps(w *Write, steps []*model.Step, around []*model.ForEach) {
	for _, s := range steps {
		if s.ForEach != nil {
			b.steps(w, s.ForEach.Steps, append(slices.Clone(around), s.ForEach))
			continue
		}
		st := stepper{builder: b, step: s, entity: s.Entity, partitionKey: b.model.Table.PartitionKey.Name}
		if action := st.action(); action != nil {
			action.ForEach = around
			w.Actions = append(w.Actions, action)
		}
	}
}

// stepper plans one write of one item.
type stepper struct {
	*builder
	step         *model.Step
	entity       *model.Entity
	partitionKey string
	change       *expr.Update // what the pattern changes, of this variant; nil for none
	out          *Action
}

// action is the write, nil when its item cannot be addressed.
func (s *stepper) action() *Action {
	s.out = &Action{Step: s.step, Entity: s.entity, ReadFirst: s.step.ReadFirst}
	if s.out.Key = s.keyOf(); s.out.Key == nil {
		return nil
	}
	s.checkHolds()
	switch s.step.Operation {
	case model.Create, model.Put:
		s.put()
	case model.UpdateItem:
		s.update()
	case model.Delete:
		s.out.API = DeleteItem
		s.out.Condition = s.condition(s.existence(s.step.MustExist), s.versionCheck(!s.step.MustExist))
		s.guardOld()
	case model.Check:
		s.out.API = ConditionCheck
		s.out.Condition = s.condition(s.existence(s.step.If == nil), nil)
	}
	if s.step.ReadFirst {
		s.out.Unchanged = s.out.reads(s.version())
	}
	return s.out
}

// keyOf is the table's key. Of a put it is only there to read first or to find
// equal items, and may hold a shard that is drawn; so may that of an item found.
func (s *stepper) keyOf() []KeyRecipe {
	drawn := s.step.Operation == model.Create || s.step.Operation == model.Put
	if (!drawn || s.step.ReadFirst) && !s.pattern.Operation.WritesEach() {
		return s.keyRecipes(s.entity, inputs(s.step))
	}
	var out []KeyRecipe
	keys, _ := s.spaces[0].templates(s.entity)
	for _, k := range keys {
		recipe := Recipe{Kind: recipeKind(k.attribute, k.Template)}
		for _, p := range k.Parts {
			recipe.Parts = append(recipe.Parts, keyPartFrom(p, inputs(s.step)))
		}
		out = append(out, KeyRecipe{Attribute: k.attribute, Value: recipe})
	}
	return out
}

func (s *stepper) put() {
	s.out.API = PutItem
	s.out.Inputs = s.itemInputs()
	if s.step.Operation == model.Create {
		s.out.Condition = s.condition(notExists(s.partitionKey), nil)
		s.guardNew()
		return
	}
	s.out.Condition = s.condition(nil, s.versionCheck(true))
	s.guardMoved()
}

// itemInputs are the attributes of a put and their values, with the version
// that the tool keeps and copies of what the same pattern writes.
func (s *stepper) itemInputs() []*model.Assignment {
	version := s.version()
	var out []*model.Assignment
	for _, in := range s.step.Inputs {
		switch {
		case in.Attribute == version:
			continue
		case in.Attribute.CopyOf != nil:
			if v := s.copied(in.Attribute); v != nil {
				in = &model.Assignment{At: in.At, Attribute: in.Attribute, Value: v}
			}
		}
		out = append(out, in)
	}
	if version != nil {
		out = append(out, &model.Assignment{Attribute: version, Value: s.nextVersion(version)})
	}
	return out
}

// nextVersion is the version of a put: 1 of a new item, else one more than what
// the caller knows or what was read.
func (s *stepper) nextVersion(a *model.Attribute) expr.Operand {
	one := &expr.Literal{Value: value.OfInt(1)}
	switch {
	case s.step.Version != nil:
		return &expr.Arith{Left: s.step.Version.Value, Right: one}
	case s.step.ReadFirst:
		return &expr.Arith{Left: ifNotExists(attribute(a.Name.Text), value.OfInt(0)), Right: one}
	}
	return one
}

// version is the entity's version attribute, nil when it has none or the step
// leaves it alone.
func (s *stepper) version() *model.Attribute {
	if s.step.Unversioned {
		return nil
	}
	for _, a := range s.entity.Attributes {
		if a.Version {
			return a
		}
	}
	return nil
}

// versionCheck holds when the stored version is the one the caller knows; with
// missing, also when there is no item.
func (s *stepper) versionCheck(missing bool) expr.Cond {
	v := s.step.Version
	if v == nil {
		return nil
	}
	same := compare(attribute(v.Attribute.Name.Text), expr.Eq, v.Value)
	if missing {
		return &expr.Or{Terms: []expr.Cond{notExists(s.partitionKey), same}}
	}
	return same
}

func (s *stepper) existence(must bool) expr.Cond {
	if must {
		return exists(s.partitionKey)
	}
	return nil
}

// condition is existence, the pattern's `if`, the old values given, and the version.
func (s *stepper) condition(existence, version expr.Cond) expr.Cond {
	terms := []expr.Cond{existence, normalised(s.entity, s.ifCond())}
	for _, old := range s.step.Old {
		name := old.Attribute.Name.Text
		if old.Value == nil {
			terms = append(terms, notExists(name))
			continue
		}
		terms = append(terms, compare(attribute(name), expr.Eq, stored(old.Attribute, old.Value)))
	}
	c := expr.All(append(terms, version)...)
	s.checkIn(c)
	return c
}

// ifCond is the pattern's condition, nil for none.
func (s *stepper) ifCond() expr.Cond { return s.given(s.step.If) }
