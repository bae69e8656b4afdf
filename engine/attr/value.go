package attr

import (
	"encoding/binary"
	"iter"
	"slices"
	"strings"
)

// Value is one immutable attribute value. The zero Value stands for an
// attribute that is not there. Values are equal, numbers by value and sets
// without regard to order, exactly when == says so.
type Value struct {
	typ  Type
	data string
}

const (
	payloadFalse = "\x00"
	payloadTrue  = "\x01"
)

// String returns a string value.
func String(s string) Value { return Value{typ: S, data: s} }

// Binary returns a binary value with the bytes of b.
func Binary[T string | []byte](b T) Value { return Value{typ: B, data: string(b)} }

// Bool returns a boolean value.
func Bool(b bool) Value {
	if b {
		return Value{typ: BOOL, data: payloadTrue}
	}
	return Value{typ: BOOL, data: payloadFalse}
}

// Null returns the null value, which is not the same as no value.
func Null() Value { return Value{typ: NULL} }

// List returns a list of the given elements, none of which may be the zero
// Value.
func List(elements ...Value) Value {
	var enc []byte
	for _, e := range elements {
		enc = e.append(enc)
	}
	return Value{typ: L, data: string(enc)}
}

// Map returns a map with the item's attributes as its entries.
func Map(entries Item) Value { return Value{typ: M, data: entries.entries()} }

// Set returns the set of the given members, which must all be strings, all
// numbers or all binaries; members that are there twice count once. Without
// members it returns the zero Value, since DynamoDB has no empty sets.
func Set(members ...Value) Value {
	if len(members) == 0 {
		return Value{}
	}
	payloads := make([]string, len(members))
	for i, m := range members {
		payloads[i] = m.data
	}
	slices.Sort(payloads)
	payloads = slices.Compact(payloads)
	var enc []byte
	for _, p := range payloads {
		enc = appendBytes(enc, p)
	}
	return Value{typ: members[0].typ - S + SS, data: string(enc)}
}

// Type returns the type of the value, 0 for the zero Value.
func (v Value) Type() Type { return v.typ }

// Exists reports whether v is a value at all.
func (v Value) Exists() bool { return v.typ != 0 }

// Text returns the bytes of a string or a binary, and "" for other types.
func (v Value) Text() string {
	if v.typ == S || v.typ == B {
		return v.data
	}
	return ""
}

// True reports whether v is the boolean true.
func (v Value) True() bool { return v.typ == BOOL && v.data == payloadTrue }

// Item returns the entries of a map as an item; other types have none.
func (v Value) Item() Item {
	if v.typ == M {
		return itemOf(v.data)
	}
	return Item{}
}

// Entry returns the named entry of a map; other types have none.
func (v Value) Entry(name string) (Value, bool) {
	if v.typ != M {
		return Value{}, false
	}
	return find(v.data, name)
}

// Elements yields the elements of a list in order, the members of a set in
// ascending order, and nothing for other types.
func (v Value) Elements() iter.Seq[Value] {
	return func(yield func(Value) bool) {
		data := v.data
		switch {
		case v.typ == L:
			for data != "" {
				var e Value
				if e, data = cutValue(data); !yield(e) {
					return
				}
			}
		case v.typ.IsSet():
			for data != "" {
				var m string
				if m, data = cutBytes(data); !yield(Value{typ: v.typ.member(), data: m}) {
					return
				}
			}
		}
	}
}

// Index returns element i of a list.
func (v Value) Index(i int) (Value, bool) {
	if v.typ != L || i < 0 {
		return Value{}, false
	}
	for data := v.data; data != ""; i-- {
		var e Value
		if e, data = cutValue(data); i == 0 {
			return e, true
		}
	}
	return Value{}, false
}

// Len returns the number of UTF-16 code units of a string, which the service, a
// Java program, takes for its length; of bytes of a binary; of elements of a
// list, map or set; and 0 for other types. It is DynamoDB's size function.
func (v Value) Len() int {
	n := 0
	switch {
	case v.typ == S:
		return utf16Len(v.data)
	case v.typ == B:
		return len(v.data)
	case v.typ == L || v.typ.IsSet():
		for range v.Elements() {
			n++
		}
	case v.typ == M:
		return countEntries(v.data)
	}
	return n
}

