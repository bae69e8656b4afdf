package rehearsal_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/dynmodel/dynmodel/engine"
	"github.com/dynmodel/dynmodel/model/diag"
	"github.com/dynmodel/dynmodel/model/migration"
	"github.com/dynmodel/dynmodel/model/modeltest"
	"github.com/dynmodel/dynmodel/validate/rehearsal"
)

const base = `version: 1
name: notes
table:
  name: notes
  partition_key: PK
  sort_key: SK
  indexes:
    GSI1: {partition_key: GSI1PK, sort_key: GSI1SK}
entities:
  Note:
    attributes:
      owner: slug
      noteId: ulid
      title: string
      mood: string?
      words: {type: integer, min: 0, max: 9999}
      createdAt: datetime
    keys:
      PK: USER#{owner}
      SK: NOTE#{noteId}
      GSI1PK: DAY#{createdAt|day}
      GSI1SK: "{noteId}"
  Tag:
    attributes: {owner: slug, label: slug}
    keys: {PK: "USER#{owner}", SK: "TAG#{label}"}
access_patterns:
  - name: add-note
    create: Note
  - name: note
    get: Note
  - name: notes
    query: Note
    where: owner = $owner
  - name: notes-of-day
    query: Note
    where: day(createdAt) = $day
  - name: add-tag
    create: Tag
  - name: tags
    query: Tag
    where: owner = $owner
  - name: everything-of
    query: [Note, Tag]
    where: owner = $owner
`

func between(t *testing.T, renames migration.Renames, edits ...string) *migration.Migration {
	t.Helper()
	text := base
	for i := 0; i < len(edits); i += 2 {
		if !strings.Contains(text, edits[i]) {
			t.Fatalf("%q is not in the model", edits[i])
		}
		text = strings.Replace(text, edits[i], edits[i+1], 1)
	}
	return migration.Between(side(t, base), side(t, text), renames)
}

func side(t *testing.T, text string) migration.Side {
	t.Helper()
	return migration.NewSide(modeltest.Model(t, text))
}

