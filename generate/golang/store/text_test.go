package store

import (
	"strings"
	"testing"
	"time"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/encode"
	"github.com/dynmodel/dynmodel/model/expr"
	"github.com/dynmodel/dynmodel/model/value"
)

// Whatever the model's functions make of a value, the package makes of it, too.
func TestFunctions(t *testing.T) {
	texts := []string{"", "a", "Äb€😀", "0", "42", "007", "-3", "123456789012345678901234567890", "1.5", "2026-01-05T09:00:00Z"}
	for _, s := range texts {
		v := value.OfString(s)
		for name, got := range map[string]struct {
			f    expr.Func
			text string
		}{
			"prefix": {expr.Func{Name: expr.Prefix, N: 2}, prefix(s, 2)},
			"shard":  {expr.Func{Name: expr.Shard, N: 7}, shard(s, 7)},
			"lower":  {expr.Func{Name: expr.Lower}, lower(s)},
			"upper":  {expr.Func{Name: expr.Upper}, upper(s)},
		} {
			want, err := encode.Apply([]expr.Func{got.f}, v, model.TypeString)
			if err != nil || want.Text() != got.text {
				t.Errorf("%s(%q) = %q, not %q (%v)", name, s, got.text, want.Text(), err)
			}
		}
	}
	for _, n := range []string{"0", "7", "42", "9999", "10000", "-1", "1.5", "1E2"} {
		v, err := value.OfNumber(n)
		if err != nil {
			t.Fatal(err)
		}
		for name, made := range map[expr.FuncName]func(*fault) string{
			expr.Pad:    func(f *fault) string { return f.digits("n", f.number("n", Number(n)), 4) },
			expr.Invert: func(f *fault) string { return inverted(f.digits("n", f.number("n", Number(n)), 4)) },
		} {
			f := &fault{}
			got := made(f)
			want, err := encode.Apply([]expr.Func{{Name: name, N: 4}}, v, model.TypeNumber)
			if (err == nil) != (f.err == nil) || err == nil && want.Text() != got {
				t.Errorf("%s(%s) = %q, %v; not %q, %v", name, n, got, f.err, want.Text(), err)
			}
		}
	}
}

func TestWithin(t *testing.T) {
	for text, want := range map[string]string{"5": "0005", "-5": "/", "12345": ":", "9999": "9999"} {
		f := &fault{}
		if got := f.within("n", text, 4); got != want || f.err != nil {
			t.Errorf("within(%s) = %q, %v; not %q", text, got, f.err, want)
		}
	}
	if inverted("/") != ":" || inverted(":") != "/" || inverted("0123") != "9876" {
		t.Error("what is beyond the digits is turned around with them")
	}
}

func TestNeighbours(t *testing.T) {
	for _, s := range []string{"", "a", "az", "a\x00", "\ue000", "ab😀", "a\x00\x00"} {
		if after := textAfter(s); after <= s || after > s+"\x01" {
			t.Errorf("after %q comes %q", s, after)
		}
		if before := textBefore(s); s != "" && before >= s || strings.HasPrefix(before, s) && s != "" {
			t.Errorf("before %q comes %q", s, before)
		}
	}
	for _, b := range [][]byte{{}, {0}, {1}, {255}, {1, 0}, {1, 2}} {
		if before := bytesBefore(b); len(b) > 0 && string(before) >= string(b) {
			t.Errorf("before %v comes %v", b, before[:min(4, len(before))])
		}
		if string(bytesAfter(b)) <= string(b) {
			t.Errorf("after %v comes %v", b, bytesAfter(b))
		}
	}
}

// periodFuncs are the model's functions of periods, beside those of the package.
var periodFuncs = []struct {
	f    expr.Func
	text func(time.Time) string
	of   period
}{
	{expr.Func{Name: expr.Year}, year, years},
	{expr.Func{Name: expr.Month}, month, months},
	{expr.Func{Name: expr.Week}, week, weeks},
	{expr.Func{Name: expr.Day}, day, days},
	{expr.Func{Name: expr.Hour}, hour, hours},
	{expr.Func{Name: expr.Minute}, minute, minutes},
	{expr.Func{Name: expr.Bucket, N: 15}, func(t time.Time) string { return bucket(t, 15) }, buckets(15)},
	{expr.Func{Name: expr.Bucket, N: 7 * 24 * 60}, func(t time.Time) string { return bucket(t, 7*24*60) }, buckets(7 * 24 * 60)},
}

