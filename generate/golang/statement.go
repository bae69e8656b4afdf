package golang

import (
	"fmt"
	"strings"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/plan"
)

// statement writes the methods of a PartiQL statement.
func (g *generator) statement(m *methods, p *pattern) error {
	v, w := p.plan.Variants[0], m.w
	if v.Statement == nil {
		return fault("it %s", unserved(v))
	}
	input := g.auxiliary(p, "Input")
	m.open(input, "is the request of "+p.method+", as DynamoDB gets it.", fmt.Sprintf("(%s) (*dynamodb.ExecuteStatementInput, error)", p.argument()))
	w.line("f := &fault{}")
	if err := g.required(w, p, "return nil, f.err"); err != nil {
		return err
	}
	var params []string
	fr := g.frame(p)
	now := false
	for _, o := range v.Statement.Params {
		value, err := fr.operand(o, nil)
		if err != nil {
			return err
		}
		now = now || value.code == "now"
		params = append(params, value.written())
	}
	if now {
		w.line("now := t.clock().UTC()")
	}
	w.line("in := &dynamodb.ExecuteStatementInput{Statement: ptr(%s)}", g.statementText(v.Statement.Text))
	if len(params) > 0 {
		w.line("in.Parameters = []types.AttributeValue{%s}", strings.Join(params, ", "))
	}
	w.line("return in, f.err")
	w.line("}\n")
	return g.statementRun(m, p, input)
}

// statementText is the statement with the table's name at run time.
func (g *generator) statementText(text string) string {
	const mark = "\x00table\x00"
	var out phrase
	for i, piece := range strings.Split(plan.RenameTable(text, g.table.Name.Text, mark), mark) {
		if i > 0 {
			out.code("t.name")
		}
		out.literal(piece)
	}
	return out.String()
}

func (g *generator) statementRun(m *methods, p *pattern, input string) error {
	w := m.w
	fields := strings.Fields(p.Statement.Text)
	reads := len(fields) > 0 && strings.EqualFold(fields[0], "SELECT")
	options, out := "opts ...ReadOption", rows{"map[string]types.AttributeValue", "func(item stored) (stored, error) { return item, nil }"}
	if !reads {
		options = "opts ...WriteOption"
	}
	whole := len(fields) > 1 && fields[1] == "*"
	if whole && len(p.Statement.Returns) > 0 {
		out = g.rowsOf(&pattern{Pattern: &model.Pattern{}}, p.Statement.Returns)
	}
	about := "runs the statement of the access pattern " + p.Name.Text + "."
	result, none := "([]"+out.typ+", error)", "nil, err"
	if !reads {
		result, none = "error", "err"
	}
	m.open(p.method, p.about(about), fmt.Sprintf("(%s) %s", list("ctx context.Context", p.argument(), options), result))
	w.line("in, err := t.%s(%s)", input, p.passed())
	w.line("if err != nil {")
	w.line("return %s", none)
	w.line("}")
	if !reads {
		w.line("_, err = t.statement(ctx, in, writeOptions(opts))")
		w.line("return err")
		w.line("}\n")
		return nil
	}
	w.line("items, err := t.statement(ctx, in, readOptions(opts))")
	w.line("if err != nil {")
	w.line("return nil, err")
	w.line("}")
	w.line("return readAll(items, %s)", out.reader)
	w.line("}\n")
	return nil
}
