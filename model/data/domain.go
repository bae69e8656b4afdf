package data

import (
	"strings"
	"unicode/utf8"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/encode"
	"github.com/dynmodel/dynmodel/model/value"
)

// Valid tells whether a value that exists is in the attribute's declared
// domain: its type's form and every option that limits it, and what DynamoDB
// can store. What is only a default of generation (the length of a string, the
// digits of a number) limits nothing here. Whether the attribute may be absent
// is not asked.
func Valid(a *model.Attribute, v value.Value) bool {
	if !v.Exists() || a.Check(v) != nil {
		return false
	}
	switch v.Kind() {
	case value.String:
		return utf8.ValidString(v.Text()) && withinTimes(a, v)
	case value.StringSet, value.NumberSet, value.BinarySet:
		return len(v.Items()) > 0 // DynamoDB has no empty sets
	case value.Map:
		return declared(a, v)
	}
	if a.Version {
		n, ok := v.Int()
		return ok && n >= 1
	}
	return true
}

// ordinary tells whether a value may be generated: it is in the domain and,
// where that declares no bounds, within the default ones.
func ordinary(a *model.Attribute, v value.Value) bool {
	if !Valid(a, v) {
		return false
	}
	if t, ok := encode.Time(v, a.Type); ok && a.Type.IsTime() {
		low, high := timeBounds(a)
		return !t.Before(low) && !t.After(high)
	}
	d := &a.Domain
	if d.Length != nil || d.Size != nil || d.Pattern != nil || len(d.Values) > 0 {
		return true
	}
	switch v.Kind() {
	case value.String, value.Binary:
		n := utf8.RuneCountInString(v.Text())
		return n >= 1 && (n <= slugMax || a.Type != model.TypeSlug) && (n <= stringMax || a.Type.Kind() != value.String)
	case value.Number:
		return len(strings.Trim(v.Text(), "-0.")) <= numberDigits
	}
	return true
}

// declared tells whether a map has no members but those declared; one that
// declares none may have any.
func declared(a *model.Attribute, v value.Value) bool {
	known := 0
	for _, member := range a.Domain.Attributes {
		if v.Field(member.Name.Text).Exists() {
			known++
		}
	}
	return known == len(v.Fields()) || len(a.Domain.Attributes) == 0
}

// withinTimes holds a datetime against min and max as an instant: texts in
// several zones do not sort.
func withinTimes(a *model.Attribute, v value.Value) bool {
	if a.Type != model.TypeDatetime || !a.Domain.Min.Exists() && !a.Domain.Max.Exists() {
		return true
	}
	at, ok := encode.Time(v, a.Type)
	low, high := timeBounds(a)
	return ok && !at.Before(low) && !at.After(high)
}

// compare orders two values of an attribute by what they mean: times as
// instants, everything else as DynamoDB does. Values without an order are equal.
func compare(a *model.Attribute, v, w value.Value) int {
	if a.Type == model.TypeDatetime {
		s, sok := encode.Time(v, a.Type)
		t, tok := encode.Time(w, a.Type)
		if sok && tok {
			return s.Compare(t)
		}
	}
	c, _ := value.Compare(v, w)
	return c
}
