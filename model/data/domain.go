package data

import (
	"net/url"
	"strings"
	"unicode/utf8"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/value"
)

// Valid tells whether a value that exists is in the attribute's declared
// domain: its type's form and every option that limits it. What is only a
// default of generation (the length of a string, the digits of a number) limits
// nothing here. Whether the attribute may be absent is not asked.
func Valid(a *model.Attribute, v value.Value) bool {
	if !v.Exists() || !validKind(a, v) {
		return false
	}
	d := &a.Domain
	if len(d.Values) > 0 && !chosen(d.Values, v) {
		return false
	}
	if a.Version {
		if n, ok := v.Int(); !ok || n < 1 {
			return false
		}
	}
	return validBounds(a, v) && validLength(d, v) && validForm(a, v)
}

func validKind(a *model.Attribute, v value.Value) bool {
	kind := a.Type.Kind()
	return kind == value.None || v.Kind() == kind
}

func chosen(choices []model.Choice, v value.Value) bool {
	for _, c := range choices {
		if value.Equal(c.Value, v) {
			return true
		}
	}
	return false
}

// validBounds holds a number or a time against min and max. Times are compared
// as instants: their texts need not sort.
func validBounds(a *model.Attribute, v value.Value) bool {
	low, high := a.Domain.Min, a.Domain.Max
	if !low.Exists() && !high.Exists() {
		return true
	}
	return (!low.Exists() || compare(a, low, v) <= 0) && (!high.Exists() || compare(a, v, high) <= 0)
}

// compare orders two values of an attribute by what they mean: times as
// instants, everything else as DynamoDB does. Values without an order are equal.
func compare(a *model.Attribute, v, w value.Value) int {
	if a.Type == model.TypeDatetime {
		s, sok := TimeOf(a, v)
		t, tok := TimeOf(a, w)
		if sok && tok {
			return s.Compare(t)
		}
	}
	c, _ := value.Compare(v, w)
	return c
}

func validLength(d *model.Domain, v value.Value) bool {
	if v.Kind() == value.String && !within(d.Length, utf8.RuneCountInString(v.Text())) {
		return false
	}
	if isCollection(v.Kind()) && !within(d.Members, count(v)) {
		return false
	}
	return d.Size == nil || within(d.Size, size(v))
}

// within tells whether n is in a range; no range has everything.
func within(r *model.Range, n int) bool {
	return r == nil || int64(n) >= r.Min && int64(n) <= r.Max
}

// validForm holds a value against the form of its type.
func validForm(a *model.Attribute, v value.Value) bool {
	switch a.Type {
	case model.TypeList, model.TypeStringSet, model.TypeNumberSet, model.TypeBinarySet:
		return validMembers(a, v)
	case model.TypeMap:
		return validFields(a, v)
	case model.TypeInteger:
		return !strings.Contains(v.Text(), ".")
	case model.TypeEpoch, model.TypeEpochMS:
		_, whole := v.Int()
		return whole
	}
	if v.Kind() != value.String {
		return true
	}
	return utf8.ValidString(v.Text()) && validText(a, v.Text()) && matches(a, v.Text())
}

// validText holds a string against the form of its type.
func validText(a *model.Attribute, s string) bool {
	switch a.Type {
	case model.TypeUUID:
		_, ok := uuidBytes(s)
		return ok
	case model.TypeSlug:
		return s != "" && strings.Trim(s, slugLetters) == ""
	case model.TypeEmail:
		return validEmail(s)
	case model.TypeURL:
		u, err := url.Parse(s)
		return err == nil && u.Scheme != "" && u.Host != "" && !strings.ContainsAny(s, " \t\n")
	case model.TypeS3Object:
		return s != ""
	}
	if a.Type.HasTime() {
		_, ok := TimeOf(a, value.OfString(s))
		return ok
	}
	return true
}

const slugLetters = "abcdefghijklmnopqrstuvwxyz0123456789-"

// validEmail takes what mail systems take: a local part without spaces or
// quotes, and a domain of letters, digits, hyphens and dots.
func validEmail(s string) bool {
	local, domain, found := strings.Cut(s, "@")
	if !found || local == "" || domain == "" || strings.ContainsAny(local, " \t\r\n\"(),:;<>[\\]") {
		return false
	}
	for _, c := range domain {
		if !(c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '-' || c == '.') {
			return false
		}
	}
	return domain[0] != '.' && domain[len(domain)-1] != '.'
}

// matches tells whether the pattern, if any, matches the whole text.
func matches(a *model.Attribute, s string) bool {
	if a.Domain.Pattern == nil {
		return true
	}
	longest := a.Domain.Pattern.Copy()
	longest.Longest()
	at := longest.FindStringIndex(s)
	return at != nil && at[0] == 0 && at[1] == len(s)
}

func validMembers(a *model.Attribute, v value.Value) bool {
	if v.Kind() != value.List && len(v.Items()) == 0 {
		return false // DynamoDB has no empty sets
	}
	if a.Domain.Items == nil {
		return true
	}
	for _, m := range v.Items() {
		if !Valid(a.Domain.Items, m) {
			return false
		}
	}
	return true
}

// validFields holds a map against its declared members; a map that declares
// none may have any.
func validFields(a *model.Attribute, v value.Value) bool {
	if len(a.Domain.Attributes) == 0 {
		return true
	}
	known := 0
	for _, member := range a.Domain.Attributes {
		field := v.Field(member.Name.Text)
		if !field.Exists() {
			if !member.Optional {
				return false
			}
			continue
		}
		known++
		if !Valid(member, field) {
			return false
		}
	}
	return known == len(v.Fields())
}

func isCollection(k value.Kind) bool {
	switch k {
	case value.List, value.Map, value.StringSet, value.NumberSet, value.BinarySet:
		return true
	}
	return false
}

func count(v value.Value) int {
	if v.Kind() == value.Map {
		return len(v.Fields())
	}
	return len(v.Items())
}

// size is the number of bytes of a value's texts, field names included.
func size(v value.Value) int {
	n := len(v.Text())
	for _, m := range v.Items() {
		n += size(m)
	}
	for _, f := range v.Fields() {
		n += len(f.Name) + size(f.Value)
	}
	return n
}
