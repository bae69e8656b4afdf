package plan

import (
	"slices"
	"strings"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/expr"
	"github.com/dynmodel/dynmodel/model/value"
)

// text is what is known of an attribute's value as it stands in a key.
type text struct {
	chars charset
	// width is the number of characters every value has, 0 when they vary.
	width int
	// pattern are the characters at each place, of a value of fixed width that
	// is ASCII; nil when only chars is known.
	pattern []charset
}

// textOf is what is known of the text of an attribute with functions applied.
func textOf(a *model.Attribute, funcs []expr.Func) text {
	t := declaredText(a)
	for _, f := range funcs {
		t = t.apply(f, a)
	}
	return t
}

func fixed(pattern []charset) text {
	t := text{width: len(pattern), pattern: pattern}
	for _, c := range pattern {
		t.chars = t.chars.or(c)
	}
	return t
}

// laid is a text laid out by a picture: 0 is a digit, x a hexadecimal digit, A
// a digit or letter, and everything else itself.
func laid(picture string) text {
	pattern := make([]charset, len(picture))
	for i := range len(picture) {
		switch picture[i] {
		case '0':
			pattern[i] = digits
		case 'x':
			pattern[i] = hexDigits
		case 'A':
			pattern[i] = alphanumerics
		default:
			pattern[i] = charset{}.with(picture[i])
		}
	}
	return fixed(pattern)
}

func declaredText(a *model.Attribute) text {
	if len(a.Domain.Values) > 0 {
		return choices(a.Domain.Values)
	}
	switch a.Type {
	case model.TypeUUID, model.TypeUUID7:
		return laid("xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx")
	case model.TypeULID:
		return laid(strings.Repeat("A", 26))
	case model.TypeKSUID:
		return laid(strings.Repeat("A", 27))
	case model.TypeMonth:
		return laid("0000-00")
	case model.TypeDate:
		return laid("0000-00-00")
	case model.TypeDatetime:
		return datetimeText(a)
	case model.TypeInteger, model.TypeNumber, model.TypeEpoch, model.TypeEpochMS:
		return numberText(a)
	case model.TypeSlug:
		return ranged(a, slugChars)
	case model.TypeEmail, model.TypeURL:
		return ranged(a, graphic)
	case model.TypeBoolean:
		return choices([]model.Choice{{Value: value.OfString("true")}, {Value: value.OfString("false")}})
	}
	return ranged(a, anything)
}

func ranged(a *model.Attribute, chars charset) text {
	if a.Domain.Pattern != nil {
		return patternText(a.Domain.Pattern)
	}
	if n := a.Domain.Length; n != nil && n.Min == n.Max {
		return text{chars: chars, width: int(n.Min)}
	}
	return text{chars: chars}
}

func datetimeText(a *model.Attribute) text {
	if a.Domain.AnyZone || a.Domain.Precision == model.PrecisionVariable {
		return text{chars: graphic}
	}
	picture := "0000-00-00T00:00"
	switch a.Domain.Precision {
	case model.PrecisionMinute:
	case model.PrecisionMilli:
		picture += ":00.000"
	case model.PrecisionMicro:
		picture += ":00.000000"
	case model.PrecisionNano:
		picture += ":00.000000000"
	default:
		picture += ":00"
	}
	if !a.Domain.NoZone {
		picture += "Z"
	}
	return laid(picture)
}

func choices(values []model.Choice) text {
	t := text{width: -1}
	for _, v := range values {
		s := v.Value.Text()
		t.chars = t.chars.with([]byte(s)...)
		if n := len([]rune(s)); t.width == -1 {
			t.width = n
		} else if t.width != n {
			t.width = 0
		}
	}
	return t
}

// numberText is the decimal text of a number. It has a fixed width when the
// declared bounds are whole, not negative and of one length, and only whole
// numbers lie between.
func numberText(a *model.Attribute) text {
	lo, lok := a.Domain.Min.Int()
	hi, hok := a.Domain.Max.Int()
	if a.Type != model.TypeNumber && lok && hok && lo >= 0 {
		l, h := value.OfInt(lo).Text(), value.OfInt(hi).Text()
		if len(l) == len(h) {
			return laid(strings.Repeat("0", len(l)))
		}
	}
	return text{chars: digits.with('-', '.')}
}

