package typescript

import (
	"fmt"
	"strings"

	"github.com/dynmodel/dynmodel/model"
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
func (x expression) text(c expr.Cond) (string, error) {
	if c == nil {
		return "undefined", nil
	}
	text, err := x.condition(c)
	return "`" + text + "`", err
}

func (x expression) condition(c expr.Cond) (string, error) {
	switch c := c.(type) {
	case *expr.And:
		return x.joined(c.Terms, " AND ")
	case *expr.Or:
		return x.joined(c.Terms, " OR ")
	case *expr.Not:
		inner, err := x.nested(c.Term)
		return "NOT " + inner, err
	case *expr.Compare:
		return x.sides("%s "+string(c.Op)+" %s", side{c.Left, c.Right}, side{c.Right, c.Left})
	case *expr.Between:
		return x.sides("%s BETWEEN %s AND %s", side{c.X, c.Low}, side{c.Low, c.X}, side{c.High, c.X})
	case *expr.In:
		return x.in(c)
	case *expr.Test:
		if c.Arg == nil {
			return x.sides(string(c.Name)+"(%s)", side{c.X, c.X})
		}
		return x.sides(string(c.Name)+"(%s, %s)", side{c.X, c.Arg}, side{c.Arg, c.X})
	}
	return "", fmt.Errorf("no condition: %T", c)
}

func (x expression) joined(terms []expr.Cond, by string) (string, error) {
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

func (x expression) nested(c expr.Cond) (string, error) {
	text, err := x.condition(c)
	switch c.(type) {
	case *expr.And, *expr.Or, *expr.Not:
		text = "(" + text + ")"
	}
	return text, err
}

// side is an operand and what it stands beside, whose form it takes.
type side struct{ operand, other expr.Operand }

func (x expression) sides(format string, all ...side) (string, error) {
	texts := make([]any, len(all))
	for i, s := range all {
		text, err := x.operand(s.operand, x.like(s.operand, s.other))
		if err != nil {
			return "", err
		}
		texts[i] = text
	}
	return fmt.Sprintf(format, texts...), nil
}

// like is the definition an operand takes its form from: the attribute it stands
// beside, else the parameter.
func (x expression) like(o, other expr.Operand) *model.Attribute {
	for _, p := range []expr.Operand{other, o} {
		for _, a := range expr.Attrs(p) {
			if found := x.lookup(a.Path); found != nil {
				return found
			}
		}
	}
	for _, p := range []expr.Operand{other, o} {
		for _, q := range expr.Params(p) {
			if found := x.domain(q); found != nil {
				return found
			}
		}
	}
	return nil
}

// lookup is the definition of an attribute in the first entity that has it.
func (x expression) lookup(p expr.Path) *model.Attribute {
	for _, e := range x.entities {
		if a := attributeAt(e, p); a != nil {
			return a
		}
	}
	return nil
}

func (x expression) in(c *expr.In) (string, error) {
	left, err := x.operand(c.X, nil)
	if err != nil {
		return "", err
	}
	like := x.like(c.List[0], c.X)
	if c.FromList {
		list, err := x.value(c.List[0], like)
		if like != nil && like.Stored != "" {
			list = fmt.Sprintf("%s.map((m) => rt.%s(m))", list, like.Stored)
		}
		return left + " IN (${x.list(" + list + ")})", err
	}
	var members []string
	for _, o := range c.List {
		text, err := x.operand(o, like)
		if err != nil {
			return "", err
		}
		members = append(members, text)
	}
	return left + " IN (" + strings.Join(members, ", ") + ")", nil
}

// operand is what is constant as a value, the rest in DynamoDB's functions and sums.
func (x expression) operand(o expr.Operand, like *model.Attribute) (string, error) {
	constant := len(expr.Attrs(o)) == 0
	switch o := o.(type) {
	case *expr.Attr:
		return x.way(o.Path), nil
	case *expr.Call:
		if !o.Func.Name.IsTemplate() {
			return x.call(o, like)
		}
	case *expr.Arith:
		if !constant {
			return x.sum(o, like)
		}
	}
	if !constant {
		return "", fmt.Errorf("DynamoDB cannot work out %s", expr.String(o))
	}
	v, err := x.value(o, like)
	return put(v), err
}

// way is the way to an attribute.
func (x expression) way(p expr.Path) string {
	out := name(p.Name)
	for _, step := range p.Rest {
		switch {
		case step.Param != "":
			out += ".${x.name(" + x.param(step.Param) + ")}"
		case step.Name != "":
			out += "." + name(step.Name)
		default:
			out += fmt.Sprintf("[%d]", step.Index)
		}
	}
	return out
}

func (x expression) call(o *expr.Call, like *model.Attribute) (string, error) {
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

func (x expression) sum(o *expr.Arith, like *model.Attribute) (string, error) {
	left, err := x.addend(o.Left, like)
	if err != nil {
		return "", err
	}
	right, err := x.addend(o.Right, like)
	if o.Minus {
		return left + " - " + right, err
	}
	return left + " + " + right, err
}

// addend is an operand of a sum with an attribute; a duration is a number of the
// attribute's units, which only the epochs have.
func (x expression) addend(o expr.Operand, like *model.Attribute) (string, error) {
	d, ok := o.(*expr.Duration)
	switch {
	case !ok:
		return x.operand(o, like)
	case like != nil && like.Type == model.TypeEpoch:
		return put(fmt.Sprint(int64(d.Length.Seconds()))), nil
	case like != nil && like.Type == model.TypeEpochMS:
		return put(fmt.Sprint(d.Length.Milliseconds())), nil
	}
	return "", fmt.Errorf("DynamoDB cannot add %s to a text", expr.String(o))
}
