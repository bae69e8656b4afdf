package rehearsal

import (
	"errors"
	"maps"
	"slices"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/data"
	"github.com/dynmodel/dynmodel/model/encode"
	"github.com/dynmodel/dynmodel/model/migration"
	"github.com/dynmodel/dynmodel/validate/oracle"
)

// convert says of each item what it is in the new model. What only an
// application could say gets the plainest values that keep items apart, as those
// of an application would; what follows from other attributes and items is
// worked out.
func (p *play) convert() {
	made := &made{model: p.Migration.New.Model, values: data.New(p.Migration.New.Model, data.Options{Seed: p.Seed, Now: now}), taken: map[string]bool{}}
	fresh := map[*held]model.Instance{}
	var open []*held
	lacks := map[*held][]*model.Attribute{}
	for _, h := range p.held {
		pair := p.Migration.Pair(h.old.Entity)
		if pair == nil {
			continue
		}
		item, err := pair.Convert(h.old.Item, now)
		fresh[h] = model.Instance{Entity: pair.New, Item: item}
		var u *migration.Unconvertible
		if errors.As(err, &u) {
			for _, l := range u.Lacks {
				lacks[h] = append(lacks[h], l.Attribute)
			}
			open = append(open, h)
			continue
		}
		fresh[h] = data.Derived(fresh[h])
		made.take(fresh[h])
	}
	for _, h := range open {
		fresh[h] = made.complete(fresh[h], lacks[h])
		made.take(fresh[h])
	}
	p.settleTallies(fresh)
}

// settleTallies gives the held items their new form, with counts and sums as
// they are over all of them.
func (p *play) settleTallies(fresh map[*held]model.Instance) {
	var there []model.Instance
	for _, h := range p.held {
		if in, ok := fresh[h]; ok {
			there = append(there, in)
		}
	}
	tallied := oracle.Tallied(there)
	for _, h := range p.held {
		if _, ok := fresh[h]; ok {
			h.new, tallied = tallied[0], tallied[1:]
		}
	}
}

// made are the items of the new model as far as they are worked out.
type made struct {
	model  *model.Model
	values *data.Generator
	taken  map[string]bool // keys of items and guards
}

// mostTried is how many values of what an item lacks are tried to keep it apart.
const mostTried = 1000

// complete gives an item what it lacks: the first values with which no other
// item has its key or a unique value of it, else the plainest.
func (m *made) complete(in model.Instance, lacks []*model.Attribute) model.Instance {
	plainest := m.filled(in, lacks, 0)
	telling := slices.DeleteFunc(slices.Clone(lacks), func(a *model.Attribute) bool { return !m.tells(plainest, a) })
	combinations := 1
	for _, a := range telling {
		combinations = min(mostTried, combinations*len(m.values.Values(a)))
	}
	for n := range combinations {
		full := m.filled(plainest, telling, n)
		if !slices.ContainsFunc(m.keys(full), func(k string) bool { return m.taken[k] }) {
			return full
		}
	}
	return plainest
}

// tells tells whether an attribute can keep an item apart from others: another
// value of it makes another key.
func (m *made) tells(in model.Instance, a *model.Attribute) bool {
	return len(m.values.Values(a)) > 1 && !slices.Equal(m.keys(in), m.keys(m.filled(in, []*model.Attribute{a}, 1)))
}

// filled is an item with the nth combination of values of some attributes.
func (m *made) filled(in model.Instance, attributes []*model.Attribute, n int) model.Instance {
	item := maps.Clone(in.Item)
	for _, a := range attributes {
		if values := m.values.Values(a); len(values) > 0 {
			item[a.Name.Text] = values[n%len(values)]
			n /= len(values)
		}
	}
	return data.Derived(model.Instance{Entity: in.Entity, Item: item})
}

// take notes where an item and its guards will be.
func (m *made) take(in model.Instance) {
	for _, k := range m.keys(in) {
		m.taken[k] = true
	}
}

// keys are the table keys of an item and of its guards. An item that cannot be
// stored has none: the comparison at the end says so.
func (m *made) keys(in model.Instance) []string {
	stored, err := encode.Item(m.model, in.Entity, in.Item, nil)
	if err != nil {
		return nil
	}
	out := []string{keyText(m.model.Table, stored)}
	guards, err := encode.Guards(m.model, in.Entity, in.Item)
	if err != nil {
		return nil
	}
	for _, g := range guards {
		out = append(out, keyText(m.model.Table, g.Key))
	}
	return out
}
