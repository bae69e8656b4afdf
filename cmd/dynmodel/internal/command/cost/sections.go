package cost

import (
	"fmt"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/cost"
)

// section is a part of the report that people read: a table, lines, or both.
type section struct {
	title  string
	lines  []string
	bullet string   // before each line
	header []string // of the table
	rows   [][]string
	total  bool // the last row sums up the others
	left   int  // how many columns from the left are texts; with notes the last one is, too
	notes  bool
}

// report is what an estimate says to people.
type report struct {
	*cost.Estimate
}

func (r report) money(x float64) string { return cost.Money(r.Currency, x) }

// sections are the parts in the order to read them.
func (r report) sections() []section {
	out := []section{r.patterns(), r.places(), r.modes()}
	if len(r.Services) > 0 {
		out = append(out, r.services())
	}
	if len(r.Months) > 1 {
		out = append(out, r.months())
	}
	return append(out, section{title: "Assumptions", lines: r.Assumptions, bullet: "- "})
}

func (r report) patterns() section {
	s := section{title: "Access patterns, on demand", left: 1, notes: true, total: true,
		header: []string{"ACCESS PATTERN", "CALLS", "RCU", "WCU", "A MILLION", "A MONTH", "NOTE"}}
	total, guessed := 0.0, 0.0
	for _, p := range r.Patterns {
		row := []string{p.Pattern.Name.Text, "", figure(p.Call.Reads), figure(p.Call.Writes), cost.Price(r.Currency, p.Million), "", p.Note}
		if p.Call.Reads == 0 && p.Call.Writes == 0 {
			row[4] = ""
		}
		if p.Declared {
			row[1], row[5] = cost.Count(p.Calls), r.money(p.Month)
		}
		if total += p.Month; p.Estimated {
			guessed += p.Month
		}
		s.rows = append(s.rows, row)
	}
	note := ""
	if guessed > 0 {
		note = "of which " + r.money(guessed) + " is a guess"
	}
	s.rows = append(s.rows, []string{"all", "", "", "", "", r.money(total), note})
	return s
}

func (r report) places() section {
	s := section{title: "Table and indexes", left: 1, total: len(r.Places) > 1,
		header: []string{"TABLE OR INDEX", "READ UNITS", "WRITE UNITS", "ITEMS", "STORED", "ON DEMAND", "PROVISIONED", "STORAGE"}}
	var all cost.Place
	demand, provisioned := 0.0, 0.0
	for _, p := range r.Places {
		s.rows = append(s.rows, r.place(placeName(p.Index), p, p.Throughput[cost.OnDemand], p.Throughput[cost.Provisioned]))
		all.Units = all.Units.Plus(p.Units)
		all.Bytes, all.Storage = all.Bytes+p.Bytes, all.Storage+p.Storage
		demand, provisioned = demand+p.Throughput[cost.OnDemand], provisioned+p.Throughput[cost.Provisioned]
	}
	if s.total {
		row := r.place("all", all, demand, provisioned)
		row[3] = ""
		s.rows = append(s.rows, row)
	}
	return s
}

func (r report) place(name string, p cost.Place, demand, provisioned float64) []string {
	return []string{name, cost.Count(p.Units.Reads), cost.Count(p.Units.Writes), cost.Count(p.Items), cost.Bytes(p.Bytes),
		r.money(demand), r.money(provisioned), r.money(p.Storage)}
}

func placeName(x *model.Index) string {
	if x == nil {
		return "table"
	}
	return x.Name.Text
}

func (r report) modes() section {
	s := section{title: "Capacity modes, a month", left: 1, notes: true,
		header: []string{"CAPACITY MODE", "THROUGHPUT", "WITH ALL ELSE", "RESTS ON"}}
	for _, m := range r.Modes {
		row := []string{cost.ModeName(m.Name), "", "", m.Why}
		if m.Available {
			row[1], row[2] = r.money(m.Month), r.money(r.Total(m.Name))
		}
		s.rows = append(s.rows, row)
	}
	s.lines = append(s.lines, fmt.Sprintf("Recommended: %s; %s.", cost.ModeName(r.Recommended.Mode), r.Recommended.Reason))
	if r.Months[0].Units.Reads+r.Months[0].Units.Writes == 0 {
		return s // without traffic, storage alone would decide between the classes
	}
	own, other := r.Classes[0], r.Classes[1]
	cheaper := own
	if other.Month < own.Month {
		cheaper = other
	}
	s.lines = append(s.lines, fmt.Sprintf("Table class: %s for %s a month or %s for %s, throughput in that mode and storage together; %s is cheaper.",
		cost.ClassName(own.Class), r.money(own.Month), cost.ClassName(other.Class), r.money(other.Month), cost.ClassName(cheaper.Class)))
	return s
}

func (r report) services() section {
	s := section{title: "What else there is, a month", left: 1, notes: true, header: []string{"SERVICE", "A MONTH", "RESTS ON"}}
	for _, service := range r.Services {
		price := "not priced"
		if service.Priced {
			price = r.money(service.Month)
		}
		s.rows = append(s.rows, []string{service.Name, price, service.Assumption})
	}
	return s
}

func (r report) months() section {
	s := section{title: "The months ahead", left: 1, header: []string{"MONTH", "READ UNITS", "WRITE UNITS", "STORED", "STORAGE", "OTHER"}}
	var modes []string
	for _, m := range r.Modes {
		if m.Available {
			modes = append(modes, m.Name)
			s.header = append(s.header, monthHeader(m.Name))
		}
	}
	for _, m := range r.Months {
		row := []string{fmt.Sprint(m.Number), cost.Count(m.Units.Reads), cost.Count(m.Units.Writes), cost.Bytes(m.Bytes), r.money(m.Storage), r.money(m.Services)}
		for _, mode := range modes {
			total, ok := m.Total[mode]
			if !ok {
				row = append(row, "")
				continue
			}
			row = append(row, r.money(total))
		}
		s.rows = append(s.rows, row)
	}
	return s
}

func monthHeader(mode string) string {
	switch mode {
	case cost.OnDemand:
		return "ALL, ON DEMAND"
	case cost.Provisioned:
		return "PROVISIONED"
	case cost.Reserved1:
		return "1 YEAR"
	case cost.Reserved3:
		return "3 YEARS"
	}
	return "FIXED"
}

// figure writes units of a call, nothing for none.
func figure(x float64) string {
	if x == 0 {
		return ""
	}
	return cost.Count(x)
}
