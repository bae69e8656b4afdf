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
			f.Max = listMax(f.Values[0], p)
		case f.Kind == FanIn:
			f.Max = len(f.Values)
		}
	}
}

// Most is the greatest number of requests that the fan makes, or an assumed one
// where the model does not bound it.
func (f *Fan) Most() int {
	if f.Max > 0 {
		return f.Max
	}
	return unknownFan
}

// listMax is the longest that a list parameter can be, 0 when the pattern does
// not bound it.
func listMax(o expr.Operand, p *model.Pattern) int {
	if param, ok := o.(*expr.Param); ok && p.Parameter(param.Name) != nil {
		return int(p.Parameter(param.Name).Max)
	}
	return 0
}

// most is the greatest number of values that the subject may be equal to, 0
// when the pattern does not bound it.
func (e *equality) most(p *model.Pattern) int {
	if e.fromList {
		return listMax(e.values[0], p)
	}
	return len(e.values)
}

// shortest are the shortest lengths of the buckets.
func shortest(unit expr.Func) time.Duration {
	const day = 24 * time.Hour
	switch unit.Name {
	case expr.Year:
		return 365 * day
	case expr.Month:
		return 28 * day
	case expr.Week:
		return 7 * day
	case expr.Day:
		return day
	case expr.Hour:
		return time.Hour
	case expr.Minute:
		return time.Minute
	}
	return time.Duration(unit.N) * time.Minute
}

// bucketsIn is the greatest number of buckets that a range of the given length
// touches: one more than it fills, since it can begin at the end of a bucket.
func bucketsIn(span time.Duration, unit expr.Func) int {
	length := shortest(unit)
	return int((span+length-1)/length) + 1
}
