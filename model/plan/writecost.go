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
		c.charge(nil, n*ReadUnits(size, true), 0)
		c.ItemsRead += n
	}
	c.charge(nil, 0, n*double*WriteUnits(size))
	if a.API == ConditionCheck {
		return
	}
	c.Items += n
	c.Bytes += n * size
	for _, g := range a.Guards {
		for _, side := range [][]*model.Assignment{g.Old, g.New} {
			if side != nil { // a guard is a key, far below a unit
				c.charge(nil, 0, n*double)
			}
		}
	}
	for _, space := range keyspaces(e.variant.planner.model.Table)[1:] {
		entries := e.inIndex(space, a.Entity)
		if units := e.entryWrites(a, space); units > 0 && entries.n > 0 {
			c.Known = c.Known && entries.known
			x := space.index
			if x.Local {
				x = nil // its units are the table's
			}
			c.charge(x, 0, n*units*entries.n*WriteUnits(e.sizes.entry(a.Entity, space)))
		}
	}
}

// entryWrites is the number of writes that an action makes to an entry in an
// index: a changed key takes two, an entry deleted and one put.
func (e *estimator) entryWrites(a *Action, space keyspace) float64 {
	if a.API != UpdateItem {
		return 1
	}
	moved, removed := false, false
	for _, k := range a.IndexKeys {
		if space.isKey(k.Attribute.Name) {
			moved, removed = true, removed || k.Removed()
		}
	}
	changed := changedNames(a.Change)
	switch {
	case removed:
		return 1
	case moved, slices.ContainsFunc(changed, space.isKey):
		return 2
	case slices.ContainsFunc(changed, space.holds):
		return 1
	}
	return 0
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
