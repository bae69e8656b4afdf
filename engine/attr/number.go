package attr

import (
	"strconv"
	"strings"
)

// Limits of numbers, from the data types page of the DynamoDB developer guide:
// 38 significant digits, magnitudes from 1E-130 to 9.99…E+125.
const (
	maxDigits = 38
	maxExp    = 126  // 9.99…E+125 is 0.999… × 10^126
	minExp    = -129 // 1E-130 is 0.1 × 10^-129
)

// decimal is a number taken apart: 0.d₁d₂…dₙ × 10^exp, with d₁ and dₙ not
// zero. Zero has no digits.
type decimal struct {
	neg    bool
	exp    int
	n      int
	digits [maxDigits]byte // 0 to 9 each
}

// A number is encoded so that the order of the bytes is the order of the
// values, and so that no encoding is a prefix of another:
//
//	zero      02
//	positive  03 exp+129    pair+1 …  00
//	negative  01 ^(exp+129) ^(pair+1) …  ff
//
// exp+129 fills exactly one byte. A pair is two decimal digits, the last one
// filled up with a zero; adding 1 keeps it above the closing byte.
const (
	signNegative = 1
	signZero     = 2
	signPositive = 3

	maxNumberBytes = 3 + maxDigits/2
)

func (d *decimal) append(dst []byte) []byte {
	if d.n == 0 {
		return append(dst, signZero)
	}
	sign, flip := byte(signPositive), byte(0)
	if d.neg {
		sign, flip = signNegative, 0xff
	}
	dst = append(dst, sign, byte(d.exp-minExp)^flip)
	for i := 0; i < d.n; i += 2 {
		pair := d.digits[i] * 10
		if i+1 < d.n {
			pair += d.digits[i+1]
		}
		dst = append(dst, (pair+1)^flip)
	}
	return append(dst, flip)
}

// decodeDecimal takes apart a number's encoding.
func decodeDecimal(enc string) decimal {
	var d decimal
	if enc[0] == signZero {
		return d
	}
	flip := byte(0)
	if enc[0] == signNegative {
		d.neg, flip = true, 0xff
	}
	d.exp = int(enc[1]^flip) + minExp
	for i := 2; i < len(enc)-1; i++ {
		pair := (enc[i] ^ flip) - 1
		d.digits[d.n], d.digits[d.n+1] = pair/10, pair%10
		d.n += 2
	}
	if d.digits[d.n-1] == 0 {
		d.n--
	}
	return d
}

// validNumber reports whether enc is the encoding of a number.
func validNumber(enc string) bool {
	if enc == string(rune(signZero)) {
		return true
	}
	if len(enc) < 4 || len(enc) > maxNumberBytes {
		return false
	}
	flip := byte(0)
	switch enc[0] {
	case signPositive:
	case signNegative:
		flip = 0xff
	default:
		return false
	}
	for i := 2; i < len(enc)-1; i++ {
		if pair := enc[i] ^ flip; pair < 1 || pair > 100 {
			return false
		}
	}
	first, last := enc[2]^flip-1, enc[len(enc)-2]^flip-1
	return first >= 10 && last != 0 && enc[len(enc)-1] == flip
}

// parseDecimal reads a number into d, which is zero, as DynamoDB accepts it in
// an N: a sign, digits with at most one point among or around them, and an
// exponent. Zeros at either end do not count as digits.
func parseDecimal[T string | []byte](d *decimal, s T) error {
	rest := s
	if len(s) > 0 && (s[0] == '-' || s[0] == '+') {
		d.neg, rest = s[0] == '-', s[1:]
	}
	whole := rest[:digitsAhead(rest)]
	rest = rest[len(whole):]
	var fraction T
	if len(rest) > 0 && rest[0] == '.' {
		fraction = rest[1:][:digitsAhead(rest[1:])]
		rest = rest[1+len(fraction):]
	}
	exp, ok := parseExponent(rest)
	if !ok || len(whole)+len(fraction) == 0 {
		return notANumber(string(s))
	}
	for len(whole) > 0 && whole[0] == '0' {
		whole = whole[1:]
	}
	d.exp = len(whole) + exp
	for len(whole) == 0 && len(fraction) > 0 && fraction[0] == '0' {
		fraction = fraction[1:]
		d.exp--
	}
	for len(fraction) > 0 && fraction[len(fraction)-1] == '0' {
		fraction = fraction[:len(fraction)-1]
	}
	for len(fraction) == 0 && len(whole) > 0 && whole[len(whole)-1] == '0' {
		whole = whole[:len(whole)-1]
	}
	switch n := len(whole) + len(fraction); {
	case n == 0:
		*d = decimal{}
		return nil
	case n > maxDigits:
		return Invalidf("Attempting to store more than 38 significant digits in a Number")
	}
	for i := range len(whole) {
		d.digits[i] = whole[i] - '0'
	}
	d.n = len(whole)
	for i := range len(fraction) {
		d.digits[d.n] = fraction[i] - '0'
		d.n++
	}
	return d.checkRange()
}

// digitsAhead returns how many digits s begins with.
func digitsAhead[T string | []byte](s T) (n int) {
	for n < len(s) && '0' <= s[n] && s[n] <= '9' {
		n++
	}
	return n
}

