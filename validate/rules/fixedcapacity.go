package rules

import (
	"fmt"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/diag"
	"github.com/dynmodel/dynmodel/model/source"
	"github.com/dynmodel/dynmodel/validate"
)

func fixedCapacity() *validate.Rule {
	return &validate.Rule{
		Name: diag.FixedCapacity, Severity: diag.Warning, FoundBy: validate.ByRule, Check: checkFixedCapacity,
		Title: "provisioned capacity does not follow the traffic",
		Text:  "Provisioned capacity without auto scaling is paid for at night and throttles at the peak: what is not used in five minutes is gone, and what is over the figure is refused. Auto scaling moves the figure with the traffic, for nothing. An index has capacity of its own, and needs it as the table does.",
		Bad: `version: 1
table:
  name: notes
  partition_key: PK
  sort_key: SK
  capacity: {provisioned: {read: 100, write: 20}}
entities:
  Note:
    attributes: {user: slug, noteId: ulid, text: string}
    keys: {PK: "USER#{user}", SK: "NOTE#{noteId}"}
access_patterns:
  - {name: add-note, create: Note}
  - {name: note, get: Note}
`,
		Good: `version: 1
table:
  name: notes
  partition_key: PK
  sort_key: SK
  capacity: {provisioned: {read: 100, write: 20, autoscaling: {min: 5, max: 500}}}
entities:
  Note:
    attributes: {user: slug, noteId: ulid, text: string}
    keys: {PK: "USER#{user}", SK: "NOTE#{noteId}"}
access_patterns:
  - {name: add-note, create: Note}
  - {name: note, get: Note}
`,
		Fix: "add `autoscaling: {min: , max: }`, or take `capacity: on_demand`",
	}
}

func checkFixedCapacity(p *validate.Pass) {
	t := p.Model.Table
	if isFixed(t.Capacity) {
		p.Report(fixedFinding(nil, t.Capacity, t.At))
	}
	for _, x := range t.Indexes {
		if x.Capacity != nil && !x.Local && isFixed(*x.Capacity) && !t.Capacity.OnDemand {
			p.Report(fixedFinding(x, *x.Capacity, x.At))
		}
	}
}

func isFixed(c model.Capacity) bool { return !c.OnDemand && c.AutoScaling == nil }

func fixedFinding(x *model.Index, c model.Capacity, at source.Span) diag.Finding {
	if c.At.Known() {
		at = c.At
	}
	return diag.Finding{
		Span: at, Index: indexName(x),
		Message: fmt.Sprintf("%s has %d read and %d write units at all hours: what is over them is throttled, and what is under them is paid for", placeName(x), c.Read, c.Write),
		Fix:     fmt.Sprintf("let it follow the traffic: `autoscaling: {min: %d, max: %d}`, or `capacity: on_demand`", max(1, min(c.Read, c.Write)/4), 4*max(c.Read, c.Write)),
	}
}
