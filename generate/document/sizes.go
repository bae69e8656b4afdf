package document

import (
	"slices"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/encode"
)

// Size is how many items of an entity there are and how large they are, as
// expected of what is declared.
type Size struct {
	Entity string
	// Volume is what the model declares: "50 per Customer"; "" for nothing.
	Volume    string
	Known     bool // Count follows from what is declared
	Count     float64
	ItemBytes float64
	// Indexes are the indexes that hold the items, each with the size of an entry.
	Indexes []Entry
}

// Bytes is the size of all items in the table.
func (s Size) Bytes() float64 { return s.Count * s.ItemBytes }

// Entry is an item's entry in an index.
type Entry struct {
	Index string
	Bytes float64
	// Some tells that a condition or an optional attribute decides whether an
	// item is in the index.
	Some bool
}

// Total is how many items there are and how large the table is, without its
// indexes; false when not all volumes are declared.
func (d Document) Total() (count, bytes float64, known bool) {
	for _, s := range d.Sizes {
		if !s.Known {
			return 0, 0, false
		}
		count += s.Count
		bytes += s.Bytes()
	}
	return count, bytes, len(d.Sizes) > 0
}

func (b *builder) sizes() []Size {
	var out []Size
	for _, e := range b.model.Entities {
		s := Size{Entity: e.Name.Text, Volume: volumesText(e), ItemBytes: b.planner.ItemSize(e)}
		s.Count, s.Known = b.planner.Count(e)
		for _, x := range b.model.Table.Indexes {
			if b.keyed(e, x) {
				s.Indexes = append(s.Indexes, Entry{Index: x.Name.Text, Bytes: b.planner.EntrySize(e, x), Some: b.sparse(e, x)})
			}
		}
		out = append(out, s)
	}
	return out
}

// keyed tells whether an entity makes all keys of an index.
func (b *builder) keyed(e *model.Entity, x *model.Index) bool {
	return !slices.ContainsFunc(x.Keys(), func(k model.KeyAttribute) bool {
		_, ok := encode.KeyTemplate(b.model.Table, e, k.Name)
		return !ok
	})
}

// sparse tells whether only some items of an entity may be in an index.
func (b *builder) sparse(e *model.Entity, x *model.Index) bool {
	return slices.ContainsFunc(x.Keys(), func(k model.KeyAttribute) bool {
		if key := e.Key(k.Name); key != nil && key.When != nil {
			return true
		}
		t, _ := encode.KeyTemplate(b.model.Table, e, k.Name)
		return slices.ContainsFunc(t.Parts, func(p model.Part) bool { return p.Attribute != nil && p.Attribute.Optional })
	})
}

func volumesText(e *model.Entity) string {
	var out []string
	for _, v := range e.Volumes {
		out = append(out, volumeText(v))
	}
	return joined(out, ", ")
}

func volumeText(v *model.Volume) string {
	var text string
	switch {
	case v.Rate != nil:
		text = v.Rate.Text
	case v.Count.Max > 0 && v.Count.Min != v.Count.Max:
		text = Count(float64(v.Count.Min)) + " to " + Count(float64(v.Count.Max))
	case v.Count.Max > 0:
		text = Count(float64(v.Count.Max))
	}
	if v.Per.Text != "" {
		text += " per " + v.Per.Text
	}
	if v.Average > 0 {
		text += ", on average " + Count(v.Average)
	}
	if v.Keep > 0 {
		text += ", kept " + duration(v.Keep)
	}
	if v.Growth != nil {
		text += ", growing " + Count(v.Growth.Percent) + "% every " + duration(v.Growth.Per)
	}
	return text
}

// Mix is the declared traffic of all patterns.
type Mix struct {
	Known         bool // some rate is declared
	Reads, Writes Traffic
	// Without are the patterns of the table without a rate: they are not counted.
	Without []string
	// Guessed are the patterns whose calls take a number of units that nothing
	// declares: how many items they find is a guess.
	Guessed []string
	// Loads are the patterns by what they ask for, the greatest first.
	Loads []Load
	// Hours are the units a second in each hour of the day, in UTC.
	Hours [24]Units
}

// Traffic is how often patterns are called in a second, and the units they take.
type Traffic struct{ Calls, PeakCalls, Units, PeakUnits float64 }

// Units are read and write units in a second.
type Units struct{ Reads, Writes float64 }

// Load is what a pattern asks for in a second.
type Load struct {
	Pattern       string
	Average, Peak Units
}

// ReadShare is the part of all calls that read.
func (m Mix) ReadShare() float64 {
	if all := m.Reads.Calls + m.Writes.Calls; all > 0 {
		return m.Reads.Calls / all
	}
	return 0
}

func (b *builder) mix() Mix {
	m := Mix{Known: b.load.Declared()}
	for _, t := range b.load.Traffic {
		p := t.Plan.Pattern
		if p.Operation == model.External {
			continue
		}
		if !t.Declared {
			m.Without = append(m.Without, p.Name.Text)
			continue
		}
		c := t.Plan.Variants[0].Cost()
		if !c.Known {
			m.Guessed = append(m.Guessed, p.Name.Text)
		}
		of := &m.Writes
		if reads(p) {
			of = &m.Reads
		}
		of.Calls += t.Average
		of.PeakCalls += t.Peak
		of.Units += t.Average * (c.RCU + c.WCU)
		of.PeakUnits += t.Peak * (c.RCU + c.WCU)
		m.Loads = append(m.Loads, Load{p.Name.Text, Units{c.RCU * t.Average, c.WCU * t.Average}, Units{c.RCU * t.Peak, c.WCU * t.Peak}})
	}
	slices.SortStableFunc(m.Loads, func(a, c Load) int {
		return descending(a.Average.Reads+a.Average.Writes, c.Average.Reads+c.Average.Writes)
	})
	for _, x := range b.throughputs() {
		for h, u := range b.load.Hourly(x) {
			m.Hours[h].Reads += u.Reads
			m.Hours[h].Writes += u.Writes
		}
	}
	return m
}

// throughputs are the table and the indexes that have a throughput of their own:
// a local index takes the table's.
func (b *builder) throughputs() []*model.Index {
	return slices.DeleteFunc(b.spaces(), func(x *model.Index) bool { return x != nil && x.Local })
}
