package rules

import (
	"slices"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/plan"
	"github.com/dynmodel/dynmodel/validate"
)

// Half of what one partition key value can take (Developer Guide, "Designing
// partition keys to distribute your workload": 3000 read and 1000 write units
// a second).
const (
	halfReads  = 1500
	halfWrites = 500
)

// fewItems is how many items may well share one partition.
const fewItems = 1000

// load is what the declared rates put on the busiest partition key value, in
// units per second.
type load struct{ reads, writes float64 }

func (l load) heavy() bool { return l.reads > halfReads || l.writes > halfWrites }

// loadOn is the load of an entity's patterns on the busiest partition of a
// place, which has the share top of the items.
func loadOn(pass *validate.Pass, e *model.Entity, x *model.Index, top float64) (l load) {
	for _, p := range pass.Plans {
		rate := p.Pattern.Rate
		if p.Pattern.Peak != nil {
			rate = p.Pattern.Peak
		}
		if rate == nil {
			continue
		}
		often := rate.PerSecond
		if rate.Each != nil {
			n, _ := pass.Planner.Count(rate.Each) // 0 where no volume says
			often *= n
		}
		share := top
		if s := p.Pattern.Skew; s != nil {
			share = max(share, s.Hottest)
		}
		v := p.Variants[0]
		switch {
		case v.Read != nil && v.Read.Index == x && (p.Pattern.All || slices.Contains(p.Pattern.Entities, e)):
			l.reads += often * share * readUnits(v, x)
		case v.Write != nil:
			l.writes += often * share * writeUnits(pass.Planner, p.Pattern, e, x)
		}
	}
	return l
}

// readUnits is what a call reads of a place.
func readUnits(v *plan.Variant, x *model.Index) float64 {
	for _, c := range v.Cost().Indexes {
		if c.Index == x {
			return c.RCU
		}
	}
	return 0
}

// writeUnits is what a pattern's writes of an entity take in the table or an index.
func writeUnits(planner *plan.Planner, p *model.Pattern, e *model.Entity, x *model.Index) float64 {
	each := plan.WriteUnits(planner.EntrySize(e, x))
	if p.Operation == model.TransactWrite && x == nil {
		each *= 2
	}
	if p.Step != nil {
		return each * writes(p.Step, e, x)
	}
	n := 0.0
	for _, s := range p.Steps {
		n += writes(s, e, x)
	}
	return each * n
}

// writes is how many items of an entity a step writes in a place.
func writes(s *model.Step, e *model.Entity, x *model.Index) float64 {
	if s.ForEach != nil {
		n := 0.0
		for _, inner := range s.ForEach.Steps {
			n += writes(inner, e, x)
		}
		return n * float64(s.ForEach.Count.Min+s.ForEach.Count.Max) / 2
	}
	switch {
	case s.Entity != e || s.Operation == model.Check:
		return 0
	case s.Operation == model.UpdateItem && x != nil && x.Projection.Type != model.ProjectAll:
		return 0 // most updates leave such an index alone
	}
	return 1
}
