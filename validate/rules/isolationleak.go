package rules

import (
	"fmt"
	"slices"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/diag"
	"github.com/dynmodel/dynmodel/model/expr"
	"github.com/dynmodel/dynmodel/validate"
)

func isolationLeak() *validate.Rule {
	return &validate.Rule{
		Name: diag.IsolationLeak, Severity: diag.Error, FoundBy: validate.ByRule, Check: checkIsolationLeak,
		Title: "one call returns items of two tenants",
		Text: "`isolate_by` names the attribute that separates whose data is whose. The pattern was run, and one call returned items with two values of it. As a remark, it also fires for a read of at most one item that does not ask for the attribute: whoever guesses an id then reads another tenant's item, unless the application looks. " +
			"`across: true` says that a pattern is for those who may see everything.",
		Bad: `version: 1
table:
  name: crm
  partition_key: PK
  sort_key: SK
  isolate_by: tenant
  indexes:
    ByTopic: {partition_key: topic, sort_key: ticketId}
entities:
  Ticket:
    attributes: {tenant: slug, ticketId: ulid, topic: slug}
    keys: {PK: "TENANT#{tenant}", SK: "TICKET#{ticketId}"}
access_patterns:
  - {name: tickets-of-topic, query: Ticket, where: topic = $topic, page: 20}
`,
		Good: `version: 1
table:
  name: crm
  partition_key: PK
  sort_key: SK
  isolate_by: tenant
  indexes:
    ByTopic: {partition_key: TopicPK, sort_key: ticketId}
entities:
  Ticket:
    attributes: {tenant: slug, ticketId: ulid, topic: slug}
    keys:
      PK: TENANT#{tenant}
      SK: TICKET#{ticketId}
      TopicPK: TENANT#{tenant}#{topic}
access_patterns:
  - {name: tickets-of-topic, query: Ticket, where: tenant = $tenant AND topic = $topic, page: 20}
`,
		Fix: "fix the attribute in `where`, with a key that begins with it; `across: true` where the pattern may cross",
	}
}

// checkIsolationLeak makes the remark; the error comes from running the pattern.
func checkIsolationLeak(p *validate.Pass) {
	if p.Model.Table.IsolateBy == nil {
		return
	}
	by := p.Model.Table.IsolateBy.Text
	for _, pattern := range p.Model.Patterns {
		if pattern.Across || !pattern.One && pattern.Operation != model.Get {
			continue
		}
		for _, e := range pattern.Entities {
			if e.Attribute(by) == nil || binds(pattern, e, by) {
				continue
			}
			p.Report(diag.Finding{
				Severity: diag.Info, Span: pattern.Name.At, Pattern: pattern.Name.Text, Entity: e.Name.Text,
				Message: fmt.Sprintf("%s does not ask for %s: whoever knows the key reads the %s of another %s", pattern.Name.Text, by, e.Name.Text, by),
				Fix:     fmt.Sprintf("add `%s = $%s`, compare it after the read, or say `across: true`", by, by),
			})
		}
	}
}

// binds tells whether a call fixes the attribute of an entity, itself or
// through a reference, which leads to one value of it.
func binds(p *model.Pattern, e *model.Entity, by string) bool {
	return slices.ContainsFunc(fixedAttributes(p, e), func(a *model.Attribute) bool {
		return a.Name.Text == by || a.Ref != nil && a.Ref.Entity.Attribute(by) != nil
	})
}

// fixedAttributes are the attributes of an entity that a call gives by value:
// those in the keys of a get, and those that `where` equates.
func fixedAttributes(p *model.Pattern, e *model.Entity) (out []*model.Attribute) {
	if p.Operation == model.Get {
		for _, k := range e.Keys {
			if p.Where == nil {
				for _, part := range k.Template.Parts {
					if part.Attribute != nil {
						out = append(out, part.Attribute)
					}
				}
			}
		}
	}
	if p.Where == nil {
		return out
	}
	for _, c := range expr.Conjuncts(expr.ForEntity(p.Where.Cond, e.Name.Text)) {
		equation, ok := c.(*expr.Compare)
		if !ok || equation.Op != expr.Eq {
			continue
		}
		for _, a := range expr.Attrs(equation) {
			if attribute := e.Attribute(a.Path.Name); attribute != nil {
				out = append(out, attribute)
			}
		}
	}
	return out
}
