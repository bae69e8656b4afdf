package rules

import (
	"math"
	"slices"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/encode"
	"github.com/dynmodel/dynmodel/model/expr"
	"github.com/dynmodel/dynmodel/model/keytext"
	"github.com/dynmodel/dynmodel/model/value"
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
	whens := whensOf(e, x)
	var seen []*model.Attribute
	for _, p := range partitionParts(t, e, x) {
		if p.Attribute == nil && p.Random == 0 {
			continue
		}
		s.attributes = append(s.attributes, partText(p))
		n, top, named := choicesOf(e, p, whens)
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

// whensOf are the conditions on which an entity is in an index, and the
// optional attributes that must be there, as conditions.
func whensOf(e *model.Entity, x *model.Index) (out []expr.Cond) {
	if x == nil {
		return nil
	}
	for _, k := range x.Keys() {
		key := e.Key(k.Name)
		if key == nil {
			continue
		}
		if key.When != nil {
			out = append(out, key.When.Cond)
		}
		for _, p := range key.Template.Parts {
			if p.Attribute != nil && p.Attribute.Optional {
				out = append(out, &expr.Test{At: p.At, Name: expr.AttributeExists, X: &expr.Attr{At: p.At, Path: p.Path}})
			}
		}
	}
	return out
}

// choicesOf is how many values a part can have, the share of the items that
// have the most frequent one, and whether it is an enumeration or a boolean.
func choicesOf(e *model.Entity, p model.Part, whens []expr.Cond) (n, top float64, named bool) {
	if p.Random > 0 {
		return float64(p.Random), 1 / float64(p.Random), false
	}
	a := keytext.Leaf(p)
	for _, f := range p.Funcs {
		if f.Name == expr.Shard {
			return float64(f.N), 1 / float64(f.N), false
		}
		if !folds(f) && f.Name != expr.Pad && f.Name != expr.Invert {
			return math.Inf(1), 0, false
		}
	}
	if shares := sharesOf(e, a, whens); len(shares) > 0 {
		return float64(len(shares)), slices.Max(shares), true
	}
	low, lok := a.Domain.Min.Int()
	high, hok := a.Domain.Max.Int()
	if a.Type == model.TypeInteger && lok && hok && high >= low {
		n := float64(high-low) + 1
		return n, 1 / n, false
	}
	return math.Inf(1), 0, false
}

// sharesOf are the shares of an enumeration's or a boolean's values, of those
// that the conditions admit.
func sharesOf(e *model.Entity, a *model.Attribute, whens []expr.Cond) (shares []float64) {
	choices := a.Domain.Values
	if a.Type == model.TypeBoolean && len(choices) == 0 {
		choices = []model.Choice{{Value: value.OfBool(false)}, {Value: value.OfBool(true)}}
	}
	for _, c := range choices {
		item := model.Item{a.Name.Text: c.Value}
		admitted := !slices.ContainsFunc(whens, func(w expr.Cond) bool { return only(w, a) && !encode.Holds(w, e, item) })
		if admitted {
			shares = append(shares, shareOf(choices, c))
		}
	}
	return shares
}

// shareOf is the share of a choice: as declared, else an equal part.
func shareOf(all []model.Choice, c model.Choice) float64 {
	if c.Share > 0 || slices.ContainsFunc(all, func(c model.Choice) bool { return c.Share > 0 }) {
		return c.Share
	}
	return 1 / float64(len(all))
}

// only tells whether a condition is about nothing but one attribute.
func only(c expr.Cond, a *model.Attribute) bool {
	return !slices.ContainsFunc(expr.Attrs(c), func(b *expr.Attr) bool { return b.Path.String() != a.Name.Text })
}

// memberShare is the share of the entity's items that fulfil the conditions,
// beyond those about the attributes that are counted already; known tells that
// declared shares say so.
func memberShare(e *model.Entity, whens []expr.Cond, counted []*model.Attribute) (share float64, known bool) {
	share, known = 1, true
	for _, w := range whens {
		i := slices.IndexFunc(e.Attributes, func(a *model.Attribute) bool { return only(w, a) })
		if i < 0 || !slices.ContainsFunc(e.Attributes[i].Domain.Values, func(c model.Choice) bool { return c.Share > 0 }) {
			known = false
			continue
		}
		if slices.Contains(counted, e.Attributes[i]) {
			continue
		}
		sum := 0.0
		for _, s := range sharesOf(e, e.Attributes[i], []expr.Cond{w}) {
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
				values, _, _ := choicesOf(e, p, nil)
				n *= values
			}
		}
	}
	return n
}
