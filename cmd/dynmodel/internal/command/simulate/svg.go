package simulate

import (
	"fmt"
	"html"
	"io"
	"strings"

	"github.com/mattn/go-runewidth"

	"github.com/dynmodel/dynmodel/model/simulation"
)

// The measures of the picture, in pixels.
const (
	labelWidth  = 220
	cellWidth   = 8
	cellHeight  = 16
	chartHeight = 60
	margin      = 16
	rowGap      = 2

	labelCharacters = 30
)

// writeSVG draws the heat map of each place with its units above it.
func writeSVG(w io.Writer, r *report) error {
	var body strings.Builder
	y := margin + 2*cellHeight
	slots := 0
	for _, p := range r.Places {
		slots = max(slots, len(p.Slots))
		y = drawPlace(&body, p, y)
	}
	calls, throttled := r.Calls()
	title := fmt.Sprintf("%s: %s calls, %s throttled", r.table, large(calls), large(throttled))
	width, height := labelWidth+slots*cellWidth+2*margin, y+margin
	out := fmt.Sprintf(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %[1]d %[2]d" width="%[1]d" height="%[2]d" role="img" aria-label="%[3]s">
<title>%[3]s</title>
<style>
text { font: 12px system-ui, sans-serif; fill: #1f2328 }
.head { font-weight: 600 }
.dim { fill: #59636e }
.back { fill: #ffffff }
.asked { fill: none; stroke: #0969da; stroke-width: 1.5 }
.capacity { fill: none; stroke: #59636e; stroke-dasharray: 3 3 }
@media (prefers-color-scheme: dark) { text { fill: #e6edf3 } .dim { fill: #9198a1 } .back { fill: #0d1117 } .asked { stroke: #58a6ff } .capacity { stroke: #9198a1 } }
</style>
<rect class="back" width="%[1]d" height="%[2]d"/>
<text class="head" x="%[4]d" y="%[5]d">%[3]s</text>
%[6]s%[7]s</svg>
`, width, height, html.EscapeString(title), margin, margin+8, legend(), body.String())
	_, err := io.WriteString(w, out)
	return err
}

// legend says what the colours mean.
func legend() string {
	var b strings.Builder
	x := margin
	for _, l := range []struct {
		use       float64
		throttled bool
		text      string
	}{{0, false, "under 5%"}, {0.05, false, "under 25%"}, {0.25, false, "under 50%"}, {0.5, false, "under 90%"}, {0.9, false, "more, of what a partition serves"}, {1, true, "throttled"}} {
		fmt.Fprintf(&b, `<rect x="%d" y="%d" width="12" height="12" fill="%s"/><text class="dim" x="%d" y="%d">%s</text>`,
			x, 2*margin, heatColor(l.use, l.throttled), x+16, 2*margin+10, l.text)
		x += 32 + 7*len(l.text)
	}
	b.WriteByte('\n')
	return b.String()
}

// drawPlace draws a place from y on, and returns where it ends.
func drawPlace(b *strings.Builder, p simulation.Place, y int) int {
	y += margin
	fmt.Fprintf(b, `<text class="head" x="%d" y="%d">%s</text>`+"\n", margin, y, html.EscapeString(placeName(p.Index)))
	y += 8
	for _, line := range []struct {
		name string
		of   func(simulation.Slot) (asked, capacity float64)
	}{
		{"RCU/s", func(s simulation.Slot) (float64, float64) { return s.Asked.Reads, s.Capacity.Reads }},
		{"WCU/s", func(s simulation.Slot) (float64, float64) { return s.Asked.Writes, s.Capacity.Writes }},
	} {
		y = drawChart(b, line.name, p.Slots, line.of, y)
	}
	for _, r := range p.Rows {
		name := rowName(r)
		if len(r.Keys) > 0 {
			name = runewidth.Truncate(r.Keys[0], labelCharacters, "…")
		}
		fmt.Fprintf(b, `<g><title>%s</title><text x="%d" y="%d">%s</text>`, html.EscapeString(strings.Join(append([]string{rowName(r)}, r.Keys...), ", ")), margin, y+12, html.EscapeString(name))
		for i, use := range r.Use {
			fmt.Fprintf(b, `<rect x="%d" y="%d" width="%d" height="%d" fill="%s"/>`, margin+labelWidth+i*cellWidth, y, cellWidth, cellHeight, heatColor(use, r.Throttled[i]))
		}
		b.WriteString("</g>\n")
		y += cellHeight + rowGap
	}
	for h := 0; h*4 < len(p.Slots); h += 3 {
		fmt.Fprintf(b, `<text class="dim" x="%d" y="%d">%02dh</text>`, margin+labelWidth+h*4*cellWidth, y+12, h%24)
	}
	b.WriteByte('\n')
	return y + margin
}

// drawChart draws what was asked as a line, and the capacity as a dashed one
// where it is of the same order.
func drawChart(b *strings.Builder, name string, slots []simulation.Slot, of func(simulation.Slot) (asked, capacity float64), y int) int {
	top := 0.0
	for _, s := range slots {
		asked, _ := of(s)
		top = max(top, asked)
	}
	if top == 0 {
		return y
	}
	top *= 1.2
	var asked, capacity []string
	for i, s := range slots {
		a, c := of(s)
		x := margin + labelWidth + i*cellWidth + cellWidth/2
		at := func(v float64) int { return y + chartHeight - int(v/top*chartHeight) }
		asked = append(asked, fmt.Sprintf("%d,%d", x, at(a)))
		if c <= top {
			capacity = append(capacity, fmt.Sprintf("%d,%d", x, at(c)))
		}
	}
	fmt.Fprintf(b, `<text class="dim" x="%d" y="%d">%s, up to %s</text>`, margin, y+chartHeight/2, name, large(top/1.2))
	fmt.Fprintf(b, `<polyline class="asked" points="%s"/>`, strings.Join(asked, " "))
	if len(capacity) == len(slots) {
		fmt.Fprintf(b, `<polyline class="capacity" points="%s"/>`, strings.Join(capacity, " "))
	}
	b.WriteByte('\n')
	return y + chartHeight + margin/2
}

// heatColor goes from pale over yellow to red; what is throttled is dark red.
func heatColor(use float64, throttled bool) string {
	switch {
	case throttled:
		return "#8e0b21"
	case use >= 0.9:
		return "#e5484d"
	case use >= 0.5:
		return "#f5a623"
	case use >= 0.25:
		return "#f7d774"
	case use >= 0.05:
		return "#d6e9c6"
	}
	return "#eef1f4"
}
