package verify

import (
	"context"
	"errors"

	"github.com/dynmodel/dynmodel/model/plan"
)

// writeEach finds items and writes each of them, as an application would. One
// that does not meet the write's condition is passed over.
func (s *stage) writeEach(ctx context.Context, v *plan.Variant, sc scene) ([]plan.Request, reply, error) {
	found, err := s.read(ctx, v, sc)
	if err != nil {
		return found.requests, reply{}, err
	}
	all := found.read
	all.items = nil
	writes, err := v.EachRequests(plan.Call{Args: sc.args, Now: sc.now}, found.items)
	if err != nil {
		return found.requests, all, &unfit{err}
	}
	requests := append(found.requests, writes...)
	for _, r := range writes {
		got, err := s.send(ctx, r, 0)
		var no *refusal
		if errors.As(err, &no) && no.Conditional {
			continue
		}
		if err != nil {
			return requests, all, err
		}
		all.add(got)
	}
	all.items = nil
	return requests, all, nil
}
