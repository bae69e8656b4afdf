package simulation

import (
	"math"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/load"
)

// limiter is the capacity of a whole place.
type limiter interface {
	// admit takes the units of a second and returns the parts of reads and writes
	// that are let through, and why not more.
	admit(asked load.Units) (load.Units, Reason)
	// minute tells what was asked and served, in units a second, in a minute.
	minute(minute int, asked, served load.Units)
	// capacity is what is let through in a second for any length of time.
	capacity() load.Units
}

// limiter is that of the table or an index as it is declared.
func (r *run) limiter(x *model.Index) limiter {
	t := r.Model.Table
	c := t.Capacity
	if x != nil && x.Capacity != nil {
		c = *x.Capacity
	}
	if t.Capacity.OnDemand {
		return r.onDemand(x, c)
	}
	return newProvisioned(c)
}

// What a new on-demand table serves at once (Developer Guide, "On-demand capacity
// mode").
const (
	newTableReads  = 12000
	newTableWrites = 4000
)

// rampMinutes is how long on-demand capacity takes to follow: more than twice
// the peak before it may be throttled (the same page).
const rampMinutes = 30

// onDemand is capacity that follows traffic.
type onDemand struct {
	floor  load.Units // what is there in any case
	most   load.Units // max_read and max_write; 0: none
	before load.Units // the highest minute that is at least half an hour old
	recent [rampMinutes]load.Units
}

func (r *run) onDemand(x *model.Index, c model.Capacity) *onDemand {
	o := &onDemand{floor: load.Units{Reads: max(newTableReads, float64(c.WarmRead)), Writes: max(newTableWrites, float64(c.WarmWrite))},
		most: load.Units{Reads: float64(c.MaxRead), Writes: float64(c.MaxWrite)}}
	if !r.New {
		o.before = r.Load.Peak(x)
	}
	return o
}

func (o *onDemand) admit(asked load.Units) (load.Units, Reason) {
	ramp := o.ramp()
	pass := load.Units{Reads: within1(ramp.Reads, asked.Reads), Writes: within1(ramp.Writes, asked.Writes)}
	reason := Ramp
	if o.most.Reads > 0 && within1(o.most.Reads, asked.Reads) < pass.Reads {
		pass.Reads, reason = within1(o.most.Reads, asked.Reads), Ceiling
	}
	if o.most.Writes > 0 && within1(o.most.Writes, asked.Writes) < pass.Writes {
		pass.Writes, reason = within1(o.most.Writes, asked.Writes), Ceiling
	}
	return pass, reason
}

func (o *onDemand) ramp() load.Units {
	return load.Units{Reads: max(o.floor.Reads, 2*o.before.Reads), Writes: max(o.floor.Writes, 2*o.before.Writes)}
}

func (o *onDemand) minute(minute int, _, served load.Units) {
	i := minute % rampMinutes
	old := o.recent[i]
	o.recent[i] = served
	o.before = load.Units{Reads: max(o.before.Reads, old.Reads), Writes: max(o.before.Writes, old.Writes)}
}

func (o *onDemand) capacity() load.Units {
	c := o.ramp()
	if o.most.Reads > 0 {
		c.Reads = min(c.Reads, o.most.Reads)
	}
	if o.most.Writes > 0 {
		c.Writes = min(c.Writes, o.most.Writes)
	}
	return c
}

// provisioned is capacity that is paid for, read and write each for itself.
type provisioned struct{ reads, writes reserve }

func newProvisioned(c model.Capacity) *provisioned {
	return &provisioned{newReserve(float64(c.Read), c.AutoScaling), newReserve(float64(c.Write), c.AutoScaling)}
}

func (p *provisioned) admit(asked load.Units) (load.Units, Reason) {
	return load.Units{Reads: p.reads.admit(asked.Reads), Writes: p.writes.admit(asked.Writes)}, UsedUp
}

func (p *provisioned) minute(minute int, asked, _ load.Units) {
	p.reads.minute(minute, asked.Reads)
	p.writes.minute(minute, asked.Writes)
}

