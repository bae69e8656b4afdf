package differ

import (
	"fmt"
	"strings"
)

// statement makes a PartiQL statement on the table.
func (g *generator) statement() Operation {
	parameters := []any{}
	parameter := func(value object) string {
		parameters = append(parameters, value)
		return "?"
	}
	var where []string
	for _, a := range g.keyAttributes() {
		where = append(where, a.Name+" = "+parameter(g.keyValue(a.Type)))
	}
	var statement string
	from := fmt.Sprintf("%q", tablePlaceholder)
	switch g.random.IntN(5) {
	case 0:
		statement = "DELETE FROM " + from + " WHERE " + strings.Join(where, " AND ")
	case 1:
		set := pick(g, attributes...) + " = " + parameter(g.value(1))
		// Parameters count in the order of the text.
		parameters = append(parameters[len(parameters)-1:], parameters[:len(parameters)-1]...)
		statement = "UPDATE " + from + " SET " + set + " WHERE " + strings.Join(where, " AND ")
	default:
		if g.chance(50) {
			where = where[:1]
			parameters = parameters[:1]
		}
		if g.chance(40) {
			where = append(where, pick(g, attributes...)+" "+pick(g, "=", "<>", "<", ">=")+" "+parameter(g.value(0)))
		}
		statement = "SELECT * FROM " + from + " WHERE " + strings.Join(where, " AND ")
	}
	if g.chance(4) {
		statement = damage(g.random, statement)
	}
	return Operation{Name: "ExecuteStatement", AnyOrder: true,
		Body: encode(object{"Statement": statement, "Parameters": parameters})}
}
