package simulation

import (
	"math"
	"slices"
	"time"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/encode"
	"github.com/dynmodel/dynmodel/model/load"
	"github.com/dynmodel/dynmodel/model/plan"
)

// Collection is the items under one partition key value of the table, as they
// become more with time.
type Collection struct {
	Key      string // how they write the partition key
	Entities []*model.Entity
	// Sizes are by Ages.
	Sizes []CollectionSize
	// Limited tells that a local index limits the collection to 10 GB
	// (Developer Guide, "Item collection size limit").
	Limited bool
}

// CollectionSize is the mean and the largest collection at some age.
type CollectionSize struct {
	Items, Most      float64
	Bytes, MostBytes float64
	Known            bool // that volumes are declared for all of its entities
}

// Ages are the ages at which collections are looked at.
func Ages() []time.Duration {
	const day = 24 * time.Hour
	return []time.Duration{0, 30 * day, 365 * day, 3 * 365 * day}
}

// MaxCollection is the most bytes of an item collection in a table with a local index.
const MaxCollection = 10 << 30

// Collections are the item collections of a table. Those that are single items
// are left out.
func Collections(m *model.Model, planner *plan.Planner) []Collection {
	var out []Collection
	local := slices.ContainsFunc(m.Table.Indexes, func(x *model.Index) bool { return x.Local })
	for _, e := range m.Entities {
		template, ok := encode.KeyTemplate(m.Table, e, m.Table.PartitionKey.Name)
		if !ok {
			continue
		}
		key := shape(template)
		i := slices.IndexFunc(out, func(c Collection) bool { return c.Key == key })
		if i < 0 {
			out = append(out, Collection{Key: key, Limited: local})
			i = len(out) - 1
		}
		out[i].Entities = append(out[i].Entities, e)
	}
	for i := range out {
		for _, age := range Ages() {
			out[i].Sizes = append(out[i].Sizes, sizeAt(m, planner, out[i].Entities, age))
		}
	}
	return slices.DeleteFunc(out, func(c Collection) bool {
		return !slices.ContainsFunc(c.Sizes, func(s CollectionSize) bool { return s.Most > 1 })
	})
}

// shape is a template with the attributes in it, whatever they are called.
func shape(t model.Template) string {
	var text string
	for _, p := range t.Parts {
		if p.Attribute == nil && p.Random == 0 {
			text += p.Literal
		} else {
			text += "{}"
		}
	}
	return text
}

func sizeAt(m *model.Model, planner *plan.Planner, entities []*model.Entity, age time.Duration) CollectionSize {
	out := CollectionSize{Known: true}
	for _, e := range entities {
		mean, most, known := inCollection(m, e, age)
		size := planner.ItemSize(e)
		out.Known = out.Known && known
		out.Items, out.Most = out.Items+mean, out.Most+most
		out.Bytes, out.MostBytes = out.Bytes+mean*size, out.MostBytes+most*size
	}
	return out
}

// inCollection is how many items of an entity are under one partition key value:
// one where the key identifies it or its count is not by what the key holds.
func inCollection(m *model.Model, e *model.Entity, age time.Duration) (mean, most float64, known bool) {
	k := e.Key(m.Table.PartitionKey.Name)
	if k == nil {
		return 1, 1, true
	}
	for _, v := range e.Volumes {
		if v.PerAttribute != nil && holds(k.Template, v.PerAttribute) || v.Per.Text == "" && constant(k.Template) {
			c := counter{entity: e, volume: v, age: age}
			return c.count(k.Template)
		}
	}
	return 1, 1, len(e.Volumes) > 0
}

// counter counts the items of a volume that have one partition key value.
type counter struct {
	entity *model.Entity
	volume *model.Volume
	age    time.Duration
}

// count is how many there are on average and at most; known tells that nothing
// in the key divides them further by who knows how much.
func (c counter) count(t model.Template) (mean, most float64, known bool) {
	mean, most, known = c.underParent(t)
	for _, p := range t.Parts {
		if p.Attribute == nil && p.Random == 0 || p.Attribute == c.volume.PerAttribute && len(p.Funcs) == 0 || slices.Contains(c.volume.By(), p.Attribute) || period(p) > 0 {
			continue
		}
		n, top, _ := load.Choices(c.entity, p, nil)
		if math.IsInf(n, 1) {
			known = false
			continue
		}
		mean, most = mean/n, most*top
	}
	return mean, most, known
}

// underParent is how many there are by the volume alone.
func (c counter) underParent(t model.Template) (mean, most float64, known bool) {
	v, grown := c.volume, c.volume.Growth.After(c.age)
	if v.Rate != nil {
		kept := v.Keep
		if kept == 0 {
			kept = c.age // nothing is ever deleted
		}
		for _, p := range t.Parts {
			if length := period(p); length > 0 {
				kept = min(kept, length)
			}
		}
		n := v.Rate.PerSecond * kept.Seconds() * grown
		return n, n, true
	}
	most = float64(v.Count.Max) * grown
	mean = v.Average * grown
	if v.Average == 0 {
		mean = float64(v.Count.Min+v.Count.Max) / 2 * grown
	}
	return mean, max(most, mean), true
}

// period is how long the period is that a part of a key stands for; 0 for none.
func period(p model.Part) time.Duration {
	if len(p.Funcs) == 0 || !p.Funcs[len(p.Funcs)-1].Name.IsPeriod() {
		return 0
	}
	f := p.Funcs[len(p.Funcs)-1]
	start := encode.PeriodStart(f, time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC))
	return encode.NextPeriod(f, start).Sub(start)
}

func holds(t model.Template, a *model.Attribute) bool {
	return slices.ContainsFunc(t.Parts, func(p model.Part) bool { return p.Attribute == a })
}

func constant(t model.Template) bool {
	return !slices.ContainsFunc(t.Parts, func(p model.Part) bool { return p.Attribute != nil || p.Random > 0 })
}
