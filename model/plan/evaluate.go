package plan

import (
	"fmt"
	"time"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/encode"
	"github.com/dynmodel/dynmodel/model/expr"
	"github.com/dynmodel/dynmodel/model/value"
)

// scope is where the values of operands come from.
type scope struct {
	model   *model.Model
	pattern *model.Pattern
	args    model.Args
	outer   *scope // around the members of a list parameter; its names come first
	now     time.Time
	draw    func(n int) int
	entity  *model.Entity        // of old
	old     Stored               // the item read first; nil: none
	fans    map[*Fan]value.Value // of the request at hand
	// seeking tells that keys are made to look for items: what no stored key can
	// hold is then before or after all that one can.
	seeking bool
}

func (v *Variant) scope(c Call) *scope {
	draw := c.Shard
	if draw == nil {
		draw = func(int) int { return 0 }
	}
	return &scope{model: v.planner.model, pattern: v.Pattern, args: c.Args, now: c.Now, draw: draw}
}

// member is the scope of one member of a list parameter.
func (s *scope) member(v value.Value) *scope {
	in := *s
	in.outer, in.args = s, model.Args{}
	for _, f := range v.Fields() {
		in.args[f.Name] = f.Value
	}
	return &in
}

// with is the scope of a request with the given values of its fans.
func (s *scope) with(fans map[*Fan]value.Value) *scope {
	in := *s
	in.fans = fans
	return &in
}

// reading is the scope in which attributes are those of an entity's item.
func (s *scope) reading(e *model.Entity, item Stored) *scope {
	in := *s
	in.entity, in.old = e, item
	return &in
}

func (s *scope) lookup(name string) value.Value {
	if s.outer != nil {
		if v := s.outer.lookup(name); v.Exists() {
			return v
		}
	}
	return s.args[name]
}

// list are the members of a list parameter.
func (s *scope) list(name string) ([]value.Value, error) {
	v := s.lookup(name)
	if !v.Exists() {
		return nil, fmt.Errorf("parameter %s is not given", name)
	}
	return v.Items(), nil
}

// resolved is a path with the members of maps that parameters name.
func (s *scope) resolved(p expr.Path) expr.Path {
	return p.Resolve(func(param string) string { return s.lookup(param).Text() })
}

// isoTime is the form of a time that stands beside nothing that has one.
var isoTime = &model.Attribute{Type: model.TypeDatetime}

// value is the value of an operand that needs nothing of the database, or of
// the item read first; absent when a parameter or attribute is. Times are
// written as the attribute like writes them; it may be nil.
func (s *scope) value(o expr.Operand, like *model.Attribute) (value.Value, error) {
	switch o := o.(type) {
	case *expr.Literal:
		return o.Value, nil
	case *expr.Param:
		return s.lookup(o.Name), nil
	case *expr.Now:
		return timeAs(s.now, like)
	case *expr.Attr:
		return encode.Lookup(model.Item(s.old), s.resolved(o.Path)), nil
	case *expr.Arith:
		return s.sum(o, like)
	case *expr.Call:
		return s.call(o, like)
	}
	return value.Value{}, fmt.Errorf("%s has no value of its own", expr.String(o))
}

// given is value, and an error when it is absent.
func (s *scope) given(o expr.Operand, like *model.Attribute) (value.Value, error) {
	v, err := s.value(o, like)
	if err == nil && !v.Exists() {
		err = fmt.Errorf("%s is not given", sourceText(o))
	}
	return v, err
}

func timeAs(at time.Time, like *model.Attribute) (value.Value, error) {
	if like == nil || !like.Type.IsTime() {
		like = isoTime
	}
	v, ok := encode.OfTime(like, at)
	if !ok {
		return v, fmt.Errorf("%s is no time that %s can hold", at.Format(time.RFC3339), like.Name.Text)
	}
	return v, nil
}

// sum is a sum of numbers, or a time moved by a duration.
func (s *scope) sum(o *expr.Arith, like *model.Attribute) (value.Value, error) {
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
	if err != nil || !left.Exists() {
		return value.Value{}, err
	}
	right, err := s.value(o.Right, like)
	if err != nil || !right.Exists() {
		return value.Value{}, err
	}
	if left.Kind() != value.Number || right.Kind() != value.Number {
		return value.Value{}, fmt.Errorf("%s adds what is no number", sourceText(o))
	}
	if o.Minus {
		right = right.Neg()
	}
	return left.Add(right)
}

