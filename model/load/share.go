package load

import (
	"math"
	"slices"
	"time"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/expr"
	"github.com/dynmodel/dynmodel/model/plan"
)

// Share is how the units of a pattern are spread over partition key values.
type Share struct {
	// Known tells that declarations say how many values there are, or how much
	// the busiest one gets. Top is 0 otherwise.
	Known bool
	// Values is how many values the traffic goes to; infinite when every call
	// has one of its own, 0 when it is not known.
	Values float64
	// Top is the part of the units that the busiest value gets.
	Top float64
	// Shards is over how many shards each value is spread evenly, 1 for none.
	Shards float64
	// Skew is how uneven it is beside that: uniform, zipf or hottest.
	Skew string
	// Keys are the parts of the key that tell values apart: attributes with
	// their functions.
	Keys []string
}

// keyPart is a part of a partition key as a call fills it in. Literal text has none.
type keyPart struct {
	model.Part
	// fixed tells that every call has the same value here.
	fixed bool
	// present tells that the value is the time of the call, or about it.
	present bool
	// each is over how many values a single call goes, one request each: the
	// buckets and shards of a fan. 0: one value a call.
	each float64
}

// spreader works out shares.
type spreader struct {
	planner *plan.Planner
	entity  *model.Entity
	// fresh tells that the items are new, with identifiers that never were.
	fresh bool
	skew  *model.Skew
	whens []expr.Cond // on which an item is where it is written
}

// of is the share of what has these parts in its partition key.
func (s *spreader) of(parts []keyPart) Share {
	out := Share{Known: true, Values: 1, Top: 1, Shards: 1, Skew: "uniform"}
	var seen []*model.Attribute
	unique := false // every call has a value of its own
	for _, p := range parts {
		n, top, known := s.part(p, slices.Contains(seen, p.Attribute))
		switch {
		case p.each > 0 || p.Random > 0 || sharded(p.Funcs):
			out.Shards *= n
		case math.IsInf(n, 1):
			unique = true
		case n != 1:
			out.Values, out.Top, out.Known = out.Values*n, out.Top*top, out.Known && known
		}
		if n != 1 {
			out.Keys = append(out.Keys, p.text())
		}
		if p.Attribute != nil {
			seen = append(seen, p.Attribute)
		}
	}
	if unique {
		out.Values, out.Top, out.Known = math.Inf(1), 0, true
		return out
	}
	if items, known := s.planner.Count(s.entity); known && !s.fresh && out.Values > items {
		out.Values = max(1, items)
		out.Top = max(out.Top, 1/out.Values)
	}
	s.skewed(&out)
	out.Top /= out.Shards
	return out
}

// part is how many values a part has among the calls, the share of the busiest,
// and whether that is known.
func (s *spreader) part(p keyPart, again bool) (n, top float64, known bool) {
	switch {
	case p.each > 0:
		return p.each, 1 / p.each, true
	case p.Random > 0:
		return float64(p.Random), 1 / float64(p.Random), true
	case p.Attribute == nil || p.fixed || again && !sharded(p.Funcs):
		return 1, 1, true
	case s.fresh && p.Attribute.Minted && !periodic(p.Funcs) && !sharded(p.Funcs):
		return math.Inf(1), 0, true
	case periodic(p.Funcs):
		return s.periods(p)
	case p.present:
		return math.Inf(1), 0, true
	}
	if n, top, _ := Choices(s.entity, p.Part, s.whens); !math.IsInf(n, 1) {
		return n, top, true
	}
	return s.distinct(p)
}

// periods is how many periods of time the calls go to: the present one, of new
// items and of calls that ask for now; else as many as items are kept for.
func (s *spreader) periods(p keyPart) (n, top float64, known bool) {
	if s.fresh || p.present {
		return 1, 1, true
	}
	for _, v := range s.entity.Volumes {
		if v.Keep > 0 {
			n := math.Ceil(float64(v.Keep) / float64(length(p.Funcs[len(p.Funcs)-1])))
			return n, 1 / n, true
		}
	}
	return 0, 0, false
}

// distinct is how many values an attribute has by the numbers of items: as many
// as there are items it refers to, or that it identifies.
func (s *spreader) distinct(p keyPart) (n, top float64, known bool) {
	a, of := p.Attribute, s.entity
	if slices.ContainsFunc(p.Funcs, func(f expr.Func) bool { return f.Name == expr.Prefix }) {
		return 0, 0, false
	}
	switch {
	case a.Ref != nil:
		of = a.Ref.Entity
	case a.Minted:
	case len(of.Identity) == 1 && of.Identity[0].Attribute == a:
	case slices.ContainsFunc(of.Unique, func(u *model.Unique) bool { return len(u.Of) == 1 && u.Of[0] == a }):
	default:
		return 0, 0, false
	}
	count, known := s.planner.Count(of)
	if !known {
		return 0, 0, false
	}
	count = max(1, count)
	return count, 1 / count, true
}

// skewed applies what the pattern declares of its skew, where there is more than
// one value to be uneven about.
func (s *spreader) skewed(out *Share) {
	switch {
	case out.Known && out.Values == 1 || s.skew == nil:
	case s.skew.Kind == "hottest":
		out.Top, out.Known, out.Skew = max(out.Top, s.skew.Hottest), true, "hottest"
	case s.skew.Kind == "zipf" && out.Known:
		out.Top, out.Skew = max(out.Top, 1/harmonic(out.Values)), "zipf"
	}
	if !out.Known {
		out.Values, out.Top = 0, 0
	}
}

// harmonic is the sum of 1/k for k up to n, of which the first is the share of
// the most popular of n values in Zipf's law.
func harmonic(n float64) float64 {
	const exact, euler = 1000, 0.5772156649
	if n > exact {
		return math.Log(n) + euler + 1/(2*n)
	}
	sum := 0.0
	for k := 1.0; k <= n; k++ {
		sum += 1 / k
	}
	return max(1, sum)
}

func sharded(funcs []expr.Func) bool {
	return slices.ContainsFunc(funcs, func(f expr.Func) bool { return f.Name == expr.Shard })
}

func periodic(funcs []expr.Func) bool {
	return slices.ContainsFunc(funcs, func(f expr.Func) bool { return f.Name.IsPeriod() })
}

// length is how long a period is, a month and a year at their mean.
func length(f expr.Func) time.Duration {
	const day = 24 * time.Hour
	switch f.Name {
	case expr.Year:
		return 365 * day
	case expr.Month:
		return 30 * day
	case expr.Week:
		return 7 * day
	case expr.Day:
		return day
	case expr.Hour:
		return time.Hour
	case expr.Minute:
		return time.Minute
	}
	return time.Duration(max(1, f.N)) * time.Minute
}

func (p keyPart) text() string {
	if p.Attribute == nil {
		return "a shard"
	}
	text := p.Path.String()
	for _, f := range p.Funcs {
		text += "|" + f.String()
	}
	return text
}
