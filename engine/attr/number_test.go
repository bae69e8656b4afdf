package attr

import (
	"bytes"
	"errors"
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"
)

func num(t testing.TB, s string) Value {
	t.Helper()
	v, err := ParseNumber(s)
	if err != nil {
		t.Fatalf("ParseNumber(%q): %v", s, err)
	}
	return v
}

func TestNumberText(t *testing.T) {
	nines := strings.Repeat("9", 38)
	for _, tt := range []struct{ in, want string }{
		{"0", "0"}, {"-0", "0"}, {"+0", "0"}, {"0e999", "0"}, {"0.000", "0"}, {"00", "0"},
		{"1", "1"}, {"+1", "1"}, {"-1", "-1"}, {"001", "1"}, {".5", "0.5"}, {"5.", "5"}, {"-.5", "-0.5"},
		{"1e3", "1000"}, {"1E+3", "1000"}, {"1000", "1000"}, {"1e-3", "0.001"}, {"0.0010", "0.001"},
		{"00012.500", "12.5"}, {"100.5", "100.5"}, {"123.456e2", "12345.6"}, {"123.456e3", "123456"}, {"0.05e1", "0.5"},
		{"1E125", "1" + strings.Repeat("0", 125)},
		{"1E-130", "0." + strings.Repeat("0", 129) + "1"},
		{nines, nines}, {nines + "e88", nines + strings.Repeat("0", 88)},
		{nines + "000", nines + "000"}, {"0.000" + nines, "0.000" + nines},
		{"1" + strings.Repeat("0", 100) + "e-100", "1"},
	} {
		if got := num(t, tt.in).Number(); got != tt.want {
			t.Errorf("ParseNumber(%q) prints %s, want %s", tt.in, got, tt.want)
		}
		if num(t, tt.in) != num(t, tt.want) {
			t.Errorf("%q and %q have different encodings", tt.in, tt.want)
		}
	}
}

func TestNumberRefusals(t *testing.T) {
	const (
		digits    = "Attempting to store more than 38 significant digits in a Number"
		overflow  = "Number overflow. Attempting to store a number with magnitude larger than supported range"
		underflow = "Number underflow. Attempting to store a number with magnitude smaller than supported range"
		numeric   = "The parameter cannot be converted to a numeric value"
	)
	for _, tt := range []struct{ in, want string }{
		{"", numeric}, {" 1", numeric + ":  1"}, {"1 ", numeric + ": 1 "}, {"abc", numeric + ": abc"},
		{"-", numeric + ": -"}, {".", numeric + ": ."}, {"1e", numeric + ": 1e"}, {"1e+", numeric + ": 1e+"},
		{"e5", numeric + ": e5"}, {"1.2.3", numeric + ": 1.2.3"}, {"0x10", numeric + ": 0x10"}, {"NaN", numeric + ": NaN"},
		{"Infinity", numeric + ": Infinity"}, {"1_000", numeric + ": 1_000"}, {"--1", numeric + ": --1"}, {"١", numeric + ": ١"},
		{strings.Repeat("1", 39), digits}, {"1" + strings.Repeat("0", 37) + "1", digits}, {"0." + strings.Repeat("1", 39), digits},
		{"1e126", overflow}, {"-1e126", overflow}, {"10e125", overflow}, {"1e99999999999999999999", overflow},
		{"1e-131", underflow}, {"-0.1e-130", underflow}, {"1e-99999999999999999999", underflow},
	} {
		_, err := ParseNumber(tt.in)
		var invalid *ValidationError
		if !errors.As(err, &invalid) || invalid.Message != tt.want {
			t.Errorf("ParseNumber(%q) = %v, want %s", tt.in, err, tt.want)
		}
	}
}

// The vectors were measured on the service.
func TestNumberSize(t *testing.T) {
	for in, want := range map[string]int{
		"0": 1, "1": 2, "12": 2, "123": 3, "1234": 3, strings.Repeat("7", 38): 20, "100": 2, "1010": 3,
		"0.0000001": 2, "1E125": 2, "1E-100": 2, "1.5": 3, "15": 2, "1.200": 3, "1.234": 4, "3.14159": 5,
		"123456": 4, "100.5": 4, "0.15": 2, "-42": 3, "-0": 1,
	} {
		if got := num(t, in).Size(); got != want {
			t.Errorf("size of %s is %d, want %d", in, got, want)
		}
	}
}

