// Package migration is what lies between two models of one table: what differs,
// what of it DynamoDB changes in place, which items have to be written again,
// what that breaks for code that still follows the old model, and the steps, in
// order, that lead from one to the other while the table serves.
//
// It looks at models and plans alone. Package validate/rehearsal plays the steps
// on a DynamoDB.
package migration

import (
	"slices"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/plan"
)

// Side is one of the two models, with its plans.
type Side struct {
	Model   *model.Model
	Planner *plan.Planner
	Plans   []*plan.Plan // of all patterns, in the order of the model
}

// NewSide plans all patterns of a model.
func NewSide(m *model.Model) Side {
	s := Side{Model: m, Planner: plan.New(m)}
	s.Plans = s.Planner.All()
	return s
}

// Kind tells what it takes to make a change.
type Kind string

// The kinds of changes, from the least to the most work.
const (
	// KindCode changes what applications write or read; no stored item is wrong after it.
	KindCode Kind = "code"
	// KindOnline is a setting that DynamoDB changes while the table serves.
	KindOnline Kind = "online"
	// KindStaged is an index to make or to delete: one in each update of the table
	// (API Reference, UpdateTable), and DynamoDB fills it from the items.
	KindStaged Kind = "staged"
	// KindBackfill means that stored items have to be written again.
	KindBackfill Kind = "backfill"
	// KindNewTable is what DynamoDB cannot change in a table that exists.
	KindNewTable Kind = "new-table"
)

// Change is one difference between the models.
type Change struct {
	Kind    Kind
	Subject string // `table`, `index GSI1`, `entity Order`, `attribute Order.total`, `pattern recent-orders`
	Text    string // what was and what is, a sentence without its stop
}

// Break is an access pattern of the old model that code which still follows
// that model cannot rely on from a step on.
type Break struct {
	Pattern *model.Pattern
	Reason  string
	Step    int // from 1
}

// Migration leads from one model to another.
type Migration struct {
	Old, New Side
	Pairs    []*Pair  // the entities that both models have, in the order of the new one
	Changes  []Change // the table's first, then indexes, entities and patterns
	Breaks   []Break  // in the order of the old model's patterns
	Steps    []*Step
	// Replaced tells that a new table takes the place of the old one.
	Replaced bool
}

// Renames says which new names stand for what old ones: `Order` for an entity,
// `Order.total` (by the old entity's name) for an attribute. The values are the new names.
type Renames map[string]string

// Between finds the migration from one model to another.
func Between(old, new Side, renames Renames) *Migration {
	m := &Migration{Old: old, New: new, Pairs: pairs(old.Model, new.Model, renames)}
	t := compareTables(old.Model.Table, new.Model.Table)
	m.Replaced = len(t.impossible) > 0
	m.Changes = slices.Concat(t.changes(), m.entityChanges(), m.patternChanges())
	m.Steps = m.plan(t)
	for i, s := range m.Steps {
		s.Number = i + 1
	}
	m.Breaks = m.breaks()
	return m
}

// Same tells whether nothing differs.
func (m *Migration) Same() bool { return len(m.Changes) == 0 }

// Pair finds the pair of an old entity; nil when the new model has it no more.
func (m *Migration) Pair(old *model.Entity) *Pair {
	i := slices.IndexFunc(m.Pairs, func(p *Pair) bool { return p.Old == old })
	if i < 0 {
		return nil
	}
	return m.Pairs[i]
}
