package value_test

import (
	"cmp"
	"errors"
	"math/big"
	"strings"
	"testing"

	"github.com/dynmodel/dynmodel/model/value"
)

func number(t testing.TB, text string) value.Value {
	t.Helper()
	v, err := value.OfNumber(text)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return v
}

func TestOfNumber(t *testing.T) {
	tests := []struct{ text, want string }{
		{"0", "0"}, {"-0", "0"}, {"0.000", "0"}, {"0E500", "0"}, {"+7", "7"}, {"007", "7"},
		{"1.50", "1.5"}, {"-2.5e-1", "-0.25"}, {"1E3", "1000"}, {"1000", "1000"}, {"100.00E-2", "1"},
		{"12345678901234567890123456789012345678", "12345678901234567890123456789012345678"},
		{"123456789012345678901234567890123456780", "123456789012345678901234567890123456780"},
		{"1E-130", "0." + strings.Repeat("0", 129) + "1"},
		{"9.9E125", "99" + strings.Repeat("0", 124)},
	}
	for _, tt := range tests {
		if got := number(t, tt.text); got.Text() != tt.want || got.Kind() != value.Number {
			t.Errorf("%s: got %s, want %s", tt.text, got.Text(), tt.want)
		}
	}
	for _, text := range []string{
		"", "x", "1x", "1 000", "1_000", "0x1F", "NaN", "Infinity", "-inf", "--1", "1E126", "1E-131", "1E999999999", "1E99999999999999999999",
		"123456789012345678901234567890123456789", "1." + strings.Repeat("0", 60) + "1", strings.Repeat("9", 1<<20),
	} {
		if v, err := value.OfNumber(text); !errors.Is(err, value.ErrNumber) || v.Exists() {
			t.Errorf("%.50s: got %s, %v", text, v, err)
		}
	}
}

func TestInt(t *testing.T) {
	tests := []struct {
		v    value.Value
		want int64
		ok   bool
	}{
		{value.OfInt(-5), -5, true},
		{number(t, "1E3"), 1000, true},
		{number(t, "9223372036854775807"), 9223372036854775807, true},
		{number(t, "9223372036854775808"), 0, false},
		{number(t, "0.5"), 0, false},
		{value.OfString("5"), 0, false},
		{value.Value{}, 0, false},
	}
	for _, tt := range tests {
		if got, ok := tt.v.Int(); ok != tt.ok || ok && got != tt.want {
			t.Errorf("%s: got %d, %v", tt.v, got, ok)
		}
	}
}

func TestArithmetic(t *testing.T) {
	tests := []struct{ a, b, want string }{
		{"1", "2", "3"},
		{"0.1", "0.2", "0.3"},
		{"1", "-1", "0"},
		{"1E37", "1", "10000000000000000000000000000000000001"},
		{"1E38", "1", ""}, // 39 digits
		{"9E125", "9E125", ""},
		{"1E125", "-1E125", "0"},
		{"1E-130", "1E125", ""},
	}
	for _, tt := range tests {
		got, err := number(t, tt.a).Add(number(t, tt.b))
		if tt.want == "" {
			if !errors.Is(err, value.ErrNumber) {
				t.Errorf("%s + %s: got %s, %v", tt.a, tt.b, got, err)
			}
			continue
		}
		if err != nil || got.Text() != tt.want {
			t.Errorf("%s + %s: got %s, %v, want %s", tt.a, tt.b, got, err, tt.want)
		}
	}
	for text, want := range map[string]string{"5": "-5", "-0.5": "0.5", "0": "0"} {
		if got := number(t, text).Neg(); got.Text() != want {
			t.Errorf("-(%s): got %s", text, got)
		}
	}
}

func TestEqual(t *testing.T) {
	s, n := value.OfString, value.OfInt
	field := func(name string, v value.Value) value.Field { return value.Field{Name: name, Value: v} }
	same := [][2]value.Value{
		{value.Value{}, value.Value{}},
		{n(1000), number(t, "1e3")},
		{value.OfSet(value.StringSet, s("b"), s("a"), s("b")), value.OfSet(value.StringSet, s("a"), s("b"))},
		{value.OfSet(value.NumberSet, n(10), n(9)), value.OfSet(value.NumberSet, n(9), n(10), number(t, "1e1"))},
		{value.OfMap(field("a", n(1)), field("b", n(2))), value.OfMap(field("b", n(3)), field("a", n(1)), field("b", n(2)))},
		{value.OfList(s("a"), value.OfNull()), value.OfList(s("a"), value.OfNull())},
	}
	for _, pair := range same {
		if !value.Equal(pair[0], pair[1]) {
			t.Errorf("%s and %s are equal", pair[0], pair[1])
		}
	}
	different := []value.Value{
		{}, value.OfNull(), value.OfBool(false), value.OfBool(true), s(""), s("1"), n(1), value.OfBinary("1"), value.OfBinary(""),
		value.OfList(), value.OfList(s("1")), value.OfList(n(1)), value.OfMap(), value.OfMap(field("a", n(1))), value.OfMap(field("b", n(1))),
		value.OfMap(field("a", n(2))), value.OfSet(value.StringSet, s("1")), value.OfSet(value.BinarySet, value.OfBinary("1")), value.OfSet(value.NumberSet, n(1)),
	}
	for i, a := range different {
		for _, b := range different[:i] {
			if value.Equal(a, b) || value.Equal(b, a) {
				t.Errorf("%s and %s are not equal", a, b)
			}
		}
	}
}

