package oracle

import (
	"strconv"
	"strings"
	"time"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/value"
)

// isoLayouts are the spellings of a point in time, the longest first. Go reads
// fractions of a second after the seconds of any of them.
var isoLayouts = [...]string{
	"2006-01-02T15:04:05Z07:00", "2006-01-02T15:04:05", "2006-01-02T15:04Z07:00", "2006-01-02T15:04",
	"2006-01-02", "2006-01",
}

// parseTime reads the point in time out of a value: of a time by the
// attribute's type, and of an identifier that begins with one.
func parseTime(v value.Value, a *model.Attribute) (time.Time, bool) {
	switch {
	case v.Kind() == value.Number && a != nil && a.Type == model.TypeEpochMS:
		return epoch(v, time.UnixMilli)
	case v.Kind() == value.Number:
		return epoch(v, func(n int64) time.Time { return time.Unix(n, 0) })
	case v.Kind() != value.String:
		return time.Time{}, false
	case a != nil && a.Type.IsID():
		return idTime(v.Text(), a.Type)
	}
	for _, layout := range isoLayouts {
		if t, err := time.Parse(layout, v.Text()); err == nil {
			return t.UTC(), true
		}
	}
	return time.Time{}, false
}

func epoch(v value.Value, of func(int64) time.Time) (time.Time, bool) {
	n, ok := v.Int()
	if !ok {
		return time.Time{}, false
	}
	return of(n).UTC(), true
}

// formatTime writes a point in time as an attribute holds it: cut down to the
// attribute's precision. Without a definition it is a datetime to the second.
func formatTime(t time.Time, a *model.Attribute) value.Value {
	t = t.UTC()
	if a == nil {
		return value.OfString(t.Format("2006-01-02T15:04:05Z"))
	}
	switch a.Type {
	case model.TypeEpoch:
		return value.OfInt(t.Unix())
	case model.TypeEpochMS:
		return value.OfInt(t.UnixMilli())
	case model.TypeNumber, model.TypeInteger:
		return value.OfInt(t.Unix())
	case model.TypeMonth:
		return value.OfString(t.Format("2006-01"))
	case model.TypeDate:
		return value.OfString(t.Format("2006-01-02"))
	}
	zone := "Z"
	if a.Domain.NoZone {
		zone = ""
	}
	return value.OfString(t.Format(precisionLayout(a.Domain.Precision)) + zone)
}

func precisionLayout(p model.Precision) string {
	switch p {
	case model.PrecisionMinute:
		return "2006-01-02T15:04"
	case model.PrecisionMilli:
		return "2006-01-02T15:04:05.000"
	case model.PrecisionMicro:
		return "2006-01-02T15:04:05.000000"
	case model.PrecisionNano:
		return "2006-01-02T15:04:05.000000000"
	case model.PrecisionVariable:
		return "2006-01-02T15:04:05.999999999"
	}
	return "2006-01-02T15:04:05"
}

// sortAsText tells whether two texts of these definitions are in order of their
// bytes. Times of variable or differing precision, or in any zone, are not.
func sortAsText(a, b *model.Attribute) bool {
	if a == nil || b == nil || a.Type != model.TypeDatetime || b.Type != model.TypeDatetime {
		return true
	}
	fixed := func(a *model.Attribute) bool {
		return !a.Domain.AnyZone && a.Domain.Precision != model.PrecisionVariable
	}
	return fixed(a) && fixed(b) && precisionLayout(a.Domain.Precision) == precisionLayout(b.Domain.Precision) &&
		a.Domain.NoZone == b.Domain.NoZone
}

const (
	crockford  = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
	base62     = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
	ksuidEpoch = 1400000000 // seconds: KSUIDs count from here
)

// idTime reads the time that a ulid, ksuid or uuid7 begins with.
func idTime(text string, t model.Type) (time.Time, bool) {
	switch {
	case t == model.TypeULID && len(text) == 26:
		ms, ok := digits(strings.ToUpper(text[:10]), crockford)
		return time.UnixMilli(int64(ms)).UTC(), ok
	case t == model.TypeUUID7 && len(text) == 36:
		ms, err := strconv.ParseUint(text[:8]+text[9:13], 16, 64)
		return time.UnixMilli(int64(ms)).UTC(), err == nil
	case t == model.TypeKSUID && len(text) == 27:
		seconds, ok := ksuidSeconds(text)
		return time.Unix(ksuidEpoch+int64(seconds), 0).UTC(), ok
	}
	return time.Time{}, false
}
