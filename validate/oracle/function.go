package oracle

import (
	"fmt"
	"hash/fnv"
	"math/big"
	"strings"
	"time"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/expr"
	"github.com/dynmodel/dynmodel/model/value"
)

// apply is a template function on a value of an attribute: absent for an
// absent value, and where the function has no meaning.
func apply(f expr.Func, v value.Value, a *model.Attribute) value.Value {
	if !v.Exists() {
		return value.Value{}
	}
	switch f.Name {
	case expr.Lower, expr.Upper:
		if v.Kind() == value.String {
			return cased(v, f.Name)
		}
	case expr.Pad:
		return padded(v, f.N)
	case expr.Invert:
		return inverted(v, f.N)
	case expr.Year, expr.Month, expr.Week, expr.Day, expr.Hour, expr.Minute, expr.Bucket:
		if t, ok := parseTime(v, a); ok {
			return value.OfString(periodOf(f, t))
		}
	case expr.Prefix:
		return value.OfString(firstCharacters(v.Text(), f.N))
	case expr.Shard:
		if f.N > 0 {
			h := fnv.New32a()
			h.Write([]byte(v.Text()))
			return value.OfInt(int64(h.Sum32() % uint32(f.N)))
		}
	}
	return value.Value{}
}

// periodOf names the period that a time falls in.
func periodOf(f expr.Func, t time.Time) string {
	switch f.Name {
	case expr.Year:
		return t.Format("2006")
	case expr.Month:
		return t.Format("2006-01")
	case expr.Week:
		year, week := t.ISOWeek()
		return fmt.Sprintf("%04d-W%02d", year, week)
	case expr.Day:
		return t.Format(time.DateOnly)
	case expr.Hour:
		return t.Format("2006-01-02T15")
	case expr.Minute:
		return t.Format("2006-01-02T15:04")
	}
	// Buckets are counted from the beginning of 1970.
	length := int64(f.N) * 60
	number := t.Unix() / length
	if t.Unix()%length < 0 {
		number--
	}
	return time.Unix(number*length, 0).UTC().Format("2006-01-02T15:04")
}

// padded is a whole number, not negative, filled up with zeros on the left;
// absent when it has no such form of n digits.
func padded(v value.Value, n int) value.Value {
	text := v.Text()
	if v.Kind() != value.Number || strings.Trim(text, "0123456789") != "" || len(text) > n {
		return value.Value{}
	}
	return value.OfString(strings.Repeat("0", n-len(text)) + text)
}

// inverted is what a padded number lacks to the greatest of n digits, so that
// larger numbers sort first.
func inverted(v value.Value, n int) value.Value {
	text := padded(v, n)
	if !text.Exists() {
		return text
	}
	return value.OfString(strings.Map(func(digit rune) rune { return '0' + '9' - digit }, text.Text()))
}

func firstCharacters(text string, n int) string {
	for i := range text {
		if n == 0 {
			return text[:i]
		}
		n--
	}
	return text
}

// digits reads a number in the given alphabet; false when it holds another
// character or does not fit.
func digits(text, alphabet string) (uint64, bool) {
	var n uint64
	for _, c := range text {
		d := strings.IndexRune(alphabet, c)
		if d < 0 {
			return 0, false
		}
		n = n*uint64(len(alphabet)) + uint64(d)
	}
	return n, true
}

// ksuidSeconds are the leading 32 bits of a KSUID's 160.
func ksuidSeconds(text string) (uint32, bool) {
	n := new(big.Int)
	for _, c := range text {
		d := strings.IndexRune(base62, c)
		if d < 0 {
			return 0, false
		}
		n.Add(n.Mul(n, big.NewInt(62)), big.NewInt(int64(d)))
	}
	n.Rsh(n, 128)
	return uint32(n.Uint64()), n.IsUint64()
}
