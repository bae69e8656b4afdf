package infer

import (
	"fmt"
	"slices"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/importer/draft"
	"github.com/dynmodel/dynmodel/model/value"
)

// checkItems keeps the items of an entity that the model makes just so again, as
// its samples, and says of the others why they are none.
func (in *inference) checkItems(e *draft.Entity) {
	e.Items = nil
	for _, s := range in.found[e] {
		if reason := in.misfit(e, s); reason != "" {
			in.Faultf(s.item.At, "this item cannot be a sample of %s: %s", e.Name, reason)
			continue
		}
		in.Fitting++
		if (in.Samples == 0 || len(e.Items) < in.Samples) && in.roomFor(s.item) {
			e.Items = append(e.Items, s.item)
		}
	}
}

// maxSampleBytes bounds the samples of a model, which may have 4 MB in all.
const maxSampleBytes = 2 << 20

// roomFor tells whether an item still fits among the samples.
func (in *inference) roomFor(item *draft.Item) bool {
	before := in.sampleBytes
	for name, v := range item.Values {
		in.sampleBytes += len(name) + len(v.String()) + 4
	}
	if before <= maxSampleBytes && in.sampleBytes > maxSampleBytes {
		in.Lostf(item.At, "the samples would make the model too large from here on; they are left out")
	}
	return in.sampleBytes <= maxSampleBytes
}

// misfit says why an item is not what the entity's templates make; "" when it is.
func (in *inference) misfit(e *draft.Entity, s *subject) string {
	for _, k := range e.Keys {
		if k.Parts == nil || slices.ContainsFunc(k.Parts, func(p draft.Part) bool { return p.Random > 0 }) {
			continue
		}
		if reason := in.misfitKey(k, s); reason != "" {
			return reason
		}
	}
	for _, a := range e.Attributes {
		v, ok := s.item.Values[a.Name]
		switch {
		case !ok && !a.Optional && a.Default == "":
			return fmt.Sprintf("it has no `%s`", a.Name)
		case ok && !holds(a, v):
			return fmt.Sprintf("`%s` is %s, which is not what the others have", a.Name, draft.Clip(v.String()))
		}
	}
	return ""
}

func (in *inference) misfitKey(k *draft.Key, s *subject) string {
	v, ok := s.item.Values[k.Attribute]
	isTableKey := slices.Contains(in.keys, k.Attribute)
	for _, name := range draft.AttributesIn(k.Parts) {
		if _, there := s.values[name]; !there && !ok {
			return "" // not in that index
		}
	}
	switch {
	case !ok && (k.When != "" || in.excused(k)):
		return ""
	case !ok && !isTableKey:
		return fmt.Sprintf("it lacks the key `%s`", k.Attribute)
	}
	if _, fits := s.match(k.Parts, v); !fits {
		return fmt.Sprintf("its `%s` is `%s`, which `%s` does not make", k.Attribute, draft.Clip(v.Text()), draft.Text(k.Parts))
	}
	return ""
}

// excused tells a key of an index that another key of it keeps items out of.
func (in *inference) excused(k *draft.Key) bool {
	for _, x := range in.Table.Indexes {
		for _, other := range x.Keys() {
			if other.Name == k.Attribute && x.Keys()[0].Name != k.Attribute {
				return true
			}
		}
	}
	return false
}

// MakeKeys gives an item the keys that its attributes make by the entity's
// templates; false when an attribute in a key of the table's is missing. Index
// keys whose attributes are not all there are left out.
func MakeKeys(e *draft.Entity, item *draft.Item, table []model.KeyAttribute) bool {
	s := newSubject(item, func(string) bool { return false })
	for _, k := range e.Keys {
		if len(k.Parts) == 1 && k.Parts[0].Attribute != "" && len(k.Parts[0].Funcs) == 0 {
			if v, ok := item.Values[k.Parts[0].Attribute]; ok {
				item.Values[k.Attribute] = v
				continue
			}
		}
		if text, ok := s.render(k.Parts); ok {
			item.Values[k.Attribute] = value.OfString(text)
		} else if slices.ContainsFunc(table, func(t model.KeyAttribute) bool { return t.Name == k.Attribute }) {
			return false
		}
	}
	return true
}
