package check

import (
	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/data"
	"github.com/dynmodel/dynmodel/model/plan"
	"github.com/dynmodel/dynmodel/validate/report"
	"github.com/dynmodel/dynmodel/validate/verify"
)

// coverage adds up what the data of the patterns, as the proof has it, reaches.
func (o Options) coverage(m *model.Model, plans []*plan.Plan) []report.Coverage {
	cases := o.Cases
	if cases <= 0 {
		cases = verify.DefaultCases
	}
	gen := data.New(m, data.Options{Seed: o.Seed, Cases: cases, Items: o.Items})
	var out []report.Coverage
	for _, measure := range data.Measures() {
		out = append(out, report.Coverage{Measure: string(measure)})
	}
	for _, p := range o.chosen(plans) {
		world := gen.World(p.Pattern)
		for _, goal := range gen.Coverage(p.Pattern, world, gen.Bindings(p.Pattern, world)) {
			for i := range out {
				if out[i].Measure != string(goal.Measure) {
					continue
				}
				out[i].Total++
				if goal.Reached {
					out[i].Reached++
				} else {
					out[i].Missing = append(out[i].Missing, goal.Pattern+": "+goal.What)
				}
			}
		}
	}
	return out
}
