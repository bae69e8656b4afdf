package rules

import (
	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/load"
	"github.com/dynmodel/dynmodel/validate"
)

// Half of what one partition key value can take, in units a second.
const (
	halfReads  = load.PartitionReads / 2
	halfWrites = load.PartitionWrites / 2
)

// fewItems is how many items may well share one partition.
const fewItems = 1000

// busiest is what the declared rates put on the busiest partition key value
// that an entity's items have in a place, in units a second.
func busiest(p *validate.Pass, e *model.Entity, x *model.Index) load.Units {
	if g := p.Load.Group(e, x); g != nil {
		return g.Busiest()
	}
	return load.Units{}
}

func heavy(u load.Units) bool { return u.Use() > 0.5 }

// overloaded tells whether that is all that a partition takes, or more: then
// hot-partition says it.
func overloaded(p *validate.Pass, e *model.Entity, x *model.Index) bool {
	return busiest(p, e, x).Use() >= 1
}
