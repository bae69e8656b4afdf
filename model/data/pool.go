package data

import (
	"strings"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/value"
)

// poolMax is the most values in one attribute's pool.
const poolMax = 40

// pool are the values of an attribute that are worth trying, the plainest
// first, then the most telling; never empty unless the domain is. All are in
// the domain, declared or default. Identifiers are not drawn from a pool
// alone: see mint.
func pool(a *model.Attribute, h *hints) []value.Value {
	candidates := candidates(a, h)
	var out []value.Value
	for _, v := range candidates {
		if len(out) < poolMax && Valid(a, v) && fits(h, v) && !contains(out, v) {
			out = append(out, v)
		}
	}
	if len(out) == 0 { // every valid value is too long for the key: a fault of its own
		for _, v := range candidates {
			if Valid(a, v) {
				return []value.Value{v}
			}
		}
	}
	return out
}

// fits tells whether a value leaves the keys it is part of within DynamoDB's
// limits. An attribute that alone can make up a key is never empty, although
// its domain may allow it: the rules say so without running anything.
func fits(h *hints, v value.Value) bool {
	if v.Kind() != value.String && v.Kind() != value.Binary {
		return true
	}
	if h.wholeKey && v.Text() == "" {
		return false
	}
	return h.maxBytes == 0 || len(v.Text()) <= h.maxBytes
}

func contains(all []value.Value, v value.Value) bool {
	for _, w := range all {
		if value.Equal(v, w) {
			return true
		}
	}
	return false
}

// leastLength is the least number of characters that a text is declared to have.
func leastLength(a *model.Attribute) int {
	if a.Domain.Length == nil {
		return 0
	}
	return int(a.Domain.Length.Min)
}

func candidates(a *model.Attribute, h *hints) []value.Value {
	if len(a.Domain.Values) > 0 {
		out := make([]value.Value, len(a.Domain.Values))
		for i, c := range a.Domain.Values {
			out[i] = c.Value
		}
		return out
	}
	if a.Domain.Pattern != nil {
		return ofStrings(append(matching(a.Domain.Pattern, h.delimiters, leastLength(a)), h.words...))
	}
	switch a.Type {
	case model.TypeNumber, model.TypeInteger:
		return numbers(a)
	case model.TypeBoolean:
		return []value.Value{value.OfBool(true), value.OfBool(false)}
	case model.TypeBinary:
		return binaries(a, h)
	case model.TypeList:
		return listsOf(a, h)
	case model.TypeMap:
		switch {
		case a.Domain.Items != nil:
			return typedMaps(a, h)
		case len(a.Domain.Attributes) == 0:
			return freeMaps(a)
		}
		return mapsOf(a, func(member *model.Attribute) []value.Value { return pool(member, h) })
	case model.TypeStringSet, model.TypeNumberSet, model.TypeBinarySet:
		return setsOf(a, h)
	case model.TypeAny:
		return anything()
	}
	if a.Type.IsTime() {
		return timeValues(a, h)
	}
	if a.Type.IsID() {
		return ids(a, h)
	}
	return ofStrings(textsOf(a, h))
}

// textsOf are the candidates of the types that are free text.
func textsOf(a *model.Attribute, h *hints) []string {
	switch a.Type {
	case model.TypeSlug:
		low, high := lengths(&a.Domain, 1, slugMax)
		return slugs(h, low, high)
	case model.TypeEmail:
		return emails(h)
	case model.TypeURL:
		return urls(h)
	case model.TypeS3Object:
		return s3Objects()
	}
	low, high := lengths(&a.Domain, 1, stringMax)
	return texts(h, low, high)
}

func ofStrings(all []string) []value.Value {
	out := make([]value.Value, len(all))
	for i, s := range all {
		out[i] = value.OfString(s)
	}
	return out
}

// ids are identifiers of a type that is not minted: few, so that they meet.
func ids(a *model.Attribute, h *hints) []value.Value {
	var out []value.Value
	for i, t := range timesOf(a, h) {
		if i == 8 {
			break
		}
		out = append(out, Mint(a.Type, t, uint64(i)))
	}
	return out
}

func binaries(a *model.Attribute, h *hints) []value.Value {
	low, high := lengths(&a.Domain, 1, stringMax)
	var out []value.Value
	seeds := []string{"a", "ab", "\x00", "\xff", "a\x00b", "A", "\x7f", "\x80", "a#b"}
	for _, s := range append(seeds, strings.Repeat("\xff", min(high, longBytes))) {
		if len(s) < low {
			s += strings.Repeat("a", low-len(s))
		}
		out = append(out, value.OfBinary(s[:min(len(s), high)]))
	}
	if low == 0 {
		out = append(out, value.OfBinary(""))
	}
	return out
}
