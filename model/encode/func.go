package encode

import (
	"hash/fnv"
	"strings"
	"unicode/utf8"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/expr"
	"github.com/dynmodel/dynmodel/model/value"
)

// Apply applies template functions in order to a value of an attribute of type
// t, which decides how a time is read out of it. Shard gives a number, the
// others a string. The error is an *Error with the function that failed and
// what it was given.
func Apply(funcs []expr.Func, v value.Value, t model.Type) (value.Value, error) {
	v, err := apply(funcs, v, t)
	if err != nil {
		return value.Value{}, err
	}
	return v, nil
}

func apply(funcs []expr.Func, v value.Value, t model.Type) (value.Value, *Error) {
	for _, f := range funcs {
		out, fault := applyOne(f, v, t)
		if fault != "" {
			return value.Value{}, &Error{Fault: fault, Func: f, Value: v}
		}
		v, t = out, typeAfter(f.Name, t)
	}
	return v, nil
}

// typeAfter is the type of what a function makes of a value of type t, as far
// as the functions after it care.
func typeAfter(f expr.FuncName, t model.Type) model.Type {
	switch f {
	case expr.Lower, expr.Upper:
		return t
	case expr.Month:
		return model.TypeMonth
	case expr.Day:
		return model.TypeDate
	case expr.Shard:
		return model.TypeInteger
	}
	return model.TypeString
}

func applyOne(f expr.Func, v value.Value, t model.Type) (value.Value, Fault) {
	switch f.Name {
	case expr.Lower:
		return mapString(v, strings.ToLower)
	case expr.Upper:
		return mapString(v, strings.ToUpper)
	case expr.Prefix:
		return mapString(v, func(s string) string { return firstCharacters(s, f.N) })
	case expr.Pad, expr.Invert:
		return digits(f, v)
	case expr.Year, expr.Month, expr.Week, expr.Day, expr.Hour, expr.Minute, expr.Bucket:
		return period(f, v, t)
	case expr.Shard:
		text, err := textOf(v)
		if err != nil {
			return value.Value{}, err.Fault
		}
		return value.OfInt(int64(shardOf(text, f.N))), ""
	}
	panic("encode: not a template function: " + string(f.Name))
}

func mapString(v value.Value, f func(string) string) (value.Value, Fault) {
	if v.Kind() != value.String {
		return value.Value{}, NotString
	}
	return value.OfString(f(v.Text())), ""
}

// firstCharacters is the first n characters of s, or all of it.
func firstCharacters(s string, n int) string {
	end := 0
	for ; n > 0 && end < len(s); n-- {
		_, size := utf8.DecodeRuneInString(s[end:])
		end += size
	}
	return s[:end]
}

// digits writes a whole number from 0 to 10^n-1 with n digits; inverted, as
// what it lacks to 10^n-1, so that larger numbers sort first.
func digits(f expr.Func, v value.Value) (value.Value, Fault) {
	text := v.Text()
	switch {
	case v.Kind() != value.Number || strings.Contains(text, "."):
		return value.Value{}, NotWhole
	case text[0] == '-':
		return value.Value{}, Negative
	case len(text) > f.N:
		return value.Value{}, TooWide
	}
	padded := []byte(strings.Repeat("0", f.N-len(text)) + text)
	if f.Name == expr.Invert {
		for i, c := range padded {
			padded[i] = '9' - (c - '0')
		}
	}
	return value.OfString(string(padded)), ""
}

// shardOf is shard(n) of a text: its FNV-1a hash of 32 bits, modulo n.
func shardOf(text string, n int) int {
	h := fnv.New32a()
	h.Write([]byte(text)) // never fails
	return int(h.Sum32() % uint32(n))
}
