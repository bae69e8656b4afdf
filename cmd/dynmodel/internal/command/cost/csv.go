package cost

import (
	"encoding/csv"
	"io"
	"strconv"

	"github.com/dynmodel/dynmodel/model/cost"
)

// writeCSV writes the figures, one a line: what it is of, its name, the measure
// and the value. Figures of the first month have no month.
func writeCSV(w io.Writer, e *cost.Estimate, _ options) error {
	out := csv.NewWriter(w)
	out.UseCRLF = false
	row := func(section, name, month, measure string, x float64) {
		out.Write([]string{section, name, month, measure, strconv.FormatFloat(x, 'f', -1, 64)}) // an error shows in Flush
	}
	out.Write([]string{"section", "name", "month", "measure", "value"})
	for _, p := range e.Patterns {
		name := p.Pattern.Name.Text
		row("pattern", name, "", "calls", p.Calls)
		row("pattern", name, "", "rcu_per_call", p.Call.Reads)
		row("pattern", name, "", "wcu_per_call", p.Call.Writes)
		row("pattern", name, "", "cost_of_a_million", p.Million)
		row("pattern", name, "", "cost", p.Month)
	}
	for _, p := range e.Places {
		name := placeName(p.Index)
		row("place", name, "", "read_units", p.Units.Reads)
		row("place", name, "", "write_units", p.Units.Writes)
		row("place", name, "", "items", p.Items)
		row("place", name, "", "bytes", p.Bytes)
		row("place", name, "", "storage", p.Storage)
		for _, m := range e.Modes {
			if x, ok := p.Throughput[m.Name]; ok {
				row("place", name, "", "throughput_"+m.Name, x)
			}
		}
	}
	for _, s := range e.Services {
		if s.Priced {
			row("service", s.Name, "", "cost", s.Month)
		}
	}
	for _, m := range e.Months {
		for _, of := range e.Modes {
			if x, ok := m.Total[of.Name]; ok {
				row("total", of.Name, strconv.Itoa(m.Number), "cost", x)
			}
		}
	}
	out.Flush()
	return out.Error()
}
