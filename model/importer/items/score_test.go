package items_test

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/dynmodel/dynmodel/engine"
	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/data"
	"github.com/dynmodel/dynmodel/model/diag"
	"github.com/dynmodel/dynmodel/model/encode"
	"github.com/dynmodel/dynmodel/model/importer/draft"
	"github.com/dynmodel/dynmodel/model/importer/infer"
	"github.com/dynmodel/dynmodel/model/importer/items"
	"github.com/dynmodel/dynmodel/model/importer/printer"
	"github.com/dynmodel/dynmodel/model/parse"
	"github.com/dynmodel/dynmodel/model/sdk"
	"github.com/dynmodel/dynmodel/model/source"
	"github.com/dynmodel/dynmodel/model/value"
)

// wanted is the share of entities and templates that must be found again in
// tables filled from the examples.
const wanted = 0.95

// TestFindsTheExamplesAgain fills a table for each example with what the check
// makes up for it, without the attribute that names the entity, imports it, and
// counts what of the example came out.
func TestFindsTheExamplesAgain(t *testing.T) {
	var all score
	for _, path := range examples(t) {
		t.Run(filepath.Base(filepath.Dir(path)), func(t *testing.T) {
			m := readModel(t, path)
			db := engine.New()
			defer db.Close()
			stored := fill(t, db.Client(), m)
			d, err := items.Read(context.Background(), db.Client(), m.Table.Name.Text, items.Options{
				Limit: draft.MaxItems, Sleep: func(context.Context, time.Duration) error { return nil },
			})
			if err != nil {
				t.Fatal(err)
			}
			infer.Missing(d)
			s := compare(t, m, d, stored)
			t.Logf("%s: %s", path, s)
			all.add(s)
			printed, list := parse.File(source.NewFile("import.yaml", printer.Text(d, path)), nil)
			for _, f := range list.All() {
				if f.Severity == diag.Error {
					t.Errorf("the imported model: line %d: %s", f.Span.From().Line, f.Message)
				}
			}
			if printed == nil {
				t.Error("the import is no model")
			}
		})
	}
	t.Logf("in all: %s", all)
	if all.share() < wanted {
		t.Errorf("%.1f %% found again, want at least %.0f %%", 100*all.share(), 100*wanted)
	}
}

// score counts entities and templates, and how many of them were found.
type score struct{ entities, foundEntities, templates, foundTemplates int }

func (s *score) add(o score) {
	s.entities += o.entities
	s.foundEntities += o.foundEntities
	s.templates += o.templates
	s.foundTemplates += o.foundTemplates
}

func (s score) share() float64 {
	return float64(s.foundEntities+s.foundTemplates) / float64(max(1, s.entities+s.templates))
}

func (s score) String() string {
	return fmt.Sprintf("%d of %d entities, %d of %d templates: %.1f %%", s.foundEntities, s.entities, s.foundTemplates, s.templates, 100*s.share())
}

func examples(t *testing.T) []string {
	t.Helper()
	var out []string
	err := filepath.WalkDir("../../../examples", func(path string, d fs.DirEntry, err error) error {
		if err == nil && filepath.Ext(path) == ".yaml" {
			out = append(out, path)
		}
		return err
	})
	if err != nil || len(out) < 10 {
		t.Fatalf("%d examples, %v", len(out), err)
	}
	return out
}

func readModel(t *testing.T, path string) *model.Model {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	m, _ := parse.File(source.NewFile(path, string(text)), os.DirFS(filepath.Dir(path)))
	if m == nil {
		t.Fatalf("%s is no model", path)
	}
	return m
}

// fill makes the table and puts the worlds of all patterns into it, with their
// guards. It gives the key of each item with its entity, as they are in the end.
func fill(t *testing.T, client *dynamodb.Client, m *model.Model) map[string]*model.Entity {
	t.Helper()
	if _, err := client.CreateTable(context.Background(), sdk.Table(m.Table)); err != nil {
		t.Fatal(err)
	}
	g := data.New(m, data.Options{})
	stored := map[string]*model.Entity{}
	put := func(item map[string]value.Value) {
		if _, err := client.PutItem(context.Background(), &dynamodb.PutItemInput{TableName: aws.String(m.Table.Name.Text), Item: sdk.Item(item)}); err != nil {
			t.Fatal(err)
		}
	}
	shard := 0
	choose := func(_ string, n int) int { shard++; return shard % n }
	instances := g.Samples().Instances
	for _, p := range m.Patterns {
		instances = append(instances, g.World(p).Instances...)
	}
	for _, i := range instances {
		item, err := encode.Item(m, i.Entity, i.Item, choose)
		if err != nil {
			continue // a fault of the design, which the published ones have
		}
		keyed := slices.ContainsFunc(m.Table.Indexes, func(x *model.Index) bool {
			return slices.ContainsFunc(x.Keys(), func(k model.KeyAttribute) bool { return k.Name == m.Table.EntityType })
		})
		if !keyed {
			delete(item, m.Table.EntityType)
		}
		put(item)
		stored[keyOf(m.Table, item)] = i.Entity
		guards, err := encode.Guards(m, i.Entity, i.Item)
		if err != nil {
			continue
		}
		for _, guard := range guards {
			put(guard.Key)
			delete(stored, keyOf(m.Table, guard.Key))
		}
	}
	return stored
}

func keyOf(t *model.Table, item map[string]value.Value) string {
	out := ""
	for _, k := range t.Keys() {
		out += item[k.Name].String() + " "
	}
	return out
}

// compare counts what of the model was found. An entity is found when the items
// of one found entity are just its items; a template, when it is written the same.
func compare(t *testing.T, m *model.Model, d *draft.Draft, stored map[string]*model.Entity) score {
	t.Helper()
	var s score
	there := map[*model.Entity]int{}
	for _, e := range stored {
		there[e]++
	}
	for _, e := range m.Entities {
		if there[e] == 0 {
			continue // nothing of it could be stored
		}
		s.entities++
		found := match(m, d, stored, e, there[e])
		if found == nil {
			t.Logf("%s: not found", e.Name.Text)
		} else {
			s.foundEntities++
		}
		for _, k := range e.Keys {
			s.templates++
			if found != nil && sameTemplate(found, k) {
				s.foundTemplates++
			} else if found != nil {
				t.Logf("%s.%s: %s became %s", e.Name.Text, k.Name.Text, k.Template.Text, templateOf(found, k.Name.Text))
			}
		}
	}
	return s
}

func match(m *model.Model, d *draft.Draft, stored map[string]*model.Entity, e *model.Entity, n int) *draft.Entity {
	for _, found := range d.Entities {
		if len(found.Items) != n {
			continue
		}
		if !slices.ContainsFunc(found.Items, func(i *draft.Item) bool { return stored[keyOf(m.Table, i.Values)] != e }) {
			return found
		}
	}
	return nil
}

func templateOf(e *draft.Entity, key string) string {
	if k := e.Key(key); k != nil && k.Parts != nil {
		return draft.Text(k.Parts)
	}
	return "{" + key + "}"
}

func sameTemplate(e *draft.Entity, k *model.Key) bool {
	return strings.ReplaceAll(templateOf(e, k.Name.Text), " ", "") == strings.ReplaceAll(k.Template.Text, " ", "")
}
