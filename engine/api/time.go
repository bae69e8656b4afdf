package api

import (
	"math"
	"strconv"
	"time"
)

// Time is a moment, written as the protocol does: seconds since 1970 with
// milliseconds after the point.
type Time time.Time

// TimeOf returns t for an optional member.
func TimeOf(t time.Time) *Time {
	at := Time(t)
	return &at
}

// MarshalJSON writes a JSON number.
func (t Time) MarshalJSON() ([]byte, error) {
	return strconv.AppendFloat(nil, float64(time.Time(t).UnixMilli())/1000, 'f', -1, 64), nil
}

// UnmarshalJSON reads a JSON number.
func (t *Time) UnmarshalJSON(text []byte) error {
	seconds, err := strconv.ParseFloat(string(text), 64)
	if err != nil {
		return err
	}
	*t = Time(time.UnixMilli(int64(math.Round(seconds * 1000))))
	return nil
}