func TestCompare(t *testing.T) {
	ascending := [][]value.Value{
		{value.OfString(""), value.OfString("A"), value.OfString("a"), value.OfString("a!"), value.OfString("ab"), value.OfString("é"), value.OfString("\U0010FFFF")},
		{number(t, "-1E100"), value.OfInt(-10), value.OfInt(-9), number(t, "-0.5"), value.OfInt(0), number(t, "1E-130"), value.OfInt(9), value.OfInt(10), number(t, "10.5"), number(t, "1E100")},
		{value.OfBinary(""), value.OfBinary("\x00"), value.OfBinary("\x7f"), value.OfBinary("\x80"), value.OfBinary("\xff")},
	}
	for _, list := range ascending {
		for i, a := range list {
			for j, b := range list {
				if got, ok := value.Compare(a, b); !ok || cmp.Compare(got, 0) != cmp.Compare(i, j) {
					t.Errorf("%s and %s: got %d, %v", a, b, got, ok)
				}
			}
		}
	}
	for _, pair := range [][2]value.Value{
		{value.OfString("1"), value.OfInt(1)}, {value.OfBool(false), value.OfBool(true)}, {value.OfNull(), value.OfNull()},
		{value.OfList(), value.OfList()}, {{}, {}}, {{}, value.OfInt(1)},
	} {
		if _, ok := value.Compare(pair[0], pair[1]); ok {
			t.Errorf("%s and %s have no order", pair[0], pair[1])
		}
	}
}

func TestMembers(t *testing.T) {
	m := value.OfMap(value.Field{Name: "b", Value: value.OfInt(2)}, value.Field{Name: "a", Value: value.OfInt(1)})
	if got := m.Fields(); len(got) != 2 || got[0].Name != "a" || got[1].Name != "b" {
		t.Errorf("got %v", got)
	}
	if m.Field("b").Text() != "2" || m.Field("c").Exists() || value.OfInt(1).Field("a").Exists() {
		t.Error("members by name")
	}
	set := value.OfSet(value.NumberSet, value.OfInt(10), value.OfInt(9), value.OfInt(10))
	if got := set.Items(); len(got) != 2 || got[0].Text() != "9" {
		t.Errorf("got %v", got)
	}
	if !value.OfBool(true).Truth() || value.OfBool(false).Truth() {
		t.Error("truth")
	}
}

func TestString(t *testing.T) {
	tests := []struct {
		v    value.Value
		want string
	}{
		{value.Value{}, "(absent)"},
		{value.OfNull(), "null"},
		{value.OfBool(true), "true"},
		{value.OfString("it's \"\n\""), `"it's \"\n\""`},
		{number(t, "1.50"), "1.5"},
		{value.OfBinary("\x00\xff"), "b64:AP8="},
		{value.OfList(value.OfInt(1), value.OfString("a")), `[1, "a"]`},
		{value.OfSet(value.StringSet, value.OfString("b"), value.OfString("a")), `<"a", "b">`},
		{value.OfMap(value.Field{Name: "b", Value: value.OfList()}, value.Field{Name: "a", Value: value.OfMap()}), "{a: {}, b: []}"},
	}
	for _, tt := range tests {
		if got := tt.v.String(); got != tt.want {
			t.Errorf("got %s, want %s", got, tt.want)
		}
	}
}

func TestKinds(t *testing.T) {
	keys := 0
	for k := value.None; k <= value.BinarySet; k++ {
		if k.IsKey() {
			keys++
		}
	}
	if keys != 3 || value.NumberSet.String() != "NS" || value.None.String() != "" {
		t.Errorf("%d kinds may be keys", keys)
	}
}

// FuzzNumber holds that what is read as a number means what it says, is written
// plainly, and reads back as itself.
func FuzzNumber(f *testing.F) {
	for _, seed := range []string{"0", "-1.50e+3", "1E-130", "9.9E125", "12345678901234567890123456789012345678", "1e", ".5", "5.", "+", "٣"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		v, err := value.OfNumber(text)
		if err != nil {
			return
		}
		again, err := value.OfNumber(v.Text())
		if err != nil || !value.Equal(v, again) || strings.ContainsAny(v.Text(), "eE+") {
			t.Fatalf("%q is written %s, which reads as %s, %v", text, v.Text(), again, err)
		}
		want, ok := new(big.Rat).SetString(text)
		got, _ := new(big.Rat).SetString(v.Text())
		if ok && want.Cmp(got) != 0 {
			t.Fatalf("%q reads as %s", text, v.Text())
		}
		if sum, err := v.Add(v.Neg()); err != nil || sum.Text() != "0" {
			t.Fatalf("%s - %s is %s, %v", v, v, sum, err)
		}
	})
}

func TestSize(t *testing.T) {
	for _, test := range []struct{ of, want value.Value }{
		{value.OfString(""), value.OfInt(0)},
		{value.OfString("abc"), value.OfInt(3)},
		{value.OfString("日本"), value.OfInt(2)},
		{value.OfString("a😀"), value.OfInt(3)},
		{value.OfBinary("\x00\xff"), value.OfInt(2)},
		{value.OfList(value.OfInt(1), value.OfNull()), value.OfInt(2)},
		{value.OfSet(value.StringSet, value.OfString("a")), value.OfInt(1)},
		{value.OfMap(), value.OfInt(0)},
		{value.OfInt(12), value.Value{}},
		{value.OfBool(true), value.Value{}},
		{value.OfNull(), value.Value{}},
		{value.Value{}, value.Value{}},
	} {
		if got := test.of.Size(); !value.Equal(got, test.want) {
			t.Errorf("the size of %s is %s, want %s", test.of, got, test.want)
		}
	}
}
