package rules

import (
	"fmt"
	"slices"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/diag"
	"github.com/dynmodel/dynmodel/model/value"
	"github.com/dynmodel/dynmodel/validate"
)

func mergeableIndexes() *validate.Rule {
	return &validate.Rule{
		Name: diag.MergeableIndexes, Severity: diag.Info, FoundBy: validate.ByRule, Check: checkMergeableIndexes,
		Title: "two indexes could be one",
		Text: "The two indexes hold different entities under keys that templates make and that cannot meet, with the same projection. One index can hold both: each entity fills its keys in its own way. " +
			"A table may have 20 global indexes, each with its own capacity to watch and its own backfill when it is added; an overloaded one serves the next entity without any of that.",
		Bad: `version: 1
table:
  name: school
  partition_key: PK
  indexes:
    Teachers: {partition_key: TeacherPK, sort_key: TeacherSK}
    Pupils: {partition_key: PupilPK, sort_key: PupilSK}
entities:
  Teacher:
    attributes: {teacherId: ulid, subject: slug, name: string}
    keys: {PK: "TEACHER#{teacherId}", TeacherPK: "SUBJECT#{subject}", TeacherSK: "TEACHER#{name}"}
  Pupil:
    attributes: {pupilId: ulid, form: slug, name: string}
    keys: {PK: "PUPIL#{pupilId}", PupilPK: "FORM#{form}", PupilSK: "PUPIL#{name}"}
access_patterns:
  - {name: teacher, get: Teacher}
  - {name: pupil, get: Pupil}
  - {name: teachers-of-subject, query: Teacher, where: subject = $subject}
  - {name: pupils-of-form, query: Pupil, where: form = $form}
`,
		Good: `version: 1
table:
  name: school
  partition_key: PK
  indexes:
    GSI1: {partition_key: GSI1PK, sort_key: GSI1SK}
entities:
  Teacher:
    attributes: {teacherId: ulid, subject: slug, name: string}
    keys: {PK: "TEACHER#{teacherId}", GSI1PK: "SUBJECT#{subject}", GSI1SK: "TEACHER#{name}"}
  Pupil:
    attributes: {pupilId: ulid, form: slug, name: string}
    keys: {PK: "PUPIL#{pupilId}", GSI1PK: "FORM#{form}", GSI1SK: "PUPIL#{name}"}
access_patterns:
  - {name: teacher, get: Teacher}
  - {name: pupil, get: Pupil}
  - {name: teachers-of-subject, query: Teacher, where: subject = $subject}
  - {name: pupils-of-form, query: Pupil, where: form = $form}
`,
		Fix: "give both entities' templates the key attributes of one index and take the other one out",
	}
}

func checkMergeableIndexes(p *validate.Pass) {
	var groups [][]*model.Index // indexes that one could hold
	for _, x := range p.Model.Table.Indexes {
		i := slices.IndexFunc(groups, func(g []*model.Index) bool {
			return !slices.ContainsFunc(g, func(y *model.Index) bool { return !mergeable(p.Model, y, x) })
		})
		if i < 0 {
			groups = append(groups, []*model.Index{x})
			continue
		}
		groups[i] = append(groups[i], x)
		into := groups[i][0]
		p.Report(diag.Finding{Span: x.Name.At, Index: x.Name.Text,
			Message: fmt.Sprintf("index %s could share index %s: they hold different entities, under keys that cannot meet", x.Name.Text, into.Name.Text),
			Fix:     fmt.Sprintf("let its entities fill the keys of %s, and take %s out", into.Name.Text, x.Name.Text),
			Related: []diag.Related{{Span: into.Name.At, Text: "the index to share"}}})
	}
}

// mergeable tells whether the items of two indexes could be in one.
func mergeable(m *model.Model, a, b *model.Index) bool {
	if !overloadable(m, a) || !overloadable(m, b) || len(a.SortKey) != len(b.SortKey) || !projects(a, b) || !projects(b, a) {
		return false
	}
	for _, e := range residents(m, a) {
		for _, f := range residents(m, b) {
			if e == f || keysMeet(m, e, a, f, b) {
				return false
			}
		}
	}
	return true
}

// overloadable tells whether an index is global, is used, and has single text
// keys, all of them made by templates.
func overloadable(m *model.Model, x *model.Index) bool {
	entities := residents(m, x)
	if x.Local || len(x.PartitionKey) != 1 || len(x.SortKey) > 1 || len(entities) == 0 {
		return false
	}
	for _, k := range x.Keys() {
		if k.Kind != value.String || slices.ContainsFunc(m.Table.Keys(), func(t model.KeyAttribute) bool { return t.Name == k.Name }) {
			return false
		}
		if slices.ContainsFunc(entities, func(e *model.Entity) bool { key := e.Key(k.Name); return key == nil || key.Implied }) {
			return false
		}
	}
	return true
}

// keysMeet tells whether an item of one index could have the partition key of
// an item of the other.
func keysMeet(m *model.Model, e *model.Entity, a *model.Index, f *model.Entity, b *model.Index) bool {
	return meets(e.Key(a.PartitionKey[0].Name), f.Key(b.PartitionKey[0].Name))
}
