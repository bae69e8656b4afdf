package document

import (
	"fmt"

	"github.com/dynmodel/dynmodel/model"
)

// Capacity is the table's capacity mode, and what is asked of it.
type Capacity struct {
	Mode string // on demand, or provisioned
	Uses []Use
}

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
	return out
}

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
