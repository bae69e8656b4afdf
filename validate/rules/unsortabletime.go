package rules

import (
	"fmt"
	"slices"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/diag"
	"github.com/dynmodel/dynmodel/model/expr"
	"github.com/dynmodel/dynmodel/validate"
)

func unsortableTime() *validate.Rule {
	return &validate.Rule{
		Name: diag.UnsortableTime, Severity: diag.Error, FoundBy: validate.ByRule, Check: checkUnsortableTime,
		LeadsTo: []string{diag.WrongOrder, diag.WrongResult, diag.NoIndex},
		Title:   "times are compared as texts that do not sort in time order",
		Text: "DynamoDB compares times as the texts they are. That is the order of time only if all are written alike: the same precision (10:00:00Z stands after 10:00:00.500Z) and the same zone (09:00+02:00 is earlier than 08:00Z and stands after it). " +
			"What many libraries write drops trailing zeros or keeps the caller's zone. A pattern that orders by such a time, or asks for a range of it, gets items in the wrong order and misses some at the edges.",
		Bad: `version: 1
table:
  name: calendar
  partition_key: userId
  sort_key: eventId
  indexes:
    ByStart: {partition_key: userId, sort_key: startsAt}
entities:
  Event:
    attributes: {userId: ulid, eventId: ulid, startsAt: {type: datetime, zone: any}, title: string}
access_patterns:
  - {name: event, get: Event}
  - {name: agenda, query: Event, where: userId = $userId, order: startsAt}
`,
		Good: `version: 1
table:
  name: calendar
  partition_key: userId
  sort_key: eventId
  indexes:
    ByStart: {partition_key: userId, sort_key: startsAt}
entities:
  Event:
    attributes: {userId: ulid, eventId: ulid, startsAt: datetime, title: string}
access_patterns:
  - {name: event, get: Event}
  - {name: agenda, query: Event, where: userId = $userId, order: startsAt}
`,
		Fix: "write times in UTC with one fixed precision, and declare them so; keep the caller's zone in an attribute of its own",
	}
}

func checkUnsortableTime(p *validate.Pass) {
	for _, e := range p.Model.Entities {
		for _, a := range e.Attributes {
			form := looseForm(a)
			if form == "" {
				continue
			}
			patterns := sorters(p.Model, e, expr.Path{Name: a.Name.Text})
			if len(patterns) == 0 {
				continue
			}
			pattern := patterns[0]
			p.Report(diag.Finding{
				Span: a.At, Entity: e.Name.Text, Pattern: pattern.Name.Text, Cause: a.At, Related: related(patterns),
				Message: fmt.Sprintf("%s goes by %s of %s, whose texts do not sort in time order, as they are written with %s: items come in the wrong order or are missed",
					pattern.Name.Text, a.Name.Text, e.Name.Text, form),
				Fix: fmt.Sprintf("write %s in UTC with one precision and declare it as `datetime`, with `precision: ms` where needed", a.Name.Text),
			})
		}
	}
	for _, pattern := range p.Model.Patterns {
		mixedPrecisions(p, pattern)
	}
}

// looseForm says what varies in how a time is written; "" when it sorts.
func looseForm(a *model.Attribute) string {
	switch {
	case a.Type != model.TypeDatetime:
		return ""
	case a.Domain.AnyZone:
		return "different zones"
	case a.Domain.Precision == model.PrecisionVariable:
		return "different precisions"
	}
	return ""
}

// mixedPrecisions reports a pattern over several entities that goes by a time
// which they write in different forms.
func mixedPrecisions(p *validate.Pass, pattern *model.Pattern) {
	var seen []*model.Attribute
	for _, e := range pattern.Entities {
		for _, a := range e.Attributes {
			if a.Type != model.TypeDatetime || looseForm(a) != "" || !sortsBy(pattern, expr.Path{Name: a.Name.Text}) {
				continue
			}
			i := slices.IndexFunc(seen, func(b *model.Attribute) bool { return b.Name.Text == a.Name.Text && b.Layout() != a.Layout() })
			if i >= 0 {
				p.Report(diag.Finding{
					Span: pattern.Name.At, Pattern: pattern.Name.Text, Cause: a.At,
					Message: fmt.Sprintf("%s goes by %s, which its entities write in different forms, so that the texts do not sort in time order", pattern.Name.Text, a.Name.Text),
					Fix:     fmt.Sprintf("declare %s with one precision and zone in all of them", a.Name.Text),
					Related: []diag.Related{{Span: seen[i].At, Text: "one form"}, {Span: a.At, Text: "the other"}},
				})
				return
			}
			seen = append(seen, a)
		}
	}
}
