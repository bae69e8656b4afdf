package rules

import (
	"fmt"

	"github.com/dynmodel/dynmodel/model/cost"
	"github.com/dynmodel/dynmodel/model/diag"
	"github.com/dynmodel/dynmodel/validate"
)

func capacityMode() *validate.Rule {
	return &validate.Rule{
		Name: diag.CapacityMode, Severity: diag.Info, FoundBy: validate.ByRule, Check: checkCapacityMode,
		Title: "the other capacity mode would be cheaper",
		Text: "On demand, every unit is paid for as it is taken; provisioned capacity costs less than a third of that for what is used, and as much for what is not. Which is cheaper follows from how evenly the traffic comes. The rule compares both for the declared rates at published prices, and speaks up when the other one saves 15% and 5 dollars a month at least; peaks of four times the average that nobody foresees (`daily`) speak for on demand. " +
			"`dynmodel cost` shows the whole account.",
		Bad: `version: 1
table: notes
entities:
  Note:
    attributes: {user: slug, noteId: ulid, text: string}
    keys: {PK: "USER#{user}", SK: "NOTE#{noteId}"}
    volume: {count: 10M}
access_patterns:
  - {name: add-note, create: Note, rate: 200/s, peak: 500/s}
  - {name: note, get: Note, rate: 2k/s, peak: 5k/s}
`,
		Good: `version: 1
table:
  name: notes
  partition_key: PK
  sort_key: SK
  capacity: {provisioned: {read: 1000, write: 300, autoscaling: {min: 50, max: 10k}}}
entities:
  Note:
    attributes: {user: slug, noteId: ulid, text: string}
    keys: {PK: "USER#{user}", SK: "NOTE#{noteId}"}
    volume: {count: 10M}
access_patterns:
  - {name: add-note, create: Note, rate: 200/s, peak: 500/s}
  - {name: note, get: Note, rate: 2k/s, peak: 5k/s}
`,
		Fix: "take the other mode (`capacity: {provisioned: …}` with auto scaling, or `capacity: on_demand`); DynamoDB changes it without downtime",
	}
}

func checkCapacityMode(p *validate.Pass) {
	if p.Partial || !p.Load.Declared() {
		return
	}
	e, err := cost.Of(p.Model, cost.Options{Planner: p.Planner, Load: p.Load})
	if err != nil { // a region without published prices
		return
	}
	declared := e.Declared
	if declared == cost.Provisioned && isFixed(p.Model.Table.Capacity) {
		declared = cost.Fixed
	}
	saving := e.Total(declared) - e.Total(e.Recommended.Mode)
	if e.Recommended.Mode == e.Declared || !cost.Worthwhile(saving, e.Total(declared)) {
		return
	}
	at := p.Model.Table.Capacity.At
	if !at.Known() {
		at = p.Model.Table.Name.At
	}
	p.Report(diag.Finding{
		Span: at,
		Message: fmt.Sprintf("for the declared traffic %s capacity would cost %s a month instead of %s: %s",
			modeName(e.Recommended.Mode), dollars(e.Total(e.Recommended.Mode)), dollars(e.Total(declared)), e.Recommended.Reason),
		Fix: fmt.Sprintf("take `capacity: %s`; `dynmodel cost` shows what the figures rest on", modeKey(e.Recommended.Mode)),
	})
}

func modeName(mode string) string {
	if mode == cost.OnDemand {
		return "on-demand"
	}
	return mode
}

// modeKey is how a mode is written in a model.
func modeKey(mode string) string {
	if mode == cost.OnDemand {
		return mode
	}
	return "{provisioned: {read: , write: , autoscaling: {min: , max: }}}"
}

func dollars(x float64) string { return "$" + amount(x) }
