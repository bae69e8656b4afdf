package expr

import (
	"math"
	"slices"
	"strings"

	"github.com/dynmodel/dynmodel/model/value"
)

// impossible tells whether no value, nor its absence, fits all that is known.
func (f *fact) impossible() bool {
	if f.missing {
		return f.exists || slices.ContainsFunc(f.beside, func(b beside) bool { return b.is&apart == 0 })
	}
	kind, ok := f.kind()
	if !ok {
		return true
	}
	if kind != value.None && f.exists {
		f.narrow(kind)
	}
	if slices.ContainsFunc(f.beside, func(b beside) bool { return b.is == 0 }) {
		return true
	}
	if f.exists {
		if values, ok := f.candidates(kind); ok {
			return !slices.ContainsFunc(values, f.allows)
		}
	}
	return f.tests != nil && f.testsClash() || f.emptyRange()
}

// kind is the type of the value, None when it is not known; false when it
// would have to be of two. Of an operand that may be absent it is the type that
// the value has if it is there.
func (f *fact) kind() (value.Kind, bool) {
	kinds := slices.Clone(f.kinds)
	for _, b := range f.beside {
		if b.literal.Exists() && b.is&apart == 0 {
			kinds = append(kinds, b.literal.Kind())
		}
	}
	if f.domain.Kind != value.None {
		kinds = append(kinds, f.domain.Kind)
	}
	if len(kinds) == 0 {
		return value.None, true
	}
	return kinds[0], !f.exists || !slices.ContainsFunc(kinds, func(k value.Kind) bool { return k != kinds[0] })
}

// narrow uses that the value is there and of a type: whether it has an order
// beside others is then known.
func (f *fact) narrow(kind value.Kind) {
	for i, b := range f.beside {
		switch {
		case b.literal.Exists() && b.literal.Kind() != kind:
			f.beside[i].is &= apart
		case b.literal.Exists() && kind.IsKey():
			f.beside[i].is &^= unordered
		case kind.IsKey():
			f.beside[i].is &^= same
		default:
			f.beside[i].is &= unordered
		}
	}
}

// candidates are values of which the value must be one, when such a list is known.
func (f *fact) candidates(kind value.Kind) ([]value.Value, bool) {
	for _, b := range f.beside {
		if b.literal.Exists() && (b.is == equal || b.is == same) {
			return []value.Value{b.literal}, true
		}
	}
	if len(f.oneOf) > 0 {
		return f.oneOf[0], true
	}
	if f.domain.Values != nil {
		return f.domain.Values, true
	}
	if kind == value.Bool {
		return []value.Value{value.OfBool(false), value.OfBool(true)}, true
	}
	return nil, false
}

// allows tells whether a value fits all that is known.
func (f *fact) allows(v value.Value) bool {
	for _, b := range f.beside {
		if b.literal.Exists() && between(v, b.literal)&b.is == 0 {
			return false
		}
	}
	for _, list := range append(slices.Clone(f.oneOf), f.domain.Values) {
		if list != nil && !slices.ContainsFunc(list, func(w value.Value) bool { return value.Equal(v, w) }) {
			return false
		}
	}
	for _, t := range f.tests {
		if t.holds(v) == t.negated {
			return false
		}
	}
	d := f.domain
	return (d.Kind == value.None || v.Kind() == d.Kind) &&
		!(d.Min.Exists() && between(v, d.Min) == less) && !(d.Max.Exists() && between(v, d.Max) == greater)
}

func (t textTest) holds(v value.Value) bool {
	isText := v.Kind() == value.String || v.Kind() == value.Binary
	switch {
	case isText && v.Kind() != t.arg.Kind():
		return false
	case t.name == BeginsWith:
		return isText && strings.HasPrefix(v.Text(), t.arg.Text())
	case isText:
		return strings.Contains(v.Text(), t.arg.Text())
	}
	return slices.ContainsFunc(v.Items(), func(m value.Value) bool { return value.Equal(m, t.arg) })
}

// testsClash tells whether a text begins with something, and does not begin
// with, or contain, a part of that.
func (f *fact) testsClash() bool {
	for _, yes := range f.tests {
		if yes.negated || yes.name != BeginsWith {
			continue
		}
		for _, no := range f.tests {
			if no.negated && no.holds(yes.arg) {
				return true
			}
		}
	}
	return false
}

// span is a range of values; a bound that is absent is open.
type span struct {
	low, high                 value.Value
	lowExcluded, highExcluded bool
}

// emptyRange tells whether the bounds, all of which hold, leave no value.
func (f *fact) emptyRange() bool {
	var s span
	if f.exists {
		s.raise(f.domain.Min, false)
		s.lower(f.domain.Max, false)
	}
	for _, b := range f.beside {
		switch {
		case !b.literal.Exists() || b.is&unordered != 0:
		case b.is == equal:
			s.raise(b.literal, false)
			s.lower(b.literal, false)
		case b.is&less == 0:
			s.raise(b.literal, b.is&equal == 0)
		case b.is&greater == 0:
			s.lower(b.literal, b.is&equal == 0)
		}
	}
	for _, t := range f.tests {
		if t.name == BeginsWith && !t.negated && t.arg.Kind() == value.String {
			s.raise(t.arg, false)
			s.lower(afterPrefix(t.arg.Text()), true)
		}
	}
	if f.domain.Whole {
		s.includeWhole()
	}
	if !s.low.Exists() || !s.high.Exists() {
		return false
	}
	switch between(s.low, s.high) {
	case less:
		return false
	case greater, apart:
		return true
	}
	return s.lowExcluded || s.highExcluded || slices.ContainsFunc(f.beside, func(b beside) bool {
		return b.literal.Exists() && b.is&equal == 0 && value.Equal(b.literal, s.low)
	})
}

// raise makes v the lower bound if that is tighter.
func (s *span) raise(v value.Value, excluded bool) {
	if !v.Exists() {
		return
	}
	r := between(v, s.low)
	if !s.low.Exists() || r == greater || r == equal && excluded {
		s.low, s.lowExcluded = v, excluded
	}
}

// lower makes v the upper bound if that is tighter.
func (s *span) lower(v value.Value, excluded bool) {
	if !v.Exists() {
		return
	}
	r := between(v, s.high)
	if !s.high.Exists() || r == less || r == equal && excluded {
		s.high, s.highExcluded = v, excluded
	}
}

// includeWhole turns excluded whole bounds into the next ones that are included.
func (s *span) includeWhole() {
	if n, ok := s.low.Int(); ok && s.lowExcluded && n < math.MaxInt64 {
		s.low, s.lowExcluded = value.OfInt(n+1), false
	}
	if n, ok := s.high.Int(); ok && s.highExcluded && n > math.MinInt64 {
		s.high, s.highExcluded = value.OfInt(n-1), false
	}
}

// afterPrefix is the least text after all that begin with a prefix; absent when
// there is none.
func afterPrefix(prefix string) value.Value {
	bytes := []byte(prefix)
	for len(bytes) > 0 && bytes[len(bytes)-1] == 0xff {
		bytes = bytes[:len(bytes)-1]
	}
	if len(bytes) == 0 {
		return value.Value{}
	}
	bytes[len(bytes)-1]++
	return value.OfString(string(bytes))
}
