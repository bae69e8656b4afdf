package typescript

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/expr"
	"github.com/dynmodel/dynmodel/model/plan"
	"github.com/dynmodel/dynmodel/model/value"
)

// scope is where operands have their values from, and writes them as expressions
// of TypeScript.
type scope struct {
	pattern *model.Pattern // nil outside of patterns
	// levels are the variables that hold parameters: the call's, then those of
	// the members of lists, outermost first.
	levels []level
	// item is the variable with the attributes of an item of entity; "" for none.
	item   string
	entity *model.Entity
	fans   map[*plan.Fan]string
	// seeking tells that keys are made to look for items.
	seeking bool
	random  string // what draws a shard
}

type level struct {
	name   string
	params []*model.Parameter
}

func (s scope) reading(e *model.Entity, item string) scope {
	s.entity, s.item = e, item
	return s
}

func (s scope) member(name string, params []*model.Parameter) scope {
	s.levels = append(slices.Clip(s.levels), level{name, params})
	return s
}

// param is a parameter as an expression.
func (s scope) param(name string) string {
	for _, l := range s.levels {
		for _, q := range l.params {
			if q.Name == name {
				return member(l.name, name)
			}
		}
	}
	return "undefined"
}

// list are the members of a list parameter.
func (s scope) listFields(name string) []*model.Parameter {
	for _, l := range s.levels {
		for _, q := range l.params {
			if q.Name == name {
				return q.Fields
			}
		}
	}
	return nil
}

// domain is the definition of what an operand holds, nil when it has none.
func (s scope) domain(o expr.Operand) *model.Attribute {
	switch o := o.(type) {
	case *expr.Attr:
		if s.entity != nil {
			return s.entity.AttributeAt(o.Path)
		}
	case *expr.Param:
		for _, l := range s.levels {
			for _, q := range l.params {
				if q.Name == o.Name {
					return q.Domain()
				}
			}
		}
	}
	return nil
}

// path is the way to an attribute of the item; what is absent is undefined.
func (s scope) path(of string, p expr.Path) string {
	return s.into(member(of, p.Name), p.Rest)
}

func (s scope) into(of string, rest []expr.Step) string {
	for _, step := range rest {
		switch {
		case step.Param != "":
			of += "?.[" + s.param(step.Param) + "]"
		case step.Name != "":
			of = maybeMember(of, step.Name)
		default:
			of += fmt.Sprintf("?.[%d]", step.Index)
		}
	}
	return of
}

// value is an operand that needs nothing of the database, or of the item in view;
// times are written as the attribute like writes them, which may be nil.
func (s scope) value(o expr.Operand, like *model.Attribute) (string, error) {
	switch o := o.(type) {
	case *expr.Literal:
		return literal(o.Value), nil
	case *expr.Param:
		return s.given(o), nil
	case *expr.Now:
		return fmt.Sprintf("rt.formatTime(now, %s)", form(like)), nil
	case *expr.Attr:
		return s.path(s.item, o.Path), nil
	case *expr.Arith:
		return s.sum(o, like)
	case *expr.Call:
		return s.call(o, like)
	}
	return "", fmt.Errorf("%s has no value of its own", expr.String(o))
}

// given is a parameter as DynamoDB gets it.
func (s scope) given(o *expr.Param) string {
	if a := s.domain(o); a != nil && isSet(a) {
		return "rt.setOf(" + s.param(o.Name) + ")"
	}
	return s.param(o.Name)
}

func isSet(a *model.Attribute) bool {
	switch a.Type.Kind() {
	case value.StringSet, value.NumberSet, value.BinarySet:
		return true
	}
	return false
}

func (s scope) sum(o *expr.Arith, like *model.Attribute) (string, error) {
	if d, ok := o.Right.(*expr.Duration); ok {
		length := d.Length
		if o.Minus {
			length = -length
		}
		return s.moved(o.Left, length, like)
	}
	if d, ok := o.Left.(*expr.Duration); ok {
		return s.moved(o.Right, d.Length, like)
	}
	left, err := s.value(o.Left, like)
	if err != nil {
		return "", err
	}
	right, err := s.value(o.Right, like)
	if err != nil {
		return "", err
	}
	if o.Minus {
		return fmt.Sprintf("rt.sum(%s, %s, -1)", left, right), nil
	}
	return fmt.Sprintf("rt.sum(%s, %s)", left, right), nil
}

func (s scope) moved(o expr.Operand, by time.Duration, like *model.Attribute) (string, error) {
	if _, ok := o.(*expr.Now); ok {
		return fmt.Sprintf("rt.formatTime(now + %s, %s)", nanoseconds(by), form(like)), nil
	}
	own := s.domain(o)
	if own == nil {
		own = like
	}
	v, err := s.value(o, own)
	if err != nil || own == nil {
		return v, err
	}
	to := like
	if to == nil || !to.Type.IsTime() {
		to = nil
	}
	return fmt.Sprintf("rt.moved(%s, %s, %s, %s)", v, quote(timed(own.Type)), nanoseconds(by), form(to)), nil
}

func nanoseconds(d time.Duration) string { return fmt.Sprintf("%dn", int64(d)) }

