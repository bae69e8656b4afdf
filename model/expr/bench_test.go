package expr_test

import (
	"testing"

	"github.com/dynmodel/dynmodel/model/expr"
)

// BenchmarkImplies is a question as the planner asks it: does this index hold
// every item that matches.
func BenchmarkImplies(b *testing.B) {
	known := cond(b, "status IN ('open', 'done') AND at BETWEEN $from AND $to AND email = $email AND x = 1")
	goal := cond(b, "status <> 'void'")
	for b.Loop() {
		if !expr.Implies(known, goal, domains) {
			b.Fatal("it follows")
		}
	}
}

// BenchmarkParseCond reads a condition of usual size.
func BenchmarkParseCond(b *testing.B) {
	in := input("customerId = $customerId AND placedAt BETWEEN $since AND $now - 5m AND status IN ('paid', 'shipped')")
	for b.Loop() {
		if _, problem := expr.ParseCond(in); problem != nil {
			b.Fatal(problem)
		}
	}
}
