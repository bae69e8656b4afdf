package verify

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/data"
	"github.com/dynmodel/dynmodel/model/diag"
	"github.com/dynmodel/dynmodel/model/encode"
	"github.com/dynmodel/dynmodel/model/source"
	"github.com/dynmodel/dynmodel/model/value"
)

// noteWorld keeps what loading the world has shown, and would show with an item
// that differs from another one in a single attribute: two things on one key,
// and one item under two keys.
func (t *trial) noteWorld(s *set) {
	for _, c := range s.clashes {
		t.noteClash(c)
	}
	for _, e := range t.model.Entities {
		for _, a := range e.Attributes {
			t.noteTwins(e, a, s)
		}
		t.noteCrowd(e, s)
	}
}

func (t *trial) noteClash(c clash) {
	if !slices.ContainsFunc(t.clashes, func(d clash) bool { return clashText(c) == clashText(d) }) {
		t.clashes = append(t.clashes, c)
	}
}

// shareMinted tells whether two items of one entity have one minted id, as no
// two items ever have.
func shareMinted(a, b model.Instance) bool {
	return a.Entity == b.Entity && slices.ContainsFunc(a.Entity.Attributes, func(id *model.Attribute) bool {
		return id.Minted && value.Equal(a.Item[id.Name.Text], b.Item[id.Name.Text])
	})
}

// noteTwins takes the value of an attribute from one item over to another. An
// attribute that identifies the item must change its key, and one that does not
// must leave it.
func (t *trial) noteTwins(e *model.Entity, a *model.Attribute, s *set) {
	identity := identifies(e, a)
	switch {
	case minted(e) && !a.Minted: // two items of one minted id are never made
		return
	case identity && t.wholeInTableKey(e, a):
		return
	case !identity && !(t.inTableKey(e, a) && t.made(e)):
		return
	}
	items := s.items(e)
	for i, r := range items {
		for _, other := range items[i+1:] {
			if t.noteTwin(r, a, other.in.Item[a.Name.Text]) {
				return
			}
		}
		if identity {
			return // one item shows it as well as another
		}
	}
}

// noteTwin holds an item against the same one with another value of an
// attribute; true when it has found something.
func (t *trial) noteTwin(r *record, a *model.Attribute, v value.Value) bool {
	if !v.Exists() {
		return false
	}
	twins, err := recordsOf(t.model, with(r.in, a, v), first(0))
	if err != nil {
		return false
	}
	c := clash{r, twins[0]}
	switch {
	case c.first.key == c.second.key && c.first.id != c.second.id:
		t.noteClash(c)
	case c.first.key != c.second.key && c.first.id == c.second.id && len(t.doubles) == 0:
		t.doubles = append(t.doubles, c)
	default:
		return false
	}
	return true
}

// clashText tells clashes apart: by the two entities, and whether guards are among them.
func clashText(c clash) string {
	a, b := thing(c.first), thing(c.second)
	return min(a, b) + " " + max(a, b)
}

// with is the item with another value of an attribute.
func with(in model.Instance, a *model.Attribute, v value.Value) model.Instance {
	item := maps.Clone(in.Item)
	item[a.Name.Text] = v
	return model.Instance{Entity: in.Entity, Item: item}
}

// worldFindings are the findings about entities that loading the world gave.
func (t *trial) worldFindings() []finding {
	var out []finding
	for _, c := range t.clashes {
		c = t.simplerClash(c, func(a, b *record) bool { return a.key == b.key && !sameThing(a, b) })
		out = append(out, t.clashFinding(c))
	}
	for _, c := range t.crowds {
		out = append(out, t.crowdFinding(c))
	}
	for _, c := range t.doubles {
		c = t.simplerClash(c, func(a, b *record) bool { return a.key != b.key && sameThing(a, b) })
		out = append(out, t.doubleFinding(c))
	}
	return out
}

// simplerClash simplifies the values of two items for as long as they clash.
func (t *trial) simplerClash(c clash, still func(a, b *record) bool) clash {
	for again := true; again; {
		again = false
		for _, smaller := range simplerPairs([]model.Instance{c.first.in, c.second.in}) {
			a, aok := t.recordLike(smaller[0], c.first)
			b, bok := t.recordLike(smaller[1], c.second)
			if aok && bok && still(a, b) {
				c, again = clash{a, b}, true
				break
			}
		}
	}
	return c
}

// simplerPairs are the two items with one value simplified everywhere, or an
// optional attribute left out.
func simplerPairs(items []model.Instance) [][]model.Instance {
	var out [][]model.Instance
	for i, in := range items {
		for _, less := range data.Without(in) {
			pair := slices.Clone(items)
			pair[i] = less
			out = append(out, pair)
		}
	}
	for _, v := range valuesOf(items, nil, &model.Pattern{}) {
		for _, simpler := range firstFew(data.Simpler(v.like, v.value)) {
			if pair, _, ok := replaced(items, nil, &model.Pattern{}, v.value, simpler); ok {
				out = append(out, pair)
			}
		}
	}
	return out
}

// recordLike is the record of an item that stands for the same as another: the
// item itself, or the guard of the same rule.
func (t *trial) recordLike(in model.Instance, like *record) (*record, bool) {
	records, err := recordsOf(t.model, in, first(0))
	if err != nil {
		return nil, false
	}
	i := slices.IndexFunc(records, func(r *record) bool { return r.guard == like.guard })
	if i < 0 {
		return nil, false
	}
	return records[i], true
}

