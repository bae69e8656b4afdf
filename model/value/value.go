// Package value holds attribute values as the model sees them: what an entity
// stores in an attribute, before and beside all keys and templates.
//
// A datetime is the string it is stored as, an epoch the number, and so on:
// values are DynamoDB's types, and their meaning is the attribute's type.
package value

import (
	"cmp"
	"encoding/base64"
	"errors"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"

	"github.com/cockroachdb/apd/v3"
)

// Kind is a DynamoDB type.
type Kind uint8

// The kinds. None is the kind of the zero Value: an attribute that is absent.
const (
	None Kind = iota
	String
	Number
	Binary
	Bool
	Null
	List
	Map
	StringSet
	NumberSet
	BinarySet
)

var descriptors = [...]string{None: "", String: "S", Number: "N", Binary: "B", Bool: "BOOL", Null: "NULL",
	List: "L", Map: "M", StringSet: "SS", NumberSet: "NS", BinarySet: "BS"}

// String is DynamoDB's descriptor of the type: S, N, B, …
func (k Kind) String() string { return descriptors[k] }

// IsKey tells whether a key attribute may be of this kind.
func (k Kind) IsKey() bool { return k == String || k == Number || k == Binary }

// IsSet tells whether values of the kind are sets.
func (k Kind) IsSet() bool { return k == StringSet || k == NumberSet || k == BinarySet }

// Value is an immutable attribute value. The zero Value is an absent attribute.
type Value struct {
	kind Kind
	b    bool
	s    string  // String, Binary (raw bytes), Number (canonical text)
	in   *inside // List, Map and sets; nil for all others
}

// inside is what a List, a Map or a set is made of. It stands apart because few
// values are one: without it a Value takes half the room.
type inside struct {
	list []Value // of a List; of a set, sorted and without duplicates
	m    []Field // of a Map, sorted by name
}

// Field is one member of a map.
type Field struct {
	Name  string
	Value Value
}

// OfString makes a string.
func OfString(s string) Value { return Value{kind: String, s: s} }

// OfBinary makes a binary value of raw bytes.
func OfBinary(b string) Value { return Value{kind: Binary, s: b} }

// OfBool makes a boolean.
func OfBool(b bool) Value { return Value{kind: Bool, b: b} }

// OfNull makes DynamoDB's NULL, which is not an absent attribute.
func OfNull() Value { return Value{kind: Null} }

// OfInt makes a number.
func OfInt(n int64) Value { return Value{kind: Number, s: strconv.FormatInt(n, 10)} }

// OfList makes a list.
func OfList(items ...Value) Value { return Value{kind: List, in: &inside{list: items}} }

// OfMap makes a map; of two fields of one name the later wins.
func OfMap(fields ...Field) Value {
	m := make([]Field, 0, len(fields))
	for _, f := range fields {
		i, found := slices.BinarySearchFunc(m, f.Name, func(f Field, name string) int { return cmp.Compare(f.Name, name) })
		if found {
			m[i] = f
		} else {
			m = slices.Insert(m, i, f)
		}
	}
	return Value{kind: Map, in: &inside{m: m}}
}

// OfSet makes a set of the given kind (StringSet, NumberSet or BinarySet);
// members that are equal count once.
func OfSet(kind Kind, members ...Value) Value {
	sorted := slices.Clone(members)
	slices.SortFunc(sorted, func(a, b Value) int { c, _ := Compare(a, b); return c })
	return Value{kind: kind, in: &inside{list: slices.CompactFunc(sorted, Equal)}}
}

// ErrNumber says that a text is no number that DynamoDB can hold: 38
// significant digits, magnitude 1E-130 to 9.99…E+125.
var ErrNumber = errors.New("not a number DynamoDB can store (38 significant digits, 1E-130 to 9.9E+125)")

// maxNumberText bounds the spelling of a number, in bytes. Every number DynamoDB
// holds can be written in less than half of it; reading digits takes time.
const maxNumberText = 1000

// OfNumber reads a number in any spelling DynamoDB accepts. Equal numbers give
// equal Values.
func OfNumber(text string) (Value, error) {
	if len(text) > maxNumberText {
		return Value{}, ErrNumber
	}
	d, _, err := apd.NewFromString(text)
	if err != nil || d.Form != apd.Finite {
		return Value{}, ErrNumber
	}
	return ofDecimal(d)
}

func ofDecimal(d *apd.Decimal) (Value, error) {
	var r apd.Decimal
	r.Reduce(d)
	if r.IsZero() {
		return Value{kind: Number, s: "0"}, nil
	}
	adjusted := int64(r.Exponent) + r.NumDigits() - 1
	if r.NumDigits() > 38 || adjusted > 125 || adjusted < -130 {
		return Value{}, ErrNumber
	}
	return Value{kind: Number, s: r.Text('f')}, nil
}

// Kind is the value's type; None when the attribute is absent.
func (v Value) Kind() Kind { return v.kind }

// Exists tells whether there is a value at all.
func (v Value) Exists() bool { return v.kind != None }

// Text is the text of a String, the raw bytes of a Binary, and the canonical
// plain decimal of a Number.
func (v Value) Text() string { return v.s }

