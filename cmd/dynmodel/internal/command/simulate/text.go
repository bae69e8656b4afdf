package simulate

import (
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/dynmodel/dynmodel/cmd/dynmodel/internal/terminal"
	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/simulation"
)

// cellSlots is how many slots a column of the heat map stands for: half an hour.
const cellSlots = 2

// textWriter writes a result for a person.
type textWriter struct {
	strings.Builder
	color bool
}

func writeText(w io.Writer, r *report) error {
	t := &textWriter{color: r.color}
	t.summary(r)
	t.patterns(r)
	for _, p := range r.Places {
		t.place(p)
	}
	t.collections(r.Collections)
	t.heading("What is assumed")
	for _, a := range r.Assumptions {
		t.line("  - %s", strings.Join(terminal.Wrap(a, r.width, 4), "\n    "))
	}
	_, err := io.WriteString(w, t.String())
	return err
}

func (t *textWriter) line(format string, args ...any) {
	fmt.Fprintln(t, strings.TrimRight(fmt.Sprintf(format, args...), " "))
}

func (t *textWriter) heading(text string) { t.line("\n%s", t.paint("1", text)) }

func (t *textWriter) paint(code, text string) string {
	if !t.color {
		return text
	}
	return "\x1b[" + code + "m" + text + "\x1b[0m"
}

func (t *textWriter) summary(r *report) {
	calls, throttled := r.Calls()
	days := "a day"
	if r.Days > 1 {
		days = fmt.Sprintf("%d days", r.Days)
	}
	traffic := "at the declared traffic"
	if r.Scale != 1 {
		traffic = fmt.Sprintf("at %s times the declared traffic", number(r.Scale))
	}
	verdict := t.paint("32", "none is throttled")
	if throttled > 0 {
		verdict = t.paint("31", fmt.Sprintf("%s are throttled (%s)", large(throttled), percent(part(throttled, calls))))
	}
	t.line("%s, %s %s: %s calls, %s (seed %d)", r.table, days, traffic, large(calls), verdict, r.Seed)
}

func (t *textWriter) patterns(r *report) {
	wide := len("ACCESS PATTERN")
	for _, p := range r.Patterns {
		wide = max(wide, len(p.Pattern.Name.Text))
	}
	t.line("\n%-*s  %9s  %9s  %s", wide, "ACCESS PATTERN", "CALLS", "THROTTLED", "WHY")
	for _, p := range r.Patterns {
		var why []string
		for _, c := range p.Causes {
			why = append(why, fmt.Sprintf("%s of %s (%s)", c.Reason, placeName(c.Index), percent(part(c.Calls, p.Calls))))
		}
		throttled := fmt.Sprintf("%9s", "")
		if p.Throttled > 0 {
			throttled = t.paint("31", fmt.Sprintf("%9s", large(p.Throttled)))
		}
		t.line("%-*s  %9s  %s  %s", wide, p.Pattern.Name.Text, large(p.Calls), throttled, strings.Join(why, ", "))
	}
}

func placeName(x *model.Index) string {
	if x == nil {
		return "the table"
	}
	return "index " + x.Name.Text
}

func (t *textWriter) place(p simulation.Place) {
	split := ""
	if p.PartitionsAtEnd > p.Partitions {
		split = fmt.Sprintf(", %d at the end", p.PartitionsAtEnd)
	}
	name := placeName(p.Index)
	t.heading(fmt.Sprintf("%s: %s%s", strings.ToUpper(name[:1])+name[1:], count(p.Partitions, "partition"), split))
	t.capacity(p)
	t.heat(p)
	if len(p.Keys) == 0 {
		return
	}
	t.line("\n  %-40s  %10s  %10s  %s", "HOTTEST KEY VALUES", "PEAK RCU/s", "PEAK WCU/s", "THROTTLED")
	for _, k := range p.Keys {
		throttled := ""
		if k.Throttled > 0 {
			throttled = t.paint("31", percent(k.Throttled))
		}
		t.line("  %-40s  %10s  %10s  %s", fmt.Sprintf("%s no. %d", k.Group.Key, k.Rank), large(k.Peak.Reads), large(k.Peak.Writes), throttled)
	}
}

// capacity says what was asked at most, and what the place has.
func (t *textWriter) capacity(p simulation.Place) {
	var asked simulation.Slot
	for _, s := range p.Slots {
		asked.Asked.Reads, asked.Asked.Writes = max(asked.Asked.Reads, s.Asked.Reads), max(asked.Asked.Writes, s.Asked.Writes)
		asked.Capacity.Reads, asked.Capacity.Writes = max(asked.Capacity.Reads, s.Capacity.Reads), max(asked.Capacity.Writes, s.Capacity.Writes)
	}
	t.line("  busiest quarter of an hour: %s RCU/s and %s WCU/s; capacity up to %s and %s", large(asked.Asked.Reads), large(asked.Asked.Writes),
		large(asked.Capacity.Reads), large(asked.Capacity.Writes))
}

