package partiql_test

import (
	"fmt"

	"github.com/dynmodel/dynmodel/engine/attr"
	"github.com/dynmodel/dynmodel/engine/partiql"
)

func ExampleParse() {
	s, err := partiql.Parse(`SELECT total FROM "Shop"."by-date" WHERE pk = ? AND sk > '2026'`, []attr.Value{attr.String("order#1")})
	if err != nil {
		fmt.Println(err)
		return
	}
	query := s.(*partiql.Select)
	fmt.Println(query.From.Table, query.From.Index, query.Columns[0].Name)
	for _, c := range partiql.Conjuncts(query.Where) {
		comparison := c.(*partiql.Binary)
		fmt.Println(comparison.Left, comparison.Op, comparison.Right.(partiql.Literal).Value.Text())
	}
	// Output:
	// Shop by-date total
	// [{pk 0 false}] = order#1
	// [{sk 0 false}] > 2026
}
