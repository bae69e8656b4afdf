package engine

import (
	"context"

	"github.com/dynmodel/dynmodel/engine/api"
	"github.com/dynmodel/dynmodel/engine/attr"
	"github.com/dynmodel/dynmodel/engine/expr"
	"github.com/dynmodel/dynmodel/engine/store"
)

// An action is one write of one item, alone, in a batch or in a transaction.
type action struct {
	kind      actionKind
	item      attr.Item // to put; of other kinds only the key
	condition expr.Condition
	update    *expr.Update
	older     bool // the update was given as AttributeUpdates
	insert    bool // a failed condition is a duplicate item
	returnOld bool // a failed condition returns the item that failed it
	batched   bool // a put is refused in the words for keys
}

type actionKind uint8

const (
	actionPut actionKind = iota
	actionUpdate
	actionDelete
	actionCheck // of a condition; writes nothing
)

// prepare checks the action against the table and returns the storage key of
// its item.
func (a *action) prepare(s *schema) (key string, err error) {
	switch a.kind {
	case actionPut:
		err = first(
			s.key.checkItem(a.item, a.batched),
			s.checkIndexKeys(a.item),
			s.checkVectors(a.item),
			s.checkSize(a.item, "Item size has exceeded the maximum allowed size"))
	case actionUpdate:
		err = first(s.key.checkKey(a.item), a.checkUpdatesKey(s))
	default:
		err = s.key.checkKey(a.item)
	}
	if err = first(err, a.checkScalars(s)); err != nil {
		return "", err
	}
	return s.key.storageKey(a.item), nil
}

// checkScalars refuses expressions that look into keys.
func (a *action) checkScalars(s *schema) error {
	return first(s.checkUpdateScalars(a.update), s.checkConditionScalars(a.condition))
}

// checkNotEmpty refuses empty values in keys, which the service does before it
// begins a transaction.
func (a *action) checkNotEmpty(s *schema) error {
	if a.kind != actionPut {
		return s.key.checkNotEmpty(a.item, invalidParameter)
	}
	if m, found := s.misfit(a.item, attr.Item{}); found && isEmptyText(m.value) {
		return m.empty()
	}
	return s.key.checkNotEmpty(a.item, invalidKeyValue)
}

func (a *action) checkUpdatesKey(s *schema) error {
	if a.update == nil {
		return nil
	}
	for _, u := range a.update.Actions() {
		if s.key.has(u.Path.Top()) {
			return api.InvalidParameter("Cannot update attribute %s. This attribute is part of the key", u.Path.Top())
		}
	}
	return nil
}

// checkItemSize checks the size of an item that a request carries.
func checkItemSize(item attr.Item) error {
	if item.Size() > attr.MaxItemBytes {
		return api.Invalid("Item size has exceeded the maximum allowed size")
	}
	return nil
}

// checkSize checks the size of an item, which with all its entries in local
// indexes has to fit into the limit of one item.
func (s *schema) checkSize(item attr.Item, message string) error {
	total := item.Size()
	for _, x := range s.indexes {
		if x.local && item.Size() > attr.MaxItemBytes/(1+maxLocalIndexes) {
			total += x.entry(item).size
		}
	}
	if total > attr.MaxItemBytes {
		return api.Invalid("%s", message)
	}
	return nil
}

// result returns what becomes of the old item, which is empty if there is
// none; so is the result if the action leaves none.
func (a *action) result(s *schema, old attr.Item) (attr.Item, error) {
	if a.condition != nil && !a.condition.Holds(old) {
		return attr.Item{}, a.conditionFailed(old)
	}
	switch a.kind {
	case actionPut:
		return a.item, nil
	case actionDelete:
		return attr.Item{}, nil
	case actionCheck:
		return old, nil
	}
	return a.updated(s, old)
}

func (a *action) conditionFailed(old attr.Item) error {
	failed := api.Errorf(api.ConditionalCheckFailed, "The conditional request failed")
	if a.insert {
		failed = api.Errorf(api.DuplicateItem, "Duplicate primary key exists in table")
	}
	if a.returnOld && !old.IsEmpty() {
		failed.Item = &old
	}
	return failed
}

// updated applies the update. On a missing item it starts from the key alone;
// one that only takes away creates nothing.
func (a *action) updated(s *schema, old attr.Item) (attr.Item, error) {
	base := old
	if old.IsEmpty() {
		base = a.item
	}
	if a.update == nil {
		return base, nil
	}
	if old.IsEmpty() && a.update.OnlyRemoves() {
		return attr.Item{}, nil
	}
	if a.older {
		if err := a.checkOlder(base); err != nil {
			return attr.Item{}, err
		}
	}
	next, err := a.update.Apply(base, !old.IsEmpty())
	if err != nil {
		return attr.Item{}, asRefusal(err)
	}
	return next, first(
		s.checkUpdatedIndexKeys(next, base),
		s.checkVectors(next),
		s.checkSize(next, "Item size to update has exceeded the maximum allowed size"))
}

