package verify

import (
	"context"
	"slices"
	"time"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/plan"
	"github.com/dynmodel/dynmodel/model/value"
	"github.com/dynmodel/dynmodel/validate/oracle"
)

// scene is a call of a pattern on a world: what is run, and made smaller when
// it fails.
type scene struct {
	world *set
	args  model.Args
	now   time.Time
	paged int // read in pages of so many items; 0: as they come
}

func (sc scene) call(p *model.Pattern) oracle.Call {
	return oracle.Call{Pattern: p, Args: sc.args, Now: sc.now}
}

// result is what a call of a pattern that reads gave.
type result struct {
	items    []plan.Stored
	count    int
	requests []plan.Request
	sent     int // how many of the requests were sent
	read     reply
}

// read sends the requests of a plan and joins what comes back as an application
// would: one after another as far as wanted, or merged into the order asked for.
func (s *stage) read(ctx context.Context, v *plan.Variant, sc scene) (result, error) {
	requests, err := v.Requests(plan.Call{Args: sc.args, Now: sc.now})
	if err != nil {
		return result{}, &unfit{err}
	}
	out := result{requests: requests}
	for group := range groups(requests, v) {
		var items []plan.Stored
		for _, r := range group {
			if sc.paged > 0 && (r.API == plan.Query || r.API == plan.Scan) {
				r.Limit = sc.paged
			}
			got, err := s.send(ctx, r, left(v, out.count))
			out.sent++
			if err != nil {
				return out, err
			}
			items = append(items, got.items...)
			out.count += got.count
			out.read.add(got)
			if merge(v) == plan.MergeNone && done(v, out.count) {
				break
			}
		}
		if merge(v) != plan.MergeNone && len(requests) > 1 {
			sortItems(items, v.Read.Order)
		}
		out.items = append(out.items, items...)
		if done(v, out.count) {
			break
		}
	}
	if n := limit(v); n > 0 && !v.Pattern.Count {
		out.items = out.items[:min(n, len(out.items))]
		out.count = len(out.items)
	}
	return out, nil
}

// unfit is a plan's objection to the arguments of a call.
type unfit struct{ error }

func merge(v *plan.Variant) plan.Merge {
	if v.Read == nil || v.Read.Merge == "" {
		return plan.MergeNone
	}
	return v.Read.Merge
}

func limit(v *plan.Variant) int {
	if v.Read == nil {
		return v.Pattern.Limit
	}
	return v.Read.Limit
}

func done(v *plan.Variant, count int) bool { return limit(v) > 0 && count >= limit(v) }

// left is how many items a request has yet to bring, 0 for all there are.
func left(v *plan.Variant, count int) int {
	switch {
	case limit(v) == 0:
		return 0
	case merge(v) == plan.MergeNone:
		return limit(v) - count
	}
	return limit(v)
}

// groups yields the requests whose results are joined before the next ones are
// sent: those of one bucket, or all of them.
func groups(requests []plan.Request, v *plan.Variant) func(func([]plan.Request) bool) {
	return func(yield func([]plan.Request) bool) {
		for len(requests) > 0 {
			n := len(requests)
			if merge(v) == plan.MergeWalk {
				group := requests[0].Group
				if i := slices.IndexFunc(requests, func(r plan.Request) bool { return r.Group != group }); i > 0 {
					n = i
				}
			}
			if !yield(requests[:n]) {
				return
			}
			requests = requests[n:]
		}
	}
}

// sortItems merges the results of several requests into the order asked for.
func sortItems(items []plan.Stored, order []model.OrderBy) {
	slices.SortStableFunc(items, func(a, b plan.Stored) int {
		for _, by := range order {
			c := compareValues(a[by.Attribute], b[by.Attribute])
			if by.Desc {
				c = -c
			}
			if c != 0 {
				return c
			}
		}
		return 0
	})
}

// compareValues orders two values as DynamoDB does; those without an order by their kind.
func compareValues(a, b value.Value) int {
	if c, ok := value.Compare(a, b); ok {
		return c
	}
	return int(a.Kind()) - int(b.Kind())
}
