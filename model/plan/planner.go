package plan

import (
	"github.com/dynmodel/dynmodel/model"
)

// Planner plans the patterns of one model. It is safe for concurrent use.
type Planner struct {
	model *model.Model
}

// New makes a planner.
func New(m *model.Model) *Planner { return &Planner{model: m} }

// Pattern plans one pattern of the model.
func (p *Planner) Pattern(pattern *model.Pattern) *Plan {
	return &Plan{Pattern: pattern, Variants: []*Variant{{Pattern: pattern, model: p.model}}}
}

// For is the variant for a call: the one that leaves out exactly the optional
// parameters that args leave out.
func (p *Plan) For(args model.Args) *Variant {
	for _, v := range p.Variants {
		if v.fits(args) {
			return v
		}
	}
	return p.Variants[0]
}

func (v *Variant) fits(args model.Args) bool {
	absent := 0
	for _, q := range v.Pattern.Parameters {
		if _, given := args[q.Name]; q.Optional && !given {
			if absent == len(v.Absent) || v.Absent[absent] != q.Name {
				return false
			}
			absent++
		}
	}
	return absent == len(v.Absent)
}