// randomNumber returns a number in range, its spelling as random as its value.
func randomNumber(r *rand.Rand) string {
	var b strings.Builder
	if r.IntN(2) == 0 {
		b.WriteByte('-')
	}
	n := 1 + r.IntN(38)
	if r.IntN(2) == 0 {
		n = 1 + r.IntN(3) // short numbers meet each other more often
	}
	point := r.IntN(n + 1)
	for i := range n {
		if i == point {
			b.WriteByte('.')
		}
		b.WriteByte('0' + byte(r.IntN(10)))
	}
	if r.IntN(3) == 0 {
		b.WriteString([]string{"e1", "E-2", "e+30", "e-60", "e80"}[r.IntN(5)])
	}
	return b.String()
}

func rational(t testing.TB, s string) *big.Rat {
	t.Helper()
	x, ok := new(big.Rat).SetString(s)
	if !ok {
		t.Fatalf("big.Rat refuses %q", s)
	}
	return x
}

func TestNumberOrder(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 20000 {
		a, b := randomNumber(r), randomNumber(r)
		want := rational(t, a).Cmp(rational(t, b))
		va, vb := num(t, a), num(t, b)
		if got, ok := Compare(va, vb); !ok || got != want {
			t.Fatalf("Compare(%s, %s) = %d, want %d", a, b, got, want)
		}
		if got := bytes.Compare(AppendKey(nil, va), AppendKey(nil, vb)); got != want {
			t.Fatalf("keys of %s and %s compare %d, want %d", a, b, got, want)
		}
		if (va == vb) != (want == 0) {
			t.Fatalf("%s == %s is %v", a, b, va == vb)
		}
		if back := num(t, va.Number()); back != va {
			t.Fatalf("%s prints %s, which is another number", a, va.Number())
		}
	}
}

func TestArithmeticIsExact(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 5000 {
		a, b := randomNumber(r), randomNumber(r)
		sum := new(big.Rat).Add(rational(t, a), rational(t, b))
		got, err := Add(num(t, a), num(t, b))
		if err != nil {
			continue // the limits have their own test
		}
		if rational(t, got.Number()).Cmp(sum) != 0 {
			t.Fatalf("%s + %s = %s", a, b, got.Number())
		}
		back, err := Sub(got, num(t, b))
		if err != nil || back != num(t, a) {
			t.Fatalf("%s - %s = %s, %v; want %s", got.Number(), b, back.Number(), err, a)
		}
	}
}

func TestArithmeticLimits(t *testing.T) {
	for _, tt := range []struct{ a, b, want string }{
		{"1", "-1", "0"}, {"0", "0", "0"}, {"0.1", "0.2", "0.3"},
		{"1e37", "1", "10000000000000000000000000000000000001"},
		{strings.Repeat("9", 38), "1", "1" + strings.Repeat("0", 38)},
		{"1e38", "1", "!Attempting to store more than 38 significant digits in a Number"},
		{"1e125", "1e-130", "!Attempting to store more than 38 significant digits in a Number"},
		{"9e125", "1e125", "!Number overflow. Attempting to store a number with magnitude larger than supported range"},
		{"1.5e-129", "-1.4e-129", "0.0000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000001"},
		{"1.5e-129", "-1.5e-129", "0"},
	} {
		got, err := Add(num(t, tt.a), num(t, tt.b))
		switch {
		case err != nil && "!"+err.Error() != tt.want:
			t.Errorf("%s + %s: %v, want %s", tt.a, tt.b, err, tt.want)
		case err == nil && got.Number() != tt.want:
			t.Errorf("%s + %s = %s, want %s", tt.a, tt.b, got.Number(), tt.want)
		}
	}
}

func TestInt(t *testing.T) {
	for _, i := range []int64{0, 1, -1, 42, 1 << 62, -1 << 63, 1<<63 - 1} {
		if got, ok := Int(i).Int64(); !ok || got != i {
			t.Errorf("Int(%d).Int64() = %d, %v", i, got, ok)
		}
	}
	for _, s := range []string{"1.5", "1e19", "-1e19"} {
		if got, ok := num(t, s).Int64(); ok {
			t.Errorf("Int64 of %s = %d", s, got)
		}
	}
}

func FuzzNumber(f *testing.F) {
	for _, s := range []string{"0", "-0", "1e3", "1.50", "-.5e-7", "1e125", "1e-130", "9.99e125", "12345678901234567890123456789012345678", "1e", "x"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		v, err := ParseNumber(s)
		if err != nil {
			return
		}
		if back := num(t, v.Number()); back != v {
			t.Fatalf("%q prints %s, which is another number", s, v.Number())
		}
		if !validNumber(v.data) {
			t.Fatalf("%q is encoded as %x, which is refused", s, v.data)
		}
		want, ok := new(big.Rat).SetString(s) // refuses huge exponents, even of zero
		if ok && want.Cmp(rational(t, v.Number())) != 0 {
			t.Fatalf("%q became %s", s, v.Number())
		}
	})
}
