package plan

import (
	"fmt"

	"github.com/dynmodel/dynmodel/model/diag"
	"github.com/dynmodel/dynmodel/model/expr"
)

// DynamoDB's limits on requests (Developer Guide, "Quotas", and the API reference).
const (
	MaxBatchGet    = 100 // keys of a BatchGetItem
	MaxBatchWrite  = 25  // actions of a BatchWriteItem
	MaxTransaction = 100 // actions of a TransactWriteItems or TransactGetItems
	MaxIn          = 100 // operands of IN in an expression
)

// checkQueryLimits reports filters with more operands of IN than DynamoDB takes.
func (b *builder) checkQueryLimits(r *Read) { b.checkIn(r.Filter()) }

func (b *builder) checkIn(c expr.Cond) {
	expr.Walk(c, func(n expr.Node) {
		in, ok := n.(*expr.In)
		if !ok {
			return
		}
		count := len(in.List)
		if in.FromList {
			count = listMax(in.List[0], b.pattern)
		}
		if count > MaxIn {
			b.report(diag.Finding{Rule: diag.LimitExceeded, Entity: b.entityName(), Span: in.At,
				Message: fmt.Sprintf("an IN of up to %d values; DynamoDB takes %d in an expression", count, MaxIn),
				Fix:     fmt.Sprintf("bound the list with `max: %d`, or let a key fix the attribute, which takes one request per value", MaxIn)})
		}
	})
}

// checkGetLimits reports transactions that read more items than DynamoDB takes.
// Batches are split instead.
func (b *builder) checkGetLimits(r *Read) {
	if r.API != TransactGetItems {
		return
	}
	count := int64(0)
	for _, g := range r.Gets {
		switch {
		case g.List == "":
			count++
		case b.pattern.Parameter(g.List) != nil:
			count += b.pattern.Parameter(g.List).Max
		}
	}
	if count > MaxTransaction {
		b.report(diag.Finding{Rule: diag.LimitExceeded, Entity: b.entityName(), Span: b.pattern.OperationAt,
			Message: fmt.Sprintf("a transaction of up to %d reads; DynamoDB takes %d", count, MaxTransaction),
			Fix:     "use `batch_get`, which is split into several requests, or bound the list with `max`"})
	}
}

// checkTransaction reports transactions of more actions than DynamoDB takes.
func (b *builder) checkTransaction(w *Write) {
	if w.API != TransactWriteItems {
		return
	}
	if count := w.mostActions(); count > MaxTransaction {
		b.report(diag.Finding{Rule: diag.LimitExceeded, Span: b.pattern.OperationAt,
			Message: fmt.Sprintf("a transaction of up to %d actions, guards of unique attributes included; DynamoDB takes %d", count, MaxTransaction),
			Fix:     "lower the counts of `for_each`, or split the write"})
	}
}

// mostActions is the greatest number of actions that a call can make.
func (w *Write) mostActions() int64 {
	total := int64(0)
	for _, a := range w.Actions {
		n := int64(1)
		for _, g := range a.Guards {
			if g.Old != nil {
				n++
			}
			if g.New != nil {
				n++
			}
		}
		for _, f := range a.ForEach {
			n *= max(f.Count.Max, 1)
		}
		total += n
	}
	return total
}