// call is a template function of an operand, or if_not_exists.
func (s scope) call(o *expr.Call, like *model.Attribute) (string, error) {
	if o.Func.Name == expr.IfNotExists {
		first, err := s.value(o.Args[0], like)
		if err != nil {
			return "", err
		}
		second, err := s.value(o.Args[1], like)
		return "(" + first + " ?? " + second + ")", err
	}
	if !o.Func.Name.IsTemplate() {
		return "", fmt.Errorf("%s can only be worked out by DynamoDB", expr.String(o))
	}
	own := s.domain(o.Args[0])
	if own == nil {
		own = like
	}
	v, err := s.value(o.Args[0], own)
	if err != nil {
		return "", err
	}
	return through([]expr.Func{o.Func}, v, typeSeen(own), s.seeking), nil
}

func typeSeen(a *model.Attribute) model.Type {
	if a == nil {
		return model.TypeDatetime
	}
	return a.Type
}

// through is an expression seen through template functions.
func through(funcs []expr.Func, v string, t model.Type, seeking bool) string {
	for _, f := range funcs {
		switch f.Name {
		case expr.Lower, expr.Upper:
			v = fmt.Sprintf("rt.%s(%s)", f.Name, v)
			continue
		case expr.Prefix, expr.Shard:
			v = fmt.Sprintf("rt.%s(%s, %d)", f.Name, v, f.N)
		case expr.Pad, expr.Invert:
			if seeking {
				v = fmt.Sprintf("rt.seek(rt.%s, %s, %d)", f.Name, v, f.N)
			} else {
				v = fmt.Sprintf("rt.%s(%s, %d)", f.Name, v, f.N)
			}
		default:
			v = fmt.Sprintf("rt.period(%s, %s, %s)", v, quote(timed(t)), unit(f))
		}
		switch f.Name {
		case expr.Month:
			t = model.TypeMonth
		case expr.Day:
			t = model.TypeDate
		default:
			t = model.TypeString
		}
	}
	return v
}

// unit is a period as the runtime names it.
func unit(f expr.Func) string {
	if f.Name == expr.Bucket {
		return fmt.Sprint(f.N)
	}
	return quote(string(f.Name))
}

// timed is what a time is read out of, as the runtime names it.
func timed(t model.Type) string {
	if t.HasTime() {
		return string(t)
	}
	return "none"
}

// form is how an attribute writes times, as the runtime names it; nil writes the
// default of datetime.
func form(a *model.Attribute) string {
	if a == nil || !a.Type.IsTime() {
		return quote("s")
	}
	if a.Type != model.TypeDatetime {
		return quote(string(a.Type))
	}
	precision := string(a.Domain.Precision)
	if precision == "" || a.Domain.Precision == model.PrecisionVariable {
		precision = "s"
	}
	if a.Domain.NoZone {
		precision += " local"
	}
	return quote(precision)
}

// recipe is the value that a recipe makes.
func (s scope) recipe(r plan.Recipe) (string, error) {
	if r.Kind != value.String && len(r.Parts) == 1 {
		v, err := s.part(r.Parts[0])
		return neighbour(v, r.Kind, r.Parts[0]), err
	}
	var b strings.Builder
	for _, p := range r.Parts {
		v, err := s.part(p)
		if err != nil {
			return "", err
		}
		switch {
		case p.Max:
			b.WriteString("${rt.max}")
		case p.Source == nil && p.Fan == nil && p.Random == 0:
			b.WriteString(inTemplate(p.Literal))
		case p.Neighbour != 0:
			fmt.Fprintf(&b, "${rt.nextText(rt.text(%s), %d)}", v, p.Neighbour)
		default:
			fmt.Fprintf(&b, "${rt.text(%s)}", v)
		}
	}
	return written(b.String()), nil
}

// written is a template literal, as a plain text where nothing is put into it.
func written(text string) string {
	if plain := strings.NewReplacer("\\`", "", "\\$", ""); !strings.ContainsAny(plain.Replace(text), "$'\\`") {
		return "'" + text + "'"
	}
	return "`" + text + "`"
}

func neighbour(v string, k value.Kind, p plan.Part) string {
	switch {
	case p.Neighbour == 0:
		return v
	case k == value.Binary:
		return fmt.Sprintf("rt.nextBinary(%s, %d)", v, p.Neighbour)
	case p.Attribute == nil || p.Attribute.Type == model.TypeNumber:
		return fmt.Sprintf("rt.nextNumber(%s, %d)", v, p.Neighbour)
	}
	return fmt.Sprintf("rt.nextInteger(%s, %d)", v, p.Neighbour)
}

// part is the value of a part, before its neighbour is taken.
func (s scope) part(p plan.Part) (string, error) {
	var v string
	var err error
	switch {
	case p.Fan != nil:
		v = s.fans[p.Fan]
	case p.Source != nil:
		v, err = s.value(p.Source, p.Attribute)
	case p.Random > 0:
		return fmt.Sprintf("%s(%d)", s.random, p.Random), nil
	default:
		return "", nil
	}
	return through(p.Funcs, s.into(v, p.Into), typeSeen(p.Attribute), s.seeking), err
}

// key is the key of an item as an object.
func (s scope) key(key []plan.KeyRecipe, depth int) (string, error) {
	var members []string
	for _, k := range key {
		v, err := s.recipe(k.Value)
		if err != nil {
			return "", err
		}
		members = append(members, property(k.Attribute.Name)+": "+v)
	}
	return object(depth, members...), nil
}
