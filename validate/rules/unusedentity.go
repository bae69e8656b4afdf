package rules

import (
	"fmt"
	"slices"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/diag"
	"github.com/dynmodel/dynmodel/validate"
)

func unusedEntity() *validate.Rule {
	return &validate.Rule{
		Name: diag.UnusedEntity, Severity: diag.Info, FoundBy: validate.ByRule, Check: checkUnusedEntity,
		Title: "no access pattern reads or writes the entity",
		Text: "The entity has keys and takes part in no pattern, so that nothing about it is proved and nothing is generated for it. Either its patterns are missing from the model, or it is no longer needed. " +
			"A model without any pattern is not judged.",
		Bad: `version: 1
table: blog
entities:
  Post:
    attributes: {postId: ulid, title: string}
    keys: {PK: "POST#{postId}", SK: POST}
  Draft:
    attributes: {postId: {ref: Post}, draftId: ulid, text: string}
    keys: {PK: "POST#{postId}", SK: "DRAFT#{draftId}"}
access_patterns:
  - {name: post, get: Post}
`,
		Good: `version: 1
table: blog
entities:
  Post:
    attributes: {postId: ulid, title: string}
    keys: {PK: "POST#{postId}", SK: POST}
  Draft:
    attributes: {postId: {ref: Post}, draftId: ulid, text: string}
    keys: {PK: "POST#{postId}", SK: "DRAFT#{draftId}"}
access_patterns:
  - {name: post, get: Post}
  - {name: drafts-of-post, query: Draft, where: postId = $postId}
`,
		Fix: "add the patterns that use it, or take it out",
	}
}

func checkUnusedEntity(p *validate.Pass) {
	if len(p.Model.Patterns) == 0 || p.Partial {
		return
	}
	for _, e := range p.Model.Entities {
		if slices.ContainsFunc(p.Model.Patterns, func(q *model.Pattern) bool { return concerns(q, e) }) {
			continue
		}
		p.Report(diag.Finding{Span: e.Name.At, Entity: e.Name.Text,
			Message: fmt.Sprintf("no access pattern reads or writes %s: nothing about it is proved", e.Name.Text),
			Fix:     "add the patterns that use it, or take it out"})
	}
}

// concerns tells whether a pattern reads or writes an entity.
func concerns(p *model.Pattern, e *model.Entity) bool {
	if p.Operation == model.External {
		return false
	}
	return p.All || slices.Contains(p.Entities, e) || p.Then != nil && p.Then.Entity == e ||
		p.Statement != nil && (len(p.Statement.Returns) == 0 || slices.Contains(p.Statement.Returns, e)) ||
		slices.ContainsFunc(p.AllSteps(), func(s *model.Step) bool { return s.Entity == e })
}
