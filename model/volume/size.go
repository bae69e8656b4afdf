package volume

import (
	"unicode/utf8"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/value"
)

// ItemBytes is about how large an item of an entity is: the size its volume
// states, else the sum of its attributes.
func ItemBytes(e *model.Entity) float64 {
	for _, v := range e.Volumes {
		if v.Size > 0 {
			return float64(v.Size)
		}
	}
	total := 0.0
	for _, a := range e.Attributes {
		total += Bytes(a)
	}
	for _, k := range e.Keys {
		if !k.Implied {
			total += TemplateBytes(k)
		}
	}
	return total
}

// Bytes is about how large an attribute is, its name included: the middle of
// the size or length declared, else what its type usually takes.
func Bytes(a *model.Attribute) float64 {
	return float64(len(a.Name.Text)) + valueBytes(a)
}

func valueBytes(a *model.Attribute) float64 {
	d := a.Domain
	switch {
	case d.Size != nil:
		return middle(d.Size)
	case d.Length != nil && a.Type.Kind() == value.String:
		return middle(d.Length)
	case len(d.Values) > 0:
		return longest(d.Values)
	}
	switch a.Type {
	case model.TypeList, model.TypeMap, model.TypeStringSet, model.TypeNumberSet, model.TypeBinarySet:
		return membersBytes(a)
	}
	return usual(a)
}

// membersBytes is the size of a list, map or set: three bytes and its members.
func membersBytes(a *model.Attribute) float64 {
	const overhead, unknownMember, unknownCount = 3, 20, 3
	total := 0.0
	for _, m := range a.Domain.Attributes {
		total += Bytes(m) + 1
	}
	if total > 0 {
		return overhead + total
	}
	count, each := float64(unknownCount), float64(unknownMember)
	if a.Domain.Members != nil {
		count = middle(a.Domain.Members)
	}
	if a.Domain.Items != nil {
		each = valueBytes(a.Domain.Items) + 1
	}
	return overhead + count*each
}

// usual is what a value of a type takes when nothing more is declared.
func usual(a *model.Attribute) float64 {
	switch a.Type {
	case model.TypeBoolean:
		return 1
	case model.TypeNumber, model.TypeInteger, model.TypeEpoch, model.TypeEpochMS:
		return 6 // up to ten digits
	case model.TypeUUID, model.TypeUUID7:
		return 36
	case model.TypeULID:
		return 26
	case model.TypeKSUID:
		return 27
	case model.TypeMonth:
		return 7
	case model.TypeDate:
		return 10
	case model.TypeDatetime:
		return float64(len(a.Layout()))
	case model.TypeURL, model.TypeS3Object, model.TypeBinary:
		return 80
	}
	return 20
}

// TemplateBytes is about how large the key attribute is that a template makes,
// its name included.
func TemplateBytes(k *model.Key) float64 {
	total := float64(len(k.Name.Text))
	for _, p := range k.Template.Parts {
		if p.Attribute == nil {
			total += float64(len(p.Literal))
		} else {
			total += valueBytes(p.Attribute)
		}
	}
	return total
}

func middle(r *model.Range) float64 { return float64(r.Min+r.Max) / 2 }

func longest(values []model.Choice) float64 {
	n := 0
	for _, v := range values {
		n = max(n, utf8.RuneCountInString(v.Value.Text()))
	}
	return float64(n)
}
