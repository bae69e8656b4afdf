package html

import (
	"slices"

	"github.com/dynmodel/dynmodel/generate/document"
)

// TextX is where the texts of a box begin, and HeadY the base line of its name.
func (b *box) TextX() int { return b.X + boxPad }
func (b *box) HeadY() int { return b.Y + 20 }

// numberedPattern is a pattern with its place, which makes ids.
type numberedPattern struct {
	document.Pattern
	Number int
}

// numberedView is a view with its place, which makes ids.
type numberedView struct {
	document.View
	Number int
}

func number(n int, p document.Pattern) numberedPattern { return numberedPattern{p, n} }

func numberView(n int, v document.View) numberedView { return numberedView{v, n} }

// columns is how many columns a view's table has.
func columns(v document.View) int { return len(v.Sort) + 3 }

func reading(all []document.Pattern) []document.Pattern {
	return slices.DeleteFunc(slices.Clone(all), func(p document.Pattern) bool { return !p.Reads })
}

func writing(all []document.Pattern) []document.Pattern {
	return slices.DeleteFunc(slices.Clone(all), func(p document.Pattern) bool { return p.Reads })
}

// rows are a pattern's variants; one that is served elsewhere has one row.
func rows(p document.Pattern) []document.Variant {
	if len(p.Variants) == 0 {
		return []document.Variant{{}}
	}
	return p.Variants
}

// rowHead is what stands at the head of a row of patterns.
type rowHead struct {
	Name, Description, Asks string
	Absent                  []string
}

func head(p document.Pattern, n int) rowHead {
	return rowHead{p.Name, p.Description, p.Asks, rows(p)[n].Absent}
}

// spacesOf are the table and indexes that a variant uses, each once.
func spacesOf(v document.Variant) []string {
	var out []string
	for _, s := range v.Steps {
		if !slices.Contains(out, s.Index) {
			out = append(out, s.Index)
		}
	}
	return out
}

// costCells are the figures of a row of patterns.
type costCells struct {
	document.Cost
	Units float64
	Calls string
	Price *document.Price
}

// costs are the figures of a variant; how often a pattern is called stands in
// its first row.
func costs(p document.Pattern, n int, units float64) costCells {
	c := costCells{Cost: rows(p)[n].Cost, Units: units}
	if n == 0 {
		c.Calls, c.Price = p.Rate.Text, p.Price
	}
	return c
}

// width is how far a meter is filled, in per cent.
func width(l document.Limit) float64 { return min(100, max(0.5, 100*l.Share())) }

// meter is how a limit is used: fine, near or over.
func meter(l document.Limit) string {
	switch s := l.Share(); {
	case s > 1:
		return "over"
	case s > 0.8:
		return "near"
	}
	return "fine"
}
