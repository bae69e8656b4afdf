package docs

import (
	"strings"

	"github.com/dynmodel/dynmodel/generate/document"
)

func (w *writer) sizes() {
	w.section("Sizes")
	var rows [][]string
	for _, s := range w.doc.Sizes {
		count, bytes := "", ""
		if s.Known {
			count, bytes = document.Count(s.Count), document.Bytes(s.Bytes())
		}
		var entries []string
		for _, e := range s.Indexes {
			text := escape(e.Index) + ": " + document.Bytes(e.Bytes)
			if e.Some {
				text += " (some items)"
			}
			entries = append(entries, text)
		}
		rows = append(rows, []string{escape(s.Entity), escape(s.Volume), count, document.Bytes(s.ItemBytes), bytes, strings.Join(entries, ", ")})
	}
	w.table([]string{"Entity", "Declared", "Items" + figure, "Item size" + figure, "In all" + figure, "Entry in an index"}, rows)
	if count, bytes, known := w.doc.Total(); known {
		w.paragraph("%s items, %s without indexes.", document.Count(count), document.Bytes(bytes))
	}
	w.paragraph("Sizes are expected values: of the samples, else of types and declared lengths.")
}

func (w *writer) mix() {
	m := w.doc.Mix
	w.section("Reads and writes")
	if !m.Known {
		w.paragraph("The model declares no rates.")
		return
	}
	row := func(name string, t document.Traffic) []string {
		return []string{name, document.Count(t.Calls), document.Count(t.PeakCalls), document.Count(t.Units), document.Count(t.PeakUnits)}
	}
	w.table([]string{"", "Calls a second" + figure, "at peak" + figure, "Units a second" + figure, "at peak" + figure},
		[][]string{row("Reads", m.Reads), row("Writes", m.Writes)})
	w.paragraph("%s of the calls read.", document.Percent(m.ReadShare()))
	if len(m.Guessed) > 0 {
		w.paragraph("How much a call finds is not declared, and a guess, of %s.", escape(strings.Join(m.Guessed, ", ")))
	}
	if len(m.Without) > 0 {
		w.paragraph("No rate is declared of %s; %s not counted.", escape(strings.Join(m.Without, ", ")), isAre(len(m.Without)))
	}
}

func isAre(n int) string {
	if n == 1 {
		return "it is"
	}
	return "they are"
}

func (w *writer) capacity() {
	c := w.doc.Capacity
	w.section("Capacity")
	w.paragraph("The table is %s.", escape(c.Mode))
	var rows [][]string
	for _, u := range c.Uses {
		rows = append(rows, []string{escape(u.Space), escape(u.Settings), document.Count(u.Average.Reads), document.Count(u.Peak.Reads),
			document.Count(u.Average.Writes), document.Count(u.Peak.Writes)})
	}
	w.table([]string{"", "Capacity", "Read units a second" + figure, "at peak" + figure, "Write units a second" + figure, "at peak" + figure}, rows)
	if c.Cost != nil {
		w.bill(c.Cost)
	}
}

func (w *writer) bill(b *document.Bill) {
	w.paragraph("Recommended: **%s**. %s.", escape(b.Recommended), prose(b.Reason))
	var rows [][]string
	for _, m := range b.Modes {
		name := escape(m.Name)
		if m.Declared {
			name = "**" + name + "**"
		}
		rows = append(rows, []string{name, escape(m.Throughput), escape(m.Total), prose(m.Why)})
	}
	w.table([]string{"Mode", "Throughput a month" + figure, "In all" + figure, ""}, rows)
	rows = nil
	for _, c := range b.Beside {
		rows = append(rows, []string{escape(c.Name), escape(c.Month), prose(c.Note)})
	}
	w.table([]string{"Beside throughput", "A month" + figure, ""}, rows)
	w.paragraph("Prices of %s, %s.", escape(b.Region), escape(b.PriceDate))
	var assumptions []string
	for _, a := range b.Assumptions {
		assumptions = append(assumptions, "- "+prose(a))
	}
	if len(assumptions) > 0 {
		w.paragraph("%s", strings.Join(assumptions, "\n"))
	}
}

func (w *writer) indexes() {
	if len(w.doc.Indexes) == 0 {
		return
	}
	w.section("Indexes")
	var rows [][]string
	for _, x := range w.doc.Indexes {
		rows = append(rows, []string{escape(x.Name), x.Kind, codes(x.Partition), codes(x.Sort), escape(x.Holds), escape(strings.Join(x.Entities, ", ")), escape(strings.Join(x.Patterns, ", "))})
	}
	w.table([]string{"Index", "Kind", "Partition key", "Sort key", "Holds", "Entities", "Read by"}, rows)
}

func codes(texts []string) string {
	var out []string
	for _, t := range texts {
		out = append(out, code(t))
	}
	return strings.Join(out, ", ")
}

func (w *writer) operations() {
	w.section("Operations")
	w.facts(w.doc.Operations)
}

func (w *writer) security() {
	s := w.doc.Security
	w.section("Security")
	if s.IsolateBy == "" {
		w.paragraph("The model names no attribute that separates whose data is whose.")
	} else {
		w.isolation(s)
	}
	var rows [][]string
	for _, r := range s.Roles {
		rows = append(rows, []string{escape(r.Name), escape(strings.Join(r.Patterns, ", "))})
	}
	w.table([]string{"Role", "May use"}, rows)
	rows = nil
	for _, a := range s.Access {
		rows = append(rows, []string{escape(a.Pattern), codes(a.Actions), escape(strings.Join(a.Resources, ", "))})
	}
	w.part("Least privilege")
	w.table([]string{"Access pattern", "Actions", "On"}, rows)
}

func (w *writer) isolation(s document.Security) {
	w.paragraph("Items are separated by %s.", code(s.IsolateBy))
	var rows [][]string
	for _, i := range s.Isolation {
		if i.Exempt {
			rows = append(rows, []string{escape(i.Entity), "does not have it", "", ""})
			continue
		}
		rows = append(rows, []string{escape(i.Entity), escape(strings.Join(i.Leads, ", ")), escape(strings.Join(i.Within, ", ")), escape(strings.Join(i.Outside, ", "))})
	}
	w.table([]string{"Entity", "It leads the partition key of", "stands within that of", "is not in that of"}, rows)
	w.paragraph("Where it leads, a policy can hold callers to their own items by %s.", code("dynamodb:LeadingKeys"))
	if len(s.Across) > 0 {
		w.paragraph("Meant to cross it: %s.", escape(strings.Join(s.Across, ", ")))
	}
}

func (w *writer) limits() {
	w.section("Limits")
	var rows [][]string
	for _, l := range w.doc.Limits {
		rows = append(rows, []string{l.Name, escape(l.Of), l.Text(), l.Headroom(), l.Note})
	}
	w.table([]string{"Limit", "Nearest to it", "Used" + figure, "Left" + figure, ""}, rows)
}

func (w *writer) accepted() {
	w.section("Accepted findings")
	if len(w.doc.Accepted) == 0 {
		w.paragraph("None.")
		return
	}
	var rows [][]string
	for _, a := range w.doc.Accepted {
		rows = append(rows, []string{code(a.Rule), escape(a.On), escape(a.Reason)})
	}
	w.table([]string{"Rule", "On", "Why"}, rows)
}