// heat draws the heat map of a place.
func (t *textWriter) heat(p simulation.Place) {
	wide := 0
	for _, r := range p.Rows {
		wide = max(wide, len(rowName(r)))
	}
	columns := len(p.Slots) / cellSlots
	const day = 24 * 60 / simulation.SlotMinutes / cellSlots
	var hours strings.Builder
	for c := 0; c < columns; c += day / 4 {
		fmt.Fprintf(&hours, "%-*s", day/4, fmt.Sprintf("%02dh", c%day/2))
	}
	t.line("  %-*s  %s", wide, "", t.paint("2", hours.String()))
	for _, r := range p.Rows {
		var cells strings.Builder
		for c := range columns {
			cells.WriteString(t.cell(r, c*cellSlots))
		}
		t.line("  %-*s  %s  %s", wide, rowName(r), cells.String(), t.paint("2", keysText(r.Keys)))
	}
}

func rowName(r simulation.Row) string {
	if r.Alike > 1 {
		return fmt.Sprintf("%d others", r.Alike)
	}
	if r.Name == "other" {
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
func (t *textWriter) cell(r simulation.Row, slot int) string {
	use, throttled := 0.0, false
	for i := slot; i < min(slot+cellSlots, len(r.Use)); i++ {
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

// collections writes how item collections grow.
func (t *textWriter) collections(all []simulation.Collection) {
	if len(all) == 0 {
		return
	}
	wide := len("PARTITION KEY")
	for _, c := range all {
		wide = max(wide, len(c.Key))
	}
	t.heading("Item collections: on average, and the largest")
	head := fmt.Sprintf("  %-*s", wide, "PARTITION KEY")
	for _, age := range simulation.Ages() {
		head += fmt.Sprintf("  %-18s", ageText(age))
	}
	t.line("%s", head)
	for _, c := range all {
		mean, most, notes := fmt.Sprintf("  %-*s", wide, c.Key), fmt.Sprintf("  %-*s", wide, "  largest"), ""
		for _, s := range c.Sizes {
			mean += fmt.Sprintf("  %-18s", fmt.Sprintf("%s, %s", large(s.Items), bytesText(s.Bytes)))
			most += fmt.Sprintf("  %-18s", fmt.Sprintf("%s, %s", large(s.Most), bytesText(s.MostBytes)))
			if !s.Known {
				notes = "  at most: not all volumes are declared"
			}
			if c.Limited && s.MostBytes > simulation.MaxCollection {
				notes = t.paint("31", "  over the 10 GB of a table with a local index")
			}
		}
		t.line("%s", mean)
		t.line("%s%s", most, notes)
	}
}

func ageText(d time.Duration) string {
	switch days := int(d.Hours() / 24); {
	case days == 0:
		return "NOW"
	case days >= 365:
		return strings.ToUpper(count(days/365, "year"))
	default:
		return strings.ToUpper(count(days, "day"))
	}
}

func count(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}

// large writes a number of any size in a few characters: 950, 12.3k, 4.5M.
func large(x float64) string {
	for _, u := range []struct {
		least float64
		name  string
	}{{1e12, "T"}, {1e9, "B"}, {1e6, "M"}, {1e3, "k"}} {
		if x >= u.least {
			return number(x/u.least) + u.name
		}
	}
	return number(x)
}

// number writes three figures.
func number(x float64) string {
	if x >= 100 {
		return strconv.FormatFloat(x, 'f', 0, 64)
	}
	return strconv.FormatFloat(math.Round(x*10)/10, 'f', -1, 64)
}

func percent(x float64) string {
	switch p := x * 100; {
	case p == 0:
		return "0%"
	case p < 0.01:
		return "<0.01%"
	case p < 1:
		return strconv.FormatFloat(p, 'f', 2, 64) + "%"
	default:
		return strconv.FormatFloat(p, 'f', 1, 64) + "%"
	}
}

func bytesText(x float64) string {
	for _, u := range []struct {
		least float64
		name  string
	}{{1 << 40, " TB"}, {1 << 30, " GB"}, {1 << 20, " MB"}, {1 << 10, " KB"}} {
		if x >= u.least {
			return number(x/u.least) + u.name
		}
	}
	return number(x) + " B"
}
