package encode

import (
	"encoding/hex"
	"fmt"
	"math/big"
	"strings"
	"time"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/expr"
	"github.com/dynmodel/dynmodel/model/value"
)

// The layouts of times as they stand in keys.
const (
	yearLayout   = "2006"
	monthLayout  = "2006-01"
	dayLayout    = "2006-01-02"
	hourLayout   = "2006-01-02T15"
	minuteLayout = "2006-01-02T15:04"
)

// period writes the period that a time falls in, in UTC (or as written, where
// times have no zone).
func period(f expr.Func, v value.Value, t model.Type) (value.Value, Fault) {
	at, ok := Time(v, t)
	if !ok || finer(f.Name, t) {
		return value.Value{}, NoTime
	}
	at = PeriodStart(f, at)
	if at.Year() < 0 || at.Year() > 9999 {
		return value.Value{}, NoTime
	}
	return value.OfString(PeriodText(f, at)), ""
}

// finer tells whether times of a type do not say which period they fall in.
func finer(f expr.FuncName, t model.Type) bool {
	switch t {
	case model.TypeMonth:
		return f != expr.Year && f != expr.Month
	case model.TypeDate:
		return f == expr.Hour || f == expr.Minute || f == expr.Bucket
	}
	return false
}

// PeriodStart is when the period begins that a time falls in. Weeks begin on
// Mondays, buckets are counted from the beginning of 1970.
func PeriodStart(f expr.Func, at time.Time) time.Time {
	at = at.UTC()
	day := time.Date(at.Year(), at.Month(), at.Day(), 0, 0, 0, 0, time.UTC)
	switch f.Name {
	case expr.Year:
		return time.Date(at.Year(), 1, 1, 0, 0, 0, 0, time.UTC)
	case expr.Month:
		return time.Date(at.Year(), at.Month(), 1, 0, 0, 0, 0, time.UTC)
	case expr.Week:
		return day.AddDate(0, 0, -(int(at.Weekday())+6)%7)
	case expr.Day:
		return day
	case expr.Hour:
		return at.Truncate(time.Hour)
	case expr.Minute:
		return at.Truncate(time.Minute)
	}
	length := int64(f.N) * 60
	into := at.Unix() % length
	if into < 0 {
		into += length
	}
	return time.Unix(at.Unix()-into, 0).UTC()
}

// PeriodText writes a period by when it begins.
func PeriodText(f expr.Func, start time.Time) string {
	switch f.Name {
	case expr.Year:
		return start.Format(yearLayout)
	case expr.Month:
		return start.Format(monthLayout)
	case expr.Week:
		year, week := start.ISOWeek()
		return fmt.Sprintf("%04d-W%02d", year, week)
	case expr.Day:
		return start.Format(dayLayout)
	case expr.Hour:
		return start.Format(hourLayout)
	}
	return start.Format(minuteLayout)
}

// ParsePeriod reads when a period begins out of its text.
func ParsePeriod(f expr.Func, text string) (time.Time, bool) {
	var year, week int
	if f.Name != expr.Week {
		return parseTime(text, yearLayout, monthLayout, dayLayout, hourLayout, minuteLayout)
	}
	if n, err := fmt.Sscanf(text, "%4d-W%2d", &year, &week); n < 2 || err != nil {
		return time.Time{}, false
	}
	// The fourth of January is in the first week of its year.
	return PeriodStart(f, time.Date(year, 1, 4+7*(week-1), 0, 0, 0, 0, time.UTC)), true
}

// NextPeriod is when the period after the one that begins at start begins.
func NextPeriod(f expr.Func, start time.Time) time.Time {
	switch f.Name {
	case expr.Year:
		return start.AddDate(1, 0, 0)
	case expr.Month:
		return start.AddDate(0, 1, 0)
	case expr.Week:
		return start.AddDate(0, 0, 7)
	case expr.Day:
		return start.AddDate(0, 0, 1)
	case expr.Hour:
		return start.Add(time.Hour)
	case expr.Minute:
		return start.Add(time.Minute)
	}
	return start.Add(time.Duration(f.N) * time.Minute)
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
