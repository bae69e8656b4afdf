package migration

import (
	"fmt"
	"slices"
	"strings"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/expr"
)

// entityChanges are the differences of entities and what they store.
func (m *Migration) entityChanges() []Change {
	var out []Change
	for _, n := range m.New.Model.Entities {
		p := m.pairOfNew(n)
		if p == nil {
			out = append(out, Change{KindCode, "entity " + n.Name.Text, "new"})
			continue
		}
		out = append(out, m.pairChanges(p)...)
	}
	for _, o := range m.Old.Model.Entities {
		if m.Pair(o) == nil {
			out = append(out, Change{KindBackfill, "entity " + o.Name.Text, "gone; its items stay until they are deleted"})
		}
	}
	return out
}

func (m *Migration) pairOfNew(n *model.Entity) *Pair {
	i := slices.IndexFunc(m.Pairs, func(p *Pair) bool { return p.New == n })
	if i < 0 {
		return nil
	}
	return m.Pairs[i]
}

func (m *Migration) pairChanges(p *Pair) []Change {
	subject := "entity " + p.New.Name.Text
	var out []Change
	if p.Old.Name.Text != p.New.Name.Text {
		out = append(out, Change{KindCode, subject, "was " + p.Old.Name.Text})
	}
	if was, is := m.typeText(m.Old.Model.Table, p.Old), m.typeText(m.New.Model.Table, p.New); was != is {
		out = append(out, Change{KindBackfill, subject, fmt.Sprintf("its items carried %s, carry %s", was, is)})
	}
	for _, k := range m.keyDiffs(p) {
		out = append(out, Change{KindBackfill, subject, fmt.Sprintf("%s was %s, is %s", k.attribute, orNone(k.was), orNone(k.is))})
	}
	out = append(out, p.uniqueChanges(subject)...)
	for _, a := range p.New.Attributes {
		if c := p.attributeChange(a); c != nil {
			out = append(out, *c)
		}
	}
	for _, a := range p.Gone() {
		out = append(out, Change{KindCode, attributeSubject(p.New, a), "gone; what items hold of it stays until it is removed"})
	}
	return out
}

// typeText says in which attribute items carry what as their type.
func (m *Migration) typeText(t *model.Table, e *model.Entity) string {
	if t.EntityType == "" {
		return "no type"
	}
	return fmt.Sprintf("%s = %s", t.EntityType, e.Type)
}

// keyDiff is a key attribute that an entity makes otherwise.
type keyDiff struct {
	attribute string
	was, is   string // templates; "" for none
}

// keyDiffs are the key attributes, of the tables and their indexes, that the
// two entities of a pair make by different templates.
func (m *Migration) keyDiffs(p *Pair) []keyDiff {
	var out []keyDiff
	for _, name := range keyNames(m.New.Model.Table, m.Old.Model.Table) {
		was, is := p.renamed(templateText(m.Old.Model.Table, p.Old, name)), templateText(m.New.Model.Table, p.New, name)
		if was != is && !p.alreadyStored(name, was, is) {
			out = append(out, keyDiff{name, was, is})
		}
	}
	return out
}

// alreadyStored tells whether a key attribute is an attribute of its own that
// the items have under that name, whether it keys anything or not.
func (p *Pair) alreadyStored(key, was, is string) bool {
	own := "{" + key + "}"
	return (was == own || was == "") && (is == own || is == "") && p.Old.Attribute(key) != nil && p.New.Attribute(key) != nil
}

// renamed is an old template with its attributes under their new names.
func (p *Pair) renamed(template string) string {
	for _, a := range p.New.Attributes {
		if old := p.From(a); old != nil && old.Name.Text != a.Name.Text {
			template = strings.NewReplacer("{"+old.Name.Text+"}", "{"+a.Name.Text+"}", "{"+old.Name.Text+"|", "{"+a.Name.Text+"|").Replace(template)
		}
	}
	return template
}

// keyNames are the key attributes of several tables and their indexes, each once.
func keyNames(tables ...*model.Table) []string {
	var out []string
	add := func(keys []model.KeyAttribute) {
		for _, k := range keys {
			if !slices.Contains(out, k.Name) {
				out = append(out, k.Name)
			}
		}
	}
	for _, t := range tables {
		add(t.Keys())
		for _, x := range t.Indexes {
			add(x.Keys())
		}
	}
	return out
}

func (p *Pair) uniqueChanges(subject string) []Change {
	was, is := uniques(p.Old), uniques(p.New)
	var out []Change
	for _, u := range is {
		if !slices.Contains(was, u) {
			out = append(out, Change{KindBackfill, subject, "now unique: " + u + "; each item needs its guard"})
		}
	}
	for _, u := range was {
		if !slices.Contains(is, u) {
			out = append(out, Change{KindBackfill, subject, "no longer unique: " + u + "; its guards stay until they are deleted"})
		}
	}
	return out
}