func (s *scope) moved(o expr.Operand, by time.Duration, like *model.Attribute) (value.Value, error) {
	if _, ok := o.(*expr.Now); ok {
		return timeAs(s.now.Add(by), like)
	}
	own := s.domain(o)
	if own == nil {
		own = like
	}
	v, err := s.value(o, own)
	if err != nil || own == nil || !v.Exists() {
		return v, err
	}
	at, ok := encode.Time(v, own.Type)
	if !ok {
		return v, fmt.Errorf("%s is no time: %s", sourceText(o), v)
	}
	return timeAs(at.Add(by), like)
}

// call is a template function of an operand, or if_not_exists.
func (s *scope) call(o *expr.Call, like *model.Attribute) (value.Value, error) {
	if o.Func.Name == expr.IfNotExists {
		if v, err := s.value(o.Args[0], like); err != nil || v.Exists() {
			return v, err
		}
		return s.value(o.Args[1], like)
	}
	if !o.Func.Name.IsTemplate() {
		return value.Value{}, fmt.Errorf("%s can only be worked out by DynamoDB", expr.String(o))
	}
	own := s.domain(o.Args[0])
	if own == nil {
		own = like
	}
	v, err := s.value(o.Args[0], own)
	if err != nil || !v.Exists() {
		return v, err
	}
	return encode.Apply([]expr.Func{o.Func}, v, typeOf(own, v))
}

// domain is the definition of what an operand holds, nil when it has none.
func (s *scope) domain(o expr.Operand) *model.Attribute {
	if a, ok := o.(*expr.Attr); ok && s.entity != nil {
		return s.entity.AttributeAt(a.Path)
	}
	if p, ok := o.(*expr.Param); ok && s.pattern != nil {
		if q := parameter(s.pattern.Parameters, p.Name); q != nil {
			return q.Domain()
		}
	}
	return nil
}

// parameter is the parameter of that name, also inside a list; nil for none.
func parameter(all []*model.Parameter, name string) *model.Parameter {
	for _, q := range all {
		if q.Name == name {
			return q
		}
	}
	for _, q := range all {
		if in := parameter(q.Fields, name); in != nil {
			return in
		}
	}
	return nil
}

func typeOf(a *model.Attribute, v value.Value) model.Type {
	switch {
	case a != nil:
		return a.Type
	case v.Kind() == value.String:
		return model.TypeDatetime
	}
	return model.TypeAny
}

// recipe is the value that a recipe makes.
func (s *scope) recipe(r Recipe) (value.Value, error) {
	if r.Kind != value.String && len(r.Parts) == 1 {
		v, err := s.part(r.Parts[0])
		if err == nil {
			v = neighbour(v, r.Parts[0])
		}
		return v, err
	}
	text := ""
	for _, p := range r.Parts {
		v, err := s.part(p)
		if err != nil {
			return v, err
		}
		t, err := encode.Text(v)
		if err != nil {
			return v, err
		}
		text += neighbourText(t, p)
	}
	return value.OfString(text), nil
}

// part is the value of a part before its neighbour is taken.
func (s *scope) part(p Part) (value.Value, error) {
	var v value.Value
	var err error
	switch {
	case p.Fan != nil:
		v = s.fans[p.Fan]
	case p.Source != nil:
		v, err = s.given(p.Source, p.Attribute)
	case p.Max:
		return value.OfString(Max), nil
	case p.Random > 0:
		return value.OfInt(int64(s.draw(p.Random))), nil
	default:
		return value.OfString(p.Literal), nil
	}
	if err != nil {
		return v, err
	}
	if v = encode.Lookup(model.Item{"": v}, expr.Path{Rest: p.Into}); !v.Exists() {
		return v, fmt.Errorf("%s is not given", partsText([]Part{p}))
	}
	made, err := encode.Apply(p.Funcs, v, typeOf(p.Attribute, v))
	if beyond := beyondDigits(err); s.seeking && beyond != "" {
		return value.OfString(beyond), nil
	}
	return made, err
}

// beyondDigits is a text that sorts before or after all numbers of as many
// digits as pad or invert writes, for a number that does not fit; "" for any
// other error or none.
func beyondDigits(err error) string {
	fault, ok := err.(*encode.Error)
	if !ok || fault.Fault != encode.Negative && fault.Fault != encode.TooWide {
		return ""
	}
	if (fault.Fault == encode.Negative) == (fault.Func.Name == expr.Pad) {
		return "/" // before 0
	}
	return ":" // after 9
}

// key is the value of a key.
func (s *scope) key(key []KeyRecipe) (Stored, error) {
	out := make(Stored, len(key))
	for _, k := range key {
		v, err := s.recipe(k.Value)
		if err != nil {
			return nil, fmt.Errorf("key %s: %w", k.Attribute.Name, err)
		}
		out[k.Attribute.Name] = v
	}
	return out, nil
}
