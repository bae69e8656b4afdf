package rules

import (
	"math"
	"slices"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/encode"
	"github.com/dynmodel/dynmodel/model/expr"
	"github.com/dynmodel/dynmodel/model/keytext"
	"github.com/dynmodel/dynmodel/model/load"
	"github.com/dynmodel/dynmodel/validate"
)

// spread is how an entity's items are spread over partition key values.
type spread struct {
	attributes []string // what the key is made of, as written
	// values is how many partition key values there can be; infinite when the
	// declarations do not bound it.
	values float64
	// items is how many items of the entity there are in all, and behind the
	// busiest value; known tells that the model says.
	items, busiest float64
	known          bool
	// top is the share of the entity's items that the busiest value has.
	top float64
	// named tells that only enumerations and booleans make the key.
	named bool
}

// spreadOf is the spread of an entity over the partitions of a place.
func spreadOf(pass *validate.Pass, e *model.Entity, x *model.Index) spread {
	t := pass.Model.Table
	s := spread{values: 1, top: 1, named: true}
	whens := load.Whens(e, x)
	var seen []*model.Attribute
	for _, p := range partitionParts(t, e, x) {
		if p.Attribute == nil && p.Random == 0 {
			continue
		}
		s.attributes = append(s.attributes, partText(p))
		n, top, named := load.Choices(e, p, whens)
		s.values, s.named = s.values*n, s.named && named
		if a := keytext.Leaf(p); a == nil || !slices.Contains(seen, a) {
			s.top *= top
			seen = append(seen, a)
		}
	}
	s.items, s.known = pass.Planner.Count(e)
	if bound := mostItems(t, e); bound < math.Inf(1) && (!s.known || bound < s.items) {
		s.items, s.known = bound, true
	}
	share, known := memberShare(e, whens, seen)
	s.top *= share
	if s.known && (known || s.items <= fewItems) {
		s.busiest = s.items * s.top
	} else {
		s.known = false
	}
	return s
}

func partText(p model.Part) string {
	if p.Attribute == nil {
		return "a drawn shard"
	}
	text := p.Path.String()
	for _, f := range p.Funcs {
		text += "|" + f.String()
	}
	return text
}

// memberShare is the share of the entity's items that fulfil the conditions,
// beyond those about the attributes that are counted already; known tells that
// declared shares say so.
func memberShare(e *model.Entity, whens []expr.Cond, counted []*model.Attribute) (share float64, known bool) {
	share, known = 1, true
	for _, w := range whens {
		i := slices.IndexFunc(e.Attributes, func(a *model.Attribute) bool { return load.About(w, a) })
		if i < 0 || !slices.ContainsFunc(e.Attributes[i].Domain.Values, func(c model.Choice) bool { return c.Share > 0 }) {
			known = false
			continue
		}
		if slices.Contains(counted, e.Attributes[i]) {
			continue
		}
		sum := 0.0
		for _, s := range load.Shares(e, e.Attributes[i], []expr.Cond{w}) {
			sum += s
		}
		share *= sum
	}
	return share, known
}

// mostItems is how many items of an entity the table's keys have room for.
func mostItems(t *model.Table, e *model.Entity) float64 {
	n := 1.0
	for _, k := range t.Keys() {
		template, _ := encode.KeyTemplate(t, e, k.Name)
		for _, p := range template.Parts {
			if p.Attribute != nil || p.Random > 0 {
				values, _, _ := load.Choices(e, p, nil)
				n *= values
			}
		}
	}
	return n
}
