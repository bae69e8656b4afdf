package rules

import (
	"fmt"
	"slices"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/diag"
	"github.com/dynmodel/dynmodel/model/plan"
	"github.com/dynmodel/dynmodel/validate"
)

func unusedIndex() *validate.Rule {
	return &validate.Rule{
		Name: diag.UnusedIndex, Severity: diag.Warning, FoundBy: validate.ByRule, Check: checkUnusedIndex,
		Title: "no access pattern uses the index",
		Text: "An index is paid for with every write of an item that is in it, in write units and in storage, whether anybody reads it or not. " +
			"No pattern of the model reads this one: either it is a remainder, or the pattern it is for is not in the model yet. While some pattern over its items finds no index at all, the rule keeps silent, as the index may be meant for that one.",
		Bad: `version: 1
table:
  name: users
  partition_key: userId
  indexes:
    ByCity: {partition_key: city}
entities:
  User:
    attributes: {userId: ulid, city: string}
access_patterns:
  - {name: user, get: User}
`,
		Good: `version: 1
table:
  name: users
  partition_key: userId
  indexes:
    ByCity: {partition_key: city}
entities:
  User:
    attributes: {userId: ulid, city: string}
access_patterns:
  - {name: user, get: User}
  - {name: users-of-city, query: User, where: city = $city}
`,
		Fix: "take the index out, or add the access pattern that needs it",
	}
}

func checkUnusedIndex(p *validate.Pass) {
	if len(p.Plans) == 0 || p.Partial {
		return // nothing, or not all, is said about use
	}
	for _, x := range p.Model.Table.Indexes {
		entities := residents(p.Model, x)
		if len(users(p, x)) > 0 || awaited(p, entities) {
			continue
		}
		message := fmt.Sprintf("no access pattern reads index %s, and every write to its items pays for it", x.Name.Text)
		if len(entities) == 0 {
			message = fmt.Sprintf("no entity has keys for index %s: it is always empty", x.Name.Text)
		}
		p.Report(diag.Finding{Span: x.Name.At, Index: x.Name.Text, Message: message,
			Fix: "take it out, or add the access pattern that needs it"})
	}
}

// awaited tells whether a pattern that reads one of the entities is not served.
func awaited(p *validate.Pass, entities []*model.Entity) bool {
	return slices.ContainsFunc(p.Plans, func(pl *plan.Plan) bool {
		unserved := slices.ContainsFunc(pl.Variants, func(v *plan.Variant) bool { return !v.Sound() })
		return unserved && slices.ContainsFunc(pl.Pattern.Entities, func(e *model.Entity) bool { return slices.Contains(entities, e) })
	})
}
