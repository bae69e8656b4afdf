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
	// Charges are what the units are taken for, in the order of the plan; their
	// sums are RCU and WCU.
	Charges []Charge
}

// Charge is what a call takes of the table or an index for one purpose.
type Charge struct {
	Index *model.Index // nil: the table
	// Entity is what is read or written; nil of a read that finds several.
	Entity *model.Entity
	// Action is what writes, and Read what reads; of a write that reads first
	// the read has an Action too. Exactly one of them is set otherwise.
	Action *Action
	Read   *Read
	// Guard tells that it is for the guard of a unique attribute.
	Guard    bool
	RCU, WCU float64
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

// charge adds the units of a charge to the sums.
func (c *Cost) charge(by Charge) {
	c.Charges = append(c.Charges, by)
	c.RCU += by.RCU
	c.WCU += by.WCU
	for i := range c.Indexes {
		if c.Indexes[i].Index == by.Index {
			c.Indexes[i].RCU += by.RCU
			c.Indexes[i].WCU += by.WCU
			return
		}
	}
	c.Indexes = append(c.Indexes, IndexCost{Index: by.Index, RCU: by.RCU, WCU: by.WCU})
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

// EntryCount is the expected number of an entity's entries in an index; false
// when no volume or share says.
func (p *Planner) EntryCount(e *model.Entity, x *model.Index) (float64, bool) {
	estimator := &estimator{sizes: p.sizes, census: p.census}
	n := p.census.total(e).times(estimator.inIndex(spaceOf(p.model.Table, x), e, nil))
	return n.n, n.known
}

// GuardSize is the expected size of the guard item of a unique attribute in bytes.
func (p *Planner) GuardSize(u *model.Unique) float64 {
	n := 0.0
	for _, k := range u.Keys {
		n += float64(len(k.Name.Text)) + templateSize(k.Template)
	}
	return n
}
