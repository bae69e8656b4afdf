package cost

import (
	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/load"
)

// What DynamoDB adds to every item and every index entry, for storage alone
// (Developer Guide, "Billing for DynamoDB"; with replicas for what keeps them apart).
const (
	itemOverhead    = 100
	replicaOverhead = 48
)

// gigabyte is how many bytes a GB of the bill has: binary, as the Developer
// Guide has it.
const gigabyte = 1 << 30

// storage works out the places, with what is stored in them and the units they take.
func (s *snapshot) storage() {
	t := s.bill.model.Table
	for _, e := range s.bill.model.Entities {
		if _, known := s.planner.Count(e); !known {
			s.uncounted = append(s.uncounted, e)
		}
	}
	for _, x := range places(t) {
		p := Place{Index: x, Throughput: map[string]float64{}, Units: s.load.Average(x).Times(secondsPerMonth)}
		for _, e := range s.bill.model.Entities {
			s.store(&p, e, x)
			if x != nil {
				continue
			}
			s.guards(&p, e)
			for _, local := range t.Indexes {
				if local.Local {
					s.store(&p, e, local)
				}
			}
		}
		p.Storage = p.Bytes / gigabyte * s.bill.region.class(s.bill.class).Storage
		s.places = append(s.places, p)
		s.days = append(s.days, s.load.Hourly(x))
	}
}

func (s *snapshot) overhead() float64 {
	if len(s.bill.model.Table.Replicas) > 0 {
		return itemOverhead + replicaOverhead
	}
	return itemOverhead
}

// store adds an entity's items in the table (nil) or entries in an index, where
// a volume says how many there are.
func (s *snapshot) store(p *Place, e *model.Entity, x *model.Index) {
	if _, known := s.planner.Count(e); !known {
		return
	}
	n, _ := s.planner.EntryCount(e, x)
	p.Bytes += n * (s.planner.EntrySize(e, x) + s.overhead())
	if x == nil || !x.Local {
		p.Items += n
	}
}

// guards adds the guard items of an entity's unique attributes.
func (s *snapshot) guards(p *Place, e *model.Entity) {
	n, known := s.planner.Count(e)
	if !known {
		return
	}
	for _, u := range e.Unique {
		p.Items += n
		p.Bytes += n * (s.planner.GuardSize(u) + s.overhead())
	}
}

// stored are all bytes of the table and its indexes.
func (s *snapshot) stored() (bytes float64) {
	for _, p := range s.places {
		bytes += p.Bytes
	}
	return bytes
}

// average are the units a second of all places together.
func (s *snapshot) average() (u load.Units) {
	for _, p := range s.places {
		u = u.Plus(p.Units.Times(1.0 / secondsPerMonth))
	}
	return u
}
