package plan

import (
	"slices"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/expr"
)

// then plans the batch get after a query: its keys are made of the items found.
func (b *builder) then() {
	then := b.pattern.Then
	if then == nil || b.variant.Read == nil {
		return
	}
	key := b.keyRecipes(then.Entity, func(name string) expr.Operand {
		for _, part := range then.Keys {
			if part.Target.Name.Text == name {
				return attribute(part.Own.Name.Text)
			}
		}
		return nil
	})
	if key == nil {
		return // reported
	}
	get := &Get{Entity: then.Entity, Key: key, Live: condOf(b.pattern.LiveOf(then.Entity))}
	b.variant.Then = &Read{API: BatchGetItem, Entities: []*model.Entity{then.Entity}, Gets: []*Get{get}, Merge: MergeNone,
		Consistent: b.pattern.Consistent && b.variant.Read.Index == nil, typeAttribute: b.model.Table.EntityType}
}

// holders are the attributes of what is found that hold the keys of what is read then.
func holders(t *model.Then) []string {
	var names []string
	for _, part := range t.Keys {
		names = append(names, part.Own.Name.Text)
	}
	return names
}

// ThenRequests are the batch gets of what the items refer to that the variant's
// Requests have found: each once, and none for an item that refers to nothing.
func (v *Variant) ThenRequests(c Call, items []Stored) ([]Request, error) {
	s := v.scope(c)
	get := v.Then.Gets[0]
	var keys []Request
	for _, item := range items {
		if slices.ContainsFunc(holders(v.Pattern.Then), func(name string) bool { return !item[name].Exists() }) {
			continue
		}
		key, err := s.reading(v.Pattern.Entities[0], item).key(get.Key)
		if err != nil {
			return nil, err
		}
		keys = append(keys, Request{API: GetItem, Key: key, Entity: get.Entity, Consistent: v.Then.Consistent})
	}
	return v.Then.batches(keys), nil
}

// then adds the reads of what the items found refer to: one each, at most.
func (e *estimator) then(c *Cost, r *Read) {
	n := c.Items
	size := e.sizes.item(r.Gets[0].Entity)
	c.charge(Charge{Entity: r.Entities[0], Read: r, RCU: n * ReadUnits(size, r.Consistent)})
	c.ItemsRead += n
	c.Items += n
	c.Bytes += n * size
	c.Requests += ceil(n / MaxBatchGet)
	c.Pages += ceil(n / MaxBatchGet)
}
