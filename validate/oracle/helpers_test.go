package oracle

import (
	"strings"
	"testing"
	"time"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/expr"
	"github.com/dynmodel/dynmodel/model/value"
)

var testNow = time.Date(2026, 1, 5, 9, 0, 0, 0, time.UTC)

func str(s string) value.Value { return value.OfString(s) }
func num(n int64) value.Value  { return value.OfInt(n) }
func strs(members ...string) []value.Value {
	var out []value.Value
	for _, m := range members {
		out = append(out, str(m))
	}
	return out
}

// attr defines an attribute by its name and type; `name?` is optional.
func attr(name string, t model.Type, also ...func(*model.Attribute)) *model.Attribute {
	bare, optional := strings.CutSuffix(name, "?")
	a := &model.Attribute{Name: model.Name{Text: bare}, Type: t, Optional: optional}
	for _, f := range also {
		f(a)
	}
	return a
}

func stored(f expr.FuncName) func(*model.Attribute) {
	return func(a *model.Attribute) { a.Stored = f }
}

func precision(p model.Precision) func(*model.Attribute) {
	return func(a *model.Attribute) { a.Domain.Precision = p }
}

func anyZone(a *model.Attribute) { a.Domain.AnyZone = true }

// entity defines an entity, identified by its first n attributes.
func entity(name string, n int, attrs ...*model.Attribute) *model.Entity {
	e := &model.Entity{Name: model.Name{Text: name}, Type: name, Attributes: attrs}
	for _, a := range attrs[:n] {
		e.Identity = append(e.Identity, model.IdentityPart{Attribute: a})
	}
	return e
}

func parseCond(t *testing.T, text string, entities ...*model.Entity) expr.Cond {
	t.Helper()
	c, problem := expr.ParseCond(expr.Input{Text: text, IsEntity: func(name string) bool {
		for _, e := range entities {
			if e.Name.Text == name {
				return true
			}
		}
		return false
	}})
	if problem != nil {
		t.Fatalf("%s: %v", text, problem)
	}
	return c
}

func condition(t *testing.T, text string, entities ...*model.Entity) *model.Condition {
	t.Helper()
	if text == "" {
		return nil
	}
	return &model.Condition{Text: text, Cond: parseCond(t, text, entities...)}
}

func change(t *testing.T, text string) *model.Change {
	t.Helper()
	u, problem := expr.ParseUpdate(expr.Input{Text: text})
	if problem != nil {
		t.Fatalf("%s: %v", text, problem)
	}
	return &model.Change{Text: text, Update: u}
}

// inputs gives every named attribute the parameter of its name.
func inputs(e *model.Entity, names ...string) []*model.Assignment {
	var out []*model.Assignment
	for _, name := range names {
		out = append(out, &model.Assignment{Attribute: e.Attribute(name), Value: &expr.Param{Name: name}})
	}
	return out
}

func of(e *model.Entity, item model.Item) model.Instance {
	return model.Instance{Entity: e, Item: item}
}
