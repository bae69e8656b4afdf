package expr_test

import (
	"fmt"

	"github.com/dynmodel/dynmodel/engine/attr"
	"github.com/dynmodel/dynmodel/engine/expr"
)

// The expressions of one request share a context, which tells at the end
// whether all names and values were of use.
func Example() {
	item := attr.NewItem(attr.Entry{Name: "pk", Value: attr.String("a")}, attr.Entry{Name: "count", Value: attr.Int(41)})
	values := attr.NewItem(attr.Entry{Name: ":one", Value: attr.Int(1)}, attr.Entry{Name: ":unused", Value: attr.Null()})
	c, err := expr.NewContext(map[string]string{"#n": "count"}, values)
	if err != nil {
		fmt.Println(err)
		return
	}
	condition, err := c.Condition(expr.ConditionExpression, "attribute_exists(pk) AND #n > :one")
	if err != nil {
		fmt.Println(err)
		return
	}
	update, err := c.Update("SET #n = #n + :one REMOVE gone")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(condition.Holds(item))
	after, err := update.Apply(item, true)
	fmt.Println(string(after.AppendJSON(nil)), err)
	fmt.Println(c.Unused())
	// Output:
	// true
	// {"count":{"N":"42"},"pk":{"S":"a"}} <nil>
	// Value provided in ExpressionAttributeValues unused in expressions: keys: {:unused}
}

func ExampleContext_Condition() {
	c, err := expr.NewContext(nil, attr.Item{})
	if err != nil {
		fmt.Println(err)
		return
	}
	_, err = c.Condition(expr.FilterExpression, "size = :v")
	fmt.Println(err)
	// Output:
	// Invalid FilterExpression: Attribute name is a reserved keyword; reserved keyword: size
}
