package plan

import (
	"strings"

	"github.com/dynmodel/dynmodel/model/value"
)

// Size is the number of bytes of an item as DynamoDB counts them: names and
// values, without the overhead that is only paid for in storage.
func Size(item Stored) int {
	n := 0
	for name, v := range item {
		n += len(name) + sizeOf(v)
	}
	return n
}

// sizeOf is the number of bytes of a value (Developer Guide, "Item sizes and
// formats"; numbers as measured: one byte, and one for every two digits on
// either side of the point, and one for a sign).
func sizeOf(v value.Value) int {
	switch v.Kind() {
	case value.None:
		return 0
	case value.String, value.Binary:
		return len(v.Text())
	case value.Number:
		return numberSize(v.Text())
	case value.Bool, value.Null:
		return 1
	case value.Map:
		n := 3
		for _, f := range v.Fields() {
			n += 1 + len(f.Name) + sizeOf(f.Value)
		}
		return n
	}
	n := 0
	for _, m := range v.Items() {
		n += sizeOf(m)
	}
	if v.Kind() == value.List {
		n += 3 + len(v.Items())
	}
	return n
}

func numberSize(text string) int {
	digits, negative := strings.CutPrefix(text, "-")
	whole, fraction, _ := strings.Cut(digits, ".")
	whole = strings.TrimLeft(whole, "0")
	switch {
	case fraction == "":
		whole = strings.TrimRight(whole, "0")
	case whole == "":
		fraction = strings.TrimLeft(fraction, "0")
	}
	n := 1 + (len(whole)+1)/2 + (len(fraction)+1)/2
	if negative {
		n++
	}
	return n
}

// ReadUnits are the units of a read of so many bytes, at once: 4 KB each, half
// a unit when it need not be consistent. Nothing read costs as much as one unit.
func ReadUnits(bytes float64, consistent bool) float64 {
	units := max(1, ceil(bytes/4096))
	if consistent {
		return units
	}
	return units / 2
}

// WriteUnits are the units of a write of an item of so many bytes: 1 KB each.
func WriteUnits(bytes float64) float64 { return max(1, ceil(bytes/1024)) }
