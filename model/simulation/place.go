package simulation

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/load"
)

// place is the table or a global index, with its partitions.
type place struct {
	index *model.Index
	flows []*flow
	keys  []*key
	parts []*partition
	limit limiter
	first int // partitions at the beginning

	asked, served   load.Units // in this minute
	slot            Slot
	slots           []Slot
	minutes         int // in the slot
	total, servedUp load.Units
}

// newPlace is a place with the declared traffic on it.
func (r *run) newPlace(x *model.Index) *place {
	p := &place{index: x}
	of := func(t *load.Traffic) *pattern {
		i := slices.IndexFunc(r.patterns, func(q *pattern) bool { return q.traffic.Traffic == t })
		if i < 0 {
			return nil
		}
		return r.patterns[i]
	}
	for _, g := range r.Load.Groups {
		if g.Index == x {
			p.track(g, of)
		}
	}
	for _, q := range r.patterns {
		p.addRest(q)
	}
	p.limit = r.limiter(x)
	p.split(r.partitions(x), r.rng)
	return p
}

// addRest adds what a pattern takes of the place beside the groups of its keys:
// scans, and guards.
func (p *place) addRest(q *pattern) {
	each := load.PerCall(q.traffic.Plan.Variants[0], p.index)
	for _, f := range p.flows {
		if f.pattern == q {
			each = each.Plus(f.each.Times(-1))
		}
	}
	const rounding = 1e-6
	if each.Reads > rounding || each.Writes > rounding {
		p.flows = append(p.flows, &flow{pattern: q, each: load.Units{Reads: max(0, each.Reads), Writes: max(0, each.Writes)}, rest: 1})
	}
}

// split makes the first partitions, each with the same part of the hashes, and
// puts each key into one of them by chance, as hashes are. Those without a key
// are alike.
func (p *place) split(n int, rng *rand.Rand) {
	p.first = n
	share := 1 / float64(n)
	byNumber := map[int]*partition{}
	for _, k := range p.keys {
		i := rng.IntN(n)
		if byNumber[i] == nil {
			byNumber[i] = &partition{name: strconv.Itoa(i + 1), alike: 1, share: share}
			p.parts = append(p.parts, byNumber[i])
		}
		k.at = byNumber[i]
		k.at.keys = append(k.at.keys, k)
	}
	if rest := n - len(p.parts); rest > 0 {
		p.parts = append(p.parts, &partition{name: "other", alike: float64(rest), share: share})
	}
}

// partitions is how many partitions there are.
func (p *place) partitions() int {
	n := 0.0
	for _, part := range p.parts {
		n += part.alike
	}
	return int(n)
}

// second plays a second.
func (p *place) second(rng *rand.Rand) {
	rest := p.ask(rng)
	var asked, passed load.Units
	for _, part := range p.parts {
		part.serve(rest)
		asked, passed = asked.Plus(part.asked.Times(part.alike)), passed.Plus(part.passed().Times(part.alike))
	}
	pass, why := p.limit.admit(passed)
	p.asked, p.served = p.asked.Plus(asked), p.served.Plus(load.Units{Reads: passed.Reads * pass.Reads, Writes: passed.Writes * pass.Writes})
	for _, k := range p.keys {
		k.note(pass)
	}
	p.judge(pass, why)
}

// ask spreads the calls of this second over keys, and returns what goes to no
// key in particular.
func (p *place) ask(rng *rand.Rand) (rest load.Units) {
	for _, k := range p.keys {
		k.asked = load.Units{}
		for _, kp := range k.parts {
			f := kp.flow
			calls := f.calls() * kp.part
			if !f.long() {
				calls = jitter(rng, calls)
			}
			k.asked = k.asked.Plus(p.units(f, calls))
		}
	}
	for _, f := range p.flows {
		rest = rest.Plus(p.units(f, f.calls()*f.rest))
	}
	return rest
}

// units are what calls take; what an index refuses is not written to the table.
func (p *place) units(f *flow, calls float64) load.Units {
	u := f.each.Times(calls)
	if p.index == nil {
		u.Writes *= f.pattern.pass
	}
	return u
}

// jitter is how many of the expected calls go to a key; of many, as many as expected.
func jitter(rng *rand.Rand, mean float64) float64 {
	const many = 1000
	if mean > many {
		return mean
	}
	return poisson(rng, mean)
}

