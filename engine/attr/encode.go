package attr

import (
	"encoding/binary"
	"slices"
)

// The helpers in this file take encoded text apart. They rely on the text
// being well formed: it was made by this package or checked by [DecodeItem].

// uvarint splits a varint off the front of s.
func uvarint(s string) (n int, rest string) {
	if s[0] < 0x80 {
		return int(s[0]), s[1:]
	}
	shift := 0
	for i := 0; ; i++ {
		n |= int(s[i]&0x7f) << shift
		if s[i] < 0x80 {
			return n, s[i+1:]
		}
		shift += 7
	}
}

// cutBytes splits a length and that many bytes off the front of s.
func cutBytes(s string) (data, rest string) {
	n, s := uvarint(s)
	return s[:n], s[n:]
}

// cutValue splits a value off the front of s.
func cutValue(s string) (Value, string) {
	data, rest := cutBytes(s[1:])
	return Value{typ: Type(s[0]), data: data}, rest
}

// cutEntry splits a name and its value off the front of s.
func cutEntry(s string) (name string, v Value, rest string) {
	name, s = cutBytes(s)
	v, rest = cutValue(s)
	return name, v, rest
}

// appendBytes appends s with its length before it, which mostly is short.
func appendBytes[T string | []byte](dst []byte, s T) []byte {
	if len(s) < 0x80 {
		return append(append(dst, byte(len(s))), s...)
	}
	return append(binary.AppendUvarint(dst, uint64(len(s))), s...)
}

func (v Value) append(dst []byte) []byte {
	dst = append(dst, byte(v.typ))
	return appendBytes(dst, v.data)
}

func appendEntry(dst []byte, name string, v Value) []byte {
	return v.append(appendBytes(dst, name))
}

// closeLength finishes a payload whose length was not known when it was begun:
// at is where one byte was left for the length. Longer lengths move the
// payload up.
func closeLength(dst []byte, at int) []byte {
	n := len(dst) - at - 1
	var buf [binary.MaxVarintLen64]byte
	width := binary.PutUvarint(buf[:], uint64(n))
	if width > 1 {
		dst = slices.Insert(dst, at+1, buf[1:width]...)
	}
	dst[at] = buf[0]
	return dst
}

// DecodeItem returns the item that was encoded as b, or ok false if b is no
// item's encoding. It copies b.
func DecodeItem(b []byte) (it Item, ok bool) {
	entries := string(b)
	if !validEntries(entries, 1) {
		return Item{}, false
	}
	return itemOf(entries), true
}

// AppendBinary appends the item's encoding, which [DecodeItem] reads.
func (it Item) AppendBinary(dst []byte) []byte { return append(dst, it.entries()...) }

// checkedBytes is cutBytes for text that may be malformed.
func checkedBytes(s string) (data, rest string, ok bool) {
	n, width := uint64(0), 0
	for shift := 0; ; shift += 7 {
		if width == len(s) || shift > 28 {
			return "", "", false
		}
		c := s[width]
		width++
		n |= uint64(c&0x7f) << shift
		if c < 0x80 {
			if c == 0 && width > 1 {
				return "", "", false // the same length has a shorter spelling
			}
			break
		}
	}
	s = s[width:]
	if n > uint64(len(s)) {
		return "", "", false
	}
	return s[:n], s[n:], true
}

func validEntries(s string, depth int) bool {
	last, first := "", true
	for s != "" {
		name, rest, ok := checkedBytes(s)
		if !ok || (!first && name <= last) {
			return false
		}
		last, first = name, false
		if s, ok = validValue(rest, depth); !ok {
			return false
		}
	}
	return true
}

func validValue(s string, depth int) (rest string, ok bool) {
	if s == "" {
		return "", false
	}
	typ := Type(s[0])
	data, rest, ok := checkedBytes(s[1:])
	return rest, ok && validPayload(typ, data, depth)
}

func validPayload(typ Type, data string, depth int) bool {
	switch typ {
	case S, B:
		return true
	case N:
		return validNumber(data)
	case BOOL:
		return data == payloadFalse || data == payloadTrue
	case NULL:
		return data == ""
	case M:
		return depth < MaxDepth && validEntries(data, depth+1)
	case L:
		if depth == MaxDepth {
			return false
		}
		for ok := true; data != ""; {
			if data, ok = validValue(data, depth+1); !ok {
				return false
			}
		}
		return true
	case SS, NS, BS:
		return validMembers(typ, data)
	}
	return false
}

func validMembers(typ Type, data string) bool {
	if data == "" {
		return false
	}
	last, first := "", true
	for data != "" {
		member, rest, ok := checkedBytes(data)
		if !ok || (!first && member <= last) || !validPayload(typ.member(), member, 1) {
			return false
		}
		last, first, data = member, false, rest
	}
	return true
}
