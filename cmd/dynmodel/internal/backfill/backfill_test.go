package backfill_test

import (
	"context"
	"errors"
	"maps"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/dynmodel/dynmodel/cmd/dynmodel/internal/backfill"
	"github.com/dynmodel/dynmodel/engine"
	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/data"
	"github.com/dynmodel/dynmodel/model/encode"
	"github.com/dynmodel/dynmodel/model/migration"
	"github.com/dynmodel/dynmodel/model/modeltest"
	"github.com/dynmodel/dynmodel/model/plan"
	"github.com/dynmodel/dynmodel/model/sdk"
	"github.com/dynmodel/dynmodel/model/seed"
	"github.com/dynmodel/dynmodel/model/value"
)

var now = time.Date(2026, 6, 1, 0, 0, 0, 0, time.UTC)

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
    attributes: {owner: {ref: User}, noteId: ulid, title: string, mood: string?, createdAt: datetime}
    keys: {PK: "USER#{owner}", SK: "NOTE#{noteId}", GSI1PK: "DAY#{createdAt|day}", GSI1SK: "{noteId}"}
    volume: {per: User, count: 0..30, average: 10}
  User:
    attributes: {owner: slug, email: email}
    keys: {PK: "USER#{owner}", SK: USER}
    volume: {count: 50}
access_patterns:
  - {name: add-note, create: Note}
  - {name: notes, query: Note, where: owner = $owner}
  - {name: user, get: User}
