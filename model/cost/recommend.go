package cost

import (
	"fmt"

	"github.com/dynmodel/dynmodel/model/load"
)

// Recommendation is the capacity mode to take: OnDemand or Provisioned.
type Recommendation struct {
	Mode   string
	Reason string // a sentence without its final stop
	// Utilisation is the part of provisioned capacity that traffic would use, and
	// BreakEven the part above which provisioned capacity is cheaper.
	Utilisation, BreakEven float64
	// Spikiness is how many times the average the peak is.
	Spikiness float64
}

// When provisioned capacity is not worth having to look after it: it saves less
// than this, of the cost on demand or of money a month.
const (
	leastSaving = 0.15
	leastMoney  = 5
)

// Worthwhile tells whether a saving of money a month, of a cost, is worth a change.
func Worthwhile(saving, of float64) bool { return saving >= leastMoney && saving >= leastSaving*of }

// sudden is how many times the average a peak is that auto scaling, which takes
// minutes, does not follow.
const sudden = 4

// recommend weighs the modes at a snapshot's traffic.
func recommend(s *snapshot) Recommendation {
	prices := s.bill.region.class(s.bill.class)
	demand, scaled := s.modes[0].Month, s.modes[1].Month
	full := prices.hourly(s.average())
	money := func(x float64) string { return Money(s.bill.prices.Currency, x) }
	r := Recommendation{Mode: OnDemand, Spikiness: s.spikiness(prices)}
	if demand == 0 {
		r.Reason = "no traffic is declared that takes units, and on demand costs nothing while nothing is called"
		return r
	}
	r.Utilisation, r.BreakEven = full/scaled, full/demand
	saving := demand - scaled
	switch {
	case saving <= 0:
		r.Reason = fmt.Sprintf("traffic would use %.0f%% of provisioned capacity, and below %.0f%% that costs more than on demand",
			100*r.Utilisation, 100*r.BreakEven)
	case s.shapeless() > 0.5:
		r.Reason = fmt.Sprintf("provisioned capacity would save %.0f%% if the traffic is as even as it is declared, and most of it has neither `peak` nor `daily` that would say so", 100*saving/demand)
	case r.Spikiness >= sudden && !s.foreseen():
		r.Reason = fmt.Sprintf("peaks of %.3g times the average come faster than auto scaling follows; provisioned capacity would save %.0f%% only if they are foreseen (`daily`)",
			r.Spikiness, 100*saving/demand)
	case !Worthwhile(saving, demand):
		r.Reason = fmt.Sprintf("provisioned capacity would save %s a month (%.0f%%), which is not worth looking after it", money(saving), 100*saving/demand)
	default:
		r.Mode = Provisioned
		r.Reason = fmt.Sprintf("with auto scaling traffic uses %.0f%% of what is provisioned, and above %.0f%% that is cheaper than on demand, here by %s a month (%.0f%%)",
			100*r.Utilisation, 100*r.BreakEven, money(saving), 100*saving/demand)
	}
	return r
}

// spikiness is how many times the average the peak is, weighed by what units cost.
func (s *snapshot) spikiness(prices Class) float64 {
	var average, peak load.Units
	for _, p := range s.places {
		average, peak = average.Plus(s.load.Average(p.Index)), peak.Plus(s.load.Peak(p.Index))
	}
	if a := prices.hourly(average); a > 0 {
		return prices.hourly(peak) / a
	}
	return 1
}

// shapeless is the part of the cost on demand of patterns of which nobody says how
// their calls are spread over a day.
func (s *snapshot) shapeless() float64 {
	without, all := 0.0, 0.0
	for i, t := range s.load.Traffic {
		all += s.patterns[i].Month
		if p := t.Plan.Pattern; p.Peak == nil && p.Daily == nil {
			without += s.patterns[i].Month
		}
	}
	return without / max(all, 1e-9)
}

// foreseen tells whether the day's curve is declared of every pattern that has
// peaks.
func (s *snapshot) foreseen() bool {
	for _, t := range s.load.Traffic {
		if t.Spikiness() > 1 && t.Plan.Pattern.Daily == nil {
			return false
		}
	}
	return true
}

// ClassCost is what throughput and storage cost a month in a table class, in the
// recommended capacity mode.
type ClassCost struct {
	Class   string
	Month   float64
	Storage float64 // of Month
}

// classes are both table classes, the declared one first.
func (s *snapshot) classes(mode string) []ClassCost {
	other := Standard
	if s.bill.class == Standard {
		other = InfrequentAccess
	}
	return []ClassCost{s.inClass(s.bill.class, mode), s.inClass(other, mode)}
}

func (s *snapshot) inClass(name, mode string) ClassCost {
	prices := s.bill.region.class(name)
	c := ClassCost{Class: name, Storage: s.stored() / gigabyte * prices.Storage}
	c.Month = c.Storage
	for i, p := range s.places {
		if mode == OnDemand {
			c.Month += prices.OnDemandPrice(p.Units)
		} else {
			c.Month += prices.hourly(scaledCapacity(s.days[i], s.scaling(p.Index)).mean())
		}
	}
	return c
}
