package plan

import (
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/encode"
	"github.com/dynmodel/dynmodel/model/keytext"
	"github.com/dynmodel/dynmodel/model/value"
)

// neighbour is the number or binary value next to v that the part calls for; v
// itself when it calls for none.
func neighbour(v value.Value, p Part) value.Value {
	switch {
	case p.Neighbour == 0:
		return v
	case v.Kind() == value.Number:
		return nextNumber(v, p.Neighbour, p.Attribute)
	}
	return nextBinary(v, p.Neighbour)
}

// neighbourText is the text next to the one given that the part calls for: the
// next number or time where those are of fixed width, else a text such that no
// value lies between.
func neighbourText(text string, p Part) string {
	if p.Neighbour == 0 {
		return text
	}
	if t := keytext.Of(p.Attribute, p.chain); t.Width() > 0 && t.IsDigits() {
		if next, ok := nextDigits(text, p.Neighbour); ok {
			return next
		}
	} else if len(p.chain) == 0 {
		if next, ok := nextTime(value.OfString(text), p.Neighbour, p.Attribute); ok {
			return next.Text()
		}
	}
	if p.Neighbour > 0 {
		return text + "\x00"
	}
	return textBefore(text)
}

// The digits and the smallest exponent of DynamoDB's numbers, within which
// every number has a next one (Developer Guide, "Numbers").
const (
	numberDigits = 38
	leastPower   = -130
)

func nextNumber(v value.Value, step int, a *model.Attribute) value.Value {
	unit := value.OfInt(1)
	if a == nil || a.Type == model.TypeNumber {
		var err error
		if unit, err = value.OfNumber(fmt.Sprintf("1E%d", spacing(v, step))); err != nil {
			return v
		}
	}
	if step < 0 {
		unit = unit.Neg()
	}
	next, err := v.Add(unit)
	if err != nil {
		return v
	}
	return next
}

// spacing is the power of ten by which a number differs from the next one. It
// is finer towards zero from 1, 10, 100 and so on.
func spacing(v value.Value, step int) int {
	d := v.Decimal()
	if d.IsZero() {
		return leastPower
	}
	digits := int(d.NumDigits())
	power := int(d.Exponent) + digits - numberDigits
	inwards := d.Negative == (step > 0)
	if lone := strings.Trim(d.Coeff.String(), "0") == "1"; lone && inwards {
		power--
	}
	return max(power, leastPower)
}

// nextBinary follows the order of bytes; only upwards is there a next value.
func nextBinary(v value.Value, step int) value.Value {
	if step > 0 {
		return value.OfBinary(v.Text() + "\x00")
	}
	b := []byte(v.Text())
	if len(b) == 0 || b[len(b)-1] == 0 {
		return value.OfBinary(strings.TrimSuffix(v.Text(), "\x00"))
	}
	b[len(b)-1]--
	return value.OfBinary(string(b) + strings.Repeat("\xff", encode.MaxSortKey-len(b)))
}

// nextDigits counts up or down within a fixed number of digits; false at the
// end, and for what are no digits.
func nextDigits(text string, step int) (string, bool) {
	if strings.Trim(text, "0123456789") != "" {
		return text, false
	}
	b := []byte(text)
	last, first := byte('9'), byte('0')
	if step < 0 {
		last, first = first, last
	}
	for i := len(b) - 1; i >= 0; i-- {
		if b[i] != last {
			b[i] += byte(step)
			return string(b), true
		}
		b[i] = first
	}
	return text, false
}

// nextTime is the time one unit of the attribute's precision away.
func nextTime(v value.Value, step int, a *model.Attribute) (value.Value, bool) {
	switch a.Type {
	case model.TypeMonth:
		at, ok := encode.Time(v, a.Type)
		if !ok {
			return v, false
		}
		return encode.OfTime(a, at.AddDate(0, step, 0))
	case model.TypeDate:
		return encode.Shift(a, v, time.Duration(step)*24*time.Hour)
	case model.TypeDatetime:
		return encode.Shift(a, v, time.Duration(step)*a.Domain.Precision.Unit())
	}
	return v, false
}

// textBefore is a text before s such that nothing without Max lies between.
func textBefore(s string) string {
	if s == "" {
		return s
	}
	last, size := utf8.DecodeLastRuneInString(s)
	head := s[:len(s)-size]
	switch last {
	case 0:
		return head
	case 0xE000: // after the gap of surrogates
		last = 0xD7FF
	default:
		last--
	}
	return head + string(last) + Max
}
