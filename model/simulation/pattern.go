package simulation

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/load"
)

// pattern is an access pattern's calls.
type pattern struct {
	traffic rates
	rate    float64 // a second, in this minute

	// Of this second: the calls, the part of them that is served so far, and what
	// holds back the others.
	calls, pass float64
	blame       cause

	made, throttled float64
	causes          map[cause]float64
}

// rates are the calls of a pattern through a day.
type rates struct{ *load.Traffic }

// at is the rate in a minute of a day: from the middle of one hour to that of
// the next on a line. A peak that no hour reaches is a burst in the middle of the
// busiest one.
func (t rates) at(minute int) float64 {
	minute %= minutesPerDay
	if hour, most := t.busiest(); t.Peak > most*peakAside && within(minute, hour) {
		return t.Peak
	}
	const half = 30
	from := (minute - half + minutesPerDay) % minutesPerDay
	hour, part := from/60, float64(from%60)/60
	return t.Day[hour]*(1-part) + t.Day[(hour+1)%24]*part
}

const (
	peakAside    = 1.02 // a peak this much above the busiest hour is a burst of its own
	burstMinutes = 5
)

func within(minute, hour int) bool {
	start := hour*60 + 30
	return minute >= start && minute < start+burstMinutes
}

func (t rates) busiest() (hour int, most float64) {
	for h, n := range t.Day {
		if n > most {
			hour, most = h, n
		}
	}
	return hour, most
}

// cause is a reason in a place.
type cause struct {
	reason Reason
	index  *model.Index
}

// hold notes that a place serves only part of the calls of this second.
func (p *pattern) hold(part float64, why cause) {
	if part < p.pass {
		p.pass, p.blame = part, why
	}
}

// settle ends a second.
func (p *pattern) settle() {
	if refused := p.calls * (1 - p.pass); refused > 0 {
		p.throttled += refused
		p.causes[p.blame] += refused
	}
}

func (p *pattern) result() Pattern {
	out := Pattern{Pattern: p.traffic.Plan.Pattern, Calls: math.Round(p.made), Throttled: math.Round(p.throttled)}
	for why, n := range p.causes {
		if n = math.Round(n); n > 0 {
			out.Causes = append(out.Causes, Cause{why.reason, why.index, n})
		}
	}
	slices.SortFunc(out.Causes, func(a, b Cause) int {
		return cmp.Or(cmp.Compare(b.Calls, a.Calls), strings.Compare(string(a.Reason), string(b.Reason)), strings.Compare(indexName(a.Index), indexName(b.Index)))
	})
	return out
}

func indexName(x *model.Index) string {
	if x == nil {
		return ""
	}
	return x.Name.Text
}

// poisson draws how many calls there are in a second at a rate. Many are
// normally distributed.
func poisson(rng *rand.Rand, mean float64) float64 {
	const many = 30
	if mean <= 0 {
		return 0
	}
	if mean > many {
		return max(0, math.Round(mean+math.Sqrt(mean)*rng.NormFloat64()))
	}
	limit, product, n := math.Exp(-mean), rng.Float64(), 0.0
	for product > limit {
		product *= rng.Float64()
		n++
	}
	return n
}