// uniques says of each unique constraint what it is on, and how its guards are keyed.
func uniques(e *model.Entity) []string {
	out := make([]string, len(e.Unique))
	for i, u := range e.Unique {
		names := make([]string, len(u.Of))
		for j, a := range u.Of {
			names[j] = a.Name.Text
		}
		out[i] = strings.Join(names, ", ")
		for _, k := range u.Keys {
			out[i] += fmt.Sprintf(", %s: %s", k.Name.Text, k.Template.Text)
		}
		if u.When != nil {
			out[i] += " when " + u.When.Text
		}
	}
	return out
}

func attributeSubject(e *model.Entity, a *model.Attribute) string {
	return "attribute " + e.Name.Text + "." + a.Name.Text
}

// attributeChange is how an attribute differs from what it was, nil when it does not.
func (p *Pair) attributeChange(a *model.Attribute) *Change {
	subject, old := attributeSubject(p.New, a), p.From(a)
	switch {
	case old == nil && p.fills(a):
		return &Change{KindBackfill, subject, "new; existing items get " + fillText(a)}
	case old == nil && a.Optional:
		return &Change{KindCode, subject, "new and optional"}
	case old == nil:
		return &Change{KindBackfill, subject, "new; existing items need a value that only the application knows"}
	case old.Name.Text != a.Name.Text:
		return &Change{KindBackfill, subject, "was named " + old.Name.Text}
	case storedOtherwise(old, a):
		return &Change{KindBackfill, subject, fmt.Sprintf("was %s, is %s", typeText(old), typeText(a))}
	case old.Stored != a.Stored && a.Stored != "":
		return &Change{KindBackfill, subject, fmt.Sprintf("is stored in %s case", a.Stored)}
	case old.Optional && !a.Optional:
		return &Change{KindBackfill, subject, "was optional; items without it get " + fillText(a)}
	case !old.Optional && a.Optional:
		return &Change{KindCode, subject, "is optional now"}
	case computedText(old) != computedText(a):
		return &Change{KindBackfill, subject, "is worked out otherwise: " + orNone(computedText(a))}
	case old.Type != a.Type:
		return &Change{KindCode, subject, narrowing(old, a, typeText)}
	case domainText(old) != domainText(a) && !(covers(old, a) && covers(a, old)):
		return &Change{KindCode, subject, narrowing(old, a, domainText)}
	}
	return nil
}

// fills tells whether an item without the attribute gets a value without asking anyone.
func (p *Pair) fills(a *model.Attribute) bool {
	return a.Version || a.HasDefault() || a.OnWrite != nil || computed(a) && !a.Optional
}

// computedText says what an attribute is computed from; "" for one that is not.
func computedText(a *model.Attribute) string {
	switch {
	case a.Derive != nil:
		return expr.String(a.Derive.Expr)
	case a.CopyOf != nil:
		return "copy of " + a.CopyOf.Entity.Name.Text + "." + a.CopyOf.Attribute.Name.Text
	case a.Aggregate != nil:
		text := "count of " + a.Aggregate.Source.Name.Text
		if a.Aggregate.Sum != nil {
			text = "sum of " + a.Aggregate.Source.Name.Text + "." + a.Aggregate.Sum.Name.Text
		}
		if a.Aggregate.Where != nil {
			text += " where " + a.Aggregate.Where.Text
		}
		return text
	}
	return ""
}

func fillText(a *model.Attribute) string {
	switch {
	case a.Version:
		return "version 1"
	case a.Aggregate != nil:
		return "the count or sum over the items that are there"
	case a.CopyOf != nil:
		return "a copy of " + a.CopyOf.Entity.Name.Text + "." + a.CopyOf.Attribute.Name.Text
	case a.Derive != nil:
		return "what it derives from"
	case a.DefaultNow != nil, a.OnWrite != nil:
		return "the time of the backfill"
	case a.Default.Exists():
		return "its default, " + a.Default.String()
	}
	return "a value that only the application knows"
}

// storedOtherwise tells whether the same value of two attributes is stored in
// two ways.
func storedOtherwise(old, new *model.Attribute) bool {
	if old.Type.Kind() != new.Type.Kind() {
		return true
	}
	times := old.Type.IsTime() || new.Type.IsTime()
	return times && (old.Type != new.Type || old.Domain.Precision != new.Domain.Precision)
}

func typeText(a *model.Attribute) string {
	if a.Domain.Precision != "" && a.Type == model.TypeDatetime {
		return fmt.Sprintf("%s (%s)", a.Type, a.Domain.Precision)
	}
	return string(a.Type)
}