// checkOlder refuses, in the words of AttributeUpdates, to add to values of
// another type or to take from them.
func (a *action) checkOlder(item attr.Item) error {
	for _, u := range a.update.Actions() {
		old, typ := u.Path.In(item), attr.L // only a list is set to more than a literal
		if l, ok := u.Value.(expr.Literal); ok {
			if u.Verb == expr.Set {
				continue
			}
			typ = attr.Value(l).Type()
		}
		if u.Verb != expr.Remove && old.Exists() && old.Type() != typ {
			return api.Invalid("Type mismatch for attribute to update")
		}
	}
	return nil
}

// A change is one item's replacement by another; either may be empty.
type change struct {
	key      string
	old, new attr.Item
	expired  bool // at the end of the item's time to live
}

// stage adds to b what the change does to the table and its indexes, counts
// it in the table's figures, and charges m for the indexes.
func (t locked) stage(b *store.Batch, c change, m *meter) {
	if t.stream != nil && c.old != c.new {
		t.stream.record(b, c, t.now)
	}
	if t.history != nil && c.old != c.new {
		t.history.record(b, c, t.now)
	}
	t.replace(b, t.schema.space, entryAt(c.key, c.old), entryAt(c.key, c.new), writeUnits)
	for _, x := range t.schema.indexes {
		if units := t.replace(b, x.space, x.entry(c.old), x.entry(c.new), writeUnits); units > 0 {
			m.addIndex(x, units)
		}
	}
	for _, x := range t.schema.vectors {
		if bytes := t.replace(b, x.space, x.entry(c.old), x.entry(c.new), vectorBytes); bytes > 0 {
			m.addVector(x, bytes)
		}
	}
}

// replace puts one entry of a space in the place of another. It returns what
// this costs in an index: one write for an entry that comes, goes or changes,
// two for one that moves, none for one that stays as it is. cost is that of a
// write by its size.
func (t *table) replace(b *store.Batch, space store.Space, old, next entry, cost func(size int) float64) (units float64) {
	if old == next {
		return 0
	}
	figures := t.sizes[space]
	moved := old.key != next.key
	if old.key != "" {
		figures.count(-1, -old.size)
		units = cost(old.size)
		if moved {
			b.Delete(space, old.key)
		}
	}
	if next.key != "" {
		figures.count(1, next.size)
		if moved {
			units += cost(next.size)
		} else {
			units = max(units, cost(next.size))
		}
		b.Put(space, next.key, next.item)
	}
	return units
}

// written is what a single write did, for its answer.
type written struct {
	schema *schema
	key    attr.Item // or the whole item that was put
	change change
	meter  meter
}

// write carries out a single action.
func (db *DB) write(ctx context.Context, tableName string, a *action) (*written, error) {
	if err := db.checkUnclaimed(tableName, a.item); err != nil {
		return nil, err
	}
	w, err := db.writeLocked(db.mischiefOf(ctx), tableName, a)
	if err != nil {
		return nil, err
	}
	return w, db.store.Sync()
}

func (db *DB) writeLocked(bad *mischief, tableName string, a *action) (*written, error) {
	t, err := db.lock(tableName)
	if err != nil {
		return nil, err
	}
	defer t.mu.Unlock()
	s := t.schema
	key, err := a.prepare(s)
	if err != nil {
		return nil, err
	}
	if err := db.admitWrite(bad, s, a.item); err != nil {
		return nil, err
	}
	old, err := db.current(s, key)
	if err != nil {
		return nil, err
	}
	next, err := a.result(s, old)
	if err != nil {
		return nil, err
	}
	w := &written{schema: s, key: a.item, change: change{key: key, old: old, new: next}, meter: meter{schema: s, writes: true}}
	if err := db.checkCollection(t, a.item, w.change); err != nil {
		return nil, err
	}
	w.meter.table = w.change.units()
	var b store.Batch
	t.stage(&b, w.change, &w.meter)
	db.chargeItem(bad, a.item, &w.meter)
	return w, db.commit(&b, t.table)
}

// units is what the change costs in the table itself, by the larger of the two
// items.
func (c change) units() float64 { return writeUnits(max(c.old.Size(), c.new.Size())) }

// current returns the last written item at key, which is empty if there is
// none. The table is locked.
func (db *DB) current(s *schema, key string) (attr.Item, error) {
	item, _, err := db.store.Get(s.space, key)
	return item, err
}
