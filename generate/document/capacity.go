package document

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/dynmodel/dynmodel/model"
)

// Capacity is the table's capacity mode, what is asked of it, and what it costs.
type Capacity struct {
	Mode string // on demand, or provisioned
	Uses []Use
	// Cost is nil where no prices are known of the table's region.
	Cost *Bill
}

// Bill is what the table costs a month at its declared traffic and volumes.
type Bill struct {
	Region, PriceDate string
	Total             string // in the declared mode
	Modes             []Mode
	// Recommended is the mode to take, and Reason why.
	Recommended, Reason string
	// Beside are the charges beside throughput: storage and services.
	Beside      []Charge
	Assumptions []string
}

// Mode is what a capacity mode costs a month.
type Mode struct {
	Name string
	// Throughput is what units cost, and Total all that the table is charged for;
	// "" where it cannot have the mode.
	Throughput, Total string
	Declared          bool
	Why               string // what it rests on, or why the table cannot have it
}

// Charge is something the table is charged for each month.
type Charge struct{ Name, Month, Note string }

// Use is what the declared traffic asks of the table or a global index, in units
// a second.
type Use struct {
	Space         string // TableName, or the index's name
	Average, Peak Units
	// Settings are what the model sets: provisioned units, limits, scaling.
	Settings string
}

func (b *builder) capacity() Capacity {
	out := Capacity{Mode: modeOf(b.model.Table.Capacity)}
	for _, x := range b.throughputs() {
		average, peak := b.load.Average(x), b.load.Peak(x)
		out.Uses = append(out.Uses, Use{Space: spaceName(x), Average: Units(average), Peak: Units(peak), Settings: settingsText(b.capacityOf(x))})
	}
	out.Cost = b.bill()
	return out
}

func (b *builder) bill() *Bill {
	e := b.estimate
	if e == nil {
		return nil
	}
	money := func(amount float64) string { return Money(amount, e.Currency) }
	bill := &Bill{Region: e.Region, PriceDate: e.PriceDate, Total: money(e.Total(e.Declared)),
		Recommended: spaced(e.Recommended.Mode), Reason: sentence(e.Recommended.Reason)}
	for _, a := range e.Assumptions {
		bill.Assumptions = append(bill.Assumptions, sentence(a))
	}
	for _, m := range e.Modes {
		mode := Mode{Name: spaced(m.Name), Declared: m.Name == e.Declared, Why: m.Why}
		if m.Available {
			mode.Throughput, mode.Total = money(m.Month), money(e.Total(m.Name))
		}
		bill.Modes = append(bill.Modes, mode)
	}
	storage := 0.0
	for _, p := range e.Places {
		storage += p.Storage
	}
	bill.Beside = append(bill.Beside, Charge{Name: "storage", Month: money(storage), Note: "of the table and its indexes"})
	for _, s := range e.Services {
		c := Charge{Name: s.Name, Note: s.Assumption}
		if s.Priced {
			c.Month = money(s.Month)
		}
		bill.Beside = append(bill.Beside, c)
	}
	return bill
}

// sentence is a text with a capital; one that begins with a name or code stays.
func sentence(text string) string {
	first, _, _ := strings.Cut(text, " ")
	if strings.ContainsAny(first, "-`_") {
		return text
	}
	r, size := utf8.DecodeRuneInString(text)
	return string(unicode.ToUpper(r)) + text[size:]
}

// spaced is a word of the language as words: on_demand is on demand.
func spaced(word string) string { return strings.ReplaceAll(word, "_", " ") }

// capacityOf is the capacity of the table or an index, which has the table's
// unless it says otherwise.
func (b *builder) capacityOf(x *model.Index) model.Capacity {
	if x != nil && x.Capacity != nil {
		return *x.Capacity
	}
	return b.model.Table.Capacity
}

func modeOf(c model.Capacity) string {
	if c.OnDemand {
		return "on demand"
	}
	return "provisioned"
}

// settingsText is what a capacity sets beside its mode.
func settingsText(c model.Capacity) string {
	var out []string
	add := func(n int64, what string) {
		if n > 0 {
			out = append(out, what+" "+Count(float64(n)))
		}
	}
	add(c.MaxRead, "at most read")
	add(c.MaxWrite, "at most write")
	add(c.WarmRead, "warm for read")
	add(c.WarmWrite, "warm for write")
	add(c.Read, "read")
	add(c.Write, "write")
	if s := c.AutoScaling; s != nil {
		out = append(out, fmt.Sprintf("scaling between %s and %s at %d%%", Count(float64(s.Min)), Count(float64(s.Max)), s.Target))
	}
	if len(out) == 0 {
		return modeOf(c)
	}
	return modeOf(c) + ": " + joined(out, ", ")
}