func (p *provisioned) capacity() load.Units {
	return load.Units{Reads: p.reads.units, Writes: p.writes.units}
}

// burstSeconds is how long unused capacity is kept for bursts (Developer Guide,
// "Burst capacity").
const burstSeconds = 300

// reserve is provisioned capacity with what it saved up.
type reserve struct {
	units, saved float64
	scaling      *model.AutoScaling // nil: none
	above, below int                // minutes in a row over and under the target
	pending      float64            // capacity that is on its way; 0: none
	due          int                // minutes until it is there
	decreases    int                // left today
}

func newReserve(units float64, a *model.AutoScaling) reserve {
	if a != nil {
		units = max(units, float64(a.Min))
	}
	units = max(units, 1)
	return reserve{units: units, saved: units * burstSeconds, scaling: a, decreases: firstDecreases}
}

func (r *reserve) admit(asked float64) float64 {
	if asked <= r.units {
		r.saved = min(r.saved+r.units-asked, r.units*burstSeconds)
		return 1
	}
	extra := min(asked-r.units, r.saved)
	r.saved -= extra
	return (r.units + extra) / asked
}

// How auto scaling follows (Developer Guide, "Managing throughput capacity
// automatically with DynamoDB auto scaling"): it raises capacity after two
// minutes over the target, and lowers it after fifteen well under it. How long an
// update takes is not documented.
const (
	raiseAfter = 2
	lowerAfter = 15
	lowerUnder = 0.8 // of the target
	updateTime = 2   // minutes

	firstDecreases = 4 // a day, and one more an hour ("Quotas")
)

func (r *reserve) minute(minute int, asked float64) {
	if r.scaling == nil {
		return
	}
	r.refill(minute)
	if r.pending > 0 {
		if r.due--; r.due <= 0 {
			r.units, r.pending = r.pending, 0
		}
		return
	}
	target := float64(r.scaling.Target) / 100
	use := asked / r.units
	r.above, r.below = next(r.above, use > target), next(r.below, use < target*lowerUnder)
	want := min(max(math.Ceil(asked/target), float64(r.scaling.Min)), float64(r.scaling.Max))
	switch {
	case r.above >= raiseAfter && want > r.units:
		r.pending, r.due, r.above = want, updateTime, 0
	case r.below >= lowerAfter && want < r.units && r.decreases > 0:
		r.pending, r.due, r.below = want, updateTime, 0
		r.decreases--
	}
}

// refill gives back decreases: four at midnight, UTC, and one each hour up to that.
func (r *reserve) refill(minute int) {
	if minute%60 == 0 {
		r.decreases = min(r.decreases+1, firstDecreases)
	}
	if minute%minutesPerDay == 0 {
		r.decreases = firstDecreases
	}
}

// next counts on while something holds.
func next(n int, holds bool) int {
	if holds {
		return n + 1
	}
	return 0
}

// partitionBytes is what a partition holds at most (Developer Guide, "Quotas").
const partitionBytes = 10 << 30

// partitions is how many partitions a place has at the beginning: enough for its
// items, for the capacity that is declared, and on demand for what a table serves
// at once.
func (r *run) partitions(x *model.Index) int {
	c := r.limiter(x).capacity()
	n := max(math.Ceil(r.bytes(x)/partitionBytes), math.Ceil(c.Reads/load.PartitionReads), math.Ceil(c.Writes/load.PartitionWrites), 1)
	return int(min(n, mostPartitions))
}

// mostPartitions bounds the work; beyond it, partitions are all alike.
const mostPartitions = 2000

// bytes is what a place holds at the declared volume.
func (r *run) bytes(x *model.Index) float64 {
	sum := 0.0
	for _, e := range r.Model.Entities {
		n, known := r.Planner.Count(e)
		switch {
		case !known:
		case x == nil:
			sum += n * r.Planner.ItemSize(e)
		default:
			sum += n * r.Planner.EntrySize(e, x)
		}
	}
	return sum
}
