package plan

import (
	"slices"
	"strings"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/encode"
	"github.com/dynmodel/dynmodel/model/expr"
)

// each plans to find items and write each of them: the query, which must bring
// what the writes need, and an action for every entity.
func (b *builder) each() {
	w := &Write{}
	for _, step := range b.pattern.Steps {
		st := stepper{builder: b, step: found(step), entity: step.Entity, partitionKey: b.model.Table.PartitionKey.Name}
		action := st.action()
		if action == nil {
			continue // the entity's keys could not be read
		}
		action.Step, action.Found = step, true
		w.Actions = append(w.Actions, action)
	}
	if len(w.Actions) == 0 {
		return
	}
	b.variant.Each = w
	w.API = b.eachAPI()
	b.query()
}

// found is a step as if the item that it is about were read first: all that is
// needed of it is at hand, and must not have changed since.
func found(step *model.Step) *model.Step {
	out := *step
	out.ReadFirst = true
	return &out
}

// eachAPI is how most of the items are written: in batches where there is nothing
// to heed, else one by one.
func (b *builder) eachAPI() API {
	w := b.variant.Each
	api := BatchWriteItem
	for _, a := range w.Actions {
		switch {
		case len(a.Guards) > 0:
			return TransactWriteItems
		case a.API == UpdateItem:
			api = UpdateItem
		case a.Condition != nil || len(a.Unchanged) > 0:
			api = DeleteItem
		}
	}
	return api
}

// neededOfFound are the attributes that the writes of a delete_each or update_each
// need of an item found, beside its key; nil of other patterns.
func (b *builder) neededOfFound() []string {
	if b.variant.Each == nil {
		return nil
	}
	names := []string{}
	for _, a := range b.variant.Each.Actions {
		for _, attr := range a.Unchanged {
			names = append(names, attr.Name.Text)
		}
	}
	return names
}

// foundKey is the table's key of the item in view.
func (s *scope) foundKey() Stored {
	key := Stored{}
	for _, k := range s.model.Table.Keys() {
		key[k.Name] = s.old[k.Name]
	}
	return key
}

// EachRequests are the requests of a delete_each or update_each that write the
// items which the variant's Requests have found: deletes without conditions in
// batches, everything else one request an item, so that one may be refused alone.
// It is not atomic. What is found by mistake is written too, as an application
// would. One of which no request can be made is passed over where its `if` does
// not hold, as DynamoDB would refuse it; else an error says which argument is
// missing or unfit.
func (v *Variant) EachRequests(c Call, items []Stored) ([]Request, error) {
	s := v.scope(c)
	var deletes, out []Request
	for _, item := range items {
		a := v.Each.actionOn(s.model, item)
		at := s.reading(a.Entity, item)
		requests, err := a.requests(at)
		switch {
		case err != nil && at.rulesOut(v.Decides(a)):
			continue
		case err != nil:
			return nil, err
		case len(requests) > 1:
			out = append(out, Request{API: TransactWriteItems, Actions: requests})
		case a.API == DeleteItem && requests[0].Condition == "":
			deletes = append(deletes, requests[0])
		default:
			out = append(out, requests[0])
		}
	}
	batches := Write{API: BatchWriteItem}
	return append(out, batches.gathered(deletes, s)...), nil
}

// Decides is what tells, of an item found, that the `if` of an action does not
// hold: its terms of which the read brings all that they name; nil for none.
func (v *Variant) Decides(a *Action) expr.Cond {
	if a.Step.If == nil {
		return nil
	}
	space := spaceOf(v.planner.model.Table, v.Read.Index)
	unread := func(attr *expr.Attr) bool { return !space.holds(attr.Path.Name) }
	terms := slices.DeleteFunc(slices.Clone(expr.Conjuncts(a.Step.If.Cond)), func(term expr.Cond) bool {
		return slices.ContainsFunc(expr.Attrs(term), unread)
	})
	return expr.All(terms...)
}

// rulesOut tells whether a condition, nil for none, does not hold of the item read.
func (s *scope) rulesOut(c expr.Cond) bool {
	if c == nil {
		return false
	}
	var failed error
	filled := expr.Rewrite(c, func(o expr.Operand) expr.Operand {
		switch o := o.(type) {
		case *expr.Attr:
			return &expr.Attr{At: o.At, Path: s.resolved(o.Path)}
		case *expr.Param, *expr.Now, *expr.Arith:
			v, err := s.value(o, timeBeside(c, s.entity))
			if err != nil {
				failed = err
			}
			return &expr.Literal{Value: v}
		}
		return o
	})
	return failed == nil && !encode.Holds(filled, s.entity, model.Item(s.old))
}

// timeBeside is the first time that a condition names, in whose form the times it
// is compared with are written; nil when it names none.
func timeBeside(c expr.Cond, e *model.Entity) *model.Attribute {
	for _, at := range expr.Attrs(c) {
		if a := e.AttributeAt(at.Path); a != nil && a.Type.IsTime() {
			return a
		}
	}
	return nil
}

// actionOn is the action for an item: that of its entity.
func (w *Write) actionOn(m *model.Model, item Stored) *Action {
	in, _ := encode.Decode(m.Table, m.Entities, item)
	for _, a := range w.Actions {
		if a.Entity == in.Entity {
			return a
		}
	}
	return w.Actions[0]
}

// eachText says what is done to each item found: update each Mention SET name = $name.
func (w *Write) eachText() string {
	var names []string
	for _, a := range w.Actions {
		names = append(names, a.Entity.Name.Text)
	}
	out := writeVerbs[w.Actions[0].API] + " each " + strings.Join(names, " and ")
	for _, a := range w.Actions {
		if text := a.UpdateText(); text != "" {
			out += " " + text
		}
		if condition := expr.String(a.Condition); condition != "" && a.Step.If != nil {
			out += " if " + condition
		}
	}
	return out
}

// each adds what it takes to write the items that a read finds.
func (e *estimator) each(c *Cost, w *Write) {
	n, all := c.Items, 0.0
	c.Items = 0
	found := e.wantedOfEach(e.variant.Read)
	for _, of := range found {
		all += of.n
	}
	for _, a := range w.Actions {
		at := *a
		at.ReadFirst = false // the query has read it
		i := slices.Index(e.variant.Pattern.Entities, a.Entity)
		e.action(c, w, &at, n*found[i].n/max(all, 1e-9))
	}
	if w.API == BatchWriteItem {
		n = ceil(n / MaxBatchWrite)
	}
	c.Requests += n
}