`

func side(t *testing.T, text string) migration.Side {
	t.Helper()
	return migration.NewSide(modeltest.Model(t, text))
}

// world is a table of the old model on an engine of its own.
type world struct {
	client *dynamodb.Client
	m      *migration.Migration
	items  []model.Instance
}

func newWorld(t *testing.T, edits ...string) *world {
	t.Helper()
	return renamedWorld(t, nil, edits...)
}

func renamedWorld(t *testing.T, renames migration.Renames, edits ...string) *world {
	t.Helper()
	text := strings.NewReplacer(edits...).Replace(base)
	if text == base && len(edits) > 0 {
		t.Fatal("nothing was edited")
	}
	db := engine.New()
	t.Cleanup(func() { db.Close() })
	w := &world{client: db.Client(), m: migration.Between(side(t, base), side(t, text), renames)}
	old := w.m.Old.Model
	w.create(t, old.Table, "notes")
	p, err := seed.New(old, w.m.Old.Planner, seed.Options{Items: 400, Now: now})
	if err != nil {
		t.Fatal(err)
	}
	for i := range p.Families() {
		w.items = append(w.items, p.Family(i)...)
	}
	for _, in := range w.items {
		item, err := encode.Item(old, in.Entity, in.Item, nil)
		if err != nil {
			t.Fatal(err)
		}
		w.put(t, item)
	}
	return w
}

func (w *world) create(t *testing.T, table *model.Table, name string) {
	t.Helper()
	in := sdk.Table(table)
	in.TableName = aws.String(name)
	if _, err := w.client.CreateTable(context.Background(), in); err != nil {
		t.Fatal(err)
	}
}

func (w *world) put(t *testing.T, item plan.Stored) {
	t.Helper()
	if _, err := w.client.PutItem(context.Background(), &dynamodb.PutItemInput{TableName: aws.String("notes"), Item: sdk.Item(item)}); err != nil {
		t.Fatal(err)
	}
}

// run does all backfills of the migration.
func (w *world) run(t *testing.T, to string) (sum backfill.Result) {
	t.Helper()
	for _, s := range w.m.Steps {
		if s.Backfill == nil {
			continue
		}
		r, err := backfill.Run(context.Background(), backfill.Config{Migration: w.m, Backfill: s.Backfill, Client: w.client, From: "notes", To: to, Now: now})
		if err != nil {
			t.Fatal(err)
		}
		sum.Written, sum.Changed, sum.Conflicts = sum.Written+r.Written, sum.Changed+r.Changed, sum.Conflicts+r.Conflicts
		sum.Told = append(sum.Told, r.Told...)
	}
	return sum
}

// expect is that a table holds exactly what the new model stores of the items.
func (w *world) expect(t *testing.T, table string) {
	t.Helper()
	m := w.m.New.Model
	text := func(item plan.Stored) (key string) {
		for _, k := range m.Table.Keys() {
			key += item[k.Name].String() + " "
		}
		return key
	}
	want := map[string]plan.Stored{}
	for _, in := range w.items {
		pair := w.m.Pair(in.Entity)
		if pair == nil {
			continue
		}
		item, err := pair.Convert(in.Item, now)
		if err != nil {
			t.Fatal(err)
		}
		made := data.Derived(model.Instance{Entity: pair.New, Item: item})
		stored, err := encode.Item(m, made.Entity, made.Item, nil)
		if err != nil {
			t.Fatal(err)
		}
		want[text(stored)] = stored
		guards, err := encode.Guards(m, made.Entity, made.Item)
		if err != nil {
			t.Fatal(err)
		}
		for _, g := range guards {
			want[text(g.Key)] = g.Key
		}
	}
	got := map[string]plan.Stored{}
	pages := dynamodb.NewScanPaginator(w.client, &dynamodb.ScanInput{TableName: aws.String(table)})
	for pages.HasMorePages() {
		page, err := pages.NextPage(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		for _, item := range page.Items {
			stored, err := sdk.FromItem(item)
			if err != nil {
				t.Fatal(err)
			}
			got[text(stored)] = stored
		}
	}
	if len(got) != len(want) {
		t.Errorf("%d items are stored, %d are expected", len(got), len(want))
	}
	for key, item := range want {
		if !maps.EqualFunc(item, got[key], value.Equal) {
			t.Fatalf("%s\n got %v\nwant %v", key, got[key], item)
		}
	}
}

func TestBackfills(t *testing.T) {
	for name, edits := range map[string][]string{
		"an index key":        {"DAY#{createdAt|day}", "MONTH#{createdAt|month}"},
		"a new index key":     {"    GSI1: {", "    ByTitle: {partition_key: TitlePK}\n    GSI1: {", "GSI1SK: \"{noteId}\"", "GSI1SK: \"{noteId}\", TitlePK: \"TITLE#{title}\""},
		"a sort key":          {"SK: \"NOTE#{noteId}\"", "SK: \"N#{noteId}\""},
		"defaults":            {"title: string,", "title: string, revision: {type: integer, version: true}, pinned: {type: boolean, default: false},"},
		"an optional default": {"title: string,", "title: string, plan: {type: string, optional: true, default: free},"},
		"a derived one":       {"createdAt: datetime}", "createdAt: datetime, dueAt: {type: datetime, derive: createdAt + 7d}}"},
		"an attribute gone":   {"mood: string?, ", ""},
		"unique attributes":   {"keys: {PK: \"USER#{owner}\", SK: USER}", "keys: {PK: \"USER#{owner}\", SK: USER}\n    unique: [email]"},
		"another precision":   {"createdAt: datetime", "createdAt: {type: datetime, precision: ms}"},
		"another type name":   {"  User:\n", "  User:\n    type: Person\n"},
		"several at a time":   {"title: string,", "title: string, pinned: {type: boolean, default: false},", "SK: \"NOTE#{noteId}\"", "SK: \"N#{noteId}\"", "mood: string?, ", ""},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, edits...)
			first := w.run(t, "")
			if first.Written == 0 || first.Changed+first.Conflicts > 0 {
				t.Errorf("%+v", first)
			}
			w.expect(t, "notes")
			if name == "unique attributes" {
				return // writing a guard again changes nothing, and cannot be told from writing it
			}
			if again := w.run(t, ""); again.Written+again.Changed+again.Conflicts > 0 {
				t.Errorf("the second run: %+v", again)
			}
		})
	}
}

func TestAnotherTable(t *testing.T) {
	w := newWorld(t, "sort_key: SK\n", "sort_key: Sort\n", "SK: \"NOTE#", "Sort: \"NOTE#", "SK: USER", "Sort: USER")
	w.create(t, w.m.New.Model.Table, "notes-2")
	if r := w.run(t, "notes-2"); r.Written != len(w.items) {
		t.Errorf("%+v, there are %d items", r, len(w.items))
	}
	w.expect(t, "notes-2")
	if again := w.run(t, "notes-2"); again.Written > 0 {
		t.Errorf("the second run wrote: %+v", again)
	}
}

// A renamed optional attribute keeps its values, what new code has written stays,
// and the old name only goes when the new one is there.
func TestRenamedAttributes(t *testing.T) {
	w := renamedWorld(t, migration.Renames{"Note.mood": "feeling"}, "mood: string?", "feeling: string?",
		"keys: {PK: \"USER#{owner}\", SK: USER}", "keys: {PK: \"USER#{owner}\", SK: USER}\n    unique: [email]")
	ctx := context.Background()
	steps := map[migration.Form]*migration.Backfill{}
	for _, s := range w.m.Steps {
		if s.Backfill != nil && s.Backfill.Entity.Name.Text == "Note" {
			steps[s.Backfill.Form] = s.Backfill
		}
	}
	moods := 0
	var some plan.Stored
	for _, in := range w.items {
		if in.Item["mood"].Exists() {
			moods++
			var err error
			if some, err = encode.Item(w.m.Old.Model, in.Entity, in.Item, nil); err != nil {
				t.Fatal(err)
			}
		}
	}
	do := func(form migration.Form) backfill.Result {
		r, err := backfill.Run(ctx, backfill.Config{Migration: w.m, Backfill: steps[form], Client: w.client, From: "notes", Now: now})
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	if r := do(migration.Remove); r.Written != 0 || r.Conflicts != moods {
		t.Errorf("removed too early: %+v, there are %d moods", r, moods)
	}
	if r := do(migration.Update); r.Written != moods {
		t.Errorf("set: %+v, there are %d moods", r, moods)
	}
	some["feeling"] = value.OfString("newer")
	w.put(t, some)
	if r := do(migration.Update); r.Written != 0 {
		t.Errorf("set again: %+v", r)
	}
	if r := do(migration.Remove); r.Written != moods || r.Conflicts != 0 {
		t.Errorf("removed: %+v, there are %d moods", r, moods)
	}
	got, err := w.client.GetItem(ctx, &dynamodb.GetItemInput{TableName: aws.String("notes"), Key: sdk.Item(plan.Stored{"PK": some["PK"], "SK": some["SK"]})})
	if err != nil {
		t.Fatal(err)
	}
	item, err := sdk.FromItem(got.Item)
	if err != nil || item["feeling"].Text() != "newer" || item["mood"].Exists() {
		t.Errorf("got %v, %v; want the newer feeling and no mood", item, err)
	}
}

func TestWhatNoValueTells(t *testing.T) {
	for name, test := range map[string]struct {
		renames migration.Renames
		edits   []string
		want    string
	}{
		"names that change places": {migration.Renames{"Note.title": "mood", "Note.mood": "title"}, []string{"title: string, mood: string?", "title: string?, mood: string"}, "was another attribute before"},
	} {
		t.Run(name, func(t *testing.T) {
			w := renamedWorld(t, test.renames, test.edits...)
			for _, s := range w.m.Steps {
				if s.Backfill == nil || s.Backfill.Form != migration.Update {
					continue
				}
				_, err := backfill.Run(context.Background(), backfill.Config{Migration: w.m, Backfill: s.Backfill, Client: w.client, From: "notes", Now: now})
				if test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)) {
					t.Errorf("got %v, want %q", err, test.want)
				}
			}
		})
	}
}

// A write that lands between reading and writing wins.
func TestNewerWritesWin(t *testing.T) {
	w := newWorld(t, "DAY#{createdAt|day}", "MONTH#{createdAt|month}")
	b := w.m.Steps[1].Backfill
	db := w.client
	raced := false
	client := dynamodb.New(db.Options(), func(o *dynamodb.Options) {
		inner := o.HTTPClient
		o.HTTPClient = doer(func(r *http.Request) (*http.Response, error) {
			if strings.HasSuffix(r.Header.Get("X-Amz-Target"), ".UpdateItem") && !raced {
				raced = true
				for _, in := range w.items {
					if in.Entity.Name.Text != "Note" {
						continue
					}
					item, err := encode.Item(w.m.Old.Model, in.Entity, in.Item, nil)
					if err != nil {
						return nil, err
					}
					item["title"] = value.OfString("changed meanwhile")
					w.put(t, item)
				}
			}
			return inner.Do(r)
		})
	})
	r, err := backfill.Run(context.Background(), backfill.Config{Migration: w.m, Backfill: b, Client: client, From: "notes", Now: now, Segments: 1})
	if err != nil || r.Changed == 0 {
		t.Errorf("%+v, %v: nobody noticed that the items were changed", r, err)
	}
}

type doer func(*http.Request) (*http.Response, error)

func (f doer) Do(r *http.Request) (*http.Response, error) { return f(r) }

func TestConflictsAreTold(t *testing.T) {
	w := newWorld(t, "keys: {PK: \"USER#{owner}\", SK: USER}", "keys: {PK: \"USER#{owner}\", SK: USER}\n    unique: [email]")
	for _, owner := range []string{"one", "two"} {
		item, err := encode.Item(w.m.Old.Model, w.m.Old.Model.Entity("User"), model.Item{"owner": value.OfString(owner), "email": value.OfString("same@example.com")}, nil)
		if err != nil {
			t.Fatal(err)
		}
		w.put(t, item)
	}
	r := w.run(t, "")
	if r.Conflicts != 1 || !strings.Contains(strings.Join(r.Told, ""), "a value that must be unique is that of PK=") {
		t.Errorf("%+v", r)
	}
}

func TestWhatOnlyTheApplicationKnows(t *testing.T) {
	w := newWorld(t, "title: string,", "title: string, color: string,")
	for _, s := range w.m.Steps {
		if s.Backfill == nil {
			continue
		}
		_, err := backfill.Run(context.Background(), backfill.Config{Migration: w.m, Backfill: s.Backfill, Client: w.client, From: "notes"})
		var needs *backfill.Needs
		if !errors.As(err, &needs) || err.Error() != "Note needs a value for color, which no item says; your code has to write it" {
			t.Errorf("got %v", err)
		}
	}
}
