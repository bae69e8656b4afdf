package html

import (
	"fmt"
	"math"

	"github.com/dynmodel/dynmodel/generate/document"
)

// bars are what patterns ask for in a second, as bars from left to right.
type bars struct {
	Width, Height int
	Rows          []barRow
	Ticks         []tick
	Left          int // where bars begin
	Bottom        int
	Others        int // patterns that are not shown
}

// barRow is a pattern: units on average, and at peak in a lighter bar behind.
type barRow struct {
	Name, Title   string
	Y, TextY      int
	Reads, Writes int // widths
	WriteX        int
	Peak          int
	Label         string
	LabelX        int
}

type tick struct {
	X    int
	Text string
}

// Measures of the charts in pixels.
const (
	chartWidth = 1120
	barLeft    = 230
	barRight   = 90 // room for the figure
	barStep    = 26
	barHeight  = 16
	barsMost   = 16
)

func newBars(m document.Mix) bars {
	b := bars{Width: chartWidth, Left: barLeft}
	loads := m.Loads
	if len(loads) > barsMost {
		b.Others, loads = len(loads)-barsMost, loads[:barsMost]
	}
	most := 0.0
	for _, l := range loads {
		most = max(most, sum(l.Peak), sum(l.Average))
	}
	if most == 0 {
		return b
	}
	step, ceiling := scale(most)
	width := func(units float64) int { return int(math.Round(units / ceiling * (chartWidth - barLeft - barRight))) }
	for i, l := range loads {
		y := 8 + i*barStep
		r := barRow{Name: l.Pattern, Y: y, TextY: y + barHeight - 4, Reads: width(l.Average.Reads), Writes: width(l.Average.Writes), Peak: width(sum(l.Peak))}
		r.WriteX = barLeft + r.Reads
		r.LabelX = barLeft + max(r.Peak, r.Reads+r.Writes) + 6
		r.Label = document.Count(sum(l.Average))
		r.Title = fmt.Sprintf("%s: %s read and %s write units a second", l.Pattern, document.Count(l.Average.Reads), document.Count(l.Average.Writes))
		if sum(l.Peak) > sum(l.Average) {
			r.Label += ", peak " + document.Count(sum(l.Peak))
			r.Title += ", at peak " + document.Count(sum(l.Peak)) + " units"
		}
		b.Rows = append(b.Rows, r)
	}
	b.Bottom = 8 + len(loads)*barStep
	b.Height = b.Bottom + 22
	for at := 0.0; at <= ceiling*1.0001; at += step {
		b.Ticks = append(b.Ticks, tick{barLeft + width(at), document.Count(at)})
	}
	return b
}

func sum(u document.Units) float64 { return u.Reads + u.Writes }

// scale is the step of an axis, and the first multiple of it that is no less
// than the greatest value: four or five steps of 1, 2 or 5.
func scale(most float64) (step, ceiling float64) {
	step = math.Pow(10, math.Floor(math.Log10(most)))
	for _, part := range []float64{0.2, 0.5, 1, 2, 5} {
		if most/(step*part) <= 5 {
			step *= part
			break
		}
	}
	return step, math.Ceil(most/step) * step
}

// day is the units of each hour of a day as two lines.
type day struct {
	Width, Height int
	Reads, Writes string // points of SVG
	Lines         []dayLine
	Hours         []tick
	Left, Right   int
	Bottom        int
}

type dayLine struct {
	Y    int
	Text string
}

const (
	dayHeight = 190
	dayLeft   = 62
	dayTop    = 10
	dayBottom = 160
)

// newDay is the chart of a day; nil where every hour is like the others, as then
// there is nothing to see.
func newDay(m document.Mix) *day {
	most := 0.0
	for _, u := range m.Hours {
		most = max(most, u.Reads, u.Writes)
	}
	if flat(m.Hours) {
		return nil
	}
	step, ceiling := scale(most)
	d := &day{Width: chartWidth, Height: dayHeight, Left: dayLeft, Right: chartWidth - 30, Bottom: dayBottom}
	y := func(units float64) int { return dayBottom - int(math.Round(units/ceiling*(dayBottom-dayTop))) }
	x := func(hour int) int { return dayLeft + hour*(d.Right-dayLeft)/24 }
	for h := range 25 {
		u := m.Hours[h%24]
		d.Reads += fmt.Sprintf("%d,%d ", x(h), y(u.Reads))
		d.Writes += fmt.Sprintf("%d,%d ", x(h), y(u.Writes))
		if h%4 == 0 {
			d.Hours = append(d.Hours, tick{x(h), fmt.Sprintf("%02d:00", h%24)})
		}
	}
	for at := 0.0; at <= ceiling*1.0001; at += step {
		d.Lines = append(d.Lines, dayLine{y(at), document.Count(at)})
	}
	return d
}

// flat tells whether every hour is like the first.
func flat(hours [24]document.Units) bool {
	for _, u := range hours {
		if math.Abs(sum(u)-sum(hours[0])) > 0.001*sum(hours[0]) {
			return false
		}
	}
	return true
}