func (t text) apply(f expr.Func, a *model.Attribute) text {
	switch f.Name {
	case expr.Lower, expr.Upper:
		return t.folded(f.Name)
	case expr.Pad, expr.Invert:
		return laid(strings.Repeat("0", f.N))
	case expr.Year:
		return laid("0000")
	case expr.Month:
		return laid("0000-00")
	case expr.Day:
		return laid("0000-00-00")
	case expr.Hour:
		return laid("0000-00-00T00")
	case expr.Shard:
		return shardText(f.N)
	case expr.Prefix:
		if t.width >= f.N && f.N > 0 {
			if t.pattern != nil {
				return fixed(t.pattern[:f.N])
			}
			return text{chars: t.chars, width: f.N}
		}
		return text{chars: t.chars}
	}
	return text{chars: anything}
}

func (t text) folded(f expr.FuncName) text {
	if t.chars.intersects(nonASCII) { // case mappings of other letters may change length
		return text{chars: t.chars.folded(f)}
	}
	out := text{chars: t.chars.folded(f), width: t.width}
	for _, c := range t.pattern {
		out.pattern = append(out.pattern, c.folded(f))
	}
	return out
}

func shardText(n int) text {
	if n <= 10 {
		return laid("0")
	}
	return text{chars: digits}
}

// chain is an attribute's value as seen through functions: how it is stored,
// then the functions, without those that change nothing.
func chain(a *model.Attribute, funcs []expr.Func) []expr.Func {
	var out []expr.Func
	if a.Stored != "" {
		out = append(out, expr.Func{Name: a.Stored})
	}
	for _, f := range funcs {
		fold := f.Name == expr.Lower || f.Name == expr.Upper
		if fold && slices.Contains(out, f) {
			continue
		}
		out = append(out, f)
	}
	return out
}

// injective tells whether no two values become one under the functions.
func injective(funcs []expr.Func) bool {
	return !slices.ContainsFunc(funcs, func(f expr.Func) bool { return f.Name != expr.Pad && f.Name != expr.Invert })
}

// unitOf is the bucket that an attribute seen through a chain falls in; "" when
// it is no bucket of time.
func unitOf(a *model.Attribute, chain []expr.Func) expr.FuncName {
	switch {
	case len(chain) == 1 && isUnit(chain[0].Name):
		return chain[0].Name
	case len(chain) == 0 && a.Type == model.TypeDate:
		return expr.Day
	case len(chain) == 0 && a.Type == model.TypeMonth:
		return expr.Month
	}
	return ""
}

func isUnit(f expr.FuncName) bool {
	return f == expr.Year || f == expr.Month || f == expr.Day || f == expr.Hour
}

// direction tells how keys sort against an attribute's values.
type direction int

const (
	unsorted direction = iota
	ascending
	descending
	// coarse sorts as the values do, but takes several values for one.
	coarse
)

// sorts tells how the text of an attribute seen through functions sorts
// against the attribute itself seen through the first of them, given.
func sorts(a *model.Attribute, given, funcs []expr.Func) direction {
	rest := funcs[len(given):]
	switch {
	case len(rest) == 0:
		if len(given) == 0 || given[0].Name == a.Stored {
			return plainSorts(a)
		}
		return ascending // both are texts made by the same functions
	case len(rest) > 1:
		return unsorted
	}
	switch f := rest[0]; f.Name {
	case expr.Pad:
		return ascending
	case expr.Invert:
		return descending
	case expr.Year, expr.Month, expr.Day, expr.Hour:
		if a.Type == model.TypeDatetime && plainSorts(a) == unsorted {
			return unsorted
		}
		return coarse
	case expr.Prefix:
		return coarse
	}
	return unsorted
}

// plainSorts tells how the plain text of an attribute sorts against its values.
func plainSorts(a *model.Attribute) direction {
	switch a.Type {
	case model.TypeInteger, model.TypeNumber, model.TypeEpoch, model.TypeEpochMS:
		if numberText(a).width == 0 {
			return unsorted
		}
	case model.TypeDatetime:
		if datetimeText(a).width == 0 {
			return unsorted
		}
	}
	return ascending
}
