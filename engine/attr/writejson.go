package attr

import (
	"encoding/base64"
	"encoding/binary"
	"slices"
	"strconv"
	"unicode/utf8"
)

// AppendJSON appends the item as DynamoDB JSON: an object of its attributes in
// name order.
func (it Item) AppendJSON(dst []byte) []byte { return appendEntries(dst, it.entries()) }

func appendEntries(dst []byte, entries string) []byte {
	dst = append(dst, '{')
	for s := entries; s != ""; {
		n, rest := uvarint(s)
		dst = appendText(append(dst, '"'), rest, n)
		dst = append(dst, '"', ':')
		dst, s = appendValue(dst, rest[n:])
		dst = appendComma(dst, s)
	}
	return append(dst, '}')
}

// AppendJSON appends the value as DynamoDB JSON: an object with one field
// named for the type. Members of sets are in ascending order.
func (v Value) AppendJSON(dst []byte) []byte {
	dst = appendOpening(dst, v.typ)
	return append(appendPayload(dst, v.typ, v.data, len(v.data)), '}')
}

// appendValue appends the encoded value that enc begins with, and returns what
// follows it.
func appendValue(dst []byte, enc string) (_ []byte, rest string) {
	typ := Type(enc[0])
	n, data := uvarint(enc[1:])
	dst = appendOpening(dst, typ)
	return append(appendPayload(dst, typ, data, n), '}'), data[n:]
}

// appendOpening appends what comes before the payload of a value.
func appendOpening(dst []byte, typ Type) []byte {
	switch typ {
	case S:
		return append(dst, `{"S":`...)
	case N:
		return append(dst, `{"N":`...)
	}
	dst = append(dst, '{', '"')
	dst = append(dst, typ.String()...)
	return append(dst, '"', ':')
}

// appendPayload appends the payload that is the first n bytes of data.
func appendPayload(dst []byte, typ Type, data string, n int) []byte {
	switch typ {
	case S:
		return append(appendText(append(dst, '"'), data, n), '"')
	case N:
		return append(appendNumberText(append(dst, '"'), data[:n]), '"')
	case B:
		return append(appendBase64(append(dst, '"'), data[:n]), '"')
	case BOOL:
		return strconv.AppendBool(dst, data[:n] == payloadTrue)
	case NULL:
		return append(dst, "true"...)
	case M:
		return appendEntries(dst, data[:n])
	case L:
		dst = append(dst, '[')
		for s := data[:n]; s != ""; {
			dst, s = appendValue(dst, s)
			dst = appendComma(dst, s)
		}
		return append(dst, ']')
	}
	dst = append(dst, '[')
	for s := data[:n]; s != ""; {
		size, member := uvarint(s)
		dst = appendPayload(dst, typ.member(), member, size)
		s = member[size:]
		dst = appendComma(dst, s)
	}
	return append(dst, ']')
}

func appendComma(dst []byte, rest string) []byte {
	if rest != "" {
		dst = append(dst, ',')
	}
	return dst
}

// appendBase64 encodes in pieces, so that the string need not be copied whole.
func appendBase64(dst []byte, data string) []byte {
	var piece [96]byte // a multiple of 3, so that only the last piece is padded
	for data != "" {
		n := copy(piece[:], data)
		dst = base64.StdEncoding.AppendEncode(dst, piece[:n])
		data = data[n:]
	}
	return dst
}

// AppendJSONString appends s as a JSON string. Text that is not UTF-8 gets a
// replacement character.
func AppendJSONString(dst []byte, s string) []byte {
	return append(appendText(append(dst, '"'), s, len(s)), '"')
}

// appendText appends the first n bytes of s as they stand in a JSON string. It
// copies eight bytes at a time while it looks whether they need escapes, the
// last of them together with what follows.
func appendText(dst []byte, s string, n int) []byte {
	dst = slices.Grow(dst, n+8)
	room := dst[len(dst):cap(dst)]
	i, odd := 0, uint64(0)
	for ; i+8 <= n; i += 8 {
		w := word(s[i:])
		odd |= special(w)
		binary.LittleEndian.PutUint64(room[i:], w)
	}
	if i+8 <= len(s) {
		w := word(s[i:])
		odd |= special(w) & (1<<(8*(n-i)) - 1)
		binary.LittleEndian.PutUint64(room[i:], w)
	} else if rest := s[i:n]; rest != "" {
		copy(room[i:], rest)
		odd |= special(binary.LittleEndian.Uint64(room[i:])) & (1<<(8*(n-i)) - 1)
	}
	if odd != 0 {
		return appendEscaped(dst, s[:n])
	}
	return dst[:len(dst)+n]
}

// word returns the first eight bytes of s.
func word(s string) uint64 {
	_ = s[7]
	return uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 | uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
}

func appendEscaped(dst []byte, s string) []byte {
	const hex = "0123456789ABCDEF"
	for i := 0; i < len(s); {
		c := s[i]
		if c >= utf8.RuneSelf {
			r, size := utf8.DecodeRuneInString(s[i:])
			dst = utf8.AppendRune(dst, r)
			i += size
			continue
		}
		i++
		switch {
		case c == '"' || c == '\\':
			dst = append(dst, '\\', c)
		case c >= ' ':
			dst = append(dst, c)
		case c == '\n':
			dst = append(dst, '\\', 'n')
		case c == '\r':
			dst = append(dst, '\\', 'r')
		case c == '\t':
			dst = append(dst, '\\', 't')
		case c == '\b':
			dst = append(dst, '\\', 'b')
		case c == '\f':
			dst = append(dst, '\\', 'f')
		default:
			dst = append(dst, `\u00`...)
			dst = append(dst, hex[c>>4], hex[c&15])
		}
	}
	return dst
}
