// Package load works out what a model's declared traffic asks of DynamoDB: how
// often each access pattern is called through a day, and how many units a second
// that puts on the table, on each index, and on the busiest value of each
// partition key.
//
// It is arithmetic on declarations. Nothing is run, and what nobody declared is
// left out rather than guessed: see Traffic.Declared and Share.Known.
package load

import (
	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/plan"
)

// What one partition serves in a second (Developer Guide, "Designing partition
// keys to distribute your workload"). One partition key value has no more, unless
// DynamoDB chooses to split its items by their sort key.
const (
	PartitionReads  = 3000 // read units
	PartitionWrites = 1000 // write units
)

// Load is the traffic of a whole model.
type Load struct {
	// Traffic has an entry for every access pattern, in the model's order.
	Traffic []*Traffic
	// Groups are the partition key values of the table and its indexes on which
	// declared traffic falls, the table's first and then in the model's order.
	Groups []*Group
}

// Of is the load of a model's plans, one for every access pattern.
func Of(m *model.Model, planner *plan.Planner, plans []*plan.Plan) *Load {
	l := &Load{}
	for _, p := range plans {
		l.Traffic = append(l.Traffic, trafficOf(planner, p))
	}
	l.Groups = groups(m, planner, l.Traffic)
	return l
}

// Pattern is the traffic of a pattern, or nil.
func (l *Load) Pattern(p *model.Pattern) *Traffic {
	for _, t := range l.Traffic {
		if t.Plan.Pattern == p {
			return t
		}
	}
	return nil
}

// Declared tells whether any rate is declared at all.
func (l *Load) Declared() bool {
	for _, t := range l.Traffic {
		if t.Declared {
			return true
		}
	}
	return false
}

// Place is the index whose capacity an index's units are taken from: a local
// index has the table's, nil.
func Place(x *model.Index) *model.Index {
	if x != nil && x.Local {
		return nil
	}
	return x
}

// Units are read and write units.
type Units struct{ Reads, Writes float64 }

// Times is so many times the units.
func (u Units) Times(n float64) Units { return Units{u.Reads * n, u.Writes * n} }

// Plus is the sum.
func (u Units) Plus(v Units) Units { return Units{u.Reads + v.Reads, u.Writes + v.Writes} }

// PerCall are the units that one call of a plan takes of the table (nil) or an
// index, those of local indexes with the table's.
func PerCall(v *plan.Variant, x *model.Index) (u Units) {
	for _, c := range v.Cost().Indexes {
		if Place(c.Index) == x {
			u = u.Plus(Units{c.RCU, c.WCU})
		}
	}
	return u
}

// Hourly are the units a second that the table (nil) or an index is asked for in
// each hour of the day.
func (l *Load) Hourly(x *model.Index) (day [24]Units) {
	for _, t := range l.Traffic {
		each := PerCall(t.Plan.Variants[0], x)
		for h, calls := range t.Day {
			day[h] = day[h].Plus(each.Times(calls))
		}
	}
	return day
}

// Average are the units a second that the table (nil) or an index is asked for
// over a day.
func (l *Load) Average(x *model.Index) (u Units) {
	for _, t := range l.Traffic {
		u = u.Plus(PerCall(t.Plan.Variants[0], x).Times(t.Average))
	}
	return u
}

// Peak are the units a second that the table (nil) or an index is asked for
// when all patterns are at their peak.
func (l *Load) Peak(x *model.Index) (u Units) {
	for _, t := range l.Traffic {
		u = u.Plus(PerCall(t.Plan.Variants[0], x).Times(t.Peak))
	}
	return u
}
