package plan_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/parse"
	"github.com/dynmodel/dynmodel/model/plan"
	"github.com/dynmodel/dynmodel/model/source"
	"github.com/dynmodel/dynmodel/model/value"
)

// FuzzPlan plans whatever can be read of a text, broken models included, and
// makes the requests of calls that bring nothing or too little.
func FuzzPlan(f *testing.F) {
	files, err := filepath.Glob("testdata/*.yaml")
	if err != nil {
		f.Fatal(err)
	}
	for _, file := range append(files, "../../examples/shop/access-patterns.yaml") {
		text, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(text))
	}
	f.Fuzz(func(t *testing.T, text string) {
		m, _ := parse.File(source.NewFile("fuzz.yaml", text), nil)
		if m == nil {
			return
		}
		p := plan.New(m)
		for _, pattern := range m.Patterns {
			made := p.Pattern(pattern)
			for _, v := range made.Variants {
				v.Text()
				v.Cost()
				for _, args := range []model.Args{nil, some(pattern)} {
					call := plan.Call{Args: args, Now: now}
					reads, _ := v.FirstReads(call)
					call.Old = make([]plan.Stored, len(reads))
					v.Requests(call)
				}
			}
		}
	})
}

// some are arguments of the right kinds, whatever their domains.
func some(p *model.Pattern) model.Args {
	args := model.Args{}
	for _, q := range p.Parameters {
		args[q.Name] = anyValue(q)
	}
	return args
}

func anyValue(q *model.Parameter) value.Value {
	if q.List {
		var fields []value.Field
		for _, f := range q.Fields {
			fields = append(fields, value.Field{Name: f.Name, Value: anyValue(f)})
		}
		if fields == nil {
			return value.OfList(value.OfString("x"), value.OfInt(1))
		}
		return value.OfList(value.OfMap(fields...))
	}
	if a := q.Domain(); a != nil && a.Type.Kind() == value.Number {
		return value.OfInt(1_700_000_000)
	}
	return value.OfString("2026-01-05T09:00:00Z")
}
