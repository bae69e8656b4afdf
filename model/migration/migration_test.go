package migration_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/dynmodel/dynmodel/model/migration"
	"github.com/dynmodel/dynmodel/model/modeltest"
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
      pinned: boolean?
      createdAt: datetime
      expires: epoch?
    keys:
      PK: USER#{owner}
      SK: NOTE#{noteId}
      GSI1PK: DAY#{createdAt|day}
      GSI1SK: "{noteId}"
    volume: {count: 1M}
  Tag:
    attributes: {owner: slug, label: slug}
    keys: {PK: "USER#{owner}", SK: "TAG#{label}"}
    volume: {count: 1k}
access_patterns:
  - name: add-note
    create: Note
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
`

func side(t *testing.T, text string) migration.Side {
	t.Helper()
	return migration.NewSide(modeltest.Model(t, text))
}

// edit makes a text of base in which each old text is replaced by the new one
// that follows it.
func edit(t *testing.T, pairs ...string) string {
	t.Helper()
	text := base
	for i := 0; i < len(pairs); i += 2 {
		if !strings.Contains(text, pairs[i]) {
			t.Fatalf("%q is not in the model", pairs[i])
		}
		text = strings.Replace(text, pairs[i], pairs[i+1], 1)
	}
	return text
}

func TestBetween(t *testing.T) {
	for _, test := range []struct {
		name    string
		edits   []string
		renames migration.Renames
		changes string
		breaks  string
		steps   string
	}{
		{name: "nothing"},
		{
			name:    "settings go before, what takes away goes last",
			edits:   []string{"  sort_key: SK\n", "  sort_key: SK\n  stream: new_image\n  ttl: expires\n  deletion_protection: true\n  class: infrequent_access\n"},
			changes: "online table class was standard, is infrequent_access; online table stream was off, is new_image; online table ttl was off, is expires; online table deletion protection was false, is true",
			steps:   "UpdateTable; UpdateTable; UpdateTable; UpdateTimeToLive",
		},
		{
			name:    "an index for which items lack the keys",
			edits:   []string{"    GSI1: {partition_key: GSI1PK, sort_key: GSI1SK}\n", "    GSI1: {partition_key: GSI1PK, sort_key: GSI1SK}\n    ByTitle: {partition_key: TitlePK}\n", "      GSI1SK: \"{noteId}\"\n", "      GSI1SK: \"{noteId}\"\n      TitlePK: TITLE#{title}\n"},
			changes: "staged index ByTitle new: index on TitlePK (S), projecting all; backfill entity Note TitlePK was none, is TITLE#{title}",
			steps:   "UpdateTable; writers; update Note: set TitlePK, 1000000 items, 3000000 WCU; readers",
		},
		{
			name:    "an index on attributes that items have fills itself",
			edits:   []string{"    GSI1: {partition_key: GSI1PK, sort_key: GSI1SK}\n", "    GSI1: {partition_key: GSI1PK, sort_key: GSI1SK}\n    ByLabel: {partition_key: label, sort_key: owner}\n"},
			changes: "staged index ByLabel new: index on label (S), owner (S), projecting all",
			steps:   "UpdateTable",
		},
		{
			name:    "an index with another projection is made again",
			edits:   []string{"sort_key: GSI1SK}", "sort_key: GSI1SK, projection: keys_only}", "    where: day(createdAt) = $day\n", "    where: day(createdAt) = $day\n    select: [noteId]\n"},
			changes: "staged index GSI1 was index on GSI1PK (S), GSI1SK (S), projecting all, is index on GSI1PK (S), GSI1SK (S), projecting keys_only; an index cannot be changed, only deleted and made again",
			breaks:  "notes-of-day at 2: index GSI1 is deleted",
		},
		{
			name:    "another key of an index",
			edits:   []string{"DAY#{createdAt|day}", "CREATED#{createdAt|day}"},
			changes: "backfill entity Note GSI1PK was DAY#{createdAt|day}, is CREATED#{createdAt|day}",
			breaks:  "notes-of-day at 1: it looks for Note by GSI1PK DAY#{createdAt|day}, and new ones have CREATED#{createdAt|day}",
			steps:   "writers; update Note: set GSI1PK, 1000000 items, 3000000 WCU; readers",
		},
		{
			name:    "another key of the table",
			edits:   []string{"SK: \"TAG#{label}\"", "SK: \"LABEL#{label}\""},
			changes: "backfill entity Tag SK was TAG#{label}, is LABEL#{label}",
			breaks:  "add-tag at 1: it writes Tag under SK TAG#{label}, and new ones are elsewhere; tags at 1: it looks for Tag by SK TAG#{label}, and new ones have LABEL#{label}",
			steps:   "writers; move Tag: set SK, 1000 items, 4000 WCU; readers",
		},
		{
			name:    "attributes that come with a value, and without",
			edits:   []string{"      pinned: boolean?\n", "      pinned: {type: boolean, default: false}\n      version: {type: integer, version: true}\n      color: string\n      mood: string?\n"},
			changes: "backfill attribute Note.pinned was optional; items without it get its default, false; backfill attribute Note.version new; existing items get version 1; backfill attribute Note.color new; existing items need a value that only the application knows; code attribute Note.mood new and optional",
			steps:   "writers; update Note: set pinned, version, color, needs color, 1000000 items, 2000000 WCU; readers",
		},
		{
			name:    "an attribute gone",
			edits:   []string{"      pinned: boolean?\n", ""},
			changes: "code attribute Note.pinned gone; what items hold of it stays until it is removed",
			steps:   "writers; readers; remove Note: remove pinned, 1000000 items, 2000000 WCU",
		},
		{
			name:    "an attribute of another type",
			edits:   []string{"      createdAt: datetime\n", "      createdAt: {type: datetime, precision: ms}\n"},
			changes: "backfill attribute Note.createdAt was datetime, is datetime (ms)",
		},
		{
			name:    "a narrower domain",
			edits:   []string{"title: string", "title: {type: string, length: 1..80}"},
			changes: "code attribute Note.title was any string, is 1 to 80 characters; items outside of that have to be mended",
			steps:   "writers",
		},
		{
			name:    "a unique attribute",
			edits:   []string{"    volume: {count: 1k}\n", "    unique: [label]\n    volume: {count: 1k}\n"},
			changes: "backfill entity Tag now unique: label, PK: UNIQUE#Tag#label#{label}, SK: UNIQUE#Tag#label#{label}; each item needs its guard",
			steps:   "writers; update Tag: guards, 1000 items, 4000 WCU; readers",
		},
		{
			name:    "an entity gone",
			edits:   []string{"  Tag:\n    attributes: {owner: slug, label: slug}\n    keys: {PK: \"USER#{owner}\", SK: \"TAG#{label}\"}\n    volume: {count: 1k}\n", "", "  - name: add-tag\n    create: Tag\n  - name: tags\n    query: Tag\n    where: owner = $owner\n", ""},
			changes: "backfill entity Tag gone; its items stay until they are deleted; code pattern add-tag gone; code pattern tags gone",
			breaks:  "tags at 3: its Tag are deleted",
			steps:   "writers; readers; remove Tag: 1000 items, 1000 WCU",
		},
		{
			name:    "an entity under another name, by its keys",
			edits:   []string{"  Tag:\n", "  Label:\n", "create: Tag", "create: Label", "query: Tag", "query: Label"},
			changes: "code entity Label was Tag; backfill entity Label its items carried EntityType = Tag, carry EntityType = Label; code pattern add-tag was create Tag, is create Label",
			steps:   "writers; update Tag: set EntityType, 1000 items, 1000 WCU; readers",
		},
		{
			name:    "no entity type any more",
			edits:   []string{"  sort_key: SK\n", "  sort_key: SK\n  entity_type: none\n"},
			changes: "backfill entity Note its items carried EntityType = Note, carry no type; backfill entity Tag its items carried EntityType = Tag, carry no type",
			steps:   "writers; readers; remove Note: remove EntityType, 1000000 items, 2000000 WCU; remove Tag: remove EntityType, 1000 items, 1000 WCU",
		},
		{
			name:    "an attribute under another name",
			edits:   []string{"label: slug", "word: slug", "TAG#{label}", "TAG#{word}"},
			renames: migration.Renames{"Tag.label": "word"},
			changes: "backfill attribute Tag.word was named label",
			breaks:  "tags at 1: it reads Tag.label, which new items do not have",
			steps:   "writers; update Tag: set word, 1000 items, 1000 WCU; readers; remove Tag: remove label, 1000 items, 1000 WCU",
		},
		{
			name:    "another key of the table itself",
			edits:   []string{"  sort_key: SK\n", "  sort_key: Sort\n", "      SK: NOTE#{noteId}", "      Sort: NOTE#{noteId}", "SK: \"TAG#{label}\"", "Sort: \"TAG#{label}\""},
			changes: "new-table table the key was PK (S), SK (S), is PK (S), Sort (S)",
			breaks:  "add-note at 5: the old table gets no writes any more",
			steps:   "CreateTable; writers; copy Note: 1000000 items, 2000000 WCU; copy Tag: 1000 items, 1000 WCU; readers; CreateBackup, DeleteTable",
		},
		{
			name:    "a local index",
			edits:   []string{"    GSI1: {", "    Local: {local: true, sort_key: createdAt}\n    GSI1: {"},
			changes: "new-table index Local new; a local index is made with its table",
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			m := migration.Between(side(t, base), side(t, edit(t, test.edits...)), test.renames)
			if got := changesText(m); !strings.HasPrefix(got, test.changes) || test.changes == "" && got != "" {
				t.Errorf("changes\n got %s\nwant %s", got, test.changes)
			}
			if got := breaksText(m); !strings.HasPrefix(got, test.breaks) || test.breaks == "" && test.steps != "" && got != "" {
				t.Errorf("breaks\n got %s\nwant %s", got, test.breaks)
			}
			if got := stepsText(m); test.steps != "" && got != test.steps {
				t.Errorf("steps\n got %s\nwant %s", got, test.steps)
			}
		})
	}
}

func changesText(m *migration.Migration) string {
	var out []string
	for _, c := range m.Changes {
		out = append(out, fmt.Sprintf("%s %s %s", c.Kind, c.Subject, c.Text))
	}
	return strings.Join(out, "; ")
}

func breaksText(m *migration.Migration) string {
	var out []string
	for _, b := range m.Breaks {
		out = append(out, fmt.Sprintf("%s at %d: %s", b.Pattern.Name.Text, b.Step, b.Reason))
	}
	return strings.Join(out, "; ")
}

func stepsText(m *migration.Migration) string {
	var out []string
	for _, s := range m.Steps {
		switch s.Kind {
		case migration.Deploy:
			out = append(out, string(s.Phase))
		case migration.Rewrite:
			out = append(out, backfillText(s.Backfill))
		default:
			var names []string
			for _, r := range s.Requests {
				names = append(names, r.Operation)
			}
			out = append(out, strings.Join(names, ", "))
		}
	}
	return strings.Join(out, "; ")
}

func backfillText(b *migration.Backfill) string {
	var does []string
	if len(b.Sets) > 0 {
		does = append(does, "set "+strings.Join(b.Sets, ", "))
	}
	if len(b.Removes) > 0 {
		does = append(does, "remove "+strings.Join(b.Removes, ", "))
	}
	if b.Guards {
		does = append(does, "guards")
	}
	for _, a := range b.Needs {
		does = append(does, "needs "+a.Name.Text)
	}
	does = append(does, fmt.Sprintf("%.0f items", b.Items), fmt.Sprintf("%.0f WCU", b.WCU))
	return fmt.Sprintf("%s %s: %s", b.Form, b.Entity.Name.Text, strings.Join(does, ", "))
}

// Steps that change indexes change one in each update, as DynamoDB wants it.
func TestOneIndexInEachUpdate(t *testing.T) {
	m := migration.Between(side(t, base), side(t, edit(t, "    GSI1: {partition_key: GSI1PK, sort_key: GSI1SK}\n",
		"    AAA: {partition_key: label}\n    BBB: {partition_key: title}\n", "      GSI1PK: DAY#{createdAt|day}\n      GSI1SK: \"{noteId}\"\n", "",
		"  - name: notes-of-day\n    query: Note\n    where: day(createdAt) = $day\n", "")), nil)
	var calls []int
	for _, s := range m.Steps {
		if s.Kind == migration.Call {
			calls = append(calls, len(s.Requests))
		}
	}
	if !slices.Equal(calls, []int{1, 1, 1}) {
		t.Errorf("got calls %v, want three steps of one call each: %s", calls, stepsText(m))
	}
}
