package migration

import (
	"fmt"
	"slices"
	"strings"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/plan"
)

// Form tells how a backfill writes an item.
type Form string

// The forms.
const (
	// Update sets attributes of an item that stays where it is.
	Update Form = "update"
	// Move puts the item under its new key and deletes it under the old one, in
	// one transaction.
	Move Form = "move"
	// Copy puts the item into another table.
	Copy Form = "copy"
	// Remove deletes items, or takes attributes off them.
	Remove Form = "remove"
)

// Backfill is what is done to the stored items of one entity.
type Backfill struct {
	Form   Form
	Entity *model.Entity // of the old model
	Pair   *Pair         // nil where the new model has the entity no more
	// Sets and Removes are the attributes that an update writes and takes off.
	Sets, Removes []string
	// Guards tells that guards of unique attributes are written or deleted too.
	Guards bool
	// Needs are attributes whose value only the application knows, or that take
	// other items to work out.
	Needs []*model.Attribute
	// Items is how many there are at the declared volume; Known tells that it is declared.
	Items float64
	Known bool
	// WCU are the write units of all of them, those of indexes included, and RCU
	// the read units of the scan that finds them.
	WCU, RCU float64
}

// rewrites are the steps that bring items into their new form.
func (m *Migration) rewrites() []*Step {
	var out []*Step
	for _, p := range m.Pairs {
		if b := m.rewriteOf(p); b != nil {
			out = append(out, m.rewriteStep(b))
		}
	}
	return out
}

// rewriteOf is how the items of a pair come into the new form; nil when they are in it.
func (m *Migration) rewriteOf(p *Pair) *Backfill {
	b := &Backfill{Form: Update, Entity: p.Old, Pair: p}
	for _, k := range m.keyDiffs(p) {
		if slices.ContainsFunc(m.New.Model.Table.Keys(), func(t model.KeyAttribute) bool { return t.Name == k.attribute }) {
			b.Form = Move
		}
		if k.is != "" {
			b.Sets = append(b.Sets, k.attribute)
		} else if p.New.Attribute(k.attribute) == nil {
			b.Removes = append(b.Removes, k.attribute)
		}
	}
	if t := m.New.Model.Table; m.typeText(m.Old.Model.Table, p.Old) != m.typeText(t, p.New) && t.EntityType != "" {
		b.Sets = append(b.Sets, t.EntityType)
	}
	for _, a := range p.New.Attributes {
		c := p.attributeChange(a)
		if c == nil || c.Kind != KindBackfill {
			continue
		}
		b.Sets = append(b.Sets, a.Name.Text)
		if needed(p, a) {
			b.Needs = append(b.Needs, a)
		}
	}
	b.Guards = m.guardsDiffer(p, b.Sets)
	if len(b.Sets)+len(b.Removes) == 0 && !b.Guards {
		return nil
	}
	m.estimate(b)
	return b
}

// guardsDiffer tells whether the guards of an item are others in the new model:
// when what is unique differs, or the attributes that it is about are written anew.
func (m *Migration) guardsDiffer(p *Pair, sets []string) bool {
	if !slices.Equal(uniques(p.Old), uniques(p.New)) {
		return true
	}
	return slices.ContainsFunc(p.New.Unique, func(u *model.Unique) bool {
		return slices.ContainsFunc(u.Of, func(a *model.Attribute) bool { return slices.Contains(sets, a.Name.Text) })
	})
}

// rewritten are the attributes that the rewriting of a pair's items sets.
func (m *Migration) rewritten(p *Pair) []string {
	if b := m.rewriteOf(p); b != nil {
		return b.Sets
	}
	return nil
}

// needed tells whether an item in the old form does not say what the attribute
// has to be in the new one.
func needed(p *Pair, a *model.Attribute) bool {
	from := p.From(a)
	if a.Aggregate != nil || a.CopyOf != nil {
		return from == nil || computedText(from) != computedText(a)
	}
	missing := from == nil || from.Optional && !a.Optional
	return missing && !a.HasDefault() && !a.Version && a.OnWrite == nil && a.Derive == nil
}

func (m *Migration) copyOf(p *Pair) *Backfill {
	b := &Backfill{Form: Copy, Entity: p.Old, Pair: p, Guards: len(p.New.Unique) > 0}
	for _, a := range p.New.Attributes {
		if needed(p, a) && !a.Optional {
			b.Needs = append(b.Needs, a)
		}
	}
	m.estimate(b)
	return b
}

// removals are the steps that take away what nothing uses any more.
func (m *Migration) removals() []*Step {
	var out []*Step
	for _, p := range m.Pairs {
		b := &Backfill{Form: Remove, Entity: p.Old, Pair: p}
		for _, a := range p.Old.Attributes {
			if p.New.Attribute(a.Name.Text) == nil {
				b.Removes = append(b.Removes, a.Name.Text)
			}
		}
		if name := m.Old.Model.Table.EntityType; name != m.New.Model.Table.EntityType && !m.New.writes(p.New, name) {
			b.Removes = append(b.Removes, name)
		}
		b.Guards = len(p.Old.Unique) > 0 && m.guardsDiffer(p, m.rewritten(p))
		if len(b.Removes) > 0 || b.Guards {
			m.estimate(b)
			out = append(out, m.rewriteStep(b))
		}
	}
	for _, o := range m.Old.Model.Entities {
		if m.Pair(o) == nil {
			b := &Backfill{Form: Remove, Entity: o, Guards: len(o.Unique) > 0}
			m.estimate(b)
			out = append(out, m.rewriteStep(b))
		}
	}
	return out
}

