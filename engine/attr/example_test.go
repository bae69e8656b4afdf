package attr_test

import (
	"fmt"

	"github.com/dynmodel/dynmodel/engine/attr"
)

func ExampleItem() {
	item, err := attr.ParseItem([]byte(`{"pk":{"S":"order#1"},"total":{"N":"1.50e2"},"tags":{"SS":["gift","express"]}}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	total, _ := item.Get("total")
	fmt.Println(total.Number(), item.Size())
	item = item.With(attr.Entry{Name: "paid", Value: attr.Bool(true)}, attr.Entry{Name: "tags"})
	fmt.Println(string(item.AppendJSON(nil)))
	// Output:
	// 150 31
	// {"paid":{"BOOL":true},"pk":{"S":"order#1"},"total":{"N":"150"}}
}

func ExampleScanner() {
	s := attr.NewScanner([]byte(`{"TableName":"Shop","Unknown":[1,2],"Key":{"pk":{"S":"order#1"}}}`))
	for s.Object(attr.StructureOf("Request")); s.NextField(); {
		switch string(s.Field()) {
		case "TableName":
			fmt.Println(s.String())
		case "Key":
			fmt.Println(string(s.Item().AppendJSON(nil)))
		default:
			s.Skip()
		}
	}
	fmt.Println(s.End(), s.Invalid())
	// Output:
	// Shop
	// {"pk":{"S":"order#1"}}
	// <nil> <nil>
}
