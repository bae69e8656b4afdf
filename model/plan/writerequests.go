package plan

import (
	"fmt"
	"slices"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/encode"
	"github.com/dynmodel/dynmodel/model/expr"
)

// expand visits the actions of a call in order, with the scope of each: those
// that are repeated, for every member of their list.
func expand(actions []*Action, depth int, s *scope, visit func(*Action, *scope) error) error {
	return Nested(actions, depth,
		func(a *Action) error { return visit(a, s) },
		func(loop *model.ForEach, actions []*Action) error {
			members, err := s.list(loop.Param)
			if err != nil {
				return err
			}
			for _, m := range members {
				if err := expand(actions, depth+1, s.member(m), visit); err != nil {
					return err
				}
			}
			return nil
		})
}

func (w *Write) firstReads(s *scope) ([]Request, error) {
	var out []Request
	err := expand(w.Actions, 0, s, func(a *Action, s *scope) error {
		if !a.ReadFirst {
			return nil
		}
		key, err := s.key(a.Key)
		out = append(out, Request{API: GetItem, Key: key, Consistent: true, Entity: a.Entity, Step: a.Step})
		return err
	})
	if err != nil {
		return nil, err
	}
	return out, nil
}

func (w *Write) requests(s *scope, old []Stored) ([]Request, error) {
	var all []Request
	err := expand(w.Actions, 0, s, func(a *Action, s *scope) error {
		if a.ReadFirst {
			if len(old) == 0 {
				return fmt.Errorf("step %s %s reads first: what was read is not given", a.Step.Operation, a.Entity.Name.Text)
			}
			s, old = s.reading(a.Entity, old[0]), old[1:]
		}
		requests, err := a.requests(s)
		all = append(all, requests...)
		return err
	})
	if err != nil {
		return nil, err
	}
	return w.gathered(all, s), nil
}

// gathered puts actions into the requests that carry them.
func (w *Write) gathered(all []Request, s *scope) []Request {
	switch w.API {
	case TransactWriteItems:
		r := Request{API: TransactWriteItems, Actions: all}
		if w.Token != "" {
			r.Token = s.lookup(w.Token).Text()
		}
		return []Request{r}
	case BatchWriteItem:
		var out []Request
		for chunk := range slices.Chunk(all, MaxBatchWrite) {
			out = append(out, Request{API: BatchWriteItem, Actions: chunk})
		}
		return out
	}
	all[0].Returns = w.returnValues()
	return all
}

// returnValues is what DynamoDB is asked to return: of a put it can only be
// what was there before.
func (w *Write) returnValues() string {
	switch {
	case w.Returns == "new" && w.API == UpdateItem:
		return "ALL_NEW"
	case w.Returns == "old":
		return "ALL_OLD"
	}
	return ""
}

// requests are the action itself and what becomes of its guards.
func (a *Action) requests(s *scope) ([]Request, error) {
	x := newExpression(s, a.Entity)
	r := Request{API: a.API, Entity: a.Entity, Step: a.Step}
	item, err := a.fill(&r, x)
	if err != nil {
		return nil, err
	}
	condition := a.Condition
	if a.ReadFirst {
		condition = expr.All(condition, a.unchanged(s.old, s.model.Table.PartitionKey.Name))
	}
	if r.Condition, err = x.condition(condition); err != nil {
		return nil, err
	}
	x.into(&r)
	guards, err := a.guards(s, item)
	return append([]Request{r}, guards...), err
}

// fill makes the key or item of the request, and its update. It returns the
// item of a put before it is encoded.
func (a *Action) fill(r *Request, x *expression) (model.Item, error) {
	var err error
	if a.API != PutItem {
		if a.Found {
			r.Key = x.scope.foundKey()
		} else {
			r.Key, err = x.scope.key(a.Key)
		}
		if err == nil && a.API == UpdateItem {
			r.Update, err = a.updateText(x)
		}
		return nil, err
	}
	item, err := x.scope.item(a)
	if err != nil {
		return nil, err
	}
	r.Item, err = encode.Item(x.scope.model, a.Entity, item, func(_ string, n int) int { return x.scope.draw(n) })
	return item, err
}

// item are the attributes of a put: what the call brings, defaults, and what is
// derived from them.
func (s *scope) item(a *Action) (model.Item, error) {
	item, err := s.assigned(a.Inputs)
	if err != nil {
		return nil, err
	}
	for _, attr := range a.Entity.Attributes {
		name := attr.Name.Text
		if _, ok := item[name]; ok || !attr.HasDefault() {
			continue
		}
		item[name] = attr.Default
		if attr.DefaultNow != nil {
			if item[name], err = s.given(attr.DefaultNow, attr); err != nil {
				return nil, err
			}
		}
	}
	derived := s.reading(a.Entity, Stored(item))
	for _, attr := range a.Entity.Attributes {
		if attr.Derive == nil {
			continue
		}
		v, err := derived.derived(attr)
		if err != nil {
			return nil, err
		}
		if delete(item, attr.Name.Text); v.Exists() {
			item[attr.Name.Text] = v
		}
	}
	return encode.Normalise(a.Entity, item), nil
}

// assigned are the values of assignments, without those that are absent.
func (s *scope) assigned(all []*model.Assignment) (model.Item, error) {
	item := model.Item{}
	for _, as := range all {
		if as.Value == nil {
			continue
		}
		v, err := s.value(as.Value, as.Attribute)
		if err != nil {
			return nil, err
		}
		if v.Exists() {
			item[as.Attribute.Name.Text] = v
		}
	}
	return item, nil
}

// guards delete and put the guards of unique attributes.
func (a *Action) guards(s *scope, item model.Item) ([]Request, error) {
	var out []Request
	partition := s.model.Table.PartitionKey.Name
	for _, g := range a.Guards {
		old, err := g.key(s, a, g.Old, nil)
		if err != nil {
			return nil, err
		}
		key, err := g.key(s, a, g.New, item)
		if err != nil {
			return nil, err
		}
		if sameValues(old, key) {
			continue
		}
		if old != nil {
			out = append(out, Request{API: DeleteItem, Key: old, Entity: a.Entity, Step: a.Step, Guard: true})
		}
		if key != nil {
			x := newExpression(s)
			put := Request{API: PutItem, Item: key, Entity: a.Entity, Step: a.Step, Guard: true}
			if put.Condition, err = x.condition(notExists(partition)); err != nil {
				return nil, err
			}
			x.into(&put)
			out = append(out, put)
		}
	}
	return out, nil
}

// key is the key of the guard for the values, nil when there is none. Of a put
// the values are those of its item.
func (g *Guard) key(s *scope, a *Action, values []*model.Assignment, item model.Item) (Stored, error) {
	if values == nil || item == nil && a.ReadFirst && s.old == nil {
		return nil, nil
	}
	if item == nil {
		var err error
		if item, err = s.assigned(values); err != nil {
			return nil, err
		}
	}
	guards, err := encode.Guards(s.model, a.Entity, item)
	if err != nil {
		return nil, err
	}
	for _, made := range guards {
		if made.Unique == g.Unique {
			return made.Key, nil
		}
	}
	return nil, nil
}
