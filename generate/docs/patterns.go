package docs

import (
	"fmt"
	"strings"

	"github.com/dynmodel/dynmodel/generate/document"
)

func (w *writer) patterns() {
	w.section("Access patterns")
	var reads, writes [][]string
	for _, p := range w.doc.Patterns {
		if p.Reads {
			reads = append(reads, rows(p)...)
		} else {
			writes = append(writes, rows(p)...)
		}
	}
	if len(reads) > 0 {
		w.part("Reads")
		w.table(append([]string{"Access pattern", "Operation", "Index", "Key condition", "Filter"}, costHead("RCU")...), reads)
	}
	if len(writes) > 0 {
		w.part("Writes")
		w.table(append([]string{"Access pattern", "Operation", "Index", "Key", "On condition", "Change"}, costHead("WCU")...), writes)
	}
	w.paragraph("Items, capacity and requests are those of one call at the declared volume; requests at most. Of items, \"8 of 12\" are 8 returned of 12 read. RCU and WCU are read and write units, those of indexes included.")
}

func costHead(units string) []string {
	return []string{"Items" + figure, units + figure, "Requests" + figure, "Calls", "Cost on demand" + figure}
}

// rows are the rows of a pattern: one for each step of each variant.
func rows(p document.Pattern) [][]string {
	name := "**" + escape(p.Name) + "**"
	if p.Description != "" {
		name += "<br>" + escape(p.Description)
	}
	if p.Asks != "" {
		name += "<br>" + code(p.Asks)
	}
	if p.Service != "" {
		p.Variants = []document.Variant{{}}
	}
	calls, price := escape(p.Rate.Text), escape(p.Price.String())
	var out [][]string
	for i, v := range p.Variants {
		if i > 0 {
			name, calls, price = "without "+code(strings.Join(v.Absent, ", ")), "", ""
		}
		figures := append(costCells(v.Cost, p.Reads), calls, price)
		for _, s := range stepsOf(p, v) {
			row := append([]string{name}, stepCells(s, p.Reads)...)
			out = append(out, append(row, figures...))
			name, figures = "", make([]string, len(figures)) // of the first step only
		}
	}
	return out
}

// stepsOf are a variant's steps, or why there are none.
func stepsOf(p document.Pattern, v document.Variant) []document.Step {
	switch {
	case p.Service != "":
		return []document.Step{{API: "served by " + escape(p.Service)}}
	case !v.Served:
		return []document.Step{{API: "not served"}}
	}
	return v.Steps
}

// stepCells are the operation, index and key of a step, and its filter, or its
// condition and change.
func stepCells(s document.Step, reads bool) []string {
	operation := s.API
	if s.Entity != "" {
		operation += " " + escape(s.Entity)
	}
	if len(s.Notes) > 0 {
		operation += "<br>" + escape(strings.Join(s.Notes, ", "))
	}
	cells := []string{operation, escape(s.Index), code(s.Key)}
	if reads {
		return append(cells, code(s.Filter))
	}
	conditions := code(s.Condition)
	if s.Filter != "" {
		conditions = strings.TrimPrefix(conditions+"<br>"+code(s.Filter), "<br>")
	}
	return append(cells, conditions, code(s.Change))
}

func costCells(c document.Cost, reads bool) []string {
	units := func(n float64) string {
		if n == 0 || !c.Known {
			return ""
		}
		return document.Count(n)
	}
	of, requests := c.WCU, ""
	if reads {
		of = c.RCU
	}
	if c.Requests > 0 {
		requests = document.Count(c.Requests)
	}
	return []string{c.ItemsText(), units(of), requests}
}

func (w *writer) collections() {
	d := w.doc
	w.section("Item collections")
	if len(d.Items) == 0 {
		w.paragraph("The model has no items to show.")
		return
	}
	w.paragraph("%s An item has the same number everywhere.", escape(d.Origin()))
	for _, v := range d.Views {
		w.view(v)
	}
}

func (w *writer) view(v document.View) {
	title := "Index " + escape(v.Name)
	if v.Name == document.TableName {
		title = "Table"
	}
	w.part(title)
	if len(v.Partitions) == 0 {
		w.paragraph("None of the items is in it.")
		return
	}
	w.paragraph("Holds %s.", escape(v.Holds))
	head := []string{"#" + figure}
	for _, k := range append(append([]string{}, v.Partition...), v.Sort...) {
		head = append(head, escape(k))
	}
	var out [][]string
	for _, p := range v.Partitions {
		for i, r := range p.Rows {
			row := []string{fmt.Sprint(r.Item + 1)}
			for _, k := range p.Key {
				if i > 0 {
					k = ""
				}
				row = append(row, code(k))
			}
			for _, s := range r.Sort {
				row = append(row, code(s))
			}
			var attributes []string
			for _, a := range r.Attributes {
				attributes = append(attributes, escape(a.Label)+": "+code(short(a.Value)))
			}
			out = append(out, append(row, escape(r.Label), strings.Join(attributes, ", ")))
		}
	}
	w.table(append(head, "Item", "Attributes"), out)
}

// longest is how many characters of a value are shown.
const longest = 60

func short(text string) string {
	if runes := []rune(text); len(runes) > longest {
		return string(runes[:longest]) + "…"
	}
	return text
}

// calls writes what an example call of each pattern does with the items.
func (w *writer) calls() {
	var out [][]string
	for _, p := range w.doc.Patterns {
		if p.Call == nil {
			continue
		}
		var with []string
		for _, a := range p.Call.Arguments {
			with = append(with, escape(a.Label)+" = "+code(short(a.Value)))
		}
		out = append(out, []string{escape(p.Name), strings.Join(with, ", "), escape(p.Call.View), numbers(p.Call.Read), numbers(p.Call.Returned), others(p.Call)})
	}
	if len(out) == 0 {
		return
	}
	w.part("What a call finds")
	w.paragraph("An example call of each pattern on these items: what it reads, and what is left after filters and limits.")
	w.table([]string{"Access pattern", "Called with", "Index", "Reads", "Returns", ""}, out)
}

// others are what a call does beside reading and returning items.
func others(c *document.Call) string {
	var out []string
	if len(c.Referred) > 0 {
		out = append(out, "then reads "+numbers(c.Referred))
	}
	if len(c.Written) > 0 {
		out = append(out, "writes "+numbers(c.Written))
	}
	if c.Refused {
		out = append(out, "is refused")
	}
	return strings.Join(out, ", ")
}

func numbers(items []int) string {
	var out []string
	for _, n := range items {
		out = append(out, fmt.Sprint(n+1))
	}
	return strings.Join(out, ", ")
}
