package simulate

import (
	"fmt"
	"strings"

	"github.com/mattn/go-runewidth"

	"github.com/dynmodel/dynmodel/model/load"
	"github.com/dynmodel/dynmodel/model/simulation"
)

// daySlots is how many slots a day has, and cellSlots how many of them a column
// of the heat map stands for, where it is not too wide: half an hour.
const (
	daySlots  = 24 * 60 / simulation.SlotMinutes
	cellSlots = 2
)

// heat draws the heat map of a place.
func (t *textWriter) heat(p simulation.Place) {
	rows := p.Rows
	if whole, limited := wholePlace(p); limited {
		rows = append([]simulation.Row{whole}, rows...)
	}
	wide := 0
	for _, r := range rows {
		wide = max(wide, len(rowName(r)))
	}
	slots := cellSlots
	for t.width > 0 && len(p.Slots)/slots > max(t.width-wide-4, daySlots/8) && slots < daySlots/4 {
		slots *= 2
	}
	columns, day := len(p.Slots)/slots, daySlots/slots
	var hours strings.Builder
	for c := 0; c < columns; c += day / 4 {
		fmt.Fprintf(&hours, "%-*s", day/4, fmt.Sprintf("%02dh", c%day*24/day))
	}
	t.line("  %-*s  %s", wide, "", t.paint("2", hours.String()))
	for _, r := range rows {
		var cells strings.Builder
		for c := range columns {
			cells.WriteString(t.cell(r, c*slots, slots))
		}
		t.line("  %-*s  %s%s", wide, rowName(r), cells.String(), t.beside(keysText(r.Keys), wide+columns+4))
	}
}

// leastKeys is the narrowest the keys beside a row are cut to; where there is
// less room they are left out.
const leastKeys = 8

// beside is what stands at the end of a row.
func (t *textWriter) beside(text string, taken int) string {
	if room := t.width - taken - 2; t.width > 0 {
		if room < leastKeys {
			return ""
		}
		text = runewidth.Truncate(text, room, "…")
	}
	return "  " + t.paint("2", text)
}

// capacityRow is the name of the row of a place as a whole.
const capacityRow = "capacity"

// wholePlace is the row of a place as a whole: how much of its capacity was asked
// for; false where nothing limits it.
func wholePlace(p simulation.Place) (simulation.Row, bool) {
	out := simulation.Row{Name: capacityRow, Alike: 1}
	limited := false
	for _, s := range p.Slots {
		limited = limited || s.Capacity != load.Units{}
		use := max(share(s.Asked.Reads, s.Capacity.Reads), share(s.Asked.Writes, s.Capacity.Writes))
		out.Use, out.Throttled = append(out.Use, use), append(out.Throttled, use > 1)
	}
	return out, limited
}

// share is the part of a capacity that is asked for, where there is one.
func share(asked, capacity float64) float64 {
	if capacity == 0 {
		return 0
	}
	return asked / capacity
}

func rowName(r simulation.Row) string {
	switch {
	case r.Name == capacityRow:
		return r.Name
	case r.Alike > 1:
		return fmt.Sprintf("%d others", r.Alike)
	case r.Name == "other":
		return "1 other"
	}
	return "partition " + r.Name
}

// mostNamed is how many keys of a partition are named beside it.
const mostNamed = 3

// keysText names the hottest keys of a partition.
func keysText(keys []string) string {
	if more := len(keys) - mostNamed; more > 0 {
		return fmt.Sprintf("%s and %d more", strings.Join(keys[:mostNamed], ", "), more)
	}
	return strings.Join(keys, ", ")
}

// cell is the heat of a row in the slots of one column.
func (t *textWriter) cell(r simulation.Row, slot, slots int) string {
	use, throttled := 0.0, false
	for i := slot; i < min(slot+slots, len(r.Use)); i++ {
		use, throttled = max(use, r.Use[i]), throttled || r.Throttled[i]
	}
	switch {
	case throttled:
		return t.paint("31", "x")
	case use >= 0.9:
		return t.paint("33", "█")
	case use >= 0.5:
		return "▓"
	case use >= 0.25:
		return "▒"
	case use >= 0.05:
		return "░"
	}
	return "·"
}
