package attr

import "github.com/cockroachdb/apd/v3"

// Add returns the exact sum of two numbers. A sum that needs more than 38
// digits is an error, never rounded.
func Add(a, b Value) (Value, error) { return combine(a, b, (*apd.Context).Add) }

// Sub returns the exact difference of two numbers, with the limits of [Add].
func Sub(a, b Value) (Value, error) { return combine(a, b, (*apd.Context).Sub) }

type operation func(c *apd.Context, d, x, y *apd.Decimal) (apd.Condition, error)

func combine(a, b Value, op operation) (Value, error) {
	x, y := a.apd(), b.apd()
	// Without a precision apd does not round. Two numbers in range are at
	// most 293 digits apart, so the exact result is small.
	exact := apd.Context{MaxExponent: apd.MaxExponent, MinExponent: apd.MinExponent}
	var sum apd.Decimal
	if _, err := op(&exact, &sum, x, y); err != nil {
		return Value{}, Invalidf("%s", err)
	}
	return ParseNumber(sum.Text('E'))
}

// apd returns a number as apd's.
func (v Value) apd() *apd.Decimal {
	d := decodeDecimal(v.data)
	out := &apd.Decimal{Negative: d.neg, Exponent: int32(d.exp - d.n)}
	var digits [maxDigits]byte
	for i := range d.n {
		digits[i] = d.digits[i] + '0'
	}
	out.Coeff.SetString(string(digits[:d.n]), 10) // no digits leave it zero
	return out
}
