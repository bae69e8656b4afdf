package plan

import (
	"testing"

	"github.com/dynmodel/dynmodel/model/value"
)

func TestNumberSize(t *testing.T) {
	for text, want := range map[string]int{
		"0": 1, "1": 2, "12": 2, "123": 3, "1234": 3, "12345678901234567890123456789012345678": 20,
		"100": 2, "1010": 3, "0.0000001": 2, "1E125": 2, "1E-100": 2, "1.5": 3, "15": 2, "1.200": 3,
		"1.234": 4, "3.14159": 5, "123456": 4, "100.5": 4, "0.15": 2, "-42": 3, "-0": 1,
	} {
		v, err := value.OfNumber(text)
		if err != nil {
			t.Fatal(err)
		}
		if got := sizeOf(v); got != want {
			t.Errorf("%s takes %d bytes, want %d", text, got, want)
		}
	}
}

func TestSize(t *testing.T) {
	for _, test := range []struct {
		item Stored
		want int
	}{
		{Stored{"shirt-color": value.OfString("R"), "shirt-size": value.OfString("M")}, 23},
		{Stored{"é": value.OfString("é")}, 4},
		{Stored{"b": value.OfBinary("\x00\x01"), "t": value.OfBool(true), "n": value.OfNull()}, 7},
		{Stored{"l": value.OfList()}, 4},
		{Stored{"l": value.OfList(value.OfString("ab"), value.OfInt(1))}, 1 + 3 + 2 + 2 + 2},
		{Stored{"m": value.OfMap(value.Field{Name: "ab", Value: value.OfString("c")})}, 1 + 3 + 1 + 2 + 1},
		{Stored{"s": value.OfSet(value.StringSet, value.OfString("ab"), value.OfString("c"))}, 4},
	} {
		if got := Size(test.item); got != test.want {
			t.Errorf("%v takes %d bytes, want %d", test.item, got, test.want)
		}
	}
}

func TestUnits(t *testing.T) {
	for _, test := range []struct {
		bytes                   float64
		eventual, strong, write float64
	}{
		{0, 0.5, 1, 1}, {1024, 0.5, 1, 1}, {1025, 0.5, 1, 2}, {4096, 0.5, 1, 4}, {4097, 1, 2, 5}, {40960, 5, 10, 40},
	} {
		if got := ReadUnits(test.bytes, false); got != test.eventual {
			t.Errorf("an eventual read of %v bytes takes %v, want %v", test.bytes, got, test.eventual)
		}
		if got := ReadUnits(test.bytes, true); got != test.strong {
			t.Errorf("a consistent read of %v bytes takes %v, want %v", test.bytes, got, test.strong)
		}
		if got := WriteUnits(test.bytes); got != test.write {
			t.Errorf("a write of %v bytes takes %v, want %v", test.bytes, got, test.write)
		}
	}
}
