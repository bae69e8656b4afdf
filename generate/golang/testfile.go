package golang

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/dynmodel/dynmodel/generate"
	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/data"
	"github.com/dynmodel/dynmodel/model/plan"
	"github.com/dynmodel/dynmodel/model/value"
)

// testItems bounds the items that a generated test puts into its table.
const testItems = 10

// testFile is the opt-in test of the package: every accessor is called on the
// embedded engine, with items and parameters as the check makes them.
func (g *generator) testFile(pkg string) (generate.File, error) {
	w := &writer{path: "store_test.go"}
	w.WriteString(testHelpers)
	source := data.New(g.model, data.Options{Cases: 1, Items: testItems})
	for _, p := range g.patterns {
		world := source.World(p.Pattern)
		bindings := source.Bindings(p.Pattern, world)
		if len(bindings) == 0 || p.Require != nil || slices.ContainsFunc(p.plan.Variants, func(v *plan.Variant) bool { return !v.Served() }) {
			continue
		}
		if err := g.testOf(w, p, world, bindings[0]); err != nil {
			return generate.File{}, fmt.Errorf("the test of access pattern %s: %w", p.Name.Text, err)
		}
	}
	return w.file(pkg)
}

// testHelpers are what the tests have in common.
const testHelpers = `
// testTable is a table on an engine of its own that holds some items.
func testTable(t *testing.T, now time.Time, items ...Entity) *Table {
	t.Helper()
	db := engine.New()
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	ctx, name := context.Background(), "test"
	if _, err := db.Client().CreateTable(ctx, CreateTableInput(name)); err != nil {
		t.Fatal(err)
	}
	for _, e := range items {
		item, err := e.MarshalItem()
		if err != nil {
			t.Fatal(err)
		}
		back, err := UnmarshalAny(item)
		if err != nil {
			t.Fatal(err)
		}
		if again, err := back.MarshalItem(); err != nil || len(again) != len(item) {
			t.Errorf("%T is not read as it was written: %v (%v)", e, again, err)
		}
		if _, err := db.Client().PutItem(ctx, &dynamodb.PutItemInput{TableName: &name, Item: item}); err != nil {
			t.Fatal(err)
		}
	}
	return New(db.Client(), name, WithClock(func() time.Time { return now }))
}

// testError fails unless a call has done what it should, or was refused as the
// stored items are.
func testError(t *testing.T, err error) {
	t.Helper()
	if err != nil && !errors.Is(err, ErrNotFound) && !errors.Is(err, ErrConditionFailed) {
		t.Error(err)
	}
}

`

// testOf writes the test of one pattern.
func (g *generator) testOf(w *writer, p *pattern, world *data.World, b data.Binding) error {
	w.line("func Test%s(t *testing.T) {", p.method)
	w.line("f := &fault{}")
	w.line("table := testTable(t, f.read(\"now\", %q),", b.Now.UTC().Format(time.RFC3339))
	for i, in := range world.Instances {
		if i == testItems {
			break
		}
		code, err := g.entityLiteral(in)
		if err != nil {
			return err
		}
		w.line("%s,", code)
	}
	w.line(")")
	arguments := "context.Background()"
	if p.params != nil {
		code, err := g.paramsLiteral(p.params, b.Args)
		if err != nil {
			return err
		}
		w.line("p := %s", code)
		arguments += ", p"
	}
	w.line("if f.err != nil {")
	w.line("t.Fatal(f.err)")
	w.line("}")
	call := "table." + p.method + "(" + arguments + ")"
	switch kind := p.Operation; {
	case (kind == model.Query || kind == model.Scan) && !p.One && !p.Count:
		w.line("for _, err := range %s {", call)
		w.line("testError(t, err)")
		w.line("}")
	case g.onlyError(p):
		w.line("testError(t, %s)", call)
	default:
		w.line("_, err := %s", call)
		w.line("testError(t, err)")
	}
	w.line("}\n")
	return nil
}

// onlyError tells whether a pattern's method returns nothing but an error.
func (g *generator) onlyError(p *pattern) bool {
	switch {
	case p.Operation.IsRead(), p.Operation.WritesEach():
		return false
	case p.Operation == model.PartiQL:
		return !strings.EqualFold(strings.Fields(p.Statement.Text)[0], "SELECT")
	}
	x := &mutator{generator: g, pattern: p}
	return x.returning() == ""
}

// entityLiteral is an item as a literal of its struct.
func (g *generator) entityLiteral(in model.Instance) (string, error) {
	e := g.of(in.Entity)
	return fieldsLiteral(e.name, e.fields, func(name string) value.Value { return in.Item[name] })
}

// fieldsLiteral is a literal of a struct of fields.
func fieldsLiteral(name string, fields []*field, at func(string) value.Value) (string, error) {
	var out []string
	for _, f := range fields {
		v := at(f.attr.Name.Text)
		if !v.Exists() {
			continue
		}
		code, err := literalAs(v, f.typ)
		if err != nil {
			return "", err
		}
		out = append(out, f.name+": "+f.wrapped(code))
	}
	return name + "{" + strings.Join(out, ", ") + "}", nil
}

// paramsLiteral are arguments as a literal of the struct of parameters.
func (g *generator) paramsLiteral(p *params, args model.Args) (string, error) {
	var out []string
	for _, f := range p.fields {
		v := args[f.param.Name]
		if !v.Exists() {
			continue
		}
		code, err := g.paramLiteral(f, v)
		if err != nil {
			return "", err
		}
		out = append(out, f.name+": "+code)
	}
	return p.name + "{" + strings.Join(out, ", ") + "}", nil
}

func (g *generator) paramLiteral(f *paramField, v value.Value) (string, error) {
	if f.list == nil {
		code, err := literalAs(v, f.typ)
		if f.pointer {
			code = "to[" + f.typ.name + "](" + code + ")"
		}
		return code, err
	}
	var members []string
	for _, m := range v.Items() {
		args := model.Args{}
		for _, field := range m.Fields() {
			args[field.Name] = field.Value
		}
		code, err := g.paramsLiteral(f.list, args)
		if err != nil {
			return "", err
		}
		members = append(members, code)
	}
	return f.typ.name + "{" + strings.Join(members, ", ") + "}", nil
}