// utf16Len returns the number of code units of a UTF-8 text in UTF-16.
func utf16Len(s string) int {
	n := 0
	for i := range len(s) {
		if s[i]&0xc0 != 0x80 {
			n++
		}
		if s[i] >= 0xf0 {
			n++
		}
	}
	return n
}

// Has reports whether e is an element of list v or a member of set v.
func (v Value) Has(e Value) bool {
	for x := range v.Elements() {
		if x == e {
			return true
		}
	}
	return false
}

// Union returns the set with the members of both sets, which have the same
// type.
func (v Value) Union(w Value) Value {
	return v.merge(w, func(inV, inW bool) bool { return true })
}

// Minus returns set v without the members of set w, and the zero Value if
// nothing is left. The sets have the same type.
func (v Value) Minus(w Value) Value {
	return v.merge(w, func(inV, inW bool) bool { return inV && !inW })
}

// merge walks two sets in order and keeps the members that keep chooses.
func (v Value) merge(w Value, keep func(inV, inW bool) bool) Value {
	enc := make([]byte, 0, len(v.data)+len(w.data))
	for a, b := v.data, w.data; a != "" || b != ""; {
		member, inV, inW := "", a != "", b != ""
		var restA, restB, other string
		if inV {
			member, restA = cutBytes(a)
		}
		if inW {
			other, restB = cutBytes(b)
		}
		switch {
		case !inV, inW && other < member:
			member, inV = other, false
		case inW && member < other:
			inW = false
		}
		if inV {
			a = restA
		}
		if inW {
			b = restB
		}
		if keep(inV, inW) {
			enc = appendBytes(enc, member)
		}
	}
	if len(enc) == 0 {
		return Value{}
	}
	return Value{typ: v.typ, data: string(enc)}
}

// Compare orders two values of the same type: strings and binaries by their
// bytes, numbers by value. ok is false for other types and for two types.
func Compare(a, b Value) (order int, ok bool) {
	if a.typ != b.typ || !a.typ.IsKey() {
		return 0, false
	}
	return strings.Compare(a.data, b.data), true
}

// Size is DynamoDB's size of the value in bytes, without its name, as it
// counts towards the size of an item.
func (v Value) Size() int {
	switch v.typ {
	case S, B:
		return len(v.data)
	case N:
		return numberSize(v.data)
	case BOOL, NULL:
		return 1
	case L:
		size := 3
		for s := v.data; s != ""; {
			var e Value
			e, s = cutValue(s)
			size += 1 + e.Size()
		}
		return size
	case M:
		n, size := measure(v.data)
		return 3 + n + size
	case SS, NS, BS:
		size := 0
		for m := range v.Elements() {
			size += m.Size()
		}
		return size
	}
	return 0
}

// Depth returns how many levels v takes: 1 for a scalar or a set, and one more
// than its deepest element for a list or map; an empty one takes 2. At most
// [MaxDepth] are allowed.
func (v Value) Depth() int {
	switch v.typ {
	case L:
		deepest := 1
		for e := range v.Elements() {
			deepest = max(deepest, e.Depth())
		}
		return 1 + deepest
	case M:
		return 1 + max(1, deepest(v.data))
	}
	return 1
}

// AppendBinary appends the value's encoding, which [DecodeValue] reads.
func (v Value) AppendBinary(dst []byte) []byte { return v.append(dst) }

// DecodeValue returns the value that was encoded at the start of b and the
// bytes that follow it; ok is false if there is none. It copies the value.
func DecodeValue(b []byte) (v Value, rest []byte, ok bool) {
	n, width := uint64(0), 0
	if len(b) > 1 {
		n, width = binary.Uvarint(b[1:])
	}
	end := 1 + uint64(width) + n
	if width <= 0 || n > uint64(len(b)) || end > uint64(len(b)) {
		return Value{}, b, false
	}
	s := string(b[:end])
	if left, ok := validValue(s, 1); !ok || left != "" {
		return Value{}, b, false
	}
	v, _ = cutValue(s)
	return v, b[end:], true
}
