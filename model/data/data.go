// Package data makes the items and the calls that try to break a design:
// values at the edges of what the model declares, small worlds of entities that
// agree with each other as the model says they do, and the parameters of calls
// that hit, miss and nearly hit what is there.
//
// Nothing here knows how items are stored or found. A value is never outside
// its declared domain and a world never contradicts the model, so that whatever
// goes wrong with it is the design's fault.
//
// Everything is a function of the model, the seed and the pattern's name: the
// same on every machine, in whatever order and on however many goroutines it is
// asked for.
package data

import (
	"time"

	"github.com/dynmodel/dynmodel/model"
)

// DefaultItems is how many items a world has at most when Options does not say.
const DefaultItems = 60

// Options say how much to generate. The zero Options are the defaults.
type Options struct {
	Seed  uint64    // default 1
	Cases int       // most calls of one pattern; default 100
	Items int       // most items of one world, samples included, beside half as many for what those miss; 0: DefaultItems
	Now   time.Time // what $now is in most calls; default 2026-01-01T00:00:00Z, where every time bucket begins
	// Done, once it is closed, says that nobody waits for the calls any more: no
	// further ones are made.
	Done <-chan struct{}
}

// withDefaults fills in what is not set.
func (o Options) withDefaults() Options {
	if o.Seed == 0 {
		o.Seed = 1
	}
	if o.Cases <= 0 {
		o.Cases = 100
	}
	if o.Items <= 0 {
		o.Items = DefaultItems
	}
	if o.Now.IsZero() {
		o.Now = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	}
	o.Now = o.Now.UTC()
	return o
}

// Binding is one call of a pattern.
type Binding struct {
	// Args are within the domains of their parameters: lists are not empty and
	// hold no duplicates, the ends of a range are in order and within the
	// pattern's span. An optional parameter left out has no entry, nor has an
	// optional attribute of an item to be written.
	Args model.Args
	// Now is what $now is in this call.
	Now time.Time
	// Note says what the call tries, for a person: "just below Order.placedAt of an item".
	Note string
}

// World is a set of items that agree with each other and with the model:
// references lead to items, identities and unique attributes are not shared,
// copies equal their source, derived attributes, counts and sums
// are computed, invariants hold.
type World struct {
	// Instances are in an order in which a reference's target comes first where
	// there is one. Attributes with `stored` are normalised already.
	Instances []model.Instance
	// Now is the time around which times were chosen.
	Now time.Time
}

// Of are the world's instances of one entity, in order.
func (w *World) Of(e *model.Entity) []model.Instance {
	var out []model.Instance
	for _, i := range w.Instances {
		if i.Entity == e {
			out = append(out, i)
		}
	}
	return out
}