// judge tells each pattern which part of its calls the place serves.
func (p *place) judge(pass load.Units, why Reason) {
	passes := make(map[*flow]load.Units, len(p.flows))
	for _, k := range p.keys {
		for _, kp := range k.parts {
			passes[kp.flow] = passes[kp.flow].Plus(k.at.pass.Times(kp.part))
		}
	}
	spread := p.spread()
	for _, f := range p.flows {
		got := passes[f].Plus(spread.Times(f.rest))
		part, reason := 1.0, HotPartition
		for _, c := range []struct{ each, partition, place float64 }{
			{f.each.Reads, got.Reads, pass.Reads}, {f.each.Writes, got.Writes, pass.Writes},
		} {
			if all := c.partition * c.place; c.each > 0 && all < part {
				part, reason = all, HotPartition
				if c.place < c.partition {
					reason = why
				}
			}
		}
		f.pattern.hold(part, cause{reason, p.index})
	}
}

// spread is the part of evenly spread units that the partitions serve.
func (p *place) spread() (u load.Units) {
	for _, part := range p.parts {
		u = u.Plus(part.pass.Times(part.share * part.alike))
	}
	return u
}

// endMinute ends a minute: partitions split, capacity follows, slots are filled.
func (p *place) endMinute(minute int, rng *rand.Rand) {
	const perSecond = 1.0 / secondsPerMinute
	asked, served := p.asked.Times(perSecond), p.served.Times(perSecond)
	p.total, p.servedUp = p.total.Plus(p.asked), p.servedUp.Plus(p.served)
	p.asked, p.served = load.Units{}, load.Units{}
	p.limit.minute(minute, asked, served)
	for _, k := range p.keys {
		k.endMinute()
	}
	for _, part := range slices.Clone(p.parts) {
		if part.endMinute(minute / SlotMinutes) {
			p.parts = append(p.parts, part.divide(p.partitions()+1, minute/SlotMinutes, rng)...)
		}
	}
	p.slot.Asked, p.slot.Served = p.slot.Asked.Plus(asked), p.slot.Served.Plus(served)
	if p.minutes++; p.minutes == SlotMinutes {
		const mean = 1.0 / SlotMinutes
		p.slots = append(p.slots, Slot{p.slot.Asked.Times(mean), p.slot.Served.Times(mean), p.limit.capacity()})
		p.slot, p.minutes = Slot{}, 0
	}
}

// note adds up what was asked of a key in this second, and refused.
func (k *key) note(pass load.Units) {
	k.minute = k.minute.Plus(k.asked)
	all := k.asked.Reads + k.asked.Writes
	k.total += all
	k.cut += all - k.asked.Reads*k.at.pass.Reads*pass.Reads - k.asked.Writes*k.at.pass.Writes*pass.Writes
}

func (k *key) endMinute() {
	mean := k.minute.Times(1.0 / secondsPerMinute)
	if mean.Use() > k.peak.Use() {
		k.peak = mean
	}
	k.minute = load.Units{}
}

// mostShown is how many partitions and keys a result shows by themselves.
const mostShown = 12

func (p *place) result() Place {
	out := Place{Index: p.index, Partitions: p.first, PartitionsAtEnd: p.partitions(), Slots: p.slots, Served: p.servedUp,
		Throttled: load.Units{Reads: max(0, p.total.Reads-p.servedUp.Reads), Writes: max(0, p.total.Writes-p.servedUp.Writes)}}
	keys := slices.Clone(p.keys)
	slices.SortStableFunc(keys, func(a, b *key) int { return cmp.Compare(b.peak.Use(), a.peak.Use()) })
	for _, k := range keys[:min(len(keys), mostShown)] {
		if k.total > 0 {
			out.Keys = append(out.Keys, Key{k.group, k.rank, k.peak, k.cut / k.total})
		}
	}
	parts := slices.Clone(p.parts)
	slices.SortStableFunc(parts, func(a, b *partition) int { return cmp.Compare(b.most(), a.most()) })
	for i, part := range parts {
		if i == mostShown {
			out.Rows = append(out.Rows, together(parts[i:], len(p.slots)))
			break
		}
		out.Rows = append(out.Rows, part.row(len(p.slots)))
	}
	return out
}

// together is the row of several partitions: the busiest of them in each slot.
func together(parts []*partition, slots int) Row {
	out := Row{Name: "other", Use: make([]float64, slots), Throttled: make([]bool, slots)}
	for _, part := range parts {
		r := part.row(slots)
		out.Alike += r.Alike
		for i := range slots {
			out.Use[i] = math.Max(out.Use[i], r.Use[i])
			out.Throttled[i] = out.Throttled[i] || r.Throttled[i]
		}
	}
	return out
}
