package encode_test

import (
	"cmp"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/encode"
	"github.com/dynmodel/dynmodel/model/expr"
	"github.com/dynmodel/dynmodel/model/value"
)

// funcs reads functions as they stand in a template: "lower|prefix(2)".
func funcs(t testing.TB, text string) []expr.Func {
	t.Helper()
	parts, problem := expr.ParseTemplate(input("{x|" + text + "}"))
	if problem != nil {
		t.Fatal(text, problem)
	}
	return parts[0].Funcs
}

func TestApply(t *testing.T) {
	const (
		ulid  = "01ARZ3NDEKTSV4RRFFQ69G5FAV"           // 2016-07-30T23:54:10.259Z
		ksuid = "0ujtsYcgvSTl8PAuAdqWYSMnLOv"          // 2017-10-10T04:00:47Z
		uuid7 = "017f22e2-79b0-7cc3-98c4-dc0c0c07398f" // 2022-02-22T19:22:22Z
	)
	tests := []struct {
		funcs string
		v     any
		typ   model.Type
		want  any // a value, or the fault
	}{
		{"lower", "ÄbC", model.TypeString, "äbc"},
		{"upper", "äbC", model.TypeEmail, "ÄBC"},
		{"lower", 5, model.TypeNumber, encode.NotString},
		{"prefix(2)", "äöü", model.TypeString, "äö"},
		{"prefix(9)", "äöü", model.TypeString, "äöü"},
		{"lower|prefix(1)", "ABC", model.TypeString, "a"},
		{"pad(3)", 0, model.TypeInteger, "000"},
		{"pad(3)", 42, model.TypeInteger, "042"},
		{"pad(3)", 1000, model.TypeInteger, encode.TooWide},
		{"pad(3)", -1, model.TypeInteger, encode.Negative},
		{"pad(3)", "1", model.TypeString, encode.NotWhole},
		{"pad(3)", number(t, "0.5"), model.TypeNumber, encode.NotWhole},
		{"pad(3)", number(t, "-0.5"), model.TypeNumber, encode.NotWhole},
		{"pad(38)", number(t, "99999999999999999999999999999999999999"), model.TypeInteger, strings.Repeat("9", 38)},
		{"invert(3)", 0, model.TypeInteger, "999"},
		{"invert(3)", 42, model.TypeInteger, "957"},
		{"invert(3)", 999, model.TypeInteger, "000"},
		{"invert(3)", 1000, model.TypeInteger, encode.TooWide},
		{"invert(3)", -1, model.TypeInteger, encode.Negative},
		{"year", "2026-12-31T23:59:59Z", model.TypeDatetime, "2026"},
		{"month", "2026-12-31T23:59:59Z", model.TypeDatetime, "2026-12"},
		{"day", "2026-12-31T23:59:59.123Z", model.TypeDatetime, "2026-12-31"},
		{"hour", "2026-12-31T23:59Z", model.TypeDatetime, "2026-12-31T23"},
		{"hour", "2026-12-31T23:59:59", model.TypeDatetime, "2026-12-31T23"},
		{"hour", "2026-12-31T23:59", model.TypeDatetime, "2026-12-31T23"},
		{"day", "2026-12-31T23:30:00-02:00", model.TypeDatetime, "2027-01-01"},
		{"week", "2026-01-04", model.TypeDate, "2026-W01"},
		{"week", "2026-01-05", model.TypeDate, "2026-W02"},
		{"week", "2027-01-03T23:59:59Z", model.TypeDatetime, "2026-W53"},
		{"week", "2024-12-30T00:00:00Z", model.TypeDatetime, "2025-W01"},
		{"week", "2026-02", model.TypeMonth, encode.NoTime},
		{"minute", "2026-12-31T23:59:59.999Z", model.TypeDatetime, "2026-12-31T23:59"},
		{"minute", "2026-12-31", model.TypeDate, encode.NoTime},
		{"bucket(15m)", "2026-12-31T23:59:59Z", model.TypeDatetime, "2026-12-31T23:45"},
		{"bucket(15m)", "2026-12-31T23:45:00Z", model.TypeDatetime, "2026-12-31T23:45"},
		{"bucket(6h)", 0, model.TypeEpoch, "1970-01-01T00:00"},
		{"bucket(6h)", -1, model.TypeEpoch, "1969-12-31T18:00"},
		{"bucket(7h)", 25200, model.TypeEpoch, "1970-01-01T07:00"},
		{"bucket(2d)", "1970-01-04T00:00:00Z", model.TypeDatetime, "1970-01-03T00:00"},
		{"bucket(1h)", "2026-12-31", model.TypeDate, encode.NoTime},
		{"day", "tomorrow", model.TypeDatetime, encode.NoTime},
		{"day", "2026-12-31T23:59:59Z", model.TypeString, encode.NoTime},
		{"day", 5, model.TypeDatetime, encode.NoTime},
		{"month", "2026-02-28", model.TypeDate, "2026-02"},
		{"hour", "2026-02-28", model.TypeDate, encode.NoTime},
		{"day", "2026-02-30", model.TypeDate, encode.NoTime},
		{"year", "2026-02", model.TypeMonth, "2026"},
		{"day", "2026-02", model.TypeMonth, encode.NoTime},
		{"day|month|year", "2026-12-31T23:59:59Z", model.TypeDatetime, "2026"},
		{"month|day", "2026-12-31T23:59:59Z", model.TypeDatetime, encode.NoTime},
		{"hour", 0, model.TypeEpoch, "1970-01-01T00"},
		{"day", -1, model.TypeEpoch, "1969-12-31"},
		{"day", 1767225599999, model.TypeEpochMS, "2025-12-31"},
		{"day", 1767225600000, model.TypeEpochMS, "2026-01-01"},
		{"day", number(t, "1.5"), model.TypeEpoch, encode.NoTime},
		{"day", "0", model.TypeEpoch, encode.NoTime},
		{"year", 253402300799, model.TypeEpoch, "9999"},
		{"year", 253402300800, model.TypeEpoch, encode.NoTime},
		{"hour", ulid, model.TypeULID, "2016-07-30T23"},
		{"lower|hour", ulid, model.TypeULID, "2016-07-30T23"},
		{"day", "81ARZ3NDEKTSV4RRFFQ69G5FAV", model.TypeULID, encode.NoTime},
		{"day", "01ARZ3NDEU", model.TypeULID, encode.NoTime},
		{"hour", ksuid, model.TypeKSUID, "2017-10-10T04"},
		{"day", strings.Repeat("z", 27), model.TypeKSUID, encode.NoTime},
		{"hour", uuid7, model.TypeUUID7, "2022-02-22T19"},
		{"day", "017f22e2-79b", model.TypeUUID7, encode.NoTime},
		{"shard(10)", "", model.TypeString, 1},           // 2166136261
		{"shard(10)", "a", model.TypeString, 0},          // 3826002220
		{"shard(1000)", "foobar", model.TypeString, 720}, // 3214735720
		{"shard(1000)", 1, model.TypeInteger, 444},       // 873244444, of the text "1"
		{"shard(4)", value.OfList(), model.TypeList, encode.NoText},
		{"shard(1000)|pad(4)", "foobar", model.TypeString, "0720"},
	}
	for _, tt := range tests {
		got, err := encode.Apply(funcs(t, tt.funcs), val(tt.v), tt.typ)
		if want, ok := tt.want.(encode.Fault); ok {
			if fault(err) != want || got.Exists() {
				t.Errorf("%s of %v: got %v, %v, want the fault %q", tt.funcs, tt.v, got, err, want)
			}
			continue
		}
		if err != nil || !value.Equal(got, val(tt.want)) {
			t.Errorf("%s of %v: got %v, %v, want %v", tt.funcs, tt.v, got, err, tt.want)
		}
	}
}

