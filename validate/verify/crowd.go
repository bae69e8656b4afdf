package verify

import (
	"fmt"
	"slices"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/diag"
	"github.com/dynmodel/dynmodel/model/value"
)

// crowd is an entity of which the model declares many items for each one of
// something, while its keys tell only those somethings apart: all of the many
// are stored under one key, each over the one before.
type crowd struct {
	volume        *model.Volume
	first, second record
}

// noteCrowd looks for a declared number that the entity's identity contradicts.
func (t *trial) noteCrowd(e *model.Entity, s *set) {
	for _, v := range e.Volumes {
		if v.Count.Max <= 1 && v.Rate == nil || !onlyBy(e, v) {
			continue
		}
		items := s.items(e)
		for i, r := range items {
			if twin, ok := otherwise(r, items[i+1:]); ok {
				t.crowds = append(t.crowds, crowd{v, r, twin})
				return
			}
		}
	}
}

// onlyBy tells whether nothing identifies an item of the entity but what its
// number is declared for.
func onlyBy(e *model.Entity, v *model.Volume) bool {
	if v.PerEntity == nil && v.PerAttribute == nil {
		return false
	}
	return !slices.ContainsFunc(e.Identity, func(p model.IdentityPart) bool { return !leadsToParent(e, v, p.Attribute) })
}

// leadsToParent tells whether an attribute says what the item is counted under.
func leadsToParent(e *model.Entity, v *model.Volume, a *model.Attribute) bool {
	if a == v.PerAttribute || a.Ref != nil && v.PerEntity != nil && a.Ref.Entity == v.PerEntity {
		return true
	}
	return v.PerEntity != nil && slices.ContainsFunc(e.Attributes, func(b *model.Attribute) bool {
		return b.Ref != nil && b.Ref.Entity == v.PerEntity && slices.ContainsFunc(b.Ref.With, func(p model.RefPart) bool { return p.Own == a })
	})
}

// otherwise is the record as it would be with another item's value of some
// attribute that does not identify it.
func otherwise(r record, others []record) (record, bool) {
	for _, a := range r.in.Entity.Attributes {
		if identifies(r.in.Entity, a) {
			continue
		}
		for _, o := range others {
			v := o.in.Item[a.Name.Text]
			if v.Exists() && !value.Equal(v, r.in.Item[a.Name.Text]) {
				r.in = with(r.in, a, v)
				return r, true
			}
		}
	}
	return record{}, false
}

// crowdFinding reports many items under one key.
func (t *trial) crowdFinding(c crowd) finding {
	e := c.first.in.Entity
	f := diag.Finding{Rule: diag.KeyCollision, Severity: diag.Error, Span: keySpan(t.model.Table, e), Entity: e.Name.Text,
		Message: fmt.Sprintf("all items of %s for one %s have one primary key", e.Name.Text, c.volume.Per.Text)}
	f.Why = fmt.Sprintf("`volume` says that there are several %s per %s, and the keys of the table hold nothing that tells them apart.", e.Name.Text, c.volume.Per.Text)
	f.Fix = fmt.Sprintf("Add to a key of the table what tells one %s from another of the same %s.", e.Name.Text, c.volume.Per.Text)
	f.Related = []diag.Related{{Span: c.volume.At, Text: "the declared volume"}}
	f.Counterexample = &diag.Counterexample{Items: []diag.CounterItem{t.crowded(c.first, c), t.crowded(c.second, c)}}
	return finding{f, "crowd " + e.Name.Text, []*model.Entity{e}}
}

// crowded is an item of the crowd, with what makes it another one.
func (t *trial) crowded(r record, c crowd) diag.CounterItem {
	item := t.storedItem("stored", r)
	for _, a := range r.in.Entity.Attributes {
		if name := a.Name.Text; !value.Equal(c.first.in.Item[name], c.second.in.Item[name]) {
			item.Attributes = append(item.Attributes, diag.Binding{Name: name, Value: r.in.Item[name].String()})
		}
	}
	return item
}
