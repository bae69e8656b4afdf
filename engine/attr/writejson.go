package attr

import (
	"encoding/base64"
	"unicode/utf8"
)

// AppendJSON appends the item as DynamoDB JSON: an object of its attributes in
// name order.
func (it Item) AppendJSON(dst []byte) []byte { return appendEntries(dst, it.entries()) }

func appendEntries(dst []byte, entries string) []byte {
	dst = append(dst, '{')
	first := true
	for s := entries; s != ""; {
		var name string
		var v Value
		name, v, s = cutEntry(s)
		if !first {
			dst = append(dst, ',')
		}
		first = false
		dst = AppendJSONString(dst, name)
		dst = append(dst, ':')
		dst = v.AppendJSON(dst)
	}
	return append(dst, '}')
}

// AppendJSON appends the value as DynamoDB JSON: an object with one field
// named for the type. Members of sets are in ascending order.
func (v Value) AppendJSON(dst []byte) []byte {
	switch v.typ {
	case S:
		dst = append(dst, `{"S":`...)
		return append(AppendJSONString(dst, v.data), '}')
	case N:
		dst = append(dst, `{"N":"`...)
		return append(appendNumberText(dst, v.data), '"', '}')
	}
	dst = append(dst, '{', '"')
	dst = append(dst, v.typ.String()...)
	dst = append(dst, '"', ':')
	switch v.typ {
	case B:
		dst = appendScalar(dst, B, v.data)
	case BOOL:
		dst = appendBool(dst, v.data == payloadTrue)
	case NULL:
		dst = append(dst, "true"...)
	case M:
		dst = appendEntries(dst, v.data)
	case L:
		dst = append(dst, '[')
		for s := v.data; s != ""; {
			var e Value
			e, s = cutValue(s)
			dst = e.AppendJSON(dst)
			dst = appendComma(dst, s)
		}
		dst = append(dst, ']')
	case SS, NS, BS:
		dst = append(dst, '[')
		for s := v.data; s != ""; {
			var m string
			m, s = cutBytes(s)
			dst = appendScalar(dst, v.typ.member(), m)
			dst = appendComma(dst, s)
		}
		dst = append(dst, ']')
	}
	return append(dst, '}')
}

func appendBool(dst []byte, b bool) []byte {
	if b {
		return append(dst, "true"...)
	}
	return append(dst, "false"...)
}

func appendComma(dst []byte, rest string) []byte {
	if rest != "" {
		dst = append(dst, ',')
	}
	return dst
}

// appendScalar appends a string, number or binary as a JSON string.
func appendScalar(dst []byte, typ Type, data string) []byte {
	switch typ {
	case N:
		dst = append(dst, '"')
		return append(appendNumberText(dst, data), '"')
	case B:
		dst = append(dst, '"')
		return append(appendBase64(dst, data), '"')
	}
	return AppendJSONString(dst, data)
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
	dst = append(dst, '"')
	start := len(dst)
	dst = append(dst, s...)
	if n := plainPrefix(dst[start:]); n < len(s) {
		dst = appendEscaped(dst[:start+n], s[n:])
	}
	return append(dst, '"')
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
