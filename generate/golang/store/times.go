package store

import (
	"encoding/hex"
	"fmt"
	"math/big"
	"strings"
	"time"
)

// How times are written. All of them are in UTC; those that are local have no zone.
const (
	layoutYear        = "2006"
	layoutMonth       = "2006-01"
	layoutDate        = "2006-01-02"
	layoutHour        = "2006-01-02T15"
	layoutLocalMinute = "2006-01-02T15:04"
	layoutLocalSecond = layoutLocalMinute + ":05"
	layoutLocalMilli  = layoutLocalSecond + ".000"
	layoutLocalMicro  = layoutLocalSecond + ".000000"
	layoutLocalNano   = layoutLocalSecond + ".000000000"
	layoutMinute      = layoutLocalMinute + "Z"
	layoutSecond      = time.RFC3339
	layoutMilli       = layoutLocalMilli + "Z"
	layoutMicro       = layoutLocalMicro + "Z"
	layoutNano        = layoutLocalNano + "Z"
)

// The first and the last second of the years 0 to 9999.
const (
	earliest = -62167219200
	latest   = 253402300799
)

// time writes a time at a fixed width, in UTC.
func (f *fault) time(attribute string, t time.Time, layout string) string {
	f.given(attribute, t)
	return t.UTC().Format(layout)
}

// given is a time that must not be the zero one, nor beyond what can be written.
func (f *fault) given(attribute string, t time.Time) time.Time {
	switch s := t.Unix(); {
	case t.IsZero():
		f.invalid(attribute, "is not given")
	case s < earliest || s > latest:
		f.invalid(attribute, "= %s is not within the years 0 to 9999", t)
	}
	return t
}

// read reads a time as it is written.
func (f *fault) read(attribute, text string) time.Time {
	for _, layout := range []string{time.RFC3339, "2006-01-02T15:04Z07:00", layoutLocalSecond, layoutLocalMinute, layoutDate, layoutMonth} {
		if t, err := time.Parse(layout, text); err == nil {
			return t.UTC()
		}
	}
	f.invalid(attribute, "= %q holds no time", text)
	return time.Time{}
}

// The periods that a time falls in.

func year(t time.Time) string   { return t.UTC().Format(layoutYear) }
func month(t time.Time) string  { return t.UTC().Format(layoutMonth) }
func day(t time.Time) string    { return t.UTC().Format(layoutDate) }
func hour(t time.Time) string   { return t.UTC().Format(layoutHour) }
func minute(t time.Time) string { return t.UTC().Format(layoutLocalMinute) }

// week is a week of ISO 8601.
func week(t time.Time) string {
	y, w := t.UTC().ISOWeek()
	return fmt.Sprintf("%04d-W%02d", y, w)
}

// bucket is the beginning of one of the periods of so many minutes since 1970.
func bucket(t time.Time, minutes int64) string {
	length := minutes * 60
	into := t.Unix() % length
	if into < 0 {
		into += length
	}
	return minute(time.Unix(t.Unix()-into, 0))
}

// maxPeriods bounds the requests of one call: a range of more periods is a
// mistake, not a query.
const maxPeriods = 20000

// period is a length of time that keys are sorted into.
type period struct {
	layout string // "" for weeks
	months int    // of a year or month
	length time.Duration
}

var (
	years   = period{layout: layoutYear, months: 12}
	months  = period{layout: layoutMonth, months: 1}
	weeks   = period{length: 7 * 24 * time.Hour}
	days    = period{layout: layoutDate, length: 24 * time.Hour}
	hours   = period{layout: layoutHour, length: time.Hour}
	minutes = period{layout: layoutLocalMinute, length: time.Minute}
)

// buckets are periods of so many minutes.
func buckets(n int64) period {
	return period{layout: layoutLocalMinute, length: time.Duration(n) * time.Minute}
}

// start reads when a period begins.
func (p period) start(text string) (time.Time, error) {
	if p.layout != "" {
		return time.Parse(p.layout, text)
	}
	var y, w int
	if _, err := fmt.Sscanf(text, "%4d-W%2d", &y, &w); err != nil {
		return time.Time{}, err
	}
	fourth := time.Date(y, 1, 4+7*(w-1), 0, 0, 0, 0, time.UTC) // of January, which is in the first week
	return fourth.AddDate(0, 0, -(int(fourth.Weekday())+6)%7), nil
}

func (p period) text(start time.Time) string {
	if p.layout == "" {
		return week(start)
	}
	return start.Format(p.layout)
}

// between are the periods from the one to the other, both included.
func (p period) between(f *fault, low, high string) []string {
	var out []string
	for at := low; at <= high; {
		if out = append(out, at); len(out) > maxPeriods {
			f.invalid("the range", "from %s to %s has more than %d periods", low, high, maxPeriods)
			return nil
		}
		start, err := p.start(at)
		if err != nil {
			f.invalid("the range", "begins with %q, which is no period", at)
			return nil
		}
		next := start.AddDate(0, p.months, 0).Add(p.length)
		if next.Year() > 9999 {
			break
		}
		at = p.text(next)
	}
	return out
}

// ulidTime reads the milliseconds in the first ten of 26 characters.
func (f *fault) ulidTime(attribute, id string) time.Time {
	ms, ok := int64(0), len(id) == 26 && id[0] <= '7'
	for i := 0; ok && i < 10; i++ {
		digit := strings.IndexByte(crockford, upperLetter(id[i]))
		ok = digit >= 0
		ms = ms<<5 | int64(digit)
	}
	if !ok {
		f.invalid(attribute, "= %q is no ULID", id)
		return time.Time{}
	}
	return time.UnixMilli(ms).UTC()
}

func upperLetter(c byte) byte {
	if 'a' <= c && c <= 'z' {
		return c - 'a' + 'A'
	}
	return c
}

// ksuidTime reads the seconds at the head of the 160 bits of a KSUID.
func (f *fault) ksuidTime(attribute, id string) time.Time {
	n, ok := new(big.Int), len(id) == 27
	for i := 0; ok && i < len(id); i++ {
		digit := strings.IndexByte(base62, id[i])
		ok = digit >= 0
		n.Mul(n, big.NewInt(62)).Add(n, big.NewInt(int64(digit)))
	}
	if !ok || n.BitLen() > 160 {
		f.invalid(attribute, "= %q is no KSUID", id)
		return time.Time{}
	}
	return time.Unix(n.Rsh(n, 128).Int64()+ksuidEpoch, 0).UTC()
}

// uuid7Time reads the milliseconds at the head of a UUID of version 7.
func (f *fault) uuid7Time(attribute, id string) time.Time {
	if len(id) == 36 && id[8] == '-' {
		if b, err := hex.DecodeString(id[:8] + id[9:13]); err == nil {
			return time.UnixMilli(new(big.Int).SetBytes(b).Int64()).UTC()
		}
	}
	f.invalid(attribute, "= %q is no UUID of version 7", id)
	return time.Time{}
}
