// Package ion reads and writes items as Amazon Ion text, the way tables are
// exported to and imported from it (DynamoDB developer guide, DynamoDB table
// export output format). Of Ion it has the types that items have: strings,
// booleans, decimals, blobs, nulls, lists, structs, and lists annotated as sets.
package ion

import (
	"encoding/base64"
	"strconv"
	"strings"

	"github.com/dynmodel/dynmodel/engine/attr"
)

// Marker begins every line of an export.
const Marker = "$ion_1_0 "

// sets are the annotations of lists that are sets, with the types of their members.
var sets = map[string]attr.Type{"$dynamodb_SS": attr.S, "$dynamodb_NS": attr.N, "$dynamodb_BS": attr.B}

// AppendStruct appends an item, a key or a map.
func AppendStruct(dst []byte, item attr.Item) []byte {
	dst = append(dst, '{')
	separator := ""
	for name, v := range item.All() {
		dst = append(dst, separator...)
		dst = append(AppendSymbol(dst, name), ':')
		dst = AppendValue(dst, v)
		separator = ","
	}
	return append(dst, '}')
}

// AppendSymbol appends the name of a field, in quotes if it needs them.
func AppendSymbol(dst []byte, name string) []byte {
	if isIdentifier(name) {
		return append(dst, name...)
	}
	text := attr.AppendJSONString(nil, name)
	inside := strings.ReplaceAll(string(text[1:len(text)-1]), `'`, `\'`)
	return append(append(append(dst, '\''), inside...), '\'')
}

// isIdentifier reports whether a symbol needs no quotes: it is no keyword, and no
// number of a symbol.
func isIdentifier(name string) bool {
	for i, c := range []byte(name) {
		letter := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' || c == '$'
		if !letter && (i == 0 || c < '0' || c > '9') {
			return false
		}
	}
	switch name {
	case "", "null", "true", "false", "nan":
		return false
	}
	return name[0] != '$' || strings.Trim(name[1:], "0123456789") != ""
}

// AppendValue appends a value.
func AppendValue(dst []byte, v attr.Value) []byte {
	switch v.Type() {
	case attr.S:
		return attr.AppendJSONString(dst, v.Text())
	case attr.N:
		return appendDecimal(dst, v.Number())
	case attr.B:
		dst = base64.StdEncoding.AppendEncode(append(dst, "{{"...), []byte(v.Text()))
		return append(dst, "}}"...)
	case attr.BOOL:
		return strconv.AppendBool(dst, v.True())
	case attr.M:
		return AppendStruct(dst, v.Item())
	case attr.L, attr.SS, attr.NS, attr.BS:
		return appendList(dst, v)
	}
	return append(dst, "null"...)
}

func appendList(dst []byte, v attr.Value) []byte {
	if v.Type().IsSet() {
		dst = append(append(append(dst, "$dynamodb_"...), v.Type().String()...), "::"...)
	}
	dst = append(dst, '[')
	separator := ""
	for e := range v.Elements() {
		dst = AppendValue(append(dst, separator...), e)
		separator = ","
	}
	return append(dst, ']')
}

// leastPlain is the exponent of the greatest digit from which on decimals are
// written without an exponent, as by Ion's own library.
const leastPlain = -6

// appendDecimal appends a number, which is given in plain notation, with no more
// digits than it needs: 600 is 6d2, and 103 is "103.", lest it be an integer.
func appendDecimal(dst []byte, number string) []byte {
	if number[0] == '-' {
		dst, number = append(dst, '-'), number[1:]
	}
	whole, fraction, _ := strings.Cut(number, ".")
	digits := strings.TrimLeft(whole+fraction, "0")
	kept := strings.TrimRight(digits, "0")
	exponent := len(digits) - len(kept) - len(fraction)
	first := len(kept) + exponent - 1 // the exponent of the first digit
	switch {
	case kept == "":
		return append(dst, "0."...)
	case exponent == 0:
		return append(append(dst, kept...), '.')
	case exponent > 0 || first < leastPlain:
		dst = append(append(dst, kept...), 'd')
		return strconv.AppendInt(dst, int64(exponent), 10)
	case first >= 0:
		point := len(kept) + exponent
		return append(append(append(dst, kept[:point]...), '.'), kept[point:]...)
	}
	dst = append(dst, "0."...)
	dst = append(dst, strings.Repeat("0", -first-1)...)
	return append(dst, kept...)
}
