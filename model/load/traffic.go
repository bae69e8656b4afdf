package load

import (
	"math"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/plan"
)

// Traffic is how often a pattern is called.
type Traffic struct {
	Plan *plan.Plan
	// Declared tells that a rate or a peak is declared and, where it is so many
	// for each item of an entity, how many of those there are. Without it all
	// figures are zero.
	Declared bool
	// Uncounted is the entity of a rate for each of its items of which no volume
	// is declared; nil: none.
	Uncounted *model.Entity
	// PeakAlone tells that a peak is declared and no rate: it is taken for both.
	PeakAlone bool
	// Average and Peak are calls a second, over a day and at most. Peak is the
	// average where nothing else is declared.
	Average, Peak float64
	// Day are the calls a second in each hour of the day, in UTC. Their mean is
	// Average.
	Day [24]float64
}

// Spikiness is how many times the average the peak is; 1 without traffic.
func (t *Traffic) Spikiness() float64 {
	if t.Average <= 0 {
		return 1
	}
	return t.Peak / t.Average
}

func trafficOf(planner *plan.Planner, p *plan.Plan) *Traffic {
	t := &Traffic{Plan: p}
	pattern := p.Pattern
	rate, peak := pattern.Rate, pattern.Peak
	if rate == nil {
		rate, t.PeakAlone = peak, peak != nil
	}
	if peak == nil {
		peak = rate
	}
	if rate == nil || pattern.Operation == model.External {
		t.PeakAlone = false
		return t
	}
	average, ok := t.perSecond(planner, rate)
	most, also := t.perSecond(planner, peak)
	if !ok || !also {
		return t
	}
	t.Declared, t.Average, t.Peak = true, average, max(average, most)
	t.spread(pattern)
	return t
}

// perSecond is a rate in calls a second; false when it is for each of items that
// nobody counts.
func (t *Traffic) perSecond(planner *plan.Planner, r *model.Rate) (float64, bool) {
	if r.Each == nil {
		return r.PerSecond, true
	}
	n, known := planner.Count(r.Each)
	if !known {
		t.Uncounted = r.Each
	}
	return r.PerSecond * n, known
}

// spread spreads the average over the hours: as declared by `daily`, else on a
// smooth curve that reaches the peak once, else evenly.
func (t *Traffic) spread(p *model.Pattern) {
	weights := curve(t.Spikiness())
	if p.Daily != nil {
		weights = p.Daily.Weights
	}
	sum, most := 0.0, 0.0
	for _, w := range weights {
		sum, most = sum+w, max(most, w)
	}
	for h, w := range weights {
		t.Day[h] = t.Average * w / sum * 24
	}
	t.Peak = max(t.Peak, t.Average*most/sum*24)
}

// busiestHour is where a curve that nobody declared has its top, in UTC.
const busiestHour = 14

// curve is a day whose busiest hour has so many times the mean: a cosine, whose
// top becomes the narrower the higher it is. More than 24 times fits in no day
// of hours; the rest is a burst within the hour.
func curve(spikiness float64) (weights [24]float64) {
	at := func(power float64) (weights [24]float64, ratio float64) {
		sum := 0.0
		for h := range weights {
			weights[h] = math.Pow((1+math.Cos(2*math.Pi*float64(h-busiestHour)/24))/2, power)
			sum += weights[h]
		}
		return weights, 24 / sum
	}
	low, high := 0.0, 1000.0
	for range 60 {
		middle := (low + high) / 2
		if _, ratio := at(middle); ratio < spikiness {
			low = middle
		} else {
			high = middle
		}
	}
	weights, _ = at(low)
	return weights
}
