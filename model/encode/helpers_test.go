package encode_test

import (
	"strings"
	"testing"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/encode"
	"github.com/dynmodel/dynmodel/model/expr"
	"github.com/dynmodel/dynmodel/model/source"
	"github.com/dynmodel/dynmodel/model/value"
)

func input(text string) expr.Input {
	return expr.Input{Text: text, At: source.Span{File: source.NewFile("m.yaml", text), End: len(text)}}
}

// attr makes an attribute from "name: type", with a ? behind the type of an optional one.
func attr(text string) *model.Attribute {
	name, typ, _ := strings.Cut(text, ": ")
	typ, optional := strings.CutSuffix(typ, "?")
	return &model.Attribute{Name: model.Name{Text: name}, Type: model.Type(typ), Optional: optional}
}

// entity makes an entity from attributes and "KEY: template" lines, where a
// " when " may follow the template.
func entity(t testing.TB, name string, attributes []*model.Attribute, keys ...string) *model.Entity {
	t.Helper()
	e := &model.Entity{Name: model.Name{Text: name}, Type: name, Attributes: attributes}
	for _, text := range keys {
		e.Keys = append(e.Keys, key(t, e, text))
	}
	return e
}

func key(t testing.TB, e *model.Entity, text string) *model.Key {
	t.Helper()
	name, text, _ := strings.Cut(text, ": ")
	text, when, _ := strings.Cut(text, " when ")
	k := &model.Key{Name: model.Name{Text: name}, Template: template(t, e, text)}
	if when != "" {
		c, problem := expr.ParseCond(input(when))
		if problem != nil {
			t.Fatalf("%s: %s", when, problem)
		}
		k.When = &model.Condition{Text: when, Cond: c}
	}
	return k
}

func template(t testing.TB, e *model.Entity, text string) model.Template {
	t.Helper()
	parts, problem := expr.ParseTemplate(input(text))
	if problem != nil {
		t.Fatalf("%s: %s", text, problem)
	}
	out := model.Template{Text: text}
	for _, p := range parts {
		part := model.Part{Literal: p.Literal, Path: p.Path, Funcs: p.Funcs, Random: p.Random}
		if p.Path.Name != "" {
			if part.Attribute = e.Attribute(p.Path.Name); part.Attribute == nil {
				t.Fatalf("%s: no attribute %s", text, p.Path.Name)
			}
		}
		out.Parts = append(out.Parts, part)
	}
	return out
}

func stringKey(name string) model.KeyAttribute {
	return model.KeyAttribute{Name: name, Kind: value.String}
}

func index(name, partition, sort string) *model.Index {
	return &model.Index{Name: model.Name{Text: name}, PartitionKey: []model.KeyAttribute{stringKey(partition)}, SortKey: []model.KeyAttribute{stringKey(sort)}}
}

// table makes a model of a table with string keys PK and SK.
func table(entities []*model.Entity, indexes ...*model.Index) *model.Model {
	sort := stringKey("SK")
	return &model.Model{
		Entities: entities,
		Table:    &model.Table{PartitionKey: stringKey("PK"), SortKey: &sort, EntityType: "EntityType", Indexes: indexes},
	}
}

// item makes values of Go's: strings, ints and booleans, or Values.
func item(fields map[string]any) model.Item {
	out := model.Item{}
	for name, v := range fields {
		out[name] = val(v)
	}
	return out
}

func val(v any) value.Value {
	switch v := v.(type) {
	case string:
		return value.OfString(v)
	case int:
		return value.OfInt(int64(v))
	case bool:
		return value.OfBool(v)
	case value.Value:
		return v
	}
	panic("no such value in these tests")
}

func number(t testing.TB, text string) value.Value {
	t.Helper()
	v, err := value.OfNumber(text)
	if err != nil {
		t.Fatal(text, err)
	}
	return v
}

// noRandom fails when a shard is drawn.
func noRandom(string, int) int { panic("no template here is random") }

// same compares an item with what is wanted.
func same(t *testing.T, what string, got map[string]value.Value, want map[string]any) {
	t.Helper()
	for name, v := range want {
		if !value.Equal(got[name], val(v)) {
			t.Errorf("%s: %s is %s, want %s", what, name, got[name], val(v))
		}
	}
	for name, v := range got {
		if _, ok := want[name]; !ok {
			t.Errorf("%s: %s = %s is not wanted", what, name, v)
		}
	}
}

// indexesOf are the names of the indexes that an item is in.
func indexesOf(m *model.Model, e *model.Entity, it model.Item) string {
	var in []string
	for _, x := range m.Table.Indexes {
		if encode.In(m.Table, x, e, it) {
			in = append(in, x.Name.Text)
		}
	}
	return strings.Join(in, " ")
}

// fault is the fault of an error of this package, or "".
func fault(err error) encode.Fault {
	if e, ok := err.(*encode.Error); ok {
		return e.Fault
	}
	return ""
}
