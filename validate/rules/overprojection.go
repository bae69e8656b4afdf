package rules

import (
	"fmt"
	"slices"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/diag"
	"github.com/dynmodel/dynmodel/model/expr"
	"github.com/dynmodel/dynmodel/model/plan"
	"github.com/dynmodel/dynmodel/validate"
)

func overProjection() *validate.Rule {
	return &validate.Rule{
		Name: diag.OverProjection, Severity: diag.Info, FoundBy: validate.ByRule, Check: checkOverProjection,
		Title: "an index copies everything and its patterns need a few attributes",
		Text: "An index with projection `all` stores every item once more, and each write of it is paid by the whole item's size. All patterns that read this index select a few attributes, which take less than half of that. " +
			"The message states the saving, from declared and usual sizes. To project more later means to make the index anew, which DynamoDB does while the table is in use.",
		Bad: `version: 1
table:
  name: articles
  partition_key: articleId
  indexes:
    ByAuthor: {partition_key: authorId, sort_key: publishedAt}
entities:
  Article:
    attributes: {articleId: ulid, authorId: ulid, publishedAt: datetime, title: {type: string, length: 1..100}, body: {type: string, length: 100..20000}}
access_patterns:
  - {name: article, get: Article}
  - {name: titles-of-author, query: Article, where: authorId = $authorId, order: publishedAt desc, page: 20, select: [articleId, title]}
`,
		Good: `version: 1
table:
  name: articles
  partition_key: articleId
  indexes:
    ByAuthor: {partition_key: authorId, sort_key: publishedAt, projection: [title]}
entities:
  Article:
    attributes: {articleId: ulid, authorId: ulid, publishedAt: datetime, title: {type: string, length: 1..100}, body: {type: string, length: 100..20000}}
access_patterns:
  - {name: article, get: Article}
  - {name: titles-of-author, query: Article, where: authorId = $authorId, order: publishedAt desc, page: 20, select: [articleId, title]}
`,
		Fix: "list the attributes that are read in `projection`",
	}
}

func checkOverProjection(p *validate.Pass) {
	for _, x := range p.Model.Table.Indexes {
		readers := users(p, x)
		if x.Projection.Type != model.ProjectAll || len(readers) == 0 {
			continue
		}
		needed, all := needs(p.Model, readers)
		if all {
			continue
		}
		narrow := *x
		narrow.Projection = model.Projection{Type: model.ProjectInclude, Attributes: needed}
		total, kept := 0.0, 0.0
		for _, e := range residents(p.Model, x) {
			total, kept = total+p.Planner.EntrySize(e, x), kept+p.Planner.EntrySize(e, &narrow)
		}
		if total == 0 || kept > total/2 {
			continue
		}
		p.Report(diag.Finding{Span: x.Name.At, Index: x.Name.Text,
			Message: fmt.Sprintf("index %s copies whole items, and its patterns read only %s: projecting those would save about %.0f%% of its storage, and write units with large items",
				x.Name.Text, list(texts(needed)), 100*(1-kept/total)),
			Fix: "list in `projection` what is read beside the keys"})
	}
}

// needs are the attributes that patterns read; all tells that some pattern
// reads whole items.
func needs(m *model.Model, readers []*plan.Plan) (names []model.Name, all bool) {
	add := func(name string) {
		if !slices.ContainsFunc(names, func(n model.Name) bool { return n.Text == name }) {
			names = append(names, model.Name{Text: name})
		}
	}
	for _, r := range readers {
		p := r.Pattern
		if p.Select == nil && !p.Count || p.Statement != nil {
			return nil, true
		}
		for _, n := range p.Select {
			add(n.Text)
		}
		for _, e := range readEntities(m, p) {
			for _, c := range p.Selects(e) {
				for _, a := range expr.Attrs(c.Cond) {
					add(a.Path.Name)
				}
			}
		}
		if len(p.Entities) > 1 && m.Table.EntityType != "" {
			add(m.Table.EntityType)
		}
	}
	return names, false
}

func texts(names []model.Name) (out []string) {
	for _, n := range names {
		out = append(out, n.Text)
	}
	return out
}
