package migration

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/encode"
	"github.com/dynmodel/dynmodel/model/value"
)

// Pair is an entity that both models have.
type Pair struct {
	Old, New *model.Entity
	// from are the old attributes by the names of the new ones.
	from map[string]*model.Attribute
}

// pairs matches the entities of two models: by the renames, by name, by the
// type name that items carry, and then by equal templates of the table's keys.
func pairs(old, new *model.Model, renames Renames) []*Pair {
	taken := map[*model.Entity]bool{}
	match := map[*model.Entity]*model.Entity{}
	for _, alike := range []func(o, n *model.Entity) bool{
		func(o, n *model.Entity) bool { return renames[o.Name.Text] == n.Name.Text },
		func(o, n *model.Entity) bool { return o.Name.Text == n.Name.Text },
		func(o, n *model.Entity) bool { return o.Type == n.Type },
		func(o, n *model.Entity) bool { return sameTableKeys(old.Table, new.Table, o, n) },
	} {
		for _, n := range new.Entities {
			for _, o := range old.Entities {
				if match[n] == nil && !taken[o] && alike(o, n) {
					match[n], taken[o] = o, true
				}
			}
		}
	}
	var out []*Pair
	for _, n := range new.Entities {
		if o := match[n]; o != nil {
			out = append(out, newPair(o, n, renames))
		}
	}
	return out
}

func newPair(old, new *model.Entity, renames Renames) *Pair {
	p := &Pair{Old: old, New: new, from: map[string]*model.Attribute{}}
	for _, a := range old.Attributes {
		name := a.Name.Text
		if to, ok := renames[old.Name.Text+"."+name]; ok {
			name = to
		}
		if new.Attribute(name) != nil {
			p.from[name] = a
		}
	}
	return p
}

// sameTableKeys tells whether two entities make the table's keys by templates
// that read alike.
func sameTableKeys(old, new *model.Table, o, n *model.Entity) bool {
	for i, k := range new.Keys() {
		if i >= len(old.Keys()) || templateText(old, o, old.Keys()[i].Name) != templateText(new, n, k.Name) {
			return false
		}
	}
	return true
}

// templateText is how an entity makes a key attribute, with the condition under
// which it does; "" when it does not.
func templateText(t *model.Table, e *model.Entity, attribute string) string {
	template, ok := encode.KeyTemplate(t, e, attribute)
	if !ok {
		return ""
	}
	text := template.Text
	if text == "" {
		text = "{" + attribute + "}"
	}
	if k := e.Key(attribute); k != nil && k.When != nil {
		text += " when " + k.When.Text
	}
	return text
}

// From is the old attribute that a new one takes its value from, or nil.
func (p *Pair) From(a *model.Attribute) *model.Attribute { return p.from[a.Name.Text] }

// Gone are the old attributes that the new model has no more.
func (p *Pair) Gone() []*model.Attribute {
	kept := map[*model.Attribute]bool{}
	for _, a := range p.from {
		kept[a] = true
	}
	return slices.DeleteFunc(slices.Clone(p.Old.Attributes), func(a *model.Attribute) bool { return kept[a] })
}

// Convert is what an item of the old model is in the new one. An attribute that
// has no value of its own yet gets its default, and a version becomes 1. The
// error is an *Unconvertible: what only the application can say.
func (p *Pair) Convert(item model.Item, now time.Time) (model.Item, error) {
	out := model.Item{}
	var lacks []Lack
	for _, a := range p.New.Attributes {
		v, reason := p.value(a, item, now)
		switch {
		case v.Exists():
			out[a.Name.Text] = v
		case reason != "" || !a.Optional && !computed(a):
			lacks = append(lacks, Lack{a, reason})
		}
	}
	out = encode.Normalise(p.New, out)
	if len(lacks) > 0 {
		return out, &Unconvertible{p.New, lacks}
	}
	return out, nil
}

// value is a new attribute's value in an old item; or why it has none.
func (p *Pair) value(a *model.Attribute, item model.Item, now time.Time) (value.Value, string) {
	old := p.From(a)
	var v value.Value
	if old != nil {
		v = item[old.Name.Text]
	}
	if v.Exists() {
		converted := retyped(old, a, v)
		if !converted.Exists() {
			return converted, fmt.Sprintf("%s %s cannot be read as %s", old.Type, v, a.Type)
		}
		if err := a.Check(converted); err != nil {
			return value.Value{}, fmt.Sprintf("%s %v", converted, err)
		}
		return converted, ""
	}
	switch {
	case a.Version:
		return value.OfInt(1), ""
	case a.DefaultNow != nil || a.OnWrite != nil:
		v, _ := encode.OfTime(a, now)
		return v, ""
	}
	return a.Default, ""
}

// computed tells whether an attribute's value follows from other attributes or
// other items.
func computed(a *model.Attribute) bool {
	return a.Derive != nil || a.Aggregate != nil || a.CopyOf != nil
}

// retyped is a value of one attribute in the type of another; absent when it
// cannot be read as that.
func retyped(from, to *model.Attribute, v value.Value) value.Value {
	if from.Type == to.Type && from.Domain.Precision == to.Domain.Precision {
		return v
	}
	if from.Type.HasTime() && to.Type.IsTime() {
		at, ok := encode.Time(v, from.Type)
		if !ok {
			return value.Value{}
		}
		out, _ := encode.OfTime(to, at)
		return out
	}
	switch want := to.Type.Kind(); {
	case want == v.Kind() || want == value.None:
		return v
	case want == value.String && v.Kind() == value.Number:
		return value.OfString(v.Text())
	case want == value.Number && v.Kind() == value.String:
		n, err := value.OfNumber(v.Text())
		if err != nil {
			return value.Value{}
		}
		return n
	}
	return value.Value{}
}

// Lack is an attribute for which an item has no fitting value.
type Lack struct {
	Attribute *model.Attribute
	Reason    string // "" when there is no value at all
}

// Unconvertible says which attributes of an item need a value that only the
// application can give.
type Unconvertible struct {
	Entity *model.Entity
	Lacks  []Lack
}

func (u *Unconvertible) Error() string {
	parts := make([]string, len(u.Lacks))
	for i, l := range u.Lacks {
		parts[i] = l.Attribute.Name.Text
		if l.Reason != "" {
			parts[i] += " (" + l.Reason + ")"
		}
	}
	return fmt.Sprintf("%s needs a value for %s", u.Entity.Name.Text, strings.Join(parts, ", "))
}
