package plan

import (
	"time"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/expr"
)

// boundFans works out how many requests each fan makes at most, where the
// pattern bounds them: by `max` of a list parameter, by `span` of a range.
func (r *Read) boundFans(p *model.Pattern) {
	for _, f := range r.Fan {
		switch {
		case f.Kind == FanBucket && p.Span > 0:
			f.Max = bucketsIn(p.Span, f.Unit)
		case f.Kind == FanIn && f.FromList:
			if param, ok := f.Values[0].(*expr.Param); ok && p.Parameter(param.Name) != nil {
				f.Max = int(p.Parameter(param.Name).Max)
			}
		}
	}
}

// shortest are the shortest lengths of the buckets.
func shortest(unit expr.FuncName) time.Duration {
	const day = 24 * time.Hour
	switch unit {
	case expr.Year:
		return 365 * day
	case expr.Month:
		return 28 * day
	case expr.Hour:
		return time.Hour
	}
	return day
}

// bucketsIn is the greatest number of buckets that a range of the given length
// touches: one more than it fills, since it can begin at the end of a bucket.
func bucketsIn(span time.Duration, unit expr.FuncName) int {
	length := shortest(unit)
	return int((span+length-1)/length) + 1
}
