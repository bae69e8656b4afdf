package plan

import (
	"math"
	"strings"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/encode"
	"github.com/dynmodel/dynmodel/model/expr"
	"github.com/dynmodel/dynmodel/model/keytext"
	"github.com/dynmodel/dynmodel/model/value"
)

func ceil(x float64) float64 { return math.Ceil(x) }

// sizer knows the expected sizes of items: from samples, else from the types
// and lengths that the model declares.
type sizer struct {
	model *model.Model
	// attributes are the expected bytes of each attribute an item is stored
	// with, keys included, by entity. An optional attribute counts half.
	attributes map[*model.Entity]map[string]float64
}

func newSizer(m *model.Model) *sizer {
	s := &sizer{model: m, attributes: map[*model.Entity]map[string]float64{}}
	for _, e := range m.Entities {
		if s.attributes[e] = s.sampled(e); s.attributes[e] == nil {
			s.attributes[e] = s.declared(e)
		}
	}
	return s
}

// item is the expected size of an entity's item.
func (s *sizer) item(e *model.Entity) float64 {
	for _, v := range e.Volumes {
		if v.Size > 0 {
			return float64(v.Size)
		}
	}
	n := 0.0
	for _, bytes := range s.attributes[e] {
		n += bytes
	}
	return n
}

// entry is the expected size of an entity's entry in an index: the keys of
// table and index, and what is projected.
func (s *sizer) entry(e *model.Entity, space keyspace) float64 {
	if space.index == nil || space.index.Projection.Type == model.ProjectAll {
		return s.item(e)
	}
	n := 0.0
	for name, bytes := range s.attributes[e] {
		if space.holds(name) {
			n += bytes
		}
	}
	return n
}

// sampled are the mean bytes of each attribute over the samples; nil without any.
func (s *sizer) sampled(e *model.Entity) map[string]float64 {
	sums, count := map[string]float64{}, 0.0
	for _, sample := range s.model.Samples {
		if sample.Entity != e {
			continue
		}
		stored, err := encode.Item(s.model, e, sample.Item, func(string, int) int { return 0 })
		if err != nil {
			continue
		}
		count++
		for name, v := range stored {
			sums[name] += float64(len(name) + sizeOf(v))
		}
	}
	if count == 0 {
		return nil
	}
	for name := range sums {
		sums[name] /= count
	}
	return sums
}

// declared are the bytes of each attribute by its type and declared length.
func (s *sizer) declared(e *model.Entity) map[string]float64 {
	out := map[string]float64{}
	for _, a := range e.Attributes {
		bytes := float64(len(a.Name.Text)) + expected(a)
		if a.Optional {
			bytes /= 2
		}
		out[a.Name.Text] = bytes
	}
	if t := s.model.Table.EntityType; t != "" {
		out[t] = float64(len(t) + len(e.Type))
	}
	for _, space := range keyspaces(s.model.Table) {
		keys, missing := space.templates(e)
		if len(missing) > 0 {
			continue
		}
		for _, k := range keys {
			if e.Attribute(k.attribute.Name) == nil {
				out[k.attribute.Name] = float64(len(k.attribute.Name)) + templateSize(k.Template)
			}
		}
	}
	return out
}

func templateSize(t model.Template) float64 {
	n := 0.0
	for _, p := range t.Parts {
		switch {
		case p.Attribute != nil:
			a, c := seen(p)
			n += keyTextSize(a, c)
		case p.Random > 0:
			n += float64(len(value.OfInt(int64(p.Random)).Text()))
		default:
			n += float64(len(p.Literal))
		}
	}
	return n
}

func keyTextSize(a *model.Attribute, c []expr.Func) float64 {
	if n := keytext.Of(a, c).Width(); n > 0 {
		return float64(n)
	}
	if a.Type.Kind() == value.Number {
		return float64(digitsOf(a)) / 2
	}
	return expected(a)
}

// expected is the expected size of an attribute's value: what its type and
// declared lengths say, mid-length where they leave a choice.
func expected(a *model.Attribute) float64 {
	d := a.Domain
	switch {
	case d.Size != nil:
		return middle(d.Size)
	case len(d.Values) > 0:
		n := 0.0
		for _, c := range d.Values {
			n += float64(sizeOf(c.Value))
		}
		return n / float64(len(d.Values))
	}
	switch a.Type.Kind() {
	case value.Number:
		return float64(numberSize(strings.Repeat("9", digitsOf(a)/2+1)))
	case value.Bool:
		return 1
	case value.String, value.Binary:
		return expectedText(a)
	case value.Map:
		n := 3.0
		for _, m := range d.Attributes {
			n += 1 + float64(len(m.Name.Text)) + expected(m)
		}
		return n
	}
	return expectedMembers(a)
}

// The lengths assumed where none is declared, in characters and members.
const (
	assumedText    = 32
	assumedMembers = 3
)

func expectedText(a *model.Attribute) float64 {
	if n := keytext.Of(a, nil).Width(); n > 0 {
		return float64(n)
	}
	if a.Domain.Length != nil {
		return middle(a.Domain.Length)
	}
	if a.Domain.Pattern != nil {
		if low, high, bounded := keytext.Of(a, nil).Lengths(); bounded {
			return float64(low+high) / 2
		}
	}
	return assumedText
}

func expectedMembers(a *model.Attribute) float64 {
	members, each := float64(assumedMembers), float64(assumedText)
	if a.Domain.Members != nil {
		members = middle(a.Domain.Members)
	}
	if a.Domain.Items != nil {
		each = expected(a.Domain.Items)
	} else if a.Type == model.TypeNumberSet {
		each = float64(numberSize("9999"))
	}
	if a.Type == model.TypeList {
		return 3 + members*(1+each)
	}
	return members * each
}

func middle(r *model.Range) float64 { return float64(r.Min+r.Max) / 2 }