// clashFinding reports two things on one key.
func (t *trial) clashFinding(c clash) finding {
	a, b := c.first, c.second
	f := diag.Finding{Rule: diag.KeyCollision, Severity: diag.Error, Span: keySpan(t.model.Table, b.in.Entity), Entity: b.in.Entity.Name.Text}
	f.Message = fmt.Sprintf("two different items of %s have one primary key", b.in.Entity.Name.Text)
	switch {
	case a.in.Entity == b.in.Entity && a.guard == b.guard && a.guard != nil:
		f.Message = fmt.Sprintf("two different values of %s of %s have one guard", uniqueText(a.guard), a.in.Entity.Name.Text)
	case a.in.Entity != b.in.Entity || a.guard != b.guard:
		f.Message = fmt.Sprintf("%s and %s can have one primary key", thing(a), thing(b))
	}
	if b.guard != nil && b.guard.At.Known() {
		f.Span = b.guard.At
	}
	f.Counterexample = &diag.Counterexample{Items: []diag.CounterItem{t.storedItem("stored", a), t.storedItem("stored", b)}}
	e := t.explainClash(c)
	f.Why, f.Fix, f.Cause = e.why, e.fix, t.clashAt(c)
	return finding{f, "clash " + clashText(c), []*model.Entity{a.in.Entity, b.in.Entity}}
}

func thing(r *record) string {
	if r.guard != nil {
		var of []string
		for _, a := range r.guard.Of {
			of = append(of, a.Name.Text)
		}
		return "the guard of " + strings.Join(of, " and ") + " of " + r.in.Entity.Name.Text
	}
	return "an item of " + r.in.Entity.Name.Text
}

// keySpan is where the table's key templates of an entity stand: the last one.
func keySpan(t *model.Table, e *model.Entity) (s source.Span) {
	s = e.Name.At
	for _, k := range t.Keys() {
		if key := e.Key(k.Name); key != nil && key.At.Known() {
			s = key.At
		}
	}
	return s
}

// doubleFinding reports an identity that can be stored under two keys.
func (t *trial) doubleFinding(c clash) finding {
	e := c.first.in.Entity
	f := diag.Finding{Rule: diag.DuplicateIdentity, Severity: diag.Error, Span: keySpan(t.model.Table, e), Entity: e.Name.Text,
		Message: fmt.Sprintf("one %s can be stored under two primary keys", e.Name.Text)}
	f.Counterexample = &diag.Counterexample{Items: []diag.CounterItem{t.storedItem("stored", c.first), t.storedItem("stored", c.second)}}
	f.Why, f.Fix = t.doubleText(c)
	return finding{f, "double " + e.Name.Text, []*model.Entity{e}}
}

// doubleText explains an identity under two keys.
func (t *trial) doubleText(c clash) (why, fix string) {
	for _, a := range c.first.in.Entity.Attributes {
		name := a.Name.Text
		if !value.Equal(c.first.in.Item[name], c.second.in.Item[name]) {
			why = fmt.Sprintf("%s is part of the primary key and not of the identity: with another %s the same %s gets another key, and a second create of it is not refused.",
				name, name, c.first.in.Entity.Name.Text)
			fix = fmt.Sprintf("Take %s out of the table's keys, or add it to `identity`.", name)
		}
	}
	return why, fix
}

// storedItem is a record with its attributes and table keys.
func (t *trial) storedItem(role string, r *record) diag.CounterItem {
	item := diag.CounterItem{Role: role, Keys: t.keysShown(&failure{}, r.item)}
	if r.guard != nil {
		item.Role = "guard"
	}
	item.Entity = r.in.Entity.Name.Text
	for _, a := range r.in.Entity.Attributes {
		if v := r.in.Item[a.Name.Text]; v.Exists() && (identifies(r.in.Entity, a) || t.inTableKey(r.in.Entity, a) || guards(r.guard, a)) {
			item.Attributes = append(item.Attributes, diag.Binding{Name: a.Name.Text, Value: v.String()})
		}
	}
	return item
}

func guards(u *model.Unique, a *model.Attribute) bool { return u != nil && slices.Contains(u.Of, a) }

func (t *trial) inTableKey(e *model.Entity, a *model.Attribute) bool {
	return slices.ContainsFunc(t.model.Table.Keys(), func(k model.KeyAttribute) bool {
		template, _ := encode.KeyTemplate(t.model.Table, e, k.Name)
		return slices.ContainsFunc(template.Parts, func(p model.Part) bool { return p.Attribute == a })
	})
}

// wholeInTableKey tells whether a key of the table holds the attribute as it is.
func (t *trial) wholeInTableKey(e *model.Entity, a *model.Attribute) bool {
	return slices.ContainsFunc(t.model.Table.Keys(), func(k model.KeyAttribute) bool {
		template, _ := encode.KeyTemplate(t.model.Table, e, k.Name)
		return slices.ContainsFunc(template.Parts, func(p model.Part) bool {
			return p.Attribute == a && p.Path.Top() && len(p.Funcs) == 0
		})
	})
}

// made tells whether some pattern makes items of the entity.
func (t *trial) made(e *model.Entity) bool {
	return slices.ContainsFunc(t.model.Patterns, func(p *model.Pattern) bool {
		return slices.ContainsFunc(p.AllSteps(), func(s *model.Step) bool {
			return s.Entity == e && (s.Operation == model.Create || s.Operation == model.Put)
		})
	})
}

// entityFinding turns a finding of a write that is about entities into one
// that says so, and is reported once.
func (t *trial) entityFinding(f diag.Finding, of *failure) finding {
	if of.kind == collided {
		mine, _ := recordsOf(t.model, of.culprits[0], first(0))
		i := slices.IndexFunc(mine, func(r *record) bool { return r.key == of.record.key && !sameThing(r, of.record) })
		return t.clashFinding(clash{of.record, mine[i]})
	}
	f.Entity = of.step.Entity.Name.Text
	f.Span = keySpan(t.model.Table, of.step.Entity)
	return finding{f, "double " + f.Entity, []*model.Entity{of.step.Entity}}
}
