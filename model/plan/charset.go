package plan

import "github.com/dynmodel/dynmodel/model/expr"

// charset is a set of bytes of UTF-8 text. All characters beyond ASCII are in
// it or none is.
type charset [4]uint64

var (
	digits        = charset{}.span('0', '9')
	hexDigits     = digits.span('a', 'f').span('A', 'F')
	alphanumerics = digits.span('a', 'z').span('A', 'Z')
	slugChars     = digits.span('a', 'z').with('-')
	nonASCII      = charset{}.span(0x80, 0xff)
	graphic       = charset{}.span('!', '~').or(nonASCII)
	anything      = charset{}.span(0, 0xff)
)

func (c charset) with(bytes ...byte) charset {
	for _, b := range bytes {
		if b >= 0x80 {
			return c.or(nonASCII)
		}
		c[b/64] |= 1 << (b % 64)
	}
	return c
}

// span adds the bytes from low to high, both included.
func (c charset) span(low, high byte) charset {
	for b := int(low); b <= int(high); b++ {
		c[b/64] |= 1 << (b % 64)
	}
	return c
}

func (c charset) or(d charset) charset {
	for i := range c {
		c[i] |= d[i]
	}
	return c
}

func (c charset) has(b byte) bool { return c[b/64]&(1<<(b%64)) != 0 }

func (c charset) intersects(d charset) bool {
	for i := range c {
		if c[i]&d[i] != 0 {
			return true
		}
	}
	return false
}

// folded is the set of what lower or upper makes of the characters.
func (c charset) folded(f expr.FuncName) charset {
	out := c
	for b := byte('a'); b <= 'z'; b++ {
		from, to := b, b-'a'+'A'
		if f == expr.Lower {
			from, to = to, from
		}
		if c.has(from) {
			out[from/64] &^= 1 << (from % 64)
			out = out.with(to)
		}
	}
	return out
}

// least is the smallest byte of the set; 0xff when it is empty.
func (c charset) least() byte {
	for b := 0; b < 0xff; b++ {
		if c.has(byte(b)) {
			return byte(b)
		}
	}
	return 0xff
}
