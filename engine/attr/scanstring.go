package attr

import (
	"encoding/binary"
	"math/bits"
	"unicode/utf16"
	"unicode/utf8"
)

// appendString reads the string at s.pos, a quote, and appends what it stands
// for.
func (s *Scanner) appendString(dst []byte) []byte {
	s.pos++
	for {
		n := plainPrefix(s.data[s.pos:])
		dst = append(dst, s.data[s.pos:s.pos+n]...)
		s.pos += n
		if s.pos == len(s.data) {
			s.failSyntax(messageEOF)
			return dst
		}
		switch c := s.data[s.pos]; {
		case c == '"':
			s.pos++
			return dst
		case c == '\\':
			dst = s.appendEscape(dst)
		case c < ' ':
			s.failSyntax("Illegal unquoted control character in JSON input")
			return dst
		default:
			r, size := utf8.DecodeRune(s.data[s.pos:])
			if r == utf8.RuneError && size == 1 {
				s.failSyntax("Invalid UTF-8 in JSON input")
				return dst
			}
			dst = append(dst, s.data[s.pos:s.pos+size]...)
			s.pos += size
		}
		if s.err != nil {
			return dst
		}
	}
}

func (s *Scanner) appendEscape(dst []byte) []byte {
	if s.pos+1 == len(s.data) {
		s.failSyntax(messageEOF)
		return dst
	}
	c := s.data[s.pos+1]
	s.pos += 2
	switch c {
	case '"', '\\', '/':
		return append(dst, c)
	case 'b':
		return append(dst, '\b')
	case 'f':
		return append(dst, '\f')
	case 'n':
		return append(dst, '\n')
	case 'r':
		return append(dst, '\r')
	case 't':
		return append(dst, '\t')
	case 'u':
		r := s.hex4(s.pos)
		s.pos += 4
		if utf16.IsSurrogate(r) {
			// Half a surrogate pair has no UTF-8; the service, a Java
			// program, stores a question mark.
			low := rune(-1)
			if s.pos+1 < len(s.data) && s.data[s.pos] == '\\' && s.data[s.pos+1] == 'u' {
				low = s.hex4(s.pos + 2)
			}
			if r = utf16.DecodeRune(r, low); r == utf8.RuneError {
				r = '?'
			} else {
				s.pos += 6
			}
		}
		if r < 0 {
			break
		}
		return utf8.AppendRune(dst, r)
	}
	s.failSyntax("Unrecognized character escape in JSON input")
	return dst
}

// hex4 returns the four hexadecimal digits at pos, -1 if they are not there.
func (s *Scanner) hex4(pos int) rune {
	if pos+4 > len(s.data) {
		return -1
	}
	r := rune(0)
	for _, c := range s.data[pos : pos+4] {
		switch {
		case '0' <= c && c <= '9':
			c -= '0'
		case 'a' <= c && c <= 'f':
			c -= 'a' - 10
		case 'A' <= c && c <= 'F':
			c -= 'A' - 10
		default:
			return -1
		}
		r = r<<4 | rune(c)
	}
	return r
}

// plainPrefix returns how many bytes at the start of s stand for themselves in
// a JSON string: printable ASCII without quote and backslash. It looks at
// eight bytes at a time.
func plainPrefix(s []byte) int {
	i := 0
	for ; i+16 <= len(s); i += 16 {
		a, b := special(binary.LittleEndian.Uint64(s[i:])), special(binary.LittleEndian.Uint64(s[i+8:]))
		if a|b == 0 {
			continue
		}
		if a != 0 {
			return i + bits.TrailingZeros64(a)/8
		}
		return i + 8 + bits.TrailingZeros64(b)/8
	}
	if rest := len(s) - i; rest >= 8 {
		if a := special(binary.LittleEndian.Uint64(s[i:])); a != 0 {
			return i + bits.TrailingZeros64(a)/8
		}
		i += 8
	}
	if n := len(s); i < n && n >= 8 { // the last bytes once more, with those before them
		if special(binary.LittleEndian.Uint64(s[n-8:])) == 0 {
			return n
		}
	}
	for i < len(s) && s[i] >= ' ' && s[i] < 0x80 && s[i] != '"' && s[i] != '\\' {
		i++
	}
	return i
}

// special returns a word whose lowest set bit is in the first of eight bytes
// that is above 0x7f, below a space, a quote or a backslash; it is zero if
// there is none.
func special(x uint64) uint64 {
	const (
		ones = 0x0101010101010101
		tops = 0x80 * ones
	)
	quote, slash := x^'"'*ones, x^'\\'*ones
	return (x | (x - ' '*ones) | (quote - ones) | (slash - ones)) & tops
}
