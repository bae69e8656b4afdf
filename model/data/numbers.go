package data

import (
	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/value"
)

// numberDigits are the most significant digits of a generated number.
const numberDigits = 15

// numbers are numbers that break keys: of differing digits, negative,
// fractional, and the ends of the domain with what lies next to them.
func numbers(a *model.Attribute) []value.Value {
	low, high := numberBounds(a)
	out := []value.Value{value.OfInt(1), high, low, value.OfInt(10)}
	if a.Type == model.TypeNumber {
		out = []value.Value{value.OfInt(1), number("1.5"), high, low, value.OfInt(10), number("-0.5"), number("0.01"), number("9.99")}
	}
	out = append(out, value.OfInt(9), value.OfInt(2))
	for _, n := range []int64{-1, 100, 99, 0, 11, -10, -9, 1000, 999} {
		out = append(out, value.OfInt(n))
	}
	step := Step(a)
	out = append(out, add(low, step), add(high, step.Neg()), middle(low, high))
	if a.Type == model.TypeNumber {
		out = append(out, number("123456789.012345"), number("0.1"), number("0.10000000000001"))
	}
	return out
}

// numberBounds are the least and greatest number to generate: as declared, else
// of 15 digits.
func numberBounds(a *model.Attribute) (low, high value.Value) {
	low, high = a.Domain.Min, a.Domain.Max
	if !high.Exists() {
		high = value.OfInt(999_999_999_999_999)
	}
	if !low.Exists() {
		low = value.OfInt(-999_999_999_999_999)
		if a.Version {
			low = value.OfInt(1)
		}
	}
	return low, high
}

// Step is the difference between neighbouring values of a number type: 1 for
// whole numbers, else a hundredth.
func Step(a *model.Attribute) value.Value {
	if a.Type == model.TypeNumber {
		return number("0.01")
	}
	return value.OfInt(1)
}

// number reads a number that is known to be one.
func number(text string) value.Value {
	v, err := value.OfNumber(text)
	if err != nil {
		panic("data: " + text + " is " + err.Error())
	}
	return v
}

// add is the sum of two numbers; the first alone when the sum does not fit.
func add(v, w value.Value) value.Value {
	sum, err := v.Add(w)
	if err != nil {
		return v
	}
	return sum
}

// middle is a whole number about halfway between two.
func middle(low, high value.Value) value.Value {
	l, lok := low.Int()
	h, hok := high.Int()
	if !lok || !hok {
		return low
	}
	return value.OfInt(l/2 + h/2)
}