func TestPeriods(t *testing.T) {
	for _, text := range []string{"1969-12-31T23:59:59Z", "1970-01-01T00:00:00Z", "2024-02-29T12:34:56Z", "2026-01-01T00:00:00Z", "2020-12-31T23:59:59Z", "2027-01-03T10:00:00Z"} {
		at, err := time.Parse(time.RFC3339, text)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range periodFuncs {
			want, err := encode.Apply([]expr.Func{p.f}, value.OfString(text), model.TypeDatetime)
			if err != nil || p.text(at) != want.Text() {
				t.Errorf("%s(%s) = %q, not %q (%v)", p.f, text, p.text(at), want.Text(), err)
			}
			checkWalk(t, p.f, p.of, p.text(at))
		}
	}
}

// checkWalk walks some periods on, as the model does.
func checkWalk(t *testing.T, f expr.Func, p period, from string) {
	t.Helper()
	var want []string
	for at := from; len(want) < 5; {
		want = append(want, at)
		start, ok := encode.ParsePeriod(f, at)
		if !ok {
			t.Fatalf("%q is no %s", at, f)
		}
		at = encode.PeriodText(f, encode.NextPeriod(f, start))
	}
	fault := &fault{}
	if got := p.between(fault, from, want[4]); strings.Join(got, " ") != strings.Join(want, " ") || fault.err != nil {
		t.Errorf("%s from %s: %v, not %v (%v)", f, from, got, want, fault.err)
	}
}

func TestPeriodsHaveBounds(t *testing.T) {
	f := &fault{}
	if got := minutes.between(f, "0001-01-01T00:00", "2026-01-01T00:00"); f.err == nil || got != nil {
		t.Errorf("%d minutes, %v", len(got), f.err)
	}
	f = &fault{}
	if got := years.between(f, "9998", "9999"); len(got) != 2 || f.err != nil {
		t.Errorf("%v, %v", got, f.err)
	}
	if got := days.between(&fault{}, "2026-01-02", "2026-01-01"); len(got) != 0 {
		t.Errorf("crossed ends have %v between them", got)
	}
}

func TestTimesInIdentifiers(t *testing.T) {
	at := time.Date(2026, 1, 5, 9, 0, 0, 0, time.UTC)
	for kind, read := range map[string]func(*fault, string) time.Time{
		"ulid":  func(f *fault, id string) time.Time { return f.ulidTime("id", id) },
		"ksuid": func(f *fault, id string) time.Time { return f.ksuidTime("id", id) },
		"uuid7": func(f *fault, id string) time.Time { return f.uuid7Time("id", id) },
	} {
		id, err := mint(kind)
		f := &fault{}
		if made := read(f, id); err != nil || f.err != nil || time.Since(made).Abs() > time.Minute {
			t.Errorf("%s %s was made at %s (%v, %v)", kind, id, made, err, f.err)
		}
		want, ok := encode.Time(value.OfString(id), model.Type(kind))
		if !ok || !read(&fault{}, id).Equal(want) {
			t.Errorf("%s %s is of %s, not %s", kind, id, read(&fault{}, id), want)
		}
		f = &fault{}
		if read(f, "no such"); f.err == nil {
			t.Errorf("%s: anything has a time", kind)
		}
	}
	if _, err := mint("sequence"); err == nil {
		t.Error("any kind of identifier can be made")
	}
	f := &fault{}
	if got := f.time("at", at.In(time.FixedZone("", -7200)), layoutMilli); got != "2026-01-05T09:00:00.000Z" || f.err != nil {
		t.Errorf("%s, %v", got, f.err)
	}
	for _, bad := range []time.Time{{}, time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC)} {
		f := &fault{}
		if f.time("at", bad, layoutSecond); f.err == nil {
			t.Errorf("%s can be written", bad)
		}
	}
}

func TestKeyLimits(t *testing.T) {
	for text, ok := range map[string]bool{"": false, "a": true, strings.Repeat("a", 1024): true, strings.Repeat("a", 1025): false} {
		f := &fault{}
		if f.key("SK", text, maxSortKey); (f.err == nil) != ok {
			t.Errorf("a key of %d bytes: %v", len(text), f.err)
		}
	}
	f := &fault{}
	f.some("id", "x")
	f.apart("name", "a-b", "#")
	if f.err != nil {
		t.Error(f.err)
	}
	f.apart("name", "a#b", "#")
	if f.err == nil || !strings.Contains(f.err.Error(), "name") {
		t.Error(f.err)
	}
}
