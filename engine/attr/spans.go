package attr

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"slices"
)

// span is where an entry or a set's member stands in Scanner.buf. Either begins
// with the text to order it by, and the length of that.
type span struct {
	order      uint64 // the first bytes of that text, which mostly decide
	start, end int
}

// key returns the text that orders a span.
func (s *Scanner) key(p *span) []byte {
	n, width := binary.Uvarint(s.buf[p.start:p.end])
	return s.buf[p.start+width:][:n]
}

// firstBytes returns the first eight bytes of a text as a number that orders
// like them.
func firstBytes(text []byte) (order uint64) {
	if len(text) >= 8 {
		return binary.BigEndian.Uint64(text)
	}
	for i, c := range text {
		order |= uint64(c) << (56 - 8*i)
	}
	return order
}

// before reports whether a stands before b in the order of their keys.
func (s *Scanner) before(a, b *span) bool {
	return a.order < b.order || a.order == b.order && s.compareKeys(a, b) < 0
}

// same reports whether two spans have one key.
func (s *Scanner) same(a, b *span) bool {
	return a.order == b.order && s.compareKeys(a, b) == 0
}

func (s *Scanner) compareKeys(a, b *span) int { return bytes.Compare(s.key(a), s.key(b)) }

// fewSpans is up to how many spans are sorted fastest by inserting each at its
// place.
const fewSpans = 32

// sortSpans orders the spans from base on, keeping the written order among
// equal ones, and returns them.
func (s *Scanner) sortSpans(base int) []span {
	spans := s.spans[base:]
	if len(spans) > fewSpans {
		slices.SortFunc(spans, func(a, b span) int {
			switch {
			case s.before(&a, &b):
				return -1
			case s.before(&b, &a):
				return 1
			}
			return cmp.Compare(a.start, b.start)
		})
		return spans
	}
	for i := 1; i < len(spans); i++ {
		p, at := spans[i], i
		for ; at > 0 && s.before(&p, &spans[at-1]); at-- {
			spans[at] = spans[at-1]
		}
		spans[at] = p
	}
	return spans
}

// arrange rewrites s.buf from start on as the given spans, the last of each
// run of equal keys. It returns how many it has left out.
func (s *Scanner) arrange(start int, spans []span) (left int) {
	s.scratch = s.scratch[:0]
	for i := range spans {
		p := &spans[i]
		if i+1 < len(spans) && s.same(p, &spans[i+1]) {
			left++
			continue
		}
		s.scratch = append(s.scratch, s.buf[p.start:p.end]...)
	}
	s.buf = append(s.buf[:start], s.scratch...)
	return left
}
