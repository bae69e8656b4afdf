package store

import (
	"math/big"
	"strconv"
	"strings"
)

// Number is a decimal number as text, such as "19.90". It loses nothing:
// DynamoDB's numbers have up to 38 significant digits, from 1E-130 to 9.9E+125.
type Number string

// NumberOf is a whole number.
func NumberOf(n int64) Number { return Number(strconv.FormatInt(n, 10)) }

// Int64 is the number as an int64; false when it is not whole or too large.
func (n Number) Int64() (int64, bool) {
	d, ok := parseDecimal(string(n))
	if !ok {
		return 0, false
	}
	i, err := strconv.ParseInt(d.text(), 10, 64)
	return i, err == nil
}

// Float64 is the number as a float64, which may lose digits; false for what is
// no number.
func (n Number) Float64() (float64, bool) {
	v, err := strconv.ParseFloat(string(n), 64)
	return v, err == nil
}

// Cmp is -1, 0 or 1 as n is less than, equal to or greater than m; false when
// one of them is no number.
func (n Number) Cmp(m Number) (int, bool) {
	a, ok := parseDecimal(string(n))
	b, also := parseDecimal(string(m))
	if !ok || !also {
		return 0, false
	}
	x, y := aligned(a, b)
	return x.Cmp(y), true
}

// decimal is coefficient × 10^power.
type decimal struct {
	coefficient *big.Int
	power       int
}

// maxNumberText bounds the spelling of a number, in bytes.
const maxNumberText = 1000

// parseDecimal reads a number in any spelling that DynamoDB takes; false for
// what it cannot hold.
func parseDecimal(text string) (decimal, bool) {
	if len(text) > maxNumberText {
		return decimal{}, false
	}
	mantissa, exponent, scientific := cutExponent(text)
	power := 0
	if scientific {
		e, err := strconv.Atoi(exponent)
		if err != nil || e < -2000 || e > 2000 {
			return decimal{}, false
		}
		power = e
	}
	whole, fraction, _ := strings.Cut(mantissa, ".")
	digits := strings.TrimLeft(whole, "+-") + fraction
	if digits == "" || strings.Trim(digits, "0123456789") != "" || len(whole)-len(strings.TrimLeft(whole, "+-")) > 1 {
		return decimal{}, false
	}
	digits = strings.TrimLeft(digits, "0")
	power -= len(fraction)
	trimmed := strings.TrimRight(digits, "0")
	power += len(digits) - len(trimmed)
	if trimmed == "" {
		return decimal{new(big.Int), 0}, true
	}
	if top := power + len(trimmed) - 1; len(trimmed) > 38 || top > 125 || top < -130 {
		return decimal{}, false
	}
	c, _ := new(big.Int).SetString(trimmed, 10)
	if strings.HasPrefix(whole, "-") {
		c.Neg(c)
	}
	return decimal{c, power}, true
}

func cutExponent(text string) (mantissa, exponent string, found bool) {
	i := strings.IndexAny(text, "eE")
	if i < 0 {
		return text, "", false
	}
	return text[:i], text[i+1:], true
}

// text writes the number in plain digits, the only way equal numbers have.
func (d decimal) text() string {
	digits := new(big.Int).Abs(d.coefficient).String()
	switch {
	case d.power >= 0 && digits != "0":
		digits += strings.Repeat("0", d.power)
	case d.power < 0 && len(digits) <= -d.power:
		digits = "0." + strings.Repeat("0", -d.power-len(digits)) + digits
	case d.power < 0:
		digits = digits[:len(digits)+d.power] + "." + digits[len(digits)+d.power:]
	}
	if d.coefficient.Sign() < 0 {
		return "-" + digits
	}
	return digits
}

// aligned are the coefficients of two numbers for one power.
func aligned(a, b decimal) (x, y *big.Int) {
	low := min(a.power, b.power)
	return a.at(low), b.at(low)
}

func (d decimal) at(power int) *big.Int {
	scale := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(d.power-power)), nil)
	return scale.Mul(scale, d.coefficient)
}

// plus is a + b.
func (f *fault) plus(attribute string, a, b Number) Number { return f.sum(attribute, a, b, 1) }

// minus is a - b.
func (f *fault) minus(attribute string, a, b Number) Number { return f.sum(attribute, a, b, -1) }

func (f *fault) sum(attribute string, a, b Number, sign int64) Number {
	p, ok := parseDecimal(string(a))
	q, also := parseDecimal(string(b))
	if !ok || !also {
		f.invalid(attribute, "adds what is no number: %s and %s", a, b)
		return "0"
	}
	x, y := aligned(p, q)
	sum := decimal{x.Add(x, y.Mul(y, big.NewInt(sign))), min(p.power, q.power)}
	return Number(f.number(attribute, Number(sum.text())))
}

// number is the text of a number as DynamoDB writes it.
func (f *fault) number(attribute string, n Number) string {
	if isPlain(string(n)) {
		return string(n)
	}
	d, ok := parseDecimal(string(n))
	if !ok {
		f.invalid(attribute, "= %q is no number that DynamoDB can store", string(n))
		return "0"
	}
	return d.text()
}

// isPlain tells whether a text is a whole number written as DynamoDB writes it.
func isPlain(text string) bool {
	if text == "" || len(text) > 38 || text[0] == '0' {
		return text == "0"
	}
	for i := range len(text) {
		if text[i] < '0' || text[i] > '9' {
			return false
		}
	}
	return true
}

// whole is a number as an int64.
func (f *fault) whole(attribute string, n Number) int64 {
	i, ok := n.Int64()
	if !ok {
		f.invalid(attribute, "= %s is no whole number of 64 bits", n)
	}
	return i
}

// The digits and the smallest power of DynamoDB's numbers, within which every
// number has a next one (Developer Guide, "Numbers").
const (
	numberDigits = 38
	leastPower   = -130
)

// next is the number before or after, as far as DynamoDB can tell them apart.
func (f *fault) next(attribute string, n Number, step int) Number {
	d, ok := parseDecimal(string(n))
	if !ok {
		f.invalid(attribute, "= %q is no number", string(n))
		return n
	}
	power := leastPower
	if d.coefficient.Sign() != 0 {
		digits := new(big.Int).Abs(d.coefficient).String()
		power = d.power + len(digits) - numberDigits
		inwards := (d.coefficient.Sign() < 0) == (step > 0)
		if strings.TrimRight(digits, "0") == "1" && inwards {
			power--
		}
		power = max(power, leastPower)
	}
	x, y := aligned(d, decimal{big.NewInt(int64(step)), power})
	next := decimal{x.Add(x, y), min(d.power, power)}
	if canonical, ok := parseDecimal(next.text()); ok {
		return Number(canonical.text())
	}
	return n
}
