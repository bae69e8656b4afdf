package rules

import (
	"fmt"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/diag"
	"github.com/dynmodel/dynmodel/model/expr"
	"github.com/dynmodel/dynmodel/validate"
)

func expiredItemsVisible() *validate.Rule {
	return &validate.Rule{
		Name: diag.ExpiredItemsVisible, Severity: diag.Warning, FoundBy: validate.ByRule, Check: checkExpiredItemsVisible,
		Title: "items that have expired are still returned",
		Text: "DynamoDB deletes an expired item when it gets round to it, within days. Until then it is read, counted and found in every index like any other, so that a session that has ended still logs in. A query or scan has to leave expired items out itself. " +
			"For a `get` it is a remark: the reader of a single item can look at it, and `filter` says that it does.",
		Bad: `version: 1
table: {name: web, partition_key: PK, sort_key: SK, ttl: expiresAt}
entities:
  Session:
    attributes: {user: slug, sessionId: uuid, expiresAt: epoch}
    keys: {PK: "USER#{user}", SK: "SESSION#{sessionId}"}
access_patterns:
  - {name: sessions, query: Session, where: user = $user}
`,
		Good: `version: 1
table: {name: web, partition_key: PK, sort_key: SK, ttl: expiresAt}
entities:
  Session:
    attributes: {user: slug, sessionId: uuid, expiresAt: epoch}
    keys: {PK: "USER#{user}", SK: "SESSION#{sessionId}"}
access_patterns:
  - {name: sessions, query: Session, where: user = $user AND expiresAt > $now, allow_filter: true}
`,
		Fix: "add `expiresAt > $now` (the table's TTL attribute) to `where`, or to the `filter` of a get; `live: expiresAt > $now` on the entity adds it to every read",
	}
}

func checkExpiredItemsVisible(p *validate.Pass) {
	if p.Model.Table.TTL == nil {
		return
	}
	ttl := p.Model.Table.TTL.Text
	for _, pattern := range p.Model.Patterns {
		for _, e := range readEntities(p.Model, pattern) {
			if a := e.Attribute(ttl); a == nil || notSeconds(a) != "" || excludesExpired(pattern, e, ttl) {
				continue // without a time in seconds nothing expires
			}
			severity := diag.Info
			if pattern.Operation == model.Query || pattern.Operation == model.Scan {
				severity = diag.Warning
			}
			p.Report(diag.Finding{
				Severity: severity, Span: pattern.Name.At, Pattern: pattern.Name.Text, Entity: e.Name.Text,
				Message: fmt.Sprintf("%s returns %s items that have expired, for DynamoDB can take days to delete them", pattern.Name.Text, e.Name.Text),
				Fix:     fmt.Sprintf("leave them out by `%s: %s`", clause(pattern), expr.String(notExpired(pattern, e, ttl))),
			})
		}
	}
}

// clause is the key of a pattern that can leave items out.
func clause(p *model.Pattern) string {
	if p.Operation == model.Query || p.Operation == model.Scan {
		return "where"
	}
	return "filter"
}

// notExpired is the condition that leaves out an entity's expired items, and
// leaves alone those of others.
func notExpired(p *model.Pattern, e *model.Entity, ttl string) expr.Cond {
	attr := &expr.Attr{Path: expr.Path{Name: ttl}}
	if len(p.Entities) > 1 {
		attr.Entity = e.Name.Text
	}
	return &expr.Compare{Op: expr.Gt, Left: attr, Right: &expr.Now{}}
}

// readEntities are the entities whose items a pattern gives to its caller.
func readEntities(m *model.Model, p *model.Pattern) []*model.Entity {
	switch {
	case p.Operation.WritesEach(), p.Operation == model.External:
		return nil
	case p.All:
		return m.Entities
	case p.Operation.IsRead() && len(p.Entities) == 0:
		var out []*model.Entity
		for _, s := range p.AllSteps() {
			out = append(out, s.Entity)
		}
		return out
	}
	return p.Entities
}

// excludesExpired tells whether what the pattern says of an entity leaves out
// the items whose time has come.
func excludesExpired(p *model.Pattern, e *model.Entity, ttl string) bool {
	var known expr.Cond
	for _, c := range []*model.Condition{p.Where, p.Filter, e.Live} { // include_dead says that they are wanted
		if c != nil {
			known = expr.All(known, expr.ForEntity(c.Cond, e.Name.Text))
		}
	}
	attr := &expr.Attr{Path: expr.Path{Name: ttl}}
	alive := &expr.Or{Terms: []expr.Cond{
		&expr.Test{Name: expr.AttributeNotExists, X: attr},
		&expr.Compare{Op: expr.Ge, Left: attr, Right: &expr.Now{}},
	}}
	return known != nil && expr.Implies(known, alive, func(*expr.Attr) expr.Domain { return expr.Domain{} })
}
