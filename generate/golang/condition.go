package golang

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/encode"
	"github.com/dynmodel/dynmodel/model/expr"
	"github.com/dynmodel/dynmodel/model/value"
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

// definition is the attribute at a path, of the first entity that has it.
func (x *expression) definition(p expr.Path) *model.Attribute {
	for _, e := range x.entities {
		if a := encode.Member(e.Attribute(p.Name), p.Rest); a != nil {
			return a
		}
	}
	return nil
}

func (x *expression) path(p expr.Path) (phrase, error) {
	var out phrase
	out.literal(x.name(p.Name))
	for _, step := range p.Rest {
		switch {
		case step.Name != "":
			out.literal("." + x.name(step.Name))
		case step.Param != "":
			v, err := x.frame.param(step.Param)
			if err != nil {
				return out, err
			}
			x.dynamic = true
			out.literal(".")
			out.code("x.name(" + v.text() + ")")
		default:
			out.literal("[" + strconv.Itoa(step.Index) + "]")
		}
	}
	return out, nil
}

// condition writes a condition; an empty phrase for nil.
func (x *expression) condition(c expr.Cond) (phrase, error) {
	switch c := c.(type) {
	case nil:
		return phrase{}, nil
	case *expr.And:
		return x.joined(c.Terms, " AND ")
	case *expr.Or:
		return x.joined(c.Terms, " OR ")
	case *expr.Not:
		inner, err := x.nested(c.Term)
		return sentence("NOT ", inner), err
	case *expr.Compare:
		return x.sides([]string{"", " " + string(c.Op) + " ", ""}, pair{c.Left, c.Right}, pair{c.Right, c.Left})
	case *expr.Between:
		return x.sides([]string{"", " BETWEEN ", " AND ", ""}, pair{c.X, c.Low}, pair{c.Low, c.X}, pair{c.High, c.X})
	case *expr.In:
		return x.in(c)
	case *expr.Test:
		if c.Arg == nil {
			return x.sides([]string{string(c.Name) + "(", ")"}, pair{c.X, c.X})
		}
		return x.sides([]string{string(c.Name) + "(", ", ", ")"}, pair{c.X, c.Arg}, pair{c.Arg, c.X})
	}
	return phrase{}, fault("no condition: %T", c)
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

func (x *expression) joined(terms []expr.Cond, by string) (phrase, error) {
	var out phrase
	for i, t := range terms {
		if i > 0 {
			out.literal(by)
		}
		text, err := x.nested(t)
		if err != nil {
			return out, err
		}
		out.add(text)
	}
	return out, nil
}

// nested writes a condition inside another one.
func (x *expression) nested(c expr.Cond) (phrase, error) {
	text, err := x.condition(c)
	switch c.(type) {
	case *expr.And, *expr.Or, *expr.Not:
		text = sentence("(", text, ")")
	}
	return text, err
}

// pair is an operand and the one it stands beside.
type pair struct{ operand, beside expr.Operand }

// sides writes operands between texts.
func (x *expression) sides(texts []string, pairs ...pair) (phrase, error) {
	out := sentence(texts[0])
	for i, p := range pairs {
		text, err := x.operand(p.operand, x.like(p.operand, p.beside))
		if err != nil {
			return out, err
		}
		out = sentence(out, text, texts[i+1])
	}
	return out, nil
}

// like is the definition an operand takes its form from: the attribute that
// stands beside it, else a parameter's.
func (x *expression) like(o, beside expr.Operand) *model.Attribute {
	for _, p := range []expr.Operand{beside, o} {
		for _, a := range expr.Attrs(p) {
			if found := x.definition(a.Path); found != nil {
				return found
			}
		}
	}
	for _, p := range []expr.Operand{beside, o} {
		for _, q := range expr.Params(p) {
			if f, _ := x.frame.field(q.Name); f != nil && f.param.Domain() != nil {
				return f.param.Domain()
			}
		}
	}
	return nil
}

func (x *expression) in(c *expr.In) (phrase, error) {
	left, err := x.operand(c.X, nil)
	if err != nil {
		return left, err
	}
	like := x.like(c.List[0], c.X)
	out := sentence(left, " IN (")
	if c.FromList {
		list, err := x.frame.operand(c.List[0], like)
		if err != nil {
			return out, err
		}
		member := val{code: "v", name: list.name, typ: list.typ.elem}.folded(like)
		x.dynamic = true
		out.code(fmt.Sprintf("x.list(f, %q, each(%s, func(v %s) types.AttributeValue { return %s }))", list.name, list.code, list.typ.elem.name, member.written()))
		out.literal(")")
		return out, nil
	}
	for i, o := range c.List {
		text, err := x.operand(o, like)
		if err != nil {
			return out, err
		}
		if i > 0 {
			out.literal(", ")
		}
		out.add(text)
	}
	out.literal(")")
	return out, nil
}

// operand writes an operand: what is constant as a value, the rest with
// DynamoDB's functions and sums.
func (x *expression) operand(o expr.Operand, like *model.Attribute) (phrase, error) {
	switch o := o.(type) {
	case *expr.Attr:
		return x.path(o.Path)
	case *expr.Call:
		if !o.Func.Name.IsTemplate() {
			return x.call(o, like)
		}
	case *expr.Arith:
		if !constant(o) {
			return x.sum(o, like)
		}
	}
	if !constant(o) {
		return phrase{}, fault("DynamoDB cannot work out %s", expr.String(o))
	}
	v, err := x.frame.operand(o, like)
	if err != nil {
		return phrase{}, err
	}
	return sentence(x.value(v.written())), nil
}

// constant tells whether an operand has its value before anything is read.
func constant(o expr.Operand) bool { return len(expr.Attrs(o)) == 0 }

func (x *expression) call(o *expr.Call, like *model.Attribute) (phrase, error) {
	out := sentence(string(o.Func.Name) + "(")
	for i, arg := range o.Args {
		text, err := x.operand(arg, like)
		if err != nil {
			return out, err
		}
		if i > 0 {
			out.literal(", ")
		}
		out.add(text)
	}
	out.literal(")")
	return out, nil
}

func (x *expression) sum(o *expr.Arith, like *model.Attribute) (phrase, error) {
	left, err := x.addend(o.Left, like)
	if err != nil {
		return left, err
	}
	right, err := x.addend(o.Right, like)
	if o.Minus {
		return sentence(left, " - ", right), err
	}
	return sentence(left, " + ", right), err
}

// addend is an operand of a sum with an attribute. A duration is a number of the
// attribute's units, which only the epochs have.
func (x *expression) addend(o expr.Operand, like *model.Attribute) (phrase, error) {
	d, ok := o.(*expr.Duration)
	if !ok {
		return x.operand(o, like)
	}
	switch {
	case like != nil && like.Type == model.TypeEpoch:
		return sentence(x.value(literalCode(value.OfInt(int64(d.Length.Seconds()))))), nil
	case like != nil && like.Type == model.TypeEpochMS:
		return sentence(x.value(literalCode(value.OfInt(d.Length.Milliseconds())))), nil
	}
	return phrase{}, fault("DynamoDB cannot add %s to a text", expr.String(o))
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
