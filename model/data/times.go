package data

import (
	"slices"
	"strings"
	"time"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/encode"
	"github.com/dynmodel/dynmodel/model/value"
)

// tickOf is the smallest difference between two times of the attribute's type;
// 0 when the type holds no time. Of a month it is a day less than the shortest
// step: times are cut down to their month.
func tickOf(a *model.Attribute) time.Duration {
	switch a.Type {
	case model.TypeMonth:
		return 31 * 24 * time.Hour
	case model.TypeDate:
		return 24 * time.Hour
	case model.TypeEpoch, model.TypeKSUID:
		return time.Second
	case model.TypeEpochMS, model.TypeULID, model.TypeUUID7:
		return time.Millisecond
	case model.TypeDatetime:
		return a.Domain.Precision.Unit()
	}
	return 0
}

// ofTime writes a point in time as a value of a time type, cut down to what the
// type writes; absent for other types.
func ofTime(a *model.Attribute, t time.Time) value.Value {
	v, _ := encode.OfTime(a, t)
	return v
}

// Default bounds of generated times.
func firstTime() time.Time { return time.Unix(0, 0).UTC() }
func lastTime() time.Time  { return time.Date(2099, 12, 31, 23, 59, 59, 999999999, time.UTC) }

// timePool are times around the one instant at which an hour, a day, a month
// and a year begin together, the extremes of the domain, and their neighbours.
// Where the domain lies elsewhere the instant is the domain's first midnight.
func timePool(a *model.Attribute, now time.Time) []time.Time {
	tick := tickOf(a)
	low, high := timeBounds(a)
	start := now
	if start.Before(low) || start.After(high) {
		start = low.Truncate(24 * time.Hour)
		if start.Before(low) {
			start = start.Add(24 * time.Hour)
		}
	}
	day := 24 * time.Hour
	times := []time.Time{
		start.Add(12*time.Hour + 34*time.Minute + 56*time.Second),
		start,
		start.Add(-tick),
		start.Add(tick),
		start.Add(day),
		start.Add(-day),
		low,
		high,
		start.Add(day - tick),
		start.Add(time.Hour),
		start.Add(time.Hour - tick),
		start.Add(-day - tick),
		start.AddDate(0, 1, 0),
		start.AddDate(0, 1, 0).Add(-tick),
		start.AddDate(0, -1, 0),
		start.Add(3 * day),
		start.Add(-5 * day),
		start.AddDate(1, 0, 0),
		low.Add(tick),
		high.Add(-tick),
		time.Date(start.Year()-start.Year()%4, 2, 29, 9, 0, 0, 0, time.UTC),
		time.Date(2001, 9, 9, 1, 46, 40, 0, time.UTC), // 1,000,000,000 s: an epoch's tenth digit
		time.Date(2001, 9, 9, 1, 46, 39, 0, time.UTC),
	}
	out := times[:0]
	for _, t := range times {
		if !t.Before(low) && !t.After(high) {
			out = append(out, t)
		}
	}
	return out
}

// timeBounds are the first and last time of the domain, declared or default.
func timeBounds(a *model.Attribute) (low, high time.Time) {
	low, high = firstTime(), lastTime()
	if a.Type == model.TypeKSUID {
		low = time.Unix(ksuidEpoch, 0).UTC()
	}
	if t, ok := encode.Time(a.Domain.Min, a.Type); ok {
		low = t
	}
	if t, ok := encode.Time(a.Domain.Max, a.Type); ok {
		high = t
	}
	if high.Before(low) {
		high = low
	}
	return low, high
}

// timesOf are the times worth trying in values of an attribute: those on both
// sides of where one of the periods in its keys ends come right after the plainest.
func timesOf(a *model.Attribute, h *hints) []time.Time {
	times := timePool(a, h.now)
	low, high := timeBounds(a)
	var edges []time.Time
	for _, f := range h.periods {
		next := encode.NextPeriod(f, encode.PeriodStart(f, times[0]))
		for _, t := range []time.Time{next, next.Add(-tickOf(a))} {
			if !t.Before(low) && !t.After(high) {
				edges = append(edges, t)
			}
		}
	}
	return slices.Insert(times, 1, edges...)
}

// timeValues are the pool of a time type as values. Where the form is not one
// (variable precision, any zone), each instant is written in several.
func timeValues(a *model.Attribute, h *hints) []value.Value {
	var out []value.Value
	for i, t := range timesOf(a, h) {
		out = append(out, ofTime(a, t))
		if a.Type == model.TypeDatetime {
			out = append(out, unsortable(a, t, i)...)
		}
	}
	return out
}

// unsortable writes an instant in further forms that the domain allows and
// that do not sort in time order.
func unsortable(a *model.Attribute, t time.Time, i int) []value.Value {
	var out []value.Value
	layout := strings.TrimSuffix(a.Layout(), "Z")
	if a.Domain.Precision == model.PrecisionVariable {
		text := t.Format(layout) + ".5"
		if !a.Domain.NoZone {
			text += "Z"
		}
		out = append(out, value.OfString(text))
	}
	if a.Domain.AnyZone {
		zones := []int{2, -5}
		zone := time.FixedZone("", zones[i%len(zones)]*3600)
		out = append(out, value.OfString(t.In(zone).Format(layout+"-07:00")))
	}
	return out
}
