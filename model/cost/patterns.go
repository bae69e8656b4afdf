package cost

import (
	"fmt"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/load"
)

// OnDemandPrice is what units cost on demand.
func (c Class) OnDemandPrice(u load.Units) float64 {
	return (u.Reads*c.ReadMillion + u.Writes*c.WriteMillion) / 1e6
}

// patternCost is what the calls of a pattern cost.
func patternCost(table *model.Table, t *load.Traffic, prices Class) Pattern {
	v := t.Plan.Variants[0]
	c := v.Cost()
	p := Pattern{Pattern: t.Plan.Pattern, Declared: t.Declared, Estimated: v.Served() && !c.Known}
	p.Call = load.Units{Reads: c.RCU, Writes: c.WCU}
	for _, x := range places(table) {
		if u := load.PerCall(v, x); u != (load.Units{}) {
			p.Places = append(p.Places, PlaceUnits{Index: x, Units: u})
		}
	}
	p.Million = prices.OnDemandPrice(p.Call.Times(1e6))
	p.Calls = t.Average * secondsPerMonth
	p.Units = p.Call.Times(p.Calls)
	p.Month = prices.OnDemandPrice(p.Units)
	p.Note = note(t)
	return p
}

// note says what is missing or assumed of a pattern's traffic and units.
func note(t *load.Traffic) string {
	p, v := t.Plan.Pattern, t.Plan.Variants[0]
	switch {
	case p.Operation == model.External:
		return "served by " + p.Service
	case !v.Served():
		return "no index serves it"
	case v.Statement != nil:
		return "the units of a statement are not estimated"
	case t.Uncounted != nil:
		return fmt.Sprintf("its rate is for each %s, and no volume says how many there are", t.Uncounted.Name.Text)
	case !t.Declared && !v.Cost().Known:
		return "no rate; volumes it needs are not declared: a guess"
	case !t.Declared:
		return "no rate"
	case !v.Cost().Known:
		return "volumes it needs are not declared: a guess"
	case t.PeakAlone:
		return "a peak alone: taken as its rate"
	}
	return ""
}

// places are the table and its global indexes.
func places(t *model.Table) []*model.Index {
	out := []*model.Index{nil}
	for _, x := range t.Indexes {
		if !x.Local {
			out = append(out, x)
		}
	}
	return out
}
