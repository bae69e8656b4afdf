package plan

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/ddbexpr"
	"github.com/dynmodel/dynmodel/model/encode"
	"github.com/dynmodel/dynmodel/model/expr"
	"github.com/dynmodel/dynmodel/model/value"
)

// expression puts the names and values of one request's expressions behind
// placeholders.
type expression struct {
	scope    *scope
	entities []*model.Entity // whose attributes give form to what stands beside them

	names  map[string]string // placeholder → name
	values map[string]value.Value
	known  map[string]string // name or value → placeholder
}

func newExpression(s *scope, entities ...*model.Entity) *expression {
	return &expression{scope: s, entities: entities, names: map[string]string{}, values: map[string]value.Value{}, known: map[string]string{}}
}

// writer writes conditions and changes of the request.
func (x *expression) writer() ddbexpr.Writer {
	return ddbexpr.Writer{Entities: x.entities, Parameter: func(p *expr.Param) *model.Attribute { return x.scope.domain(p) }}
}

// into puts names and values into the request; nil maps when there are none.
func (x *expression) into(r *Request) {
	if len(x.names) > 0 {
		r.Names = x.names
	}
	if len(x.values) > 0 {
		r.Values = x.values
	}
}

// name is the placeholder of a name: the name itself, as far as its characters
// may stand there.
func (x *expression) name(name string) string {
	if p, ok := x.known["#"+name]; ok {
		return p
	}
	base := "#" + strings.Map(func(r rune) rune {
		if r == '_' || '0' <= r && r <= '9' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' {
			return r
		}
		return -1
	}, name)
	p := base
	for n := 2; p == "#" || len(p) > 200 || x.names[p] != ""; n++ {
		p = base[:min(len(base), 200)] + strconv.Itoa(n)
	}
	x.names[p], x.known["#"+name] = name, p
	return p
}

// value is the placeholder of a value, the same for equal values.
func (x *expression) value(v value.Value) string {
	id := ":" + v.Kind().String() + v.String()
	if p, ok := x.known[id]; ok {
		return p
	}
	p := ":v" + strconv.Itoa(len(x.values))
	x.values[p], x.known[id] = v, p
	return p
}

// projection writes a projection of top-level attributes; "" for none.
func (x *expression) projection(names []string) string {
	var out []string
	for _, n := range names {
		out = append(out, x.name(n))
	}
	return strings.Join(out, ", ")
}

// condition writes a condition; "" for nil.
func (x *expression) condition(c expr.Cond) (string, error) {
	text, err := x.writer().Condition(c)
	if err != nil {
		return "", err
	}
	return x.render(text)
}

// render writes a text with placeholders.
func (x *expression) render(text ddbexpr.Text) (string, error) {
	var b strings.Builder
	for _, piece := range text {
		switch p := piece.(type) {
		case ddbexpr.Word:
			b.WriteString(string(p))
		case ddbexpr.Name:
			b.WriteString(x.name(string(p)))
		case ddbexpr.NameOf:
			b.WriteString(x.name(x.scope.lookup(string(p)).Text()))
		case ddbexpr.Value:
			v, err := x.scope.given(p.Operand, p.Like)
			if err != nil {
				return "", err
			}
			b.WriteString(x.value(v))
		case ddbexpr.List:
			members, err := x.members(p)
			if err != nil {
				return "", err
			}
			b.WriteString(members)
		}
	}
	return b.String(), nil
}

// members are the members of a list, which has one at least.
func (x *expression) members(l ddbexpr.List) (string, error) {
	list, err := x.scope.given(l.Operand, l.Like)
	if err != nil {
		return "", err
	}
	var out []string
	for _, m := range list.Items() {
		if l.Like != nil {
			m = encode.Stored(l.Like, m)
		}
		out = append(out, x.value(m))
	}
	if len(out) == 0 {
		return "", fmt.Errorf("%s is an empty list", sourceText(l.Operand))
	}
	return strings.Join(out, ", "), nil
}
