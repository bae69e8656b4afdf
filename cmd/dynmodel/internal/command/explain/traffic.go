package explain

import (
	"fmt"
	"slices"
	"strings"

	"github.com/dynmodel/dynmodel/model/cost"
	"github.com/dynmodel/dynmodel/model/load"
)

// costs is what the calls cost at the declared rate, and what happens at ten
// times that.
func (w *patternPage) costs() {
	all := load.Of(w.model, w.planner, w.plans)
	e, err := cost.Of(w.model, cost.Options{Planner: w.planner, Load: all})
	if err != nil || !w.first.Served() || w.first.Statement != nil {
		return
	}
	i := slices.IndexFunc(e.Patterns, func(p cost.Pattern) bool { return p.Pattern == w.plan.Pattern })
	p := e.Patterns[i]
	w.heading("Cost")
	w.line("A million calls cost %s on demand (%s, prices of %s).", cost.Price(e.Currency, p.Million), e.Region, e.PriceDate)
	t := all.Pattern(w.plan.Pattern)
	if !t.Declared {
		w.line("%s to see what that comes to.", missingTraffic(t))
		return
	}
	w.line("At %s calls a second%s, %s a month: %s a month.", cost.Count(t.Average), peakText(t, 1), cost.Count(p.Calls), cost.Money(e.Currency, p.Month))

	w.heading("At ten times the rate")
	w.line("%s calls a second%s: %s a month on demand.", cost.Count(10*t.Average), peakText(t, 10), cost.Money(e.Currency, 10*p.Month))
	for _, u := range p.Places {
		w.placeAtTen(u, t)
	}
	w.partitionsAtTen(all, t)
}

func peakText(t *load.Traffic, times float64) string {
	if t.Peak <= t.Average {
		return ""
	}
	return fmt.Sprintf(" (%s at the peak)", cost.Count(times*t.Peak))
}

// missingTraffic says what has to be declared for the traffic of a pattern to be known.
func missingTraffic(t *load.Traffic) string {
	if t.Uncounted != nil {
		return fmt.Sprintf("Its rate is for each %[1]s: declare the volume of %[1]s", t.Uncounted.Name.Text)
	}
	return "No rate: declare `rate`"
}

// What a new on-demand table takes at once, and what a table has by default at
// most, in units a second (Developer Guide, "On-demand capacity mode" and
// "Service quotas").
const (
	newTableReads  = 12_000
	newTableWrites = 4_000
	quotaUnits     = 40_000
)

// placeAtTen says what ten times the peak asks of the table or an index.
func (w *patternPage) placeAtTen(u cost.PlaceUnits, t *load.Traffic) {
	place := "The table"
	if u.Index != nil {
		place = "Index " + u.Index.Name.Text
	}
	asked := u.Units.Times(10 * t.Peak)
	verdict := "which a new on-demand table takes at once"
	switch {
	case asked.Reads > quotaUnits || asked.Writes > quotaUnits:
		verdict = fmt.Sprintf("more than the quota that a table has by default (%d units a second of each kind)", quotaUnits)
	case asked.Reads > newTableReads || asked.Writes > newTableWrites:
		verdict = fmt.Sprintf("more than a new on-demand table takes at once (%d read and %d write units a second): warm it up (`warm_read`, `warm_write`)", newTableReads, newTableWrites)
	}
	w.line("%s is asked for %s a second, %s.", place, unitsText(asked), verdict)
}

// partitionsAtTen says what that comes to on the busiest values of the partition
// keys that it touches.
func (w *patternPage) partitionsAtTen(all *load.Load, t *load.Traffic) {
	var quiet, unknown []string
	for _, g := range all.Groups {
		var busiest load.Units
		known, touched := true, false
		for _, part := range g.Loads {
			if part.Traffic == t {
				busiest, known, touched = busiest.Plus(part.Busiest().Times(10)), known && part.Known, true
			}
		}
		switch {
		case !touched:
		case !known:
			unknown = append(unknown, keyName(g))
		case busiest.Use() < trifle:
			quiet = append(quiet, keyName(g))
		default:
			w.line("%s.", busiestText(g, busiest, t))
		}
	}
	if len(quiet) > 0 {
		w.line("No single partition key value gets as much as %s of what a partition takes: %s.", cost.Percent(trifle), strings.Join(quiet, ", "))
	}
	if len(unknown) > 0 {
		w.line("How many partition key values there are, nothing says: %s. Declare a volume, or `skew`.", strings.Join(unknown, ", "))
	}
}

// keyName is a group's partition key with its place: GSI1 by ORDER#{orderId}.
func keyName(g *load.Group) string {
	place := "table"
	if g.Index != nil {
		place = g.Index.Name.Text
	}
	return place + " by " + g.Key
}

func busiestText(g *load.Group, busiest load.Units, t *load.Traffic) string {
	text := fmt.Sprintf("The busiest partition key value of %s gets %s a second, %s of what a partition takes", keyName(g), unitsText(busiest), cost.Percent(busiest.Use()))
	if use := busiest.Use(); use >= 1 {
		text += fmt.Sprintf(": it throttles from %s calls a second on", cost.Count(10*t.Peak/use))
	}
	return text
}

// trifle is a part of what a partition takes that is not worth a figure.
const trifle = 0.01