func TestTimes(t *testing.T) {
	at := time.Date(2026, 1, 5, 9, 7, 3, 123456789, time.FixedZone("", 3600))
	precise := func(p model.Precision, noZone bool) *model.Attribute {
		a := attr("at: datetime")
		a.Domain.Precision, a.Domain.NoZone = p, noZone
		return a
	}
	tests := []struct {
		a             *model.Attribute
		want, shifted any // at, and 25 hours later
	}{
		{attr("at: month"), "2026-01", "2026-01"},
		{attr("at: date"), "2026-01-05", "2026-01-06"},
		{attr("at: datetime"), "2026-01-05T08:07:03Z", "2026-01-06T09:07:03Z"},
		{precise(model.PrecisionMinute, false), "2026-01-05T08:07Z", "2026-01-06T09:07Z"},
		{precise(model.PrecisionMilli, false), "2026-01-05T08:07:03.123Z", "2026-01-06T09:07:03.123Z"},
		{precise(model.PrecisionMicro, true), "2026-01-05T08:07:03.123456", "2026-01-06T09:07:03.123456"},
		{precise(model.PrecisionNano, false), "2026-01-05T08:07:03.123456789Z", "2026-01-06T09:07:03.123456789Z"},
		{attr("at: epoch"), 1767600423, 1767690423},
		{attr("at: epoch_ms"), 1767600423123, 1767690423123},
	}
	for _, tt := range tests {
		v, ok := encode.OfTime(tt.a, at)
		if !ok || !value.Equal(v, val(tt.want)) {
			t.Errorf("%s: got %v, want %v", tt.a.Type, v, tt.want)
		}
		if v, ok = encode.Shift(tt.a, v, 25*time.Hour); !ok || !value.Equal(v, val(tt.shifted)) {
			t.Errorf("%s: shifted, got %v, want %v", tt.a.Type, v, tt.shifted)
		}
	}
	if _, ok := encode.OfTime(attr("at: string"), at); ok {
		t.Error("a string is no time")
	}
	if _, ok := encode.OfTime(attr("at: date"), at.AddDate(9000, 0, 0)); ok {
		t.Error("the year 11026 is not written")
	}
	if _, ok := encode.Shift(attr("at: date"), val("9999-12-31"), 48*time.Hour); ok {
		t.Error("the year 10000 is not written")
	}
	if _, ok := encode.Shift(attr("at: date"), val("soon"), time.Hour); ok {
		t.Error("soon is no date")
	}
}

