package plan

import "github.com/dynmodel/dynmodel/model"

// Cost is what one call is expected to take at the declared volume: averages,
// save for Requests. It does not depend on any data but samples.
type Cost struct {
	// Known tells that all volumes and shares that the figures need are
	// declared. The sizes of items are always estimated, and Requests is always
	// right.
	Known     bool
	Items     float64 // items returned, or written
	ItemsRead float64 // items read, before filters
	Bytes     float64 // bytes read before filters, or written to the table
	// Kept is the part of the items read that filters keep, from 0 to 1. It can
	// be known where the number of items is not.
	Kept      float64
	KeptKnown bool
	RCU, WCU  float64 // read and write units, those of indexes included
	Requests  float64 // at most
	Pages     float64 // pages of 1 MB, over all requests
	// Indexes are the units of the table (Index nil) and of each index the call
	// reads or writes, in the order of the model.
	Indexes []IndexCost
}

// IndexCost is what a call takes of the table or one index.
type IndexCost struct {
	Index    *model.Index
	RCU, WCU float64
}

// pageBytes is what DynamoDB reads for one page of a query or scan.
const pageBytes = 1 << 20

// Cost is what one call of the variant is expected to take.
func (v *Variant) Cost() Cost {
	v.estimate.Do(func() { v.cost = v.estimated() })
	return v.cost
}

func (v *Variant) estimated() Cost {
	e := &estimator{variant: v, sizes: v.planner.sizes, census: v.planner.census}
	switch {
	case v.Read != nil:
		c := e.read(v.Read)
		if v.Each != nil {
			e.each(&c, v.Each)
		}
		if v.Then != nil {
			e.then(&c, v.Then)
		}
		return c
	case v.Write != nil:
		return e.write(v.Write)
	case v.Statement != nil:
		return Cost{Requests: 1}
	}
	return Cost{}
}

// estimator works out costs.
type estimator struct {
	variant *Variant
	sizes   *sizer
	census  *census
}

// charge adds units to the table or an index.
func (c *Cost) charge(x *model.Index, rcu, wcu float64) {
	c.RCU += rcu
	c.WCU += wcu
	for i := range c.Indexes {
		if c.Indexes[i].Index == x {
			c.Indexes[i].RCU += rcu
			c.Indexes[i].WCU += wcu
			return
		}
	}
	c.Indexes = append(c.Indexes, IndexCost{Index: x, RCU: rcu, WCU: wcu})
}

// ItemSize is the expected size of an entity's item in the table in bytes: from
// `size`, from samples, or from what its attributes declare.
func (p *Planner) ItemSize(e *model.Entity) float64 { return p.sizes.item(e) }

// EntrySize is the expected size of an entity's entry in an index in bytes.
func (p *Planner) EntrySize(e *model.Entity, x *model.Index) float64 {
	return p.sizes.entry(e, spaceOf(p.model.Table, x))
}

// Count is the expected number of an entity's items; false when no volume says.
func (p *Planner) Count(e *model.Entity) (float64, bool) {
	n := p.census.total(e)
	return n.n, n.known
}
