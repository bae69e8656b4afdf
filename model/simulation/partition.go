package simulation

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"strconv"

	"github.com/dynmodel/dynmodel/model/load"
)

// partition holds a part of the hashes of a place's partition key values; or it
// stands for several that are alike, since none of them has a key that is looked
// at by itself.
type partition struct {
	name  string
	alike float64 // how many it stands for
	share float64 // of what is spread evenly, that of one
	keys  []*key  // that are looked at by themselves

	asked, pass load.Units // in this second: units asked of it, the parts that it serves
	minute      load.Units
	refused     bool // in this minute
	hot         int  // minutes without a break

	from      int // the slot it began in
	use       []float64
	throttled []bool
}

// serve takes this second's units, as far as a partition can; those of one.
func (p *partition) serve(rest load.Units) {
	p.asked = rest.Times(p.share)
	for _, k := range p.keys {
		p.asked = p.asked.Plus(k.asked)
	}
	p.pass = load.Units{Reads: within1(load.PartitionReads, p.asked.Reads), Writes: within1(load.PartitionWrites, p.asked.Writes)}
	p.minute = p.minute.Plus(p.asked)
	p.refused = p.refused || p.pass.Reads < 1 || p.pass.Writes < 1
}

// within1 is the part of what is asked that a limit lets through.
func within1(limit, asked float64) float64 {
	if asked <= limit {
		return 1
	}
	return limit / asked
}

// passed are the units that the partition serves in this second.
func (p *partition) passed() load.Units {
	return load.Units{Reads: p.asked.Reads * p.pass.Reads, Writes: p.asked.Writes * p.pass.Writes}
}

// When a partition splits. DynamoDB splits partitions for heat and does not say
// when; this is how long a partition is near its limit here before it does.
const (
	hotUse     = 0.9
	hotMinutes = 10
)

// endMinute fills in the slot, and tells whether the partition splits now.
func (p *partition) endMinute(slot int) bool {
	use := p.minute.Times(1.0 / secondsPerMinute).Use()
	for len(p.use) <= slot-p.from {
		p.use, p.throttled = append(p.use, 0), append(p.throttled, false)
	}
	i := slot - p.from
	p.use[i] = max(p.use[i], use)
	p.throttled[i] = p.throttled[i] || p.refused
	p.minute, p.refused = load.Units{}, false
	if use < hotUse {
		p.hot = 0
		return false
	}
	p.hot++
	return p.hot >= hotMinutes && p.divisible()
}

// worthwhile is the use, beside its one key, below which a partition is not
// divided any further.
const worthwhile = 0.02

// divisible tells whether there is anything to divide: one key value stays whole.
func (p *partition) divisible() bool {
	if len(p.keys) != 1 {
		return true
	}
	return p.asked.Use()-p.keys[0].asked.Use() > worthwhile
}

// divide gives half of the hashes, and the keys among them, to a new partition,
// the number of which is given. Partitions that are alike all do. The busiest key of several, or a key beside what is spread, is left alone in
// the end, as splits go on.
func (p *partition) divide(number, slot int, rng *rand.Rand) []*partition {
	p.hot = 0
	p.share /= 2
	if len(p.keys) == 0 {
		p.alike *= 2
		return nil
	}
	other := &partition{name: strconv.Itoa(number), alike: 1, share: p.share, from: slot}
	if len(p.keys) > 1 {
		busiest := slices.MaxFunc(p.keys, func(a, b *key) int { return cmp.Compare(a.peak.Use(), b.peak.Use()) })
		var kept []*key
		for _, k := range p.keys {
			if k == busiest || rng.IntN(2) == 0 {
				kept = append(kept, k)
			} else {
				k.at, other.keys = other, append(other.keys, k)
			}
		}
		p.keys = kept
	}
	return []*partition{other}
}

func (p *partition) most() float64 {
	most := 0.0
	for _, u := range p.use {
		most = max(most, u)
	}
	return most
}

func (p *partition) row(slots int) Row {
	out := Row{Name: p.name, Alike: int(p.alike), Use: make([]float64, slots), Throttled: make([]bool, slots)}
	copy(out.Use[min(p.from, slots):], p.use)
	copy(out.Throttled[min(p.from, slots):], p.throttled)
	for _, k := range p.keys {
		out.Keys = append(out.Keys, k.group.Key+" no. "+strconv.Itoa(k.rank))
	}
	return out
}
