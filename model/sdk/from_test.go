package sdk_test

import (
	"maps"
	"testing"

	"github.com/dynmodel/dynmodel/model/sdk"
	"github.com/dynmodel/dynmodel/model/value"
)

func TestValuesThereAndBack(t *testing.T) {
	number := func(text string) value.Value {
		v, err := value.OfNumber(text)
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	item := map[string]value.Value{
		"string": value.OfString("ä#\U0010FFFF"), "empty": value.OfString(""), "number": number("-1.5E-7"), "binary": value.OfBinary("\x00\xff"),
		"true": value.OfBool(true), "null": value.OfNull(), "list": value.OfList(value.OfInt(1), value.OfList()),
		"map":     value.OfMap(value.Field{Name: "a", Value: value.OfMap()}, value.Field{Name: "b", Value: value.OfString("x")}),
		"strings": value.OfSet(value.StringSet, value.OfString("b"), value.OfString("a")),
		"numbers": value.OfSet(value.NumberSet, value.OfInt(10), value.OfInt(9)),
		"bytes":   value.OfSet(value.BinarySet, value.OfBinary("b"), value.OfBinary("a")),
	}
	back, err := sdk.FromItem(sdk.Item(item))
	if err != nil {
		t.Fatal(err)
	}
	if !maps.EqualFunc(item, back, value.Equal) {
		t.Errorf("%v became %v", item, back)
	}
}
