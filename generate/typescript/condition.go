package typescript

import (
	"fmt"
	"strings"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/ddbexpr"
	"github.com/dynmodel/dynmodel/model/expr"
)

// expression writes the expressions of a request as the inside of template
// literals, whose names and values the runtime's Expression x puts behind
// placeholders.
type expression struct {
	scope
	entities []*model.Entity
}

func name(n string) string { return "${x.name(" + quote(n) + ")}" }

func put(value string) string { return "${x.value(" + value + ")}" }

// condition is a condition as a template literal; undefined for nil.
func (x expression) condition(c expr.Cond) (string, error) {
	if c == nil {
		return "undefined", nil
	}
	written, err := x.writer().Condition(c)
	if err != nil {
		return "", err
	}
	text, err := x.render(written)
	return "`" + text + "`", err
}

// writer writes conditions and changes of the request.
func (x expression) writer() ddbexpr.Writer {
	return ddbexpr.Writer{Entities: x.entities, Parameter: func(p *expr.Param) *model.Attribute { return x.domain(p) }}
}

// render is a text as the inside of a template literal.
func (x expression) render(text ddbexpr.Text) (string, error) {
	var b strings.Builder
	for _, piece := range text {
		switch p := piece.(type) {
		case ddbexpr.Word:
			b.WriteString(string(p))
		case ddbexpr.Name:
			b.WriteString(name(string(p)))
		case ddbexpr.NameOf:
			b.WriteString("${x.name(" + x.param(string(p)) + ")}")
		case ddbexpr.Value:
			v, err := x.value(p.Operand, p.Like)
			if err != nil {
				return "", err
			}
			b.WriteString(put(v))
		case ddbexpr.List:
			list, err := x.value(p.Operand, p.Like)
			if err != nil {
				return "", err
			}
			if p.Like != nil && p.Like.Stored != "" {
				list = fmt.Sprintf("%s.map((m) => rt.%s(m))", list, p.Like.Stored)
			}
			b.WriteString("${x.list(" + list + ")}")
		}
	}
	return b.String(), nil
}
