package verify

import (
	"fmt"
	"slices"
	"strings"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/diag"
	"github.com/dynmodel/dynmodel/model/value"
)

// crowd is an entity of which several items have one primary key, by what the
// model says beside its keys: each is stored over the one before.
type crowd struct {
	first, second *record
	message       string
	why, fix      string
	related       []diag.Related
}

// noteCrowd looks for what contradicts the entity's identity, where that is
// only what its keys hold: a declared number, or an id of its own.
func (t *trial) noteCrowd(e *model.Entity, s *set) {
	if c, ok := t.numbered(e, s); ok {
		t.crowds = append(t.crowds, c)
	} else if c, ok := t.clocked(e, s); ok {
		t.crowds = append(t.crowds, c)
	}
}

// numbered is a crowd of which the model declares many items for each one of
// something, while the keys tell only those somethings apart.
func (t *trial) numbered(e *model.Entity, s *set) (crowd, bool) {
	for _, v := range e.Volumes {
		if v.Count.Max <= 1 && v.Rate == nil || !onlyBy(e, v) {
			continue
		}
		first, second, ok := otherwise(e, s, func(a *model.Attribute) bool { return !identifies(e, a) })
		return crowd{
			first: first, second: second,
			message: fmt.Sprintf("all items of %s for one %s have one primary key", e.Name.Text, v.Per.Text),
			why:     fmt.Sprintf("`volume` says that there are several %s per %s, and the keys of the table hold nothing that tells them apart.", e.Name.Text, v.Per.Text),
			fix:     fmt.Sprintf("Add to a key of the table what tells one %s from another of the same %s.", e.Name.Text, v.Per.Text),
			related: []diag.Related{{Span: v.At, Text: "the declared volume"}},
		}, ok
	}
	return crowd{}, false
}

// clocked is a crowd of items that have an id of their own, while the keys tell
// them apart by a point in time only.
func (t *trial) clocked(e *model.Entity, s *set) (crowd, bool) {
	id, at := ownID(e), instantOf(e)
	if id == nil || at == nil || e.IdentityDeclared {
		return crowd{}, false
	}
	first, second, ok := otherwise(e, s, func(a *model.Attribute) bool { return a == id })
	return crowd{
		first: first, second: second,
		message: fmt.Sprintf("two items of %s with the same %s can have one primary key", e.Name.Text, at.Name.Text),
		why:     fmt.Sprintf("%s tells one %s from another, and is in no key of the table: two that come at the same moment overwrite or refuse each other.", id.Name.Text, e.Name.Text),
		fix:     fmt.Sprintf("Put {%s} behind {%s} in the key, or declare `identity` if there can be only one.", id.Name.Text, at.Name.Text),
	}, ok
}

// ownID is the attribute that is named as the entity's id and does not identify
// it, nil when there is none: orderId of Order, eventId of AuditEvent.
func ownID(e *model.Entity) *model.Attribute {
	for _, a := range e.Attributes {
		name, isID := strings.CutSuffix(strings.ToLower(a.Name.Text), "id")
		unique := slices.ContainsFunc(e.Unique, func(u *model.Unique) bool { return len(u.Of) == 1 && u.Of[0] == a })
		if isID && a.Type.IsID() && a.Ref == nil && !a.Optional && !unique && !identifies(e, a) &&
			strings.HasSuffix(strings.ToLower(e.Name.Text), strings.TrimRight(name, "_-")) {
			return a
		}
	}
	return nil
}

// instantOf is an attribute of the entity's identity that is a point in time.
func instantOf(e *model.Entity) *model.Attribute {
	for _, p := range e.Identity {
		switch p.Attribute.Type {
		case model.TypeDatetime, model.TypeEpoch, model.TypeEpochMS:
			return p.Attribute
		}
	}
	return nil
}

// onlyBy tells whether nothing identifies an item of the entity but what its
// number is declared for.
func onlyBy(e *model.Entity, v *model.Volume) bool {
	if v.PerAttribute == nil {
		return false
	}
	return !slices.ContainsFunc(e.Identity, func(p model.IdentityPart) bool { return !leadsToParent(v, p.Attribute) })
}

// leadsToParent tells whether an attribute says what the item is counted under.
func leadsToParent(v *model.Volume, a *model.Attribute) bool {
	by := v.PerAttribute
	return a == by || by.Ref != nil && slices.ContainsFunc(by.Ref.With, func(p model.RefPart) bool { return p.Own == a })
}

// otherwise is an item, and the same with another item's value of an attribute
// that is asked for; false when there are no such two.
func otherwise(e *model.Entity, s *set, wanted func(*model.Attribute) bool) (first, second *record, ok bool) {
	items := s.items(e)
	for i, r := range items {
		for _, other := range items[i+1:] {
			for _, a := range e.Attributes {
				v := other.in.Item[a.Name.Text]
				if !wanted(a) || !v.Exists() || value.Equal(v, r.in.Item[a.Name.Text]) {
					continue
				}
				twin := *r
				twin.in = with(r.in, a, v)
				return r, &twin, true
			}
		}
	}
	return nil, nil, false
}

// crowdFinding reports several items under one key.
func (t *trial) crowdFinding(c crowd) finding {
	e := c.first.in.Entity
	f := diag.Finding{Rule: diag.KeyCollision, Severity: diag.Error, Span: keySpan(t.model.Table, e), Entity: e.Name.Text,
		Message: c.message, Why: c.why, Fix: c.fix, Related: c.related}
	f.Counterexample = &diag.Counterexample{Items: []diag.CounterItem{t.crowded(c.first, c), t.crowded(c.second, c)}}
	return finding{f, "crowd " + e.Name.Text, []*model.Entity{e}}
}

// crowded is an item of the crowd, with what makes it another one.
func (t *trial) crowded(r *record, c crowd) diag.CounterItem {
	item := t.storedItem("stored", r)
	for _, a := range r.in.Entity.Attributes {
		if name := a.Name.Text; !value.Equal(c.first.in.Item[name], c.second.in.Item[name]) {
			item.Attributes = append(item.Attributes, diag.Binding{Name: name, Value: r.in.Item[name].String()})
		}
	}
	return item
}
