package iam

import (
	"slices"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/expr"
	"github.com/dynmodel/dynmodel/model/plan"
)

// use is an action that requests need, on the table or an index, with what is
// known of them.
type use struct {
	action string // GetItem, Query, …
	index  string // "" for the table
	// enclosing is the operation inside of which alone it is done; "" for none.
	enclosing string
	// selects is what the request selects; "" for anything.
	selects string
	// attributes are all that requests name, sorted; nil for any.
	attributes []string
	// leading has for each attribute of the partition key the patterns that its
	// values follow, sorted; nil for any.
	leading [][]string
}

// collector finds the uses of access patterns.
type collector struct {
	model     *model.Model
	principal string // the policy variable for the value of isolate_by
}

// pattern is what an access pattern needs, whatever its call leaves out.
func (c *collector) pattern(p *plan.Plan) []use {
	var uses []use
	for _, v := range p.Variants {
		uses = append(uses, c.variant(v)...)
	}
	return essential(uses)
}

func (c *collector) variant(v *plan.Variant) []use {
	var uses []use
	if v.Read != nil {
		uses = append(uses, c.read(v.Pattern, v.Read)...)
	}
	if v.Then != nil {
		uses = append(uses, c.read(v.Pattern, v.Then)...)
	}
	if v.Write != nil {
		uses = append(uses, c.write(v.Pattern, v.Write)...)
	}
	if v.Each != nil {
		uses = append(uses, c.each(v.Pattern, v.Each)...)
	}
	if v.Statement != nil {
		uses = append(uses, statementUse(c.model.Table, v.Statement.Text))
	}
	return uses
}

// read is what reads need: the same action for all keys, since a batch is
// allowed or denied as a whole.
func (c *collector) read(p *model.Pattern, r *plan.Read) []use {
	u := use{action: string(r.API)}
	if r.API == plan.TransactGetItems {
		u.action, u.enclosing = string(plan.GetItem), string(plan.TransactGetItems)
	}
	if r.Index != nil {
		u.index = r.Index.Name.Text
	}
	switch {
	case r.Count:
		u.selects = "COUNT"
	case len(p.Select) > 0 && r.Projection != nil:
		u.selects, u.attributes = "SPECIFIC_ATTRIBUTES", c.named(r)
	}
	switch r.API {
	case plan.Query:
		u.leading = c.ofCondition(p, r)
	case plan.Scan: // has no key that could be held to anything
	default:
		for i, g := range r.Gets {
			u.leading = union(u.leading, c.ofKey(p, g.Key), i == 0)
		}
	}
	return []use{u}
}

// named are the attributes that a read names: those asked for, those in
// conditions, and the keys of the table and the index, which IAM counts in any case.
func (c *collector) named(r *plan.Read) []string {
	names := slices.Clone(r.Projection)
	for _, k := range c.model.Table.Keys() {
		names = append(names, k.Name)
	}
	if r.Index != nil {
		for _, k := range r.Index.Keys() {
			names = append(names, k.Name)
		}
	}
	if filter := r.Filter(); filter != nil {
		for _, a := range expr.Attrs(filter) {
			names = append(names, a.Path.Name)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// write is what a write needs: the reads before it, its actions, and those on
// the guards of unique attributes.
func (c *collector) write(p *model.Pattern, w *plan.Write) []use {
	var uses []use
	for _, a := range w.Actions {
		key := c.ofKey(p, a.Key)
		if a.ReadFirst {
			uses = append(uses, use{action: string(plan.GetItem), leading: key})
		}
		switch w.API {
		case plan.TransactWriteItems:
			uses = append(uses, inTransaction(a.API, key))
			uses = append(uses, c.guards(p, a)...)
		case plan.BatchWriteItem:
			uses = append(uses, use{action: string(plan.BatchWriteItem), leading: key})
		default:
			uses = append(uses, use{action: string(a.API), leading: key})
		}
	}
	return uses
}

// inTransaction is an action as a member of a TransactWriteItems. A condition
// check is nothing else, so that it has an action of its own.
func inTransaction(api plan.API, key [][]string) use {
	if api == plan.ConditionCheck {
		return use{action: "ConditionCheckItem", leading: key}
	}
	return use{action: string(api), enclosing: string(plan.TransactWriteItems), leading: key}
}

func (c *collector) guards(p *model.Pattern, a *plan.Action) []use {
	var uses []use
	for _, g := range a.Guards {
		key := c.ofTemplate(p, g.Unique.Keys[0].Template)
		if g.New != nil {
			uses = append(uses, inTransaction(plan.PutItem, key))
		}
		if g.Old != nil {
			uses = append(uses, inTransaction(plan.DeleteItem, key))
		}
	}
	return uses
}

// each is what the writes of items found need: those with guards are
// transactions, unless an item has none; deletes that depend on nothing are
// batches; the others are written one by one.
func (c *collector) each(p *model.Pattern, w *plan.Write) []use {
	var uses []use
	for _, a := range w.Actions {
		key := c.ofFound(p, a.Entity)
		if len(a.Guards) > 0 {
			uses = append(uses, inTransaction(a.API, key))
			uses = append(uses, c.guards(p, a)...)
			if alwaysGuarded(a) {
				continue
			}
		}
		if a.API == plan.DeleteItem && a.Condition == nil && len(a.Unchanged) == 0 {
			uses = append(uses, use{action: string(plan.BatchWriteItem), leading: key})
		} else {
			uses = append(uses, use{action: string(a.API), leading: key})
		}
	}
	return uses
}

// alwaysGuarded tells whether every item has a guard that the write gives up or
// moves: not so when it may lack what the guard is made of, or keep it.
func alwaysGuarded(a *plan.Action) bool {
	return a.API == plan.DeleteItem && slices.ContainsFunc(a.Guards, func(g *plan.Guard) bool {
		return g.Unique.When == nil && !slices.ContainsFunc(g.Unique.Of, func(a *model.Attribute) bool { return a.Optional })
	})
}

// essential are the uses without those that others allow, each once. Uses that
// differ in their keys alone are one.
func essential(uses []use) []use {
	var merged []use
	for _, u := range uses {
		i := slices.IndexFunc(merged, func(m use) bool {
			return m.action == u.action && m.index == u.index && m.enclosing == u.enclosing && m.selects == u.selects &&
				(m.attributes == nil) == (u.attributes == nil) && slices.Equal(m.attributes, u.attributes)
		})
		if i < 0 {
			merged = append(merged, u)
			continue
		}
		merged[i].leading = union(merged[i].leading, u.leading, false)
	}
	var out []use
	for i, u := range merged {
		if !slices.ContainsFunc(slices.Concat(merged[:i], merged[i+1:]), func(other use) bool { return other.allows(u) }) {
			out = append(out, u)
		}
	}
	return out
}

// allows tells whether all that v is for is allowed by u, another use.
func (u use) allows(v use) bool {
	return u.action == v.action && u.index == v.index &&
		(u.enclosing == "" || u.enclosing == v.enclosing) &&
		(u.selects == "" || u.selects == v.selects) &&
		(u.attributes == nil || v.attributes != nil && subset(v.attributes, u.attributes)) &&
		covers(u.leading, v.leading)
}

func subset(small, large []string) bool {
	return !slices.ContainsFunc(small, func(s string) bool { return !slices.Contains(large, s) })
}
