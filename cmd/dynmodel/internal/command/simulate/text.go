package simulate

import (
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/mattn/go-runewidth"

	"github.com/dynmodel/dynmodel/cmd/dynmodel/internal/terminal"
	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/simulation"
)

// textWriter writes a result for a person.
type textWriter struct {
	strings.Builder
	color bool
	width int // of the terminal, 0: none
}

func writeText(w io.Writer, r *report) error {
	t := &textWriter{color: r.color, width: r.width}
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

// prose writes a sentence, broken into indented lines on a terminal.
func (t *textWriter) prose(indent, text string) {
	if t.width > 0 {
		text = strings.Join(terminal.Wrap(text, t.width, len(indent)), "\n"+indent)
	}
	t.line("%s%s", indent, text)
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
	t.prose("", fmt.Sprintf("%s, %s %s: %s calls, %s (seed %d)", r.table, days, traffic, large(calls), verdict, r.Seed))
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
		head := fmt.Sprintf("%-*s  %9s  %s  ", wide, p.Pattern.Name.Text, large(p.Calls), throttled)
		t.why(head, wide+2*(9+2)+2, strings.Join(why, ", "))
	}
}

// leastWhy is the narrowest the reasons beside an access pattern are broken to;
// where there is less room they stand below it.
const leastWhy = 30

// why writes a line with the reasons at its end, which begin at a column.
func (t *textWriter) why(head string, column int, text string) {
	lines := []string{text}
	if t.width > 0 {
		if t.width-column < leastWhy && text != "" {
			t.line("%s", head)
			head, column = "    ", 4
		}
		lines = terminal.Wrap(text, t.width, column)
	}
	t.line("%s%s", head, strings.Join(lines, "\n"+strings.Repeat(" ", column)))
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
	t.heading(fmt.Sprintf("%s: %s%s", strings.ToUpper(name[:1])+name[1:], terminal.Count(p.Partitions, "partition"), split))
	t.capacity(p)
	t.heat(p)
	if len(p.Keys) == 0 {
		return
	}
	wide := t.room(40, 2+3*2+2*10+9)
	t.line("\n  %-*s  %10s  %10s  %s", wide, "HOTTEST KEY VALUES", "PEAK RCU/s", "PEAK WCU/s", "THROTTLED")
	for _, k := range p.Keys {
		throttled := ""
		if k.Throttled > 0 {
			throttled = t.paint("31", percent(k.Throttled))
		}
		t.line("  %-*s  %10s  %10s  %s", wide, t.fit(fmt.Sprintf("%s no. %d", k.Group.Key, k.Rank), wide), large(k.Peak.Reads), large(k.Peak.Writes), throttled)
	}
}

// capacity says what was asked at most, and what the place has.
func (t *textWriter) capacity(p simulation.Place) {
	var asked simulation.Slot
	for _, s := range p.Slots {
		asked.Asked.Reads, asked.Asked.Writes = max(asked.Asked.Reads, s.Asked.Reads), max(asked.Asked.Writes, s.Asked.Writes)
		asked.Capacity.Reads, asked.Capacity.Writes = max(asked.Capacity.Reads, s.Capacity.Reads), max(asked.Capacity.Writes, s.Capacity.Writes)
	}
	t.prose("  ", fmt.Sprintf("busiest quarter of an hour: %s RCU/s and %s WCU/s; capacity up to %s and %s", large(asked.Asked.Reads), large(asked.Asked.Writes),
		large(asked.Capacity.Reads), large(asked.Capacity.Writes)))
}

// collections writes how item collections grow.
func (t *textWriter) collections(all []simulation.Collection) {
	if len(all) == 0 {
		return
	}
	t.heading("Item collections: on average, and the largest")
	head := []string{"PARTITION KEY"}
	for _, age := range simulation.Ages() {
		head = append(head, ageText(age))
	}
	rows, notes := [][]string{head}, []string{""}
	for _, c := range all {
		mean, most, note := []string{c.Key}, []string{"  largest"}, ""
		for _, s := range c.Sizes {
			mean = append(mean, fmt.Sprintf("%s, %s", large(s.Items), bytesText(s.Bytes)))
			most = append(most, fmt.Sprintf("%s, %s", large(s.Most), bytesText(s.MostBytes)))
			if !s.Known {
				note = "at most: not all volumes are declared"
			}
			if c.Limited && s.MostBytes > simulation.MaxCollection {
				note = t.paint("31", "over the 10 GB of a table with a local index")
			}
		}
		rows, notes = append(rows, mean, most), append(notes, "", note)
	}
	t.table(rows, notes)
}

// table writes rows in columns, the first of which is cut where the terminal is
// narrow, with a note below those that have one.
func (t *textWriter) table(rows [][]string, notes []string) {
	wide := make([]int, len(rows[0]))
	others := 2
	for i := range wide {
		for _, r := range rows {
			wide[i] = max(wide[i], runewidth.StringWidth(r[i]))
		}
		if i > 0 {
			others += 2 + wide[i]
		}
	}
	wide[0] = t.room(wide[0], others)
	for n, r := range rows {
		line := "  "
		for i, cell := range r {
			line += runewidth.FillRight(t.fit(cell, wide[i]), wide[i]) + "  "
		}
		t.line("%s", line)
		if notes[n] != "" {
			t.line("    %s", notes[n])
		}
	}
}

// room is how wide a column may be that wants so much, beside what stands there
// already.
func (t *textWriter) room(wanted, taken int) int {
	if t.width == 0 {
		return wanted
	}
	return min(wanted, max(t.width-taken, 8))
}

// fit cuts a text on a terminal to a width.
func (t *textWriter) fit(text string, wide int) string {
	if t.width == 0 {
		return text
	}
	return runewidth.Truncate(text, wide, "…")
}

func ageText(d time.Duration) string {
	switch days := int(d.Hours() / 24); {
	case days == 0:
		return "NOW"
	case days >= 365:
		return strings.ToUpper(terminal.Count(days/365, "year"))
	default:
		return strings.ToUpper(terminal.Count(days, "day"))
	}
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
