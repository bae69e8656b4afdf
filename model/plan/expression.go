package plan

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/encode"
	"github.com/dynmodel/dynmodel/model/expr"
	"github.com/dynmodel/dynmodel/model/value"
)

// expression writes expressions of one request in DynamoDB's syntax, with every
// name and value behind a placeholder.
type expression struct {
	scope *scope
	// lookup is the definition of an attribute, nil for none: what stands
	// beside it takes its form.
	lookup func(expr.Path) *model.Attribute

	names  map[string]string // placeholder → name
	values map[string]value.Value
	known  map[string]string // name or value → placeholder
}

func newExpression(s *scope, lookup func(expr.Path) *model.Attribute) *expression {
	return &expression{scope: s, lookup: lookup, names: map[string]string{}, values: map[string]value.Value{}, known: map[string]string{}}
}

// attributesIn looks attributes up in the first entity that has them.
func attributesIn(entities []*model.Entity) func(expr.Path) *model.Attribute {
	return func(p expr.Path) *model.Attribute {
		for _, e := range entities {
			if a := attributeAt(e, p); a != nil {
				return a
			}
		}
		return nil
	}
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

// path writes the way to an attribute. A member of a map that a parameter names
// is named as the call says.
func (x *expression) path(p expr.Path) string {
	out := x.name(p.Name)
	for _, step := range x.scope.resolved(p).Rest {
		if step.Name != "" {
			out += "." + x.name(step.Name)
		} else {
			out += "[" + strconv.Itoa(step.Index) + "]"
		}
	}
	return out
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
	switch c := c.(type) {
	case nil:
		return "", nil
	case *expr.And:
		return x.joined(c.Terms, " AND ")
	case *expr.Or:
		return x.joined(c.Terms, " OR ")
	case *expr.Not:
		inner, err := x.nested(c.Term)
		return "NOT " + inner, err
	case *expr.Compare:
		return x.write("%s "+string(c.Op)+" %s", x.beside(c.Left, c.Right), x.beside(c.Right, c.Left))
	case *expr.Between:
		return x.write("%s BETWEEN %s AND %s", x.beside(c.X, c.Low), x.beside(c.Low, c.X), x.beside(c.High, c.X))
	case *expr.In:
		return x.in(c)
	case *expr.Test:
		if c.Arg == nil {
			return x.write(string(c.Name)+"(%s)", x.beside(c.X, c.X))
		}
		return x.write(string(c.Name)+"(%s, %s)", x.beside(c.X, c.Arg), x.beside(c.Arg, c.X))
	}
	return "", fmt.Errorf("no condition: %T", c)
}

func (x *expression) joined(terms []expr.Cond, by string) (string, error) {
	var out []string
	for _, t := range terms {
		text, err := x.nested(t)
		if err != nil {
			return "", err
		}
		out = append(out, text)
	}
	return strings.Join(out, by), nil
}

// nested writes a condition inside another one.
func (x *expression) nested(c expr.Cond) (string, error) {
	text, err := x.condition(c)
	switch c.(type) {
	case *expr.And, *expr.Or, *expr.Not:
		text = "(" + text + ")"
	}
	return text, err
}

// side is an operand with the attribute whose form it takes.
type side struct {
	operand expr.Operand
	like    *model.Attribute
}

func (x *expression) beside(o, other expr.Operand) side {
	return side{operand: o, like: x.like(o, other)}
}

// like is the definition an operand takes its form from: the attribute it
// stands beside, else the parameter.
func (x *expression) like(o, other expr.Operand) *model.Attribute {
	for _, p := range []expr.Operand{other, o} {
		for _, a := range expr.Attrs(p) {
			if found := x.lookup(a.Path); found != nil {
				return found
			}
		}
	}
	for _, p := range []expr.Operand{other, o} {
		for _, q := range expr.Params(p) {
			if found := x.scope.domain(q); found != nil {
				return found
			}
		}
	}
	return nil
}

func (x *expression) write(format string, sides ...side) (string, error) {
	texts := make([]any, len(sides))
	for i, s := range sides {
		text, err := x.operand(s.operand, s.like)
		if err != nil {
			return "", err
		}
		texts[i] = text
	}
	return fmt.Sprintf(format, texts...), nil
}

func (x *expression) in(c *expr.In) (string, error) {
	left, err := x.operand(c.X, nil)
	if err != nil {
		return "", err
	}
	like := x.like(c.List[0], c.X)
	var members []string
	if c.FromList {
		list, err := x.scope.given(c.List[0], like)
		if err != nil {
			return "", err
		}
		for _, m := range list.Items() {
			if like != nil {
				m = encode.Stored(like, m)
			}
			members = append(members, x.value(m))
		}
	} else {
		for _, o := range c.List {
			text, err := x.operand(o, like)
			if err != nil {
				return "", err
			}
			members = append(members, text)
		}
	}
	if len(members) == 0 {
		return "", fmt.Errorf("%s is an empty list", sourceText(c.List[0]))
	}
	return left + " IN (" + strings.Join(members, ", ") + ")", nil
}

// operand writes an operand: what is constant as a value, the rest with
// DynamoDB's functions and sums.
func (x *expression) operand(o expr.Operand, like *model.Attribute) (string, error) {
	switch o := o.(type) {
	case *expr.Attr:
		return x.path(o.Path), nil
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
		return "", fmt.Errorf("DynamoDB cannot work out %s", expr.String(o))
	}
	v, err := x.scope.given(o, like)
	if err != nil {
		return "", err
	}
	return x.value(v), nil
}

func (x *expression) call(o *expr.Call, like *model.Attribute) (string, error) {
	var args []string
	for _, arg := range o.Args {
		text, err := x.operand(arg, like)
		if err != nil {
			return "", err
		}
		args = append(args, text)
	}
	return string(o.Func.Name) + "(" + strings.Join(args, ", ") + ")", nil
}

func (x *expression) sum(o *expr.Arith, like *model.Attribute) (string, error) {
	left, err := x.addend(o.Left, like)
	if err != nil {
		return "", err
	}
	right, err := x.addend(o.Right, like)
	if err != nil {
		return "", err
	}
	if o.Minus {
		return left + " - " + right, nil
	}
	return left + " + " + right, nil
}

// addend is an operand of a sum with an attribute. A duration is a number of
// the attribute's units, which only the epochs have.
func (x *expression) addend(o expr.Operand, like *model.Attribute) (string, error) {
	d, ok := o.(*expr.Duration)
	if !ok {
		return x.operand(o, like)
	}
	switch {
	case like != nil && like.Type == model.TypeEpoch:
		return x.value(value.OfInt(int64(d.Length.Seconds()))), nil
	case like != nil && like.Type == model.TypeEpochMS:
		return x.value(value.OfInt(d.Length.Milliseconds())), nil
	}
	return "", fmt.Errorf("DynamoDB cannot add %s to a text", expr.String(o))
}
