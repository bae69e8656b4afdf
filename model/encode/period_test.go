package encode_test

import (
	"testing"
	"time"

	"github.com/dynmodel/dynmodel/model/encode"
	"github.com/dynmodel/dynmodel/model/expr"
)

// Periods follow one another without gaps, in the order of their texts, and are
// read back from them.
func TestPeriods(t *testing.T) {
	for _, text := range []string{"year", "month", "week", "day", "hour", "minute", "bucket(15m)", "bucket(7h)", "bucket(3d)"} {
		f := funcs(t, text)[0]
		at := encode.PeriodStart(f, time.Date(2019, 12, 28, 17, 42, 59, 0, time.UTC))
		for range 500 {
			next := encode.NextPeriod(f, at)
			if next.Year() > 9999 {
				break
			}
			last := next.Add(-time.Nanosecond)
			if !encode.PeriodStart(f, next).Equal(next) || !encode.PeriodStart(f, last).Equal(at) {
				t.Fatalf("%s: %s is followed by %s", text, at, next)
			}
			if encode.PeriodText(f, at) >= encode.PeriodText(f, next) {
				t.Fatalf("%s: %s sorts after %s", text, encode.PeriodText(f, at), encode.PeriodText(f, next))
			}
			if read, ok := encode.ParsePeriod(f, encode.PeriodText(f, next)); !ok || !read.Equal(next) {
				t.Fatalf("%s: %s reads as %s", text, encode.PeriodText(f, next), read)
			}
			at = next
		}
	}
	for _, text := range []string{"", "2026-05", "2026-Wxx"} {
		if at, ok := encode.ParsePeriod(expr.Func{Name: expr.Week}, text); ok {
			t.Errorf("%q is read as the week of %s", text, at)
		}
	}
}
