package encode

import (
	"encoding/hex"
	"math/big"
	"strings"
	"time"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/expr"
	"github.com/dynmodel/dynmodel/model/value"
)

// The layouts of times as they stand in keys.
const (
	yearLayout  = "2006"
	monthLayout = "2006-01"
	dayLayout   = "2006-01-02"
	hourLayout  = "2006-01-02T15"
)

// bucket writes the year, month, day or hour that a time falls in, in UTC (or
// as written, where times have no zone).
func bucket(f expr.FuncName, v value.Value, t model.Type) (value.Value, Fault) {
	at, ok := Time(v, t)
	if !ok {
		return value.Value{}, NoTime
	}
	layout := yearLayout
	switch f {
	case expr.Month:
		layout = monthLayout
	case expr.Day:
		layout = dayLayout
	case expr.Hour:
		layout = hourLayout
	}
	if t == model.TypeMonth && len(layout) > len(monthLayout) || t == model.TypeDate && len(layout) > len(dayLayout) {
		return value.Value{}, NoTime // finer than what is written
	}
	return value.OfString(at.Format(layout)), ""
}

// Time reads the time, in UTC, out of a value of a type that has one: a time,
// or an identifier that begins with one. False when the value holds none
// between the years 0 and 9999.
func Time(v value.Value, t model.Type) (time.Time, bool) {
	at, ok := readTime(v, t)
	at = at.UTC()
	return at, ok && 0 <= at.Year() && at.Year() <= 9999
}

func readTime(v value.Value, t model.Type) (time.Time, bool) {
	if t == model.TypeEpoch || t == model.TypeEpochMS {
		n, ok := v.Int()
		if t == model.TypeEpoch {
			return time.Unix(n, 0), ok && v.Kind() == value.Number
		}
		return time.UnixMilli(n), ok && v.Kind() == value.Number
	}
	if v.Kind() != value.String {
		return time.Time{}, false
	}
	switch t {
	case model.TypeMonth:
		return parseTime(v.Text(), monthLayout)
	case model.TypeDate:
		return parseTime(v.Text(), dayLayout)
	case model.TypeDatetime:
		return parseTime(v.Text(), time.RFC3339, "2006-01-02T15:04Z07:00", "2006-01-02T15:04:05", "2006-01-02T15:04")
	case model.TypeULID:
		return ulidTime(v.Text())
	case model.TypeKSUID:
		return ksuidTime(v.Text())
	case model.TypeUUID7:
		return uuid7Time(v.Text())
	}
	return time.Time{}, false
}

// parseTime reads a time in the first layout that fits.
func parseTime(s string, layouts ...string) (time.Time, bool) {
	for _, layout := range layouts {
		if at, err := time.Parse(layout, s); err == nil {
			return at, true
		}
	}
	return time.Time{}, false
}

// ulidTime reads the 48 bits of milliseconds in the first ten of 26 characters
// (Crockford's base 32).
func ulidTime(s string) (time.Time, bool) {
	if len(s) != 26 || s[0] > '7' {
		return time.Time{}, false
	}
	ms := int64(0)
	for i := range 10 {
		digit := strings.IndexByte("0123456789ABCDEFGHJKMNPQRSTVWXYZ", upperLetter(s[i]))
		if digit < 0 {
			return time.Time{}, false
		}
		ms = ms<<5 | int64(digit)
	}
	return time.UnixMilli(ms), true
}

func upperLetter(c byte) byte {
	if 'a' <= c && c <= 'z' {
		return c - 'a' + 'A'
	}
	return c
}

// ksuidEpoch is the second from which KSUIDs count: 2014-05-13T16:53:20Z.
const ksuidEpoch = 1_400_000_000

// ksuidTime reads the 32 bits of seconds at the head of the 160 bits that 27
// characters hold (base 62, digits before capitals before small letters).
func ksuidTime(s string) (time.Time, bool) {
	if len(s) != 27 {
		return time.Time{}, false
	}
	n := new(big.Int)
	for i := range len(s) {
		digit := strings.IndexByte("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz", s[i])
		if digit < 0 {
			return time.Time{}, false
		}
		n.Mul(n, big.NewInt(62)).Add(n, big.NewInt(int64(digit)))
	}
	if n.BitLen() > 160 {
		return time.Time{}, false
	}
	return time.Unix(n.Rsh(n, 128).Int64()+ksuidEpoch, 0), true
}

// uuid7Time reads the 48 bits of milliseconds at the head of a UUID.
func uuid7Time(s string) (time.Time, bool) {
	if len(s) != 36 || s[8] != '-' {
		return time.Time{}, false
	}
	bytes, err := hex.DecodeString(s[:8] + s[9:13])
	if err != nil {
		return time.Time{}, false
	}
	ms := int64(0)
	for _, b := range bytes {
		ms = ms<<8 | int64(b)
	}
	return time.UnixMilli(ms), true
}

// OfTime is a time as an attribute stores it: cut to what the attribute
// writes, in UTC. False when the attribute is no time, or the time is not
// within the years 0 to 9999.
func OfTime(a *model.Attribute, at time.Time) (value.Value, bool) {
	at = at.UTC()
	if at.Year() < 0 || at.Year() > 9999 {
		return value.Value{}, false
	}
	switch a.Type {
	case model.TypeMonth:
		return value.OfString(at.Format(monthLayout)), true
	case model.TypeDate:
		return value.OfString(at.Format(dayLayout)), true
	case model.TypeDatetime:
		return value.OfString(at.Format(a.Layout())), true
	case model.TypeEpoch:
		return value.OfInt(at.Unix()), true
	case model.TypeEpochMS:
		return value.OfInt(at.UnixMilli()), true
	}
	return value.Value{}, false
}

// Shift moves a value of a time attribute by a duration: what `$now - 5m` and
// `createdAt + 7d` are. The result is cut to what the attribute writes. False
// when the value holds no time, or the sum cannot be written.
func Shift(a *model.Attribute, v value.Value, by time.Duration) (value.Value, bool) {
	at, ok := Time(v, a.Type)
	if !ok {
		return value.Value{}, false
	}
	return OfTime(a, at.Add(by))
}
