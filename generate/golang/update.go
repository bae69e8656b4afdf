package golang

import (
	"fmt"
	"strings"

	"github.com/dynmodel/dynmodel/model/ddbexpr"
)

// clauses are the clauses of an update expression.
type clauses = ddbexpr.Clauses[phrase]

// updateText are the clauses that are not empty.
func updateText(all clauses) phrase {
	var out phrase
	for _, clause := range all.All() {
		for i, a := range clause.Actions {
			switch {
			case i > 0:
				out.literal(", ")
			case out.isEmpty():
				out.literal(clause.Word + " ")
			default:
				out.literal(" " + clause.Word + " ")
			}
			out.add(a)
		}
	}
	return out
}

// clauseFields are the fields of the fixed part's update.
var clauseFields = map[string]string{"SET": "set", "REMOVE": "remove", "ADD": "add", "DELETE": "drop"}

// updateFields are the clauses as the fields of the fixed part's update.
func updateFields(all clauses) string {
	var out []string
	for _, clause := range all.All() {
		if len(clause.Actions) == 0 {
			continue
		}
		var actions []string
		for _, a := range clause.Actions {
			actions = append(actions, a.String())
		}
		out = append(out, fmt.Sprintf("%s: []string{%s}", clauseFields[clause.Word], strings.Join(actions, ", ")))
	}
	return strings.Join(out, ", ")
}
