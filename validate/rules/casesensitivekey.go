package rules

import (
	"fmt"
	"slices"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/diag"
	"github.com/dynmodel/dynmodel/model/expr"
	"github.com/dynmodel/dynmodel/model/source"
	"github.com/dynmodel/dynmodel/validate"
)

func caseSensitiveKey() *validate.Rule {
	return &validate.Rule{
		Name: diag.CaseSensitiveKey, Severity: diag.Info, FoundBy: validate.ByRule, Check: checkCaseSensitiveKey,
		Title: "a key or unique value is built from an e-mail address as it was typed",
		Text: "Keys are compared byte by byte, and people do not type their address the same way twice. Ada@example.com is not found under ada@example.com, and as a unique value it lets a second account be made for the same mailbox. " +
			"Nearly every mail system ignores the case, so that addresses are normalised before they become keys.",
		Bad: `version: 1
table:
  name: users
  partition_key: userId
  indexes:
    ByEmail: {partition_key: email}
entities:
  User:
    attributes: {userId: ulid, email: email}
access_patterns:
  - {name: user, get: User}
  - {name: users-by-email, query: User, where: email = $email}
`,
		Good: `version: 1
table:
  name: users
  partition_key: userId
  indexes:
    ByEmail: {partition_key: email}
entities:
  User:
    attributes: {userId: ulid, email: {type: email, stored: lower}}
access_patterns:
  - {name: user, get: User}
  - {name: users-by-email, query: User, where: email = $email}
`,
		Fix: "declare it as {type: email, stored: lower}, or write {email|lower} in the key and lower(email) = lower($email) in the patterns",
	}
}

func checkCaseSensitiveKey(p *validate.Pass) {
	var seen []*model.Attribute
	report := func(e *model.Entity, a *model.Attribute, span source.Span, where string) {
		if a == nil || a.Type != model.TypeEmail || a.Stored != "" || slices.Contains(seen, a) {
			return
		}
		seen = append(seen, a)
		p.Report(diag.Finding{
			Span: span, Entity: e.Name.Text,
			Message: fmt.Sprintf("%s of %s is built from %s as it was typed: Ada@example.com and ada@example.com are two different ones", where, e.Name.Text, a.Name.Text),
			Fix:     fmt.Sprintf("declare %s as {type: email, stored: lower}", a.Name.Text),
		})
	}
	for _, k := range keysOf(p.Model) {
		for _, part := range k.template.Parts {
			if !slices.ContainsFunc(part.Funcs, folds) {
				report(k.entity, part.Attribute, part.At, k.written())
			}
		}
	}
	for _, e := range p.Model.Entities {
		for _, u := range e.Unique {
			for _, k := range u.Keys {
				for _, part := range k.Template.Parts {
					if !slices.ContainsFunc(part.Funcs, folds) {
						report(e, part.Attribute, u.At, "the guard of a unique value")
					}
				}
			}
		}
	}
}

func folds(f expr.Func) bool { return f.Name == expr.Lower || f.Name == expr.Upper }
