package attr

import (
	"strings"
)

// AppendKey appends an encoding of v, a string, number or binary, such that
// the byte order of encodings is the order of keys in DynamoDB: strings and
// binaries by their bytes, numbers by value. No encoding is a prefix of
// another of the same type, so several appended in turn order like the tuple
// of their values, as in an index with several key attributes.
//
// In strings and binaries a zero byte is written as 00 ff and the end as
// 00 01; a number is written as it is stored.
func AppendKey(dst []byte, v Value) []byte {
	if v.typ == N {
		return append(dst, v.data...)
	}
	s := v.data
	for {
		i := strings.IndexByte(s, 0)
		if i < 0 {
			break
		}
		dst = append(dst, s[:i]...)
		dst = append(dst, 0, 0xff)
		s = s[i+1:]
	}
	dst = append(dst, s...)
	return append(dst, 0, 1)
}

// AppendKeyPrefix appends what the encodings of all strings, or binaries, that
// begin with v have in common.
func AppendKeyPrefix(dst []byte, v Value) []byte {
	dst = AppendKey(dst, v)
	return dst[:len(dst)-2]
}
