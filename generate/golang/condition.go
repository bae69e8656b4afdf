package golang

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/ddbexpr"
	"github.com/dynmodel/dynmodel/model/expr"
)

// expression writes the expressions of one request in DynamoDB's syntax, with
// every name and value behind a placeholder. What only the call knows is left to
// an expression x of the generated code.
type expression struct {
	frame    *frame
	entities []*model.Entity // whose attributes give form to what stands beside them

	names   map[string]string // placeholder → name
	values  []string          // code, by the number of the placeholder
	known   map[string]string // name or code → placeholder
	dynamic bool              // x is needed
}

func (fr *frame) expression(entities ...*model.Entity) *expression {
	return &expression{frame: fr, entities: entities, names: map[string]string{}, known: map[string]string{}}
}

// name is the placeholder of a name.
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

// value is the placeholder of a value, the same for the same code.
func (x *expression) value(code string) string {
	if p, ok := x.known[":"+code]; ok {
		return p
	}
	p := ":v" + strconv.Itoa(len(x.values))
	x.values, x.known[":"+code] = append(x.values, code), p
	return p
}

// writer writes conditions and changes of the request.
func (x *expression) writer() ddbexpr.Writer {
	return ddbexpr.Writer{Entities: x.entities, Parameter: func(p *expr.Param) *model.Attribute {
		if f, _ := x.frame.field(p.Name); f != nil {
			return f.param.Domain()
		}
		return nil
	}}
}

// condition writes a condition; an empty phrase for nil.
func (x *expression) condition(c expr.Cond) (phrase, error) {
	text, err := x.writer().Condition(c)
	if err != nil {
		return phrase{}, err
	}
	return x.render(text)
}

// render writes a text with placeholders.
func (x *expression) render(text ddbexpr.Text) (phrase, error) {
	var out phrase
	for _, piece := range text {
		switch p := piece.(type) {
		case ddbexpr.Word:
			out.literal(string(p))
		case ddbexpr.Name:
			out.literal(x.name(string(p)))
		case ddbexpr.NameOf:
			v, err := x.frame.param(string(p))
			if err != nil {
				return out, err
			}
			x.dynamic = true
			out.code("x.name(" + v.text() + ")")
		case ddbexpr.Value:
			v, err := x.frame.operand(p.Operand, p.Like)
			if err != nil {
				return out, err
			}
			out.literal(x.value(v.written()))
		case ddbexpr.List:
			list, err := x.frame.operand(p.Operand, p.Like)
			if err != nil {
				return out, err
			}
			x.dynamic = true
			member := val{code: "v", name: list.name, typ: list.typ.elem}.folded(p.Like)
			out.code(fmt.Sprintf("x.list(f, %q, each(%s, func(v %s) types.AttributeValue { return %s }))", list.name, list.code, list.typ.elem.name, member.written()))
		}
	}
	return out, nil
}

// sentence joins texts and phrases.
func sentence(parts ...any) phrase {
	var out phrase
	for _, p := range parts {
		switch p := p.(type) {
		case string:
			out.literal(p)
		case phrase:
			out.add(p)
		}
	}
	return out
}

// namesCode and valuesCode are the maps of what is behind the placeholders.

func (x *expression) namesCode() string {
	var out []string
	for _, p := range slices.Sorted(maps.Keys(x.names)) {
		out = append(out, fmt.Sprintf("%q: %q", p, x.names[p]))
	}
	return "map[string]string{" + strings.Join(out, ", ") + "}"
}

func (x *expression) valuesCode() string {
	var out []string
	for i, code := range x.values {
		out = append(out, fmt.Sprintf("\":v%d\": %s", i, code))
	}
	return "stored{" + strings.Join(out, ", ") + "}"
}

// declare writes the declaration of x, where it is needed.
func (x *expression) declare(w *writer) {
	if x.dynamic {
		w.line("x := expression{names: %s, values: %s}", x.namesCode(), x.valuesCode())
	}
}

// fields writes the fields of a request that say what is behind the placeholders.
func (x *expression) fields(w *writer) {
	switch {
	case x.dynamic:
		w.line("ExpressionAttributeNames: x.given(),")
		w.line("ExpressionAttributeValues: x.givenValues(),")
		return
	case len(x.names) > 0:
		w.line("ExpressionAttributeNames: %s,", x.namesCode())
	}
	if len(x.values) > 0 {
		w.line("ExpressionAttributeValues: %s,", x.valuesCode())
	}
}
