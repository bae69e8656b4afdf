package store

import (
	"strconv"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// reader reads the attributes of an item, and keeps the first thing that is
// wrong with it.
type reader struct {
	item   stored
	entity string
	name   string // of the attribute that is being read
	err    error
}

func (r *reader) fail(problem string) {
	if r.err == nil {
		r.err = &ItemError{r.entity, r.name, problem}
	}
}

// field is an attribute that is always there.
func field[T any](r *reader, name string, read func(*reader, types.AttributeValue) T) T {
	v := r.item[name]
	r.name = name
	if v == nil {
		var none T
		r.fail("is not there")
		return none
	}
	return read(r, v)
}

// text is field of a text, which most attributes are.
func text[T ~string](r *reader, name string) T {
	if s, ok := r.item[name].(*types.AttributeValueMemberS); ok {
		return T(s.Value)
	}
	return field(r, name, asText[T])
}

// optional is an attribute that may be absent.
func optional[T any](r *reader, name string, read func(*reader, types.AttributeValue) T) *T {
	v := r.item[name]
	if v == nil || isNull(v) {
		return nil
	}
	r.name = name
	out := read(r, v)
	return &out
}

// maybe is an attribute whose zero value says that it is absent.
func maybe[T any](r *reader, name string, read func(*reader, types.AttributeValue) T) T {
	var none T
	v := r.item[name]
	if v == nil || isNull(v) {
		return none
	}
	r.name = name
	return read(r, v)
}

func isNull(v types.AttributeValue) bool {
	_, null := v.(*types.AttributeValueMemberNULL)
	return null
}

// The ways to read values.

func asText[T ~string](r *reader, v types.AttributeValue) T {
	if s, ok := v.(*types.AttributeValueMemberS); ok {
		return T(s.Value)
	}
	r.fail("is no text")
	return ""
}

func asNumber(r *reader, v types.AttributeValue) Number {
	if n, ok := v.(*types.AttributeValueMemberN); ok {
		return Number(n.Value)
	}
	r.fail("is no number")
	return "0"
}

func asInt(r *reader, v types.AttributeValue) int64 {
	text := string(asNumber(r, v))
	i, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		whole, ok := Number(text).Int64()
		if !ok {
			r.fail("= " + text + " is no whole number of 64 bits")
		}
		return whole
	}
	return i
}

func asBool(r *reader, v types.AttributeValue) bool {
	if b, ok := v.(*types.AttributeValueMemberBOOL); ok {
		return b.Value
	}
	r.fail("is neither true nor false")
	return false
}

func asBytes(r *reader, v types.AttributeValue) []byte {
	if b, ok := v.(*types.AttributeValueMemberB); ok {
		return b.Value
	}
	r.fail("is not binary")
	return nil
}

func asValue(_ *reader, v types.AttributeValue) types.AttributeValue { return v }

func asValues(r *reader, v types.AttributeValue) []types.AttributeValue {
	if l, ok := v.(*types.AttributeValueMemberL); ok {
		return l.Value
	}
	r.fail("is no list")
	return nil
}

func asMap(r *reader, v types.AttributeValue) map[string]types.AttributeValue {
	if m, ok := v.(*types.AttributeValueMemberM); ok {
		return m.Value
	}
	r.fail("is no map")
	return nil
}

func asTexts[T ~string](r *reader, v types.AttributeValue) []T {
	s, ok := v.(*types.AttributeValueMemberSS)
	if !ok {
		r.fail("is no set of texts")
		return nil
	}
	return each(s.Value, func(text string) T { return T(text) })
}

// asNumbers reads a set of numbers, each by a function.
func asNumbers[T any](read func(*reader, types.AttributeValue) T) func(*reader, types.AttributeValue) []T {
	return func(r *reader, v types.AttributeValue) []T {
		s, ok := v.(*types.AttributeValueMemberNS)
		if !ok {
			r.fail("is no set of numbers")
			return nil
		}
		return each(s.Value, func(text string) T { return read(r, num(text)) })
	}
}

func asByteSets(r *reader, v types.AttributeValue) [][]byte {
	if s, ok := v.(*types.AttributeValueMemberBS); ok {
		return s.Value
	}
	r.fail("is no set of binary values")
	return nil
}

// asList reads a list, each member by a function.
func asList[T any](read func(*reader, types.AttributeValue) T) func(*reader, types.AttributeValue) []T {
	return func(r *reader, v types.AttributeValue) []T {
		return each(asValues(r, v), func(m types.AttributeValue) T { return read(r, m) })
	}
}

// asMapOf reads a map whose values are all alike.
func asMapOf[T any](read func(*reader, types.AttributeValue) T) func(*reader, types.AttributeValue) map[string]T {
	return func(r *reader, v types.AttributeValue) map[string]T {
		members := asMap(r, v)
		out := make(map[string]T, len(members))
		for name, m := range members {
			out[name] = read(r, m)
		}
		return out
	}
}

// inside reads the members of a map.
func (r *reader) inside(v types.AttributeValue) *reader {
	return &reader{item: asMap(r, v), entity: r.entity + "." + r.name}
}

// close hands on what is wrong with the members of a map.
func (r *reader) close(in *reader) {
	if r.err == nil {
		r.err = in.err
	}
}

func asTime(r *reader, v types.AttributeValue) time.Time   { return r.time(v, layoutSecond) }
func asMinute(r *reader, v types.AttributeValue) time.Time { return r.time(v, layoutMinute) }
func asDate(r *reader, v types.AttributeValue) time.Time   { return r.time(v, layoutDate) }
func asMonth(r *reader, v types.AttributeValue) time.Time  { return r.time(v, layoutMonth) }

// asLocal and asLocalMinute read times without a zone as if they were in UTC.
func asLocal(r *reader, v types.AttributeValue) time.Time { return r.time(v, layoutLocalSecond) }

func asLocalMinute(r *reader, v types.AttributeValue) time.Time {
	return r.time(v, layoutLocalMinute)
}

func asEpoch(r *reader, v types.AttributeValue) time.Time {
	return time.Unix(asInt(r, v), 0).UTC()
}

func asEpochMS(r *reader, v types.AttributeValue) time.Time {
	return time.UnixMilli(asInt(r, v)).UTC()
}

// time reads a time in a layout, fractions of its seconds included.
func (r *reader) time(v types.AttributeValue, layout string) time.Time {
	text := asText[string](r, v)
	t, err := time.Parse(layout, text)
	if err != nil {
		r.fail("= " + strconv.Quote(text) + " is no time")
	}
	return t.UTC()
}

// is holds the type that is stored in an item against that of the entity; where
// none is stored or projected there is nothing to hold.
func (r *reader) is(attribute, name string) {
	if stored := textAt(r.item, attribute); stored != "" && stored != name {
		r.name = attribute
		r.fail("= " + strconv.Quote(stored) + ", not " + strconv.Quote(name))
	}
}