// estimate fills in how many items a backfill writes and what that takes.
func (m *Migration) estimate(b *Backfill) {
	b.Items, b.Known = m.Old.Planner.Count(b.Entity)
	var scanned float64
	for _, e := range m.Old.Model.Entities {
		n, _ := m.Old.Planner.Count(e)
		scanned += n * m.Old.Planner.ItemSize(e)
	}
	b.RCU = plan.ReadUnits(scanned, false)
	b.WCU = b.Items * m.unitsEach(b)
}

// unitsEach are the write units of one item of a backfill.
func (m *Migration) unitsEach(b *Backfill) float64 {
	old := m.Old.Planner.ItemSize(b.Entity)
	size := old
	if b.Pair != nil {
		size = max(old, m.New.Planner.ItemSize(b.Pair.New))
	}
	units := plan.WriteUnits(size)
	switch {
	case b.Form == Move:
		units *= 4 // a put and a delete, each at twice the price in a transaction
	case b.Guards && b.Form != Copy:
		units *= 2 // one transaction with the guard
	}
	if b.Guards {
		units += 2
	}
	return units + m.indexUnits(b)
}

// indexUnits are what the indexes add: an entry that is made or deleted costs a
// write, one whose key changes costs two (Developer Guide, "Write capacity
// considerations for global secondary indexes").
func (m *Migration) indexUnits(b *Backfill) float64 {
	if b.Pair == nil {
		return m.entries(m.Old, b.Entity, func(*model.Index) float64 { return 1 })
	}
	return m.entries(m.New, b.Pair.New, func(x *model.Index) float64 {
		switch {
		case b.Form == Move:
			return 2
		case b.Form == Copy:
			return 1
		case slices.ContainsFunc(x.Keys(), func(k model.KeyAttribute) bool { return slices.Contains(b.Sets, k.Name) }):
			if m.Old.keys(b.Entity, x) {
				return 2
			}
			return 1
		case x.Projection.Type == model.ProjectAll:
			return 1
		}
		return 0
	})
}

// entries adds up the write units of an entity's entries in all indexes, each so often.
func (m *Migration) entries(s Side, e *model.Entity, times func(*model.Index) float64) float64 {
	var sum float64
	for _, x := range s.Model.Table.Indexes {
		if s.keys(e, x) {
			sum += times(x) * plan.WriteUnits(s.Planner.EntrySize(e, x))
		}
	}
	return sum
}

// writes tells whether items of an entity carry an attribute, as their own or as
// a key; none is named "".
func (s Side) writes(e *model.Entity, attribute string) bool {
	return attribute == "" || e.Attribute(attribute) != nil || templateText(s.Model.Table, e, attribute) != ""
}

// keys tells whether an entity makes all keys of an index.
func (s Side) keys(e *model.Entity, x *model.Index) bool {
	return !slices.ContainsFunc(x.Keys(), func(k model.KeyAttribute) bool { return templateText(s.Model.Table, e, k.Name) == "" })
}

func (m *Migration) rewriteStep(b *Backfill) *Step {
	s := &Step{Kind: Rewrite, Backfill: b, Title: b.title()}
	var notes []string
	if len(b.Needs) > 0 {
		names := make([]string, len(b.Needs))
		for i, a := range b.Needs {
			names[i] = a.Name.Text
		}
		notes = append(notes, fmt.Sprintf("The value of %s has to come from the application: no item says it.", strings.Join(names, ", ")))
	}
	switch b.Form {
	case Update:
		notes = append(notes, "Each write is made on condition that the item is still as it was read, so that it undoes no newer one.")
	case Move:
		notes = append(notes, "Each item is put and deleted in one transaction, on condition that it is still as it was read and that nothing is under its new key.")
	case Copy:
		notes = append(notes, "Each put is made on condition that nothing is under the key yet, so that it undoes no newer one.")
	}
	s.Text = strings.Join(notes, " ")
	return s
}

func (b *Backfill) title() string {
	name := b.Entity.Name.Text
	if b.Pair != nil {
		name = b.Pair.New.Name.Text
	}
	switch {
	case b.Form == Move:
		return fmt.Sprintf("Move each %s to its new key", name)
	case b.Form == Copy:
		return fmt.Sprintf("Copy each %s to the new table", name)
	case b.Form == Remove && b.Pair == nil:
		return fmt.Sprintf("Delete each %s", name)
	}
	var does []string
	if len(b.Sets) > 0 {
		does = append(does, "set "+strings.Join(b.Sets, ", "))
	}
	if len(b.Removes) > 0 {
		does = append(does, "remove "+strings.Join(b.Removes, ", "))
	}
	if b.Guards && b.Form == Remove {
		does = append(does, "delete its guards")
	} else if b.Guards {
		does = append(does, "write its guards")
	}
	return fmt.Sprintf("Of each %s %s", name, strings.Join(does, " and "))
}
