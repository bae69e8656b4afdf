package simulation

import (
	"math"

	"github.com/dynmodel/dynmodel/model/load"
)

// mostTracked is how many of the busiest key values of a group are looked at
// one by one.
const mostTracked = 128

// key is a partition key value that is looked at by itself: the n-th busiest of
// its group. The busiest value of every pattern is taken to be the same.
type key struct {
	group *load.Group
	rank  int
	parts []keyPart
	at    *partition

	asked      load.Units // in this second
	minute     load.Units
	peak       load.Units
	total, cut float64 // units asked of it in all, and refused
}

// keyPart is the part of a flow that goes to a key.
type keyPart struct {
	flow *flow
	part float64
}

// flow is what the calls of a pattern take of a place, from one group of its
// keys or from no key in particular.
type flow struct {
	pattern *pattern
	each    load.Units // a call
	rest    float64    // the part that goes to no key that is looked at
}

// longCall is the use of one call above which it reads or writes page after page
// and takes its time: it is spread evenly instead of falling into one second.
const longCall = 0.1

func (f *flow) long() bool { return f.each.Use() > longCall }

// calls are the pattern's calls in this second, as far as they fall into it.
func (f *flow) calls() float64 {
	if f.long() {
		return f.pattern.rate
	}
	return f.pattern.calls
}

// track adds the busiest values of a group and the flows to all of them; of gives
// the pattern of some traffic, nil when that has no calls.
func (p *place) track(g *load.Group, of func(*load.Traffic) *pattern) {
	var keys [mostTracked]*key
	for _, part := range g.Loads {
		pattern := of(part.Traffic)
		if pattern == nil {
			continue // it is never called
		}
		f := &flow{pattern: pattern, each: part.All.Times(1 / part.Traffic.Peak), rest: 1}
		p.flows = append(p.flows, f)
		for i, share := range tops(part.Share) {
			if keys[i] == nil {
				keys[i] = &key{group: g, rank: i + 1}
				p.keys = append(p.keys, keys[i])
			}
			keys[i].parts = append(keys[i].parts, keyPart{f, share})
			f.rest -= share
		}
	}
}

// tops are the shares of the busiest values, the first one first, as far as they
// matter. Each shard of a value is a key of its own.
func tops(s load.Share) []float64 {
	if !s.Known || s.Top <= 0 {
		return nil
	}
	values := min(s.Values*s.Shards, mostTracked)
	var out []float64
	left := 1.0
	for k := 1.0; k <= values && left > 0; k++ {
		share := min(nth(s, k), left)
		if share < least {
			break
		}
		out, left = append(out, share), left-share
	}
	return out
}

// least is the share below which a key is one of many.
const least = 0.0005

// nth is the share of the n-th busiest key.
func nth(s load.Share, n float64) float64 {
	rank := math.Ceil(n / s.Shards)
	switch {
	case s.Skew == "zipf":
		return s.Top / rank
	case rank == 1:
		return s.Top
	case s.Values <= 1:
		return 0
	}
	return (1 - s.Top*s.Shards) / (s.Values - 1) / s.Shards
}
