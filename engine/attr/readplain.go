package attr

import "encoding/binary"

// Nearly all requests are written without spaces between tokens and with few
// escapes. What is in this file reads such text in one go. Where anything is
// different it reads nothing, and says so: the general reader comes after it,
// and has all the rules and errors.

// plainField moves to the value of the next field if it stands there as
// ,"name": or, being the first one, without the comma.
func (s *Scanner) plainField() bool {
	data, at := s.data, s.pos
	if !s.fresh {
		if at >= len(data) || data[at] != ',' {
			return false
		}
		at++
	}
	if at >= len(data) || data[at] != '"' {
		return false
	}
	start := at + 1
	end := start + plainPrefix(data[start:])
	if end+1 >= len(data) || data[end] != '"' || data[end+1] != ':' {
		return false
	}
	s.fresh, s.nameEscaped = false, false
	s.nameStart, s.nameEnd, s.pos = start, end, end+2
	return true
}

// What a string or a number begins with, {"S":" or {"N":", as the low bytes of
// a word.
const (
	scalarBytes = 6
	scalarMask  = 1<<(8*scalarBytes) - 1
	scalarStart = '{' | '"'<<8 | '"'<<24 | ':'<<32 | '"'<<40
	stringStart = scalarStart | 'S'<<16
	numberStart = scalarStart | 'N'<<16
)

// plainScalar reads an attribute value that is a string or a number, and
// appends its encoding to s.buf. It returns the value's size.
func (s *Scanner) plainScalar() (size int, ok bool) {
	at := s.data[s.pos:]
	if len(at) < 8 {
		return 0, false
	}
	start := binary.LittleEndian.Uint64(at) & scalarMask
	if start != stringStart && start != numberStart {
		return 0, false
	}
	text := at[scalarBytes:]
	n := plainPrefix(text)
	if n+2 > len(text) || text[n] != '"' || text[n+1] != '}' {
		return 0, false
	}
	if start == stringStart {
		s.buf = appendBytes(append(s.buf, byte(S)), text[:n])
		size = n
	} else {
		var d decimal
		if parseDecimal(&d, text[:n]) != nil {
			return 0, false
		}
		length := len(s.buf) + 1
		s.buf = d.append(append(s.buf, byte(N), 0))
		s.buf[length] = byte(len(s.buf) - length - 1)
		size = d.size()
	}
	s.pos += scalarBytes + n + 2
	return size, true
}