func (d *decimal) checkRange() error {
	switch {
	case d.exp > maxExp:
		return Invalidf("Number overflow. Attempting to store a number with magnitude larger than supported range")
	case d.exp < minExp:
		return Invalidf("Number underflow. Attempting to store a number with magnitude smaller than supported range")
	}
	return nil
}

func notANumber(s string) error {
	const text = "The parameter cannot be converted to a numeric value"
	if s == "" {
		return Invalidf(text)
	}
	return Invalidf("%s: %s", text, s)
}

// parseExponent reads what follows a number's digits: nothing, or e and an
// integer. An exponent out of reach of every request body is cut off, which
// leaves it out of range.
func parseExponent[T string | []byte](s T) (exp int, ok bool) {
	if len(s) == 0 {
		return 0, true
	}
	if s[0] != 'e' && s[0] != 'E' {
		return 0, false
	}
	i, neg := 1, false
	if i < len(s) && (s[i] == '-' || s[i] == '+') {
		neg = s[i] == '-'
		i++
	}
	if i == len(s) {
		return 0, false
	}
	for ; i < len(s); i++ {
		if s[i] < '0' || s[i] > '9' {
			return 0, false
		}
		exp = min(exp*10+int(s[i]-'0'), 1<<40)
	}
	if neg {
		exp = -exp
	}
	return exp, true
}

// appendNumberText appends a number in plain decimal, without an exponent, as
// DynamoDB returns it, from its encoding.
func appendNumberText(dst []byte, enc string) []byte {
	if enc[0] == signZero {
		return append(dst, '0')
	}
	flip := byte(0)
	if enc[0] == signNegative {
		dst, flip = append(dst, '-'), 0xff
	}
	whole, n := magnitude(enc, flip)
	if whole <= 0 {
		dst = append(dst, "0."...)
		dst = appendZeros(dst, -whole)
	}
	start := len(dst)
	for i := 2; i < len(enc)-1; i++ {
		pair := (enc[i] ^ flip) - 1
		dst = append(dst, '0'+pair/10, '0'+pair%10)
	}
	dst = dst[:start+n]
	if 0 < whole && whole < n {
		dst = append(dst, 0)
		copy(dst[start+whole+1:], dst[start+whole:])
		dst[start+whole] = '.'
	}
	return appendZeros(dst, whole-n)
}

// magnitude returns how many digits of a number other than zero stand before
// the point, fewer than none if zeros follow it, and how many digits there are.
func magnitude(enc string, flip byte) (whole, digits int) {
	digits = 2 * (len(enc) - 3)
	if last := (enc[len(enc)-2] ^ flip) - 1; last%10 == 0 {
		digits--
	}
	return int(enc[1]^flip) + minExp, digits
}

func appendZeros(dst []byte, n int) []byte {
	for range n {
		dst = append(dst, '0')
	}
	return dst
}

// numberSize is DynamoDB's size of a number, in bytes: one, one more for a
// minus sign, and one for every two digits of the integer part and of the
// fraction, each rounded up. Zeros at either end are free, except that the
// integer part of a broken number keeps all its digits. This is the rule that
// was measured on the service; the documented one is approximate.
func numberSize(enc string) int {
	if enc[0] == signZero {
		return 1
	}
	flip := byte(0)
	if enc[0] == signNegative {
		flip = 0xff
	}
	whole, n := magnitude(enc, flip)
	return digitsSize(flip != 0, whole, n)
}

// size is numberSize for a number that has been taken apart.
func (d *decimal) size() int {
	if d.n == 0 {
		return 1
	}
	return digitsSize(d.neg, d.exp, d.n)
}

// digitsSize is the size of a number with n digits, of which whole stand before
// the point.
func digitsSize(neg bool, whole, n int) int {
	size := 1
	if neg {
		size = 2
	}
	whole = min(max(whole, 0), n)
	return size + (whole+1)/2 + (n-whole+1)/2
}

// ParseNumber returns the number that s spells. The error is a
// [ValidationError] with DynamoDB's message.
func ParseNumber(s string) (Value, error) {
	var d decimal
	if err := parseDecimal(&d, s); err != nil {
		return Value{}, err
	}
	return d.value(), nil
}

func (d *decimal) value() Value {
	var buf [maxNumberBytes]byte
	return Value{typ: N, data: string(d.append(buf[:0]))}
}

// Int returns the number i.
func Int(i int64) Value {
	var buf [20]byte
	var d decimal
	parseDecimal(&d, strconv.AppendInt(buf[:0], i, 10)) // always in range
	return d.value()
}

// Number returns the plain decimal text of a number.
func (v Value) Number() string {
	var buf [maxExp - minExp]byte
	return string(appendNumberText(buf[:0], v.data))
}

// Int64 returns a number as an integer; ok is false if it is not one, or out
// of int64's range.
func (v Value) Int64() (i int64, ok bool) {
	text := v.Number()
	if strings.Contains(text, ".") {
		return 0, false
	}
	i, err := strconv.ParseInt(text, 10, 64)
	return i, err == nil
}
