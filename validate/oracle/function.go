package oracle

import (
	"hash/fnv"
	"math/big"
	"strconv"
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
	case expr.Year, expr.Month, expr.Day, expr.Hour:
		if t, ok := parseTime(v, a); ok {
			return value.OfString(t.Format(bucketLayout(f.Name)))
		}
	case expr.Prefix:
		return value.OfString(firstCharacters(v.Text(), f.N))
	case expr.Shard:
		if f.N > 0 {
			h := fnv.New32a()
			h.Write([]byte(v.Text()))
			return value.OfString(strconv.Itoa(int(h.Sum32() % uint32(f.N))))
		}
	}
	return value.Value{}
}

func bucketLayout(f expr.FuncName) string {
	switch f {
	case expr.Year:
		return "2006"
	case expr.Month:
		return "2006-01"
	case expr.Day:
		return time.DateOnly
	}
	return "2006-01-02T15"
}

// padded is a whole number filled up with zeros on the left.
func padded(v value.Value, n int) value.Value {
	digits, minus := strings.CutPrefix(v.Text(), "-")
	text := strings.Repeat("0", max(0, n-len(digits))) + digits
	if minus {
		text = "-" + text
	}
	return value.OfString(text)
}

// inverted is the number's distance from the largest number of n digits, so
// that larger numbers sort first.
func inverted(v value.Value, n int) value.Value {
	number, ok := new(big.Int).SetString(v.Text(), 10)
	if !ok {
		return value.Value{}
	}
	top := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(n)), nil)
	number.Sub(top.Sub(top, big.NewInt(1)), number)
	if number.Sign() < 0 {
		return value.Value{}
	}
	text := number.String()
	return value.OfString(strings.Repeat("0", max(0, n-len(text))) + text)
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
