package plan

import (
	"slices"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/expr"
)

func (e *estimator) write(w *Write) Cost {
	c := Cost{Known: true, Requests: 1}
	most := 0.0
	for _, a := range w.Actions {
		n, highest := 1.0, 1.0
		for _, f := range a.ForEach {
			n *= middle(&f.Count)
			highest *= float64(max(1, f.Count.Max))
		}
		most += highest
		e.action(&c, w, a, n)
	}
	if w.API == BatchWriteItem {
		c.Requests = ceil(most / MaxBatchWrite)
	}
	for _, a := range w.Actions {
		if a.ReadFirst {
			c.Requests++
		}
	}
	c.Pages = c.Requests
	return c
}

// action adds what an action takes, n times. A transaction takes twice the
// units of the table, and those of indexes once.
func (e *estimator) action(c *Cost, w *Write, a *Action, n float64) {
	size := e.sizes.item(a.Entity)
	double := 1.0
	if w.API == TransactWriteItems {
		double = 2
	}
	if a.ReadFirst {
		c.charge(Charge{Entity: a.Entity, Action: a, RCU: n * ReadUnits(size, true)})
		c.ItemsRead += n
	}
	c.charge(Charge{Entity: a.Entity, Action: a, WCU: n * double * WriteUnits(size)})
	if a.API == ConditionCheck {
		return
	}
	c.Items += n
	c.Bytes += n * size
	for _, g := range a.Guards {
		for _, side := range [][]*model.Assignment{g.Old, g.New} {
			if side != nil { // a guard is a key, far below a unit
				c.charge(Charge{Entity: a.Entity, Action: a, Guard: true, WCU: n * double})
			}
		}
	}
	for _, space := range keyspaces(e.variant.planner.model.Table)[1:] {
		if writes := e.entryWrites(a, space); writes.n > 0 {
			c.Known = c.Known && writes.known
			x := space.index
			if x.Local {
				x = nil // its units are the table's
			}
			c.charge(Charge{Index: x, Entity: a.Entity, Action: a, WCU: n * writes.n * WriteUnits(e.sizes.entry(a.Entity, space))})
		}
	}
}

// entryWrites is the expected number of writes that an action makes to an entry
// in an index: one where an entry is deleted, put or changed, two where its key
// changes and it is deleted and put.
func (e *estimator) entryWrites(a *Action, space keyspace) estimate {
	switch a.API {
	case PutItem:
		return e.inIndex(space, a.Entity, brought(a))
	case DeleteItem:
		return e.inIndex(space, a.Entity, certainBy(a.Entity, a.Step.If))
	}
	before := e.inIndex(space, a.Entity, a.before)
	moved, removed := false, false
	for _, k := range a.IndexKeys {
		if space.isKey(k.Attribute.Name) {
			moved, removed = true, removed || k.Removed()
		}
	}
	changed := changedNames(a.Change)
	switch {
	case removed:
		return before
	case moved && !makesKey(a.Entity, space, changed):
		return either(before, e.inIndex(space, a.Entity, a.after))
	case moved, slices.ContainsFunc(changed, space.isKey):
		return before.plus(e.inIndex(space, a.Entity, a.after))
	case slices.ContainsFunc(changed, space.holds):
		return before
	}
	return estimate{0, true}
}

// makesKey tells whether any of the attributes goes into the entity's key here,
// and does not only decide whether there is one.
func makesKey(e *model.Entity, space keyspace, names []string) bool {
	keys, _ := space.templates(e)
	return slices.ContainsFunc(keys, func(k keyTemplate) bool {
		return slices.ContainsFunc(k.Parts, func(p model.Part) bool { return p.Attribute != nil && slices.Contains(names, p.Path.Name) })
	})
}

// either is the expected part of the items that are in an index before a write,
// after it, or both: each of them has one write of its entry.
func either(before, after estimate) estimate {
	return estimate{before.n + after.n - before.n*after.n, before.known && after.known}
}

// brought is what is certain of an item that is put: the values that are no
// parameters, and what is left out.
func brought(a *Action) expr.Cond {
	var terms []expr.Cond
	for _, in := range a.Inputs {
		switch {
		case in.Value == nil:
			terms = append(terms, notExists(in.Attribute.Name.Text))
		case expr.Constant(in.Value):
			terms = append(terms, compare(attribute(in.Attribute.Name.Text), expr.Eq, stored(in.Attribute, in.Value)))
		}
	}
	return expr.All(terms...)
}

// certainBy is what a condition says of the items for which it holds.
func certainBy(e *model.Entity, c *model.Condition) expr.Cond {
	var terms []expr.Cond
	for _, term := range expr.Conjuncts(condOf(c)) {
		terms = append(terms, normalised(e, term))
	}
	return expr.All(terms...)
}

// changedNames are the attributes that an update writes.
func changedNames(u *expr.Update) []string {
	var names []string
	if u == nil {
		return nil
	}
	for _, a := range u.Set {
		names = append(names, a.Target.Path.Name)
	}
	for _, a := range u.Remove {
		names = append(names, a.Path.Name)
	}
	for _, a := range slices.Concat(u.Add, u.Delete) {
		names = append(names, a.Target.Path.Name)
	}
	return names
}