func rehearse(t *testing.T, m *migration.Migration) *rehearsal.Result {
	t.Helper()
	db := engine.New()
	t.Cleanup(func() { db.Close() })
	r, err := rehearsal.Run(context.Background(), rehearsal.Config{Migration: m, Client: db.Client()})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// migrations are edits of the base model after which everything must be right.
var migrations = []struct {
	name    string
	renames migration.Renames
	edits   []string
}{
	{name: "nothing"},
	{name: "settings", edits: []string{"  sort_key: SK\n", "  sort_key: SK\n  stream: new_image\n  deletion_protection: true\n"}},
	{name: "an index with keys of its own", edits: []string{
		"    GSI1: {", "    ByTitle: {partition_key: TitlePK, sort_key: createdAt}\n    GSI1: {",
		"      GSI1SK: \"{noteId}\"\n", "      GSI1SK: \"{noteId}\"\n      TitlePK: TITLE#{title|lower}\n",
		"  - name: add-tag\n", "  - name: titled\n    query: Note\n    where: lower(title) = $title\n    order: createdAt desc\n  - name: add-tag\n"}},
	{name: "an index on an attribute that items have", edits: []string{
		"    GSI1: {", "    ByLabel: {partition_key: label}\n    GSI1: {",
		"  - name: add-tag\n", "  - name: labelled\n    query: Tag\n    where: label = $label\n  - name: add-tag\n"}},
	{name: "another key of an index", edits: []string{"DAY#{createdAt|day}", "CREATED#{createdAt|day}"}},
	{name: "a sparse index", edits: []string{"GSI1PK: DAY#{createdAt|day}", "GSI1PK: {template: \"DAY#{createdAt|day}\", when: words > 10}", "    where: day(createdAt) = $day\n", "    where: day(createdAt) = $day AND words > 10\n"}},
	{name: "another sort key", edits: []string{"SK: \"TAG#{label}\"", "SK: \"LABEL#{label}\""}},
	{name: "another partition key", edits: []string{"PK: USER#{owner}", "PK: OWNER#{owner}", "PK: \"USER#{owner}\"", "PK: \"OWNER#{owner}\""}},
	{name: "a version and a default", edits: []string{"      title: string\n", "      title: string\n      revision: {type: integer, version: true}\n      pinned: {type: boolean, default: false}\n"}},
	{name: "an attribute that only the application knows", edits: []string{"      title: string\n", "      title: string\n      color: {values: [red, blue], type: string}\n"}},
	{name: "a key that only the application knows", edits: []string{"label: slug}", "label: slug, room: slug}", "SK: \"TAG#{label}\"", "SK: \"TAG#{room}\""}},
	{name: "a key of two attributes that only the application knows", edits: []string{"label: slug}", "label: slug, a: [x, y], b: [x, y, z], c: string}", "SK: \"TAG#{label}\"", "SK: \"TAG#{a}#{b}\""}},
	{name: "a unique attribute that only the application knows", edits: []string{"  Tag:\n    attributes: {owner: slug, label: slug}\n", "  Tag:\n    unique: [code]\n    attributes: {owner: slug, label: slug, code: slug}\n"}},
	{name: "no entity type any more", edits: []string{"  sort_key: SK\n", "  sort_key: SK\n  entity_type: none\n"}},
	{name: "another entity type attribute", edits: []string{"  sort_key: SK\n", "  sort_key: SK\n  entity_type: kind\n"}},
	{name: "a derived attribute", edits: []string{"      createdAt: datetime\n", "      createdAt: datetime\n      dueAt: {type: datetime, derive: createdAt + 7d}\n"}},
	{name: "an optional attribute gone", edits: []string{"      mood: string?\n", ""}},
	{name: "a required attribute gone", edits: []string{"      title: string\n", ""}},
	{name: "a number that becomes a text", edits: []string{"words: {type: integer, min: 0, max: 9999}", "words: {type: string, pattern: \"[0-9]{1,4}\"}"}},
	{name: "times at another precision", edits: []string{"createdAt: datetime", "createdAt: {type: datetime, precision: ms}"}},
	{name: "a narrower domain", edits: []string{"max: 9999", "max: 5"}},
	{name: "a unique attribute", edits: []string{"  Tag:\n    attributes: {owner: slug, label: slug}\n", "  Tag:\n    unique: [[owner, label]]\n    attributes: {owner: slug, label: slug}\n"}},
	{name: "an entity under another name", renames: migration.Renames{"Tag": "Label"}, edits: []string{"  Tag:\n", "  Label:\n", "create: Tag", "create: Label", "query: Tag", "query: Label", "[Note, Tag]", "[Note, Label]"}},
	{name: "an attribute under another name", renames: migration.Renames{"Tag.label": "word"}, edits: []string{"label: slug", "word: slug", "TAG#{label}", "TAG#{word}"}},
	{name: "an index gone", edits: []string{"  indexes:\n    GSI1: {partition_key: GSI1PK, sort_key: GSI1SK}\n", "", "      GSI1PK: DAY#{createdAt|day}\n      GSI1SK: \"{noteId}\"\n", "", "  - name: notes-of-day\n    query: Note\n    where: day(createdAt) = $day\n", ""}},
	{name: "an index with another projection", edits: []string{"sort_key: GSI1SK}", "sort_key: GSI1SK, projection: [noteId, title]}", "    where: day(createdAt) = $day\n", "    where: day(createdAt) = $day\n    select: [noteId, title]\n"}},
	{name: "another table", edits: []string{"  sort_key: SK\n", "  sort_key: Sort\n", "      SK: NOTE#{noteId}", "      Sort: NOTE#{noteId}", "SK: \"TAG#{label}\"", "Sort: \"TAG#{label}\""}},
	{name: "a local index", edits: []string{"    GSI1: {", "    ByCreation: {local: true, sort_key: createdAt}\n    GSI1: {"}},
}

func TestSoundMigrations(t *testing.T) {
	for _, test := range migrations {
		t.Run(test.name, func(t *testing.T) {
			r := rehearse(t, between(t, test.renames, test.edits...))
			for i, s := range r.Steps {
				if s.Calls == 0 {
					t.Errorf("nothing was run after step %d", i)
				}
				for _, f := range s.Findings {
					t.Errorf("after step %d, %s model: %s", i, f.Side, f.Message)
				}
			}
		})
	}
}

// A rehearsal that leaves a backfill out must notice: else it would prove nothing.
func TestForgottenBackfills(t *testing.T) {
	for _, test := range migrations {
		m := between(t, test.renames, test.edits...)
		for i, s := range m.Steps {
			if s.Kind != migration.Rewrite {
				continue
			}
			t.Run(test.name+"/"+s.Title, func(t *testing.T) {
				m := between(t, test.renames, test.edits...)
				m.Steps = slices.Delete(m.Steps, i, i+1)
				for j, s := range m.Steps {
					s.Number = j + 1
				}
				if !rehearse(t, m).Failed() {
					t.Error("nobody noticed")
				}
			})
		}
	}
}

func TestItemsOutsideOfANewDomainAreLeftOut(t *testing.T) {
	if r := rehearse(t, between(t, nil, "max: 9999", "max: 5")); r.Left == 0 || r.Failed() {
		t.Errorf("%d items left out, failed: %v", r.Left, r.Failed())
	}
	if r := rehearse(t, between(t, nil)); r.Left != 0 {
		t.Errorf("%d items left out of the same model", r.Left)
	}
}

// What is wrong before the first step is no fault of the migration.
func TestAFaultOfTheOldModelIsNotTheMigrations(t *testing.T) {
	wrong := strings.Replace(base, "TAG#{label}", "NOTE#TAG#{label}", 1)
	m := migration.Between(side(t, wrong), side(t, base), nil)
	r := rehearse(t, m)
	of := func(s rehearsal.StepResult) []string {
		var out []string
		for _, f := range s.Findings {
			out = append(out, f.Side+" "+f.Rule+" "+f.Pattern)
		}
		return out
	}
	if got := of(r.Steps[0]); !slices.Equal(got, []string{"old wrong-result notes"}) {
		t.Errorf("before the first step: %v", got)
	}
	for _, s := range r.Steps[1:] {
		if got := of(s); got != nil {
			t.Errorf("after step %d: %v", s.Step.Number, got)
		}
	}
	if r.Failed() {
		t.Error("the migration mends the model, and failed")
	}
}

// A fault is told once, after the step that makes it.
func TestAFaultOfTheNewModelIsToldOnce(t *testing.T) {
	r := rehearse(t, between(t, nil, "TAG#{label}", "NOTE#TAG#{label}"))
	told := 0
	for _, s := range r.Steps {
		for _, f := range s.Findings {
			if f.Side == "new" && f.Pattern == "notes" {
				told++
			}
		}
	}
	if told != 1 || !r.Failed() {
		t.Errorf("told %d times, failed: %v", told, r.Failed())
	}
}

// Where there are too few values for what an application has to say, items do
// land on one key.
func TestTooFewValuesForAKey(t *testing.T) {
	r := rehearse(t, between(t, nil, "label: slug}", "label: slug, room: [hall]}", "SK: \"TAG#{label}\"", "SK: \"TAG#{room}\""))
	collides := func(f rehearsal.Finding) bool { return f.Rule == diag.KeyCollision && f.Entity == "Tag" }
	if !slices.ContainsFunc(r.Steps, func(s rehearsal.StepResult) bool { return slices.ContainsFunc(s.Findings, collides) }) {
		t.Errorf("all tags of an owner are in one room, and nothing says so: %+v", r.Steps)
	}
}

func TestItemsThatMoveToOneKey(t *testing.T) {
	m := between(t, nil, "SK: NOTE#{noteId}", "SK: NOTE#{createdAt}", "get: Note", "query: Note\n    where: noteId = $noteId AND createdAt = $createdAt AND owner = $owner\n    allow_filter: true")
	r := rehearse(t, m)
	collides := func(f rehearsal.Finding) bool { return f.Rule == diag.KeyCollision && f.Entity == "Note" }
	if !slices.ContainsFunc(r.Steps, func(s rehearsal.StepResult) bool { return slices.ContainsFunc(s.Findings, collides) }) {
		t.Errorf("two notes of one second land on one key, and nothing says so: %+v", r.Steps)
	}
}
