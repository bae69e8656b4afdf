package store

import (
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/dynmodel/dynmodel/model/value"
)

// numberTexts are spellings of numbers, and what is none.
var numberTexts = []string{"0", "-0", "1", "-1", "01.50", "1E3", "1e-3", ".5", "5.", "+7", "123456789012345678901234567890.12345678", "1E125", "1E126", "1E-130", "1E-131",
	"99999999999999999999999999999999999999", "999999999999999999999999999999999999999", "abc", "", "1.2.3", "--1", "1e", "0x10", "NaN", "Infinity", "0.00000", "100", "1E-5", "-12.3400"}

func TestNumberText(t *testing.T) {
	for _, text := range numberTexts {
		want, err := value.OfNumber(text)
		f := &fault{}
		got := f.number("n", Number(text))
		if (err == nil) != (f.err == nil) {
			t.Errorf("%q: %v, the model says %v", text, f.err, err)
			continue
		}
		if err == nil && got != want.Text() {
			t.Errorf("%q is written %q, not %q", text, got, want.Text())
		}
	}
}

// Sums and comparisons are those of the model.
func TestNumberArithmetic(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	make := func() string {
		digits := ""
		for range 1 + random.IntN(20) {
			digits += strconv.Itoa(random.IntN(10))
		}
		if random.IntN(2) == 0 {
			digits = "-" + digits
		}
		return digits + "E" + strconv.Itoa(random.IntN(20)-10)
	}
	for range 2000 {
		a, b := make(), make()
		x, _ := value.OfNumber(a)
		y, _ := value.OfNumber(b)
		f := &fault{}
		if want, err := x.Add(y); err == nil && string(f.plus("n", Number(a), Number(b))) != want.Text() {
			t.Fatalf("%s + %s = %s, not %s", a, b, f.plus("n", Number(a), Number(b)), want.Text())
		}
		if want, err := x.Add(y.Neg()); err == nil && string(f.minus("n", Number(a), Number(b))) != want.Text() {
			t.Fatalf("%s - %s = %s, not %s", a, b, f.minus("n", Number(a), Number(b)), want.Text())
		}
		want, _ := value.Compare(x, y)
		if got, ok := Number(a).Cmp(Number(b)); !ok || got != want {
			t.Fatalf("%s and %s compare as %d, not %d", a, b, got, want)
		}
	}
}

func TestNumberConversions(t *testing.T) {
	if n, ok := Number("12.0").Int64(); !ok || n != 12 {
		t.Error(n, ok)
	}
	if _, ok := Number("12.5").Int64(); ok {
		t.Error("12.5 is whole")
	}
	if f, ok := Number("0.25").Float64(); !ok || f != 0.25 {
		t.Error(f, ok)
	}
	if NumberOf(-4) != "-4" {
		t.Error(NumberOf(-4))
	}
	f := &fault{}
	if f.whole("n", "1E30"); f.err == nil {
		t.Error("1E30 is a number of 64 bits")
	}
}

func TestNextNumber(t *testing.T) {
	for _, text := range []string{"0", "1", "-1", "10", "9.99", "1E-130", "-250"} {
		f := &fault{}
		above, below := f.next("n", Number(text), 1), f.next("n", Number(text), -1)
		if c, ok := above.Cmp(Number(text)); !ok || c != 1 {
			t.Errorf("after %s comes %s", text, above)
		}
		if c, ok := below.Cmp(Number(text)); !ok || c != -1 {
			t.Errorf("before %s comes %s", text, below)
		}
		if len(strings.Trim(string(above), "-0.")) > numberDigits+2 {
			t.Errorf("%s has too many digits", above)
		}
	}
}
