// Package simulation plays days of declared traffic against the partitions of a
// table and its indexes: which requests are throttled, and why; which key values
// are the hottest; how partitions split and capacity follows.
//
// Calls are drawn second by second from the declared rates, spread over partition
// key values as package load says, and counted in bulk: what is not one of the
// busiest values of its kind is spread evenly. Requests are not simulated one by
// one, so that a hundred million of them take seconds.
//
// Some of what DynamoDB does here is documented and some is not; Assumptions says
// for every result which is which.
package simulation

import (
	"context"
	"math/rand/v2"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/load"
	"github.com/dynmodel/dynmodel/model/plan"
)

// Config says what to play.
type Config struct {
	Model   *model.Model
	Planner *plan.Planner
	Load    *load.Load
	Seed    uint64  // 0: 1
	Days    int     // 0: 1
	Scale   float64 // times the declared traffic; 0: 1
	// New tells that the table is new: it has the partitions and, on demand, the
	// throughput that a new table begins with. Else it has served the declared
	// peak before.
	New bool
	// Progress, if set, is called after every simulated hour.
	Progress func(done, total int)
}

// Result is what came of it.
type Result struct {
	Seed     uint64
	Days     int
	Scale    float64
	New      bool
	Patterns []Pattern // those whose traffic is declared, in the model's order
	Places   []Place   // the table, then its global indexes, those with traffic
	// Collections are the item collections of the table as they grow.
	Collections []Collection
	// Assumptions say what is modelled, and what of it DynamoDB does not document.
	Assumptions []string
}

// Pattern is what became of the calls of an access pattern.
type Pattern struct {
	Pattern *model.Pattern
	// Calls is how many were made, and Throttled how many of them DynamoDB would
	// have refused at the first try.
	Calls, Throttled float64
	Causes           []Cause // of Throttled, the most first
}

// Cause is a reason why calls were throttled, and where.
type Cause struct {
	Reason Reason
	Index  *model.Index // nil: the table
	Calls  float64
}

// Reason is why DynamoDB throttles a request.
type Reason string

// The reasons.
const (
	HotPartition Reason = "hot partition"        // a partition is at 3000 RCU or 1000 WCU
	UsedUp       Reason = "provisioned capacity" // and its burst are used up
	Ramp         Reason = "on-demand ramp"       // more than twice the previous peak
	Ceiling      Reason = "on-demand maximum"    // max_read or max_write
)

// Place is the table or a global index.
type Place struct {
	Index             *model.Index // nil: the table
	Partitions        int          // at the beginning
	PartitionsAtEnd   int
	Slots             []Slot
	Rows              []Row // the hottest partitions first, and all others together
	Keys              []Key // the hottest partition key values
	Throttled, Served load.Units
}

// Calls adds up the calls of all patterns, and those throttled.
func (r *Result) Calls() (calls, throttled float64) {
	for _, p := range r.Patterns {
		calls += p.Calls
		throttled += p.Throttled
	}
	return calls, throttled
}

// SlotMinutes is how long a slot of the result is.
const SlotMinutes = 15

const (
	secondsPerMinute = 60
	minutesPerDay    = 24 * 60
)

// Slot is a quarter of an hour in a place, in units a second.
type Slot struct {
	Asked, Served, Capacity load.Units // Capacity is zero where nothing limits the place
}

// Row is a partition through time, or several that are alike.
type Row struct {
	Name  string
	Alike int
	// Keys are the key values that are in it and are among the hottest.
	Keys []string
	// Use is, by slot, the busiest minute: 1 is all that a partition serves.
	Use []float64
	// Throttled tells, by slot, whether requests to it were throttled.
	Throttled []bool
}

// Key is a partition key value.
type Key struct {
	Group *load.Group
	Rank  int        // 1 is the busiest of its group
	Peak  load.Units // a second, in its busiest minute
	// Throttled is the part of the units asked of it that was refused.
	Throttled float64
}

// Run plays the traffic. It ends early, with the context's error, when ctx ends.
func Run(ctx context.Context, c Config) (*Result, error) {
	c = c.withDefaults()
	r := newRun(c)
	minutes := c.Days * minutesPerDay
	for m := range minutes {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		r.minute(m)
		if c.Progress != nil && m%60 == 59 {
			c.Progress(m+1, minutes)
		}
	}
	return r.result(), nil
}

func (c Config) withDefaults() Config {
	if c.Seed == 0 {
		c.Seed = 1
	}
	if c.Days <= 0 {
		c.Days = 1
	}
	if c.Scale <= 0 {
		c.Scale = 1
	}
	return c
}

// run is a simulation under way.
type run struct {
	Config
	rng      *rand.Rand
	patterns []*pattern
	places   []*place // indexes first: they hold back the writes of the table
}

func newRun(c Config) *run {
	r := &run{Config: c, rng: rand.New(rand.NewPCG(c.Seed, 0))}
	for _, t := range c.Load.Traffic {
		if t.Declared && t.Peak > 0 {
			r.patterns = append(r.patterns, &pattern{traffic: rates{t}, causes: map[cause]float64{}})
		}
	}
	for _, x := range c.Model.Table.Indexes {
		if !x.Local {
			r.addPlace(x)
		}
	}
	r.addPlace(nil)
	return r
}

// addPlace adds the table or an index when traffic falls on it.
func (r *run) addPlace(x *model.Index) {
	if p := r.newPlace(x); len(p.flows) > 0 {
		r.places = append(r.places, p)
	}
}

// minute plays one minute.
func (r *run) minute(m int) {
	for _, p := range r.patterns {
		p.rate = p.traffic.at(m) * r.Scale
	}
	for range secondsPerMinute {
		for _, p := range r.patterns {
			p.calls = poisson(r.rng, p.rate)
			p.made += p.calls
			p.pass, p.blame = 1, cause{}
		}
		for _, pl := range r.places {
			pl.second(r.rng)
		}
		for _, p := range r.patterns {
			p.settle()
		}
	}
	for _, pl := range r.places {
		pl.endMinute(m, r.rng)
	}
}

func (r *run) result() *Result {
	out := &Result{Seed: r.Seed, Days: r.Days, Scale: r.Scale, New: r.New}
	for _, p := range r.patterns {
		out.Patterns = append(out.Patterns, p.result())
	}
	for _, x := range append([]*model.Index{nil}, r.Model.Table.Indexes...) {
		for _, p := range r.places {
			if p.index == x {
				out.Places = append(out.Places, p.result())
			}
		}
	}
	out.Collections = Collections(r.Model, r.Planner)
	out.Assumptions = r.assumptions()
	return out
}