// Truth is the value of a Bool.
func (v Value) Truth() bool { return v.b }

// Items are the members of a List (in order) or a set (sorted). Not to be changed.
func (v Value) Items() []Value {
	if v.in == nil {
		return nil
	}
	return v.in.list
}

// Fields are the members of a Map, sorted by name. Not to be changed.
func (v Value) Fields() []Field {
	if v.in == nil {
		return nil
	}
	return v.in.m
}

// Field is the member of a Map with the given name; absent when there is none.
func (v Value) Field(name string) Value {
	fields := v.Fields()
	i, found := slices.BinarySearchFunc(fields, name, func(f Field, name string) int { return cmp.Compare(f.Name, name) })
	if !found {
		return Value{}
	}
	return fields[i].Value
}

// Int is a Number as an int64; false when it is not a whole number in range.
func (v Value) Int() (int64, bool) {
	if v.kind != Number {
		return 0, false
	}
	n, err := strconv.ParseInt(v.s, 10, 64)
	return n, err == nil
}

// Decimal is a Number as a decimal.
func (v Value) Decimal() *apd.Decimal {
	d, _, err := apd.NewFromString(v.s)
	if err != nil {
		panic("value: Decimal of a value that is no number: " + v.s)
	}
	return d
}

// Add is v + w of two Numbers, exact; ErrNumber when the sum does not fit.
func (v Value) Add(w Value) (Value, error) {
	var d apd.Decimal
	if _, err := exact.Add(&d, v.Decimal(), w.Decimal()); err != nil {
		return Value{}, ErrNumber
	}
	return ofDecimal(&d)
}

// Neg is -v of a Number.
func (v Value) Neg() Value {
	var d apd.Decimal
	d.Neg(v.Decimal())
	n, err := ofDecimal(&d)
	if err != nil {
		panic("value: the negative of a number is a number: " + v.s)
	}
	return n
}

// exact holds the sum of any two DynamoDB numbers without rounding.
var exact = apd.Context{Precision: 400, MaxExponent: apd.MaxExponent, MinExponent: apd.MinExponent}

// Size is what DynamoDB's size function gives: the length of a string in UTF-16
// code units, as the service counts it; the bytes of a binary; the members of a
// list, map or set. Absent for what has no size.
func (v Value) Size() Value {
	switch v.kind {
	case String:
		return OfInt(int64(utf16Length(v.s)))
	case Binary:
		return OfInt(int64(len(v.s)))
	case List, StringSet, NumberSet, BinarySet:
		return OfInt(int64(len(v.in.list)))
	case Map:
		return OfInt(int64(len(v.in.m)))
	}
	return Value{}
}

func utf16Length(s string) int {
	n := 0
	for _, r := range s {
		n += utf16.RuneLen(r)
	}
	return n
}

// Equal tells whether two values are equal as DynamoDB compares them: same
// kind, numbers by value, sets without order. Two absent values are equal here.
func Equal(v, w Value) bool {
	return v.kind == w.kind && v.b == w.b && v.s == w.s && (v.in == w.in ||
		slices.EqualFunc(v.in.list, w.in.list, Equal) &&
			slices.EqualFunc(v.in.m, w.in.m, func(a, b Field) bool { return a.Name == b.Name && Equal(a.Value, b.Value) }))
}

// Compare orders two values of one kind that has an order (String, Number,
// Binary); false when they have none. Strings are in order of their UTF-8 bytes.
func Compare(v, w Value) (int, bool) {
	if v.kind != w.kind || !v.kind.IsKey() {
		return 0, false
	}
	if v.kind == Number {
		a, aok := v.Int()
		b, bok := w.Int()
		if aok && bok {
			return cmp.Compare(a, b), true
		}
		return v.Decimal().Cmp(w.Decimal()), true
	}
	return strings.Compare(v.s, w.s), true
}

// String writes the value as in the model's language and in messages: "text",
// 10, true, [..], {a: ..}, base64 for binary.
func (v Value) String() string { return string(v.Append(nil)) }

// Append appends what String gives to dst.
func (v Value) Append(dst []byte) []byte {
	switch v.kind {
	case None:
		return append(dst, "(absent)"...)
	case Null:
		return append(dst, "null"...)
	case Bool:
		return strconv.AppendBool(dst, v.b)
	case String:
		return strconv.AppendQuote(dst, v.s)
	case Number:
		return append(dst, v.s...)
	case Binary:
		return base64.StdEncoding.AppendEncode(append(dst, "b64:"...), []byte(v.s))
	case List:
		return append(appendMembers(append(dst, '['), v.in.list), ']')
	case StringSet, NumberSet, BinarySet:
		return append(appendMembers(append(dst, '<'), v.in.list), '>')
	}
	dst = append(dst, '{')
	for i, f := range v.in.m {
		if i > 0 {
			dst = append(dst, ", "...)
		}
		dst = f.Value.Append(append(append(dst, f.Name...), ": "...))
	}
	return append(dst, '}')
}

func appendMembers(dst []byte, list []Value) []byte {
	for i, m := range list {
		if i > 0 {
			dst = append(dst, ", "...)
		}
		dst = m.Append(dst)
	}
	return dst
}