// TestOrder holds that what sorts as text sorts as the values do: padded
// numbers, times, and buckets of times; inverted numbers the other way.
func TestOrder(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	moment := func() time.Time { return time.UnixMilli(r.Int64N(4102444800000)).UTC() }
	timeOf := func(a *model.Attribute) func() value.Value {
		return func() value.Value { v, _ := encode.OfTime(a, moment()); return v }
	}
	tests := []struct {
		template string
		a        *model.Attribute
		draw     func() value.Value
		coarse   bool // different values may give one key
		down     bool
	}{
		{"N#{x|pad(9)}#", attr("x: integer"), func() value.Value { return value.OfInt(r.Int64N(1 << r.IntN(29))) }, false, false},
		{"N#{x|invert(9)}", attr("x: integer"), func() value.Value { return value.OfInt(r.Int64N(1 << r.IntN(29))) }, false, true},
		{"{x}", attr("x: integer"), func() value.Value { return value.OfInt(r.Int64N(2000) - 1000) }, false, false},
		{"T#{x}#", attr("x: datetime"), timeOf(attr("x: datetime")), false, false},
		{"T#{x}", attr("x: date"), timeOf(attr("x: date")), false, false},
		{"{x|pad(13)}", attr("x: epoch_ms"), timeOf(attr("x: epoch_ms")), false, false},
		{"T#{x|hour}", attr("x: epoch"), timeOf(attr("x: epoch")), true, false},
		{"T#{x|day}", attr("x: datetime"), timeOf(attr("x: datetime")), true, false},
		{"T#{x|month}", attr("x: epoch_ms"), timeOf(attr("x: epoch_ms")), true, false},
	}
	for _, tt := range tests {
		e := entity(t, "E", []*model.Attribute{tt.a})
		tmpl := template(t, e, tt.template)
		render := func(v value.Value) value.Value {
			key, err := encode.Render(tmpl, model.Item{"x": v}, nil)
			if err != nil {
				t.Fatal(tt.template, err)
			}
			return key
		}
		for range 500 {
			a, b := tt.draw(), tt.draw()
			want, _ := value.Compare(a, b)
			got, ok := value.Compare(render(a), render(b))
			if tt.down {
				want = -want
			}
			if !ok || cmp.Compare(got, 0) != cmp.Compare(want, 0) && !(tt.coarse && got == 0) {
				t.Errorf("%s: %s and %s give %s and %s", tt.template, a, b, render(a), render(b))
			}
		}
	}
}
