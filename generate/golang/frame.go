package golang

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/expr"
	"github.com/dynmodel/dynmodel/model/keytext"
	"github.com/dynmodel/dynmodel/model/plan"
	"github.com/dynmodel/dynmodel/model/value"
)

// frame is where the operands of a piece of code take their values from: the
// parameters p of a call, the time now, an item as it was read, the values of a
// request among several.
type frame struct {
	g      *generator
	params []*params // those of p, and of the loops inside it
	vars   []string  // the variables of params
	item   string    // the variable of a stored item; "" for none
	entity *model.Entity
	own    *entity // whose fields, of the variable item, attributes are; nil: the stored item's
	fans   map[*plan.Fan]val
	// seeking tells that keys are made to look for items.
	seeking bool
}

// isoTime is the form of a time that stands beside nothing that has one.
var isoTime = &model.Attribute{Type: model.TypeDatetime}

// inside is the frame of a loop over a list parameter.
func (fr *frame) inside(list *params, variable string) *frame {
	in := *fr
	in.params = append(slices.Clone(fr.params), list)
	in.vars = append(slices.Clone(fr.vars), variable)
	return &in
}

// reading is the frame in which attributes are those of a stored item.
func (fr *frame) reading(e *model.Entity, variable string) *frame {
	in := *fr
	in.item, in.entity, in.own = variable, e, nil
	return &in
}

// fault is what the generator cannot make.
func fault(format string, args ...any) error { return fmt.Errorf(format, args...) }

// param is the value of a parameter.
func (fr *frame) param(name string) (val, error) {
	for i, ps := range fr.params {
		for _, f := range ps.fields {
			if f.param.Name != name {
				continue
			}
			v := val{code: fr.vars[i] + "." + f.name, name: name, typ: f.typ}
			if f.pointer {
				v.code = fmt.Sprintf("need(f, %q, %s)", name, v.code)
			}
			return v, nil
		}
	}
	return val{}, fault("there is no parameter %s at hand", name)
}

// field is the field of a list parameter.
func (fr *frame) field(name string) (*paramField, string) {
	for i, ps := range fr.params {
		for _, f := range ps.fields {
			if f.param.Name == name {
				return f, fr.vars[i] + "." + f.name
			}
		}
	}
	return nil, ""
}

// operand is the value of an operand that stands beside an attribute, or is
// assigned to it; like may be nil.
func (fr *frame) operand(o expr.Operand, like *model.Attribute) (val, error) {
	switch o := o.(type) {
	case *expr.Literal:
		return literalVal(o.Value), nil
	case *expr.Param:
		return fr.param(o.Name)
	case *expr.Now:
		return fr.timeVal("now", like), nil
	case *expr.Attr:
		return fr.attr(o.Path)
	case *expr.Arith:
		return fr.sum(o, like)
	case *expr.Call:
		return fr.call(o, like)
	}
	return val{}, fault("%s has no value of its own", expr.String(o))
}

// timeVal is a time that is written as an attribute writes them.
func (fr *frame) timeVal(code string, like *model.Attribute) val {
	if like == nil || !like.Type.IsTime() {
		like = isoTime
	}
	t := fr.g.typeOf(like, "")
	if t.kind != kindTime { // of a form that varies
		form := *like
		form.Domain.Precision, form.Domain.AnyZone = model.PrecisionSecond, false
		return val{code: fr.varying(code, like), name: like.Name.Text, typ: &goType{kind: kindText, name: "string", attr: &form}}
	}
	return val{code: code, name: like.Name.Text, typ: t}
}

// varying writes a time as a datetime of varying form is written.
func (fr *frame) varying(code string, like *model.Attribute) string {
	form := &model.Attribute{Name: like.Name, Type: model.TypeDatetime, Domain: like.Domain}
	form.Domain.AnyZone = false
	if form.Domain.Precision == model.PrecisionVariable {
		form.Domain.Precision = model.PrecisionSecond
	}
	return fmt.Sprintf("f.time(%q, %s, %s)", like.Name.Text, code, timeLayout(form))
}

// attr is the value of an attribute of the item at hand.
func (fr *frame) attr(p expr.Path) (val, error) {
	if fr.item == "" {
		return val{}, fault("no value of %s is at hand", p)
	}
	if fr.own != nil {
		if f := fr.own.field(p.Name); f != nil && p.Top() {
			v := val{code: fr.item + "." + f.name, name: p.Name, typ: f.typ}
			if f.attr.Optional && f.typ.pointer() {
				v.code = "*" + v.code
			}
			return v, nil
		}
		return val{}, fault("%s is inside a map, and nothing can be derived from it", p)
	}
	var a *model.Attribute
	if fr.entity != nil {
		a = fr.entity.AttributeAt(p)
	}
	code, err := fr.at(fr.item, p)
	return rawVal(code, p.String(), a), err
}

// at is the expression of what is at a path of a stored item.
func (fr *frame) at(item string, p expr.Path) (string, error) {
	if p.Top() {
		return fmt.Sprintf("%s[%q]", item, p.Name), nil
	}
	way, err := fr.way(p.Rest)
	return fmt.Sprintf("lookup(%s, %q%s)", item, p.Name, way), err
}

// way are the arguments of a lookup that lead into maps and lists.
func (fr *frame) way(steps []expr.Step) (string, error) {
	out := ""
	for _, step := range steps {
		switch {
		case step.Name != "":
			out += fmt.Sprintf(", %q", step.Name)
		case step.Param != "":
			v, err := fr.param(step.Param)
			if err != nil {
				return "", err
			}
			out += ", " + v.text()
		default:
			out += ", " + strconv.Itoa(step.Index)
		}
	}
	return out, nil
}

// sum is a sum of numbers, or a time moved by a duration.
func (fr *frame) sum(o *expr.Arith, like *model.Attribute) (val, error) {
	if d, ok := o.Right.(*expr.Duration); ok {
		length := d.Length
		if o.Minus {
			length = -length
		}
		return fr.moved(o.Left, length, like)
	}
	if d, ok := o.Left.(*expr.Duration); ok {
		return fr.moved(o.Right, d.Length, like)
	}
	left, err := fr.operand(o.Left, like)
	if err != nil {
		return val{}, err
	}
	right, err := fr.operand(o.Right, like)
	if err != nil {
		return val{}, err
	}
	name := left.name
	if like != nil {
		name = like.Name.Text
	}
	verb, sign := "plus", "+"
	if o.Minus {
		verb, sign = "minus", "-"
	}
	if left.raw || right.raw {
		return rawVal(fmt.Sprintf("f.added(%q, %s, %s, %s1)", name, left.written(), right.written(), sign), name, like), nil
	}
	if left.isInteger() && right.isInteger() {
		t := &goType{kind: kindInteger, name: "int64", attr: &model.Attribute{Type: model.TypeInteger}}
		return val{code: fmt.Sprintf("(%s %s %s)", left.integer(), sign, right.integer()), name: name, typ: t}, nil
	}
	t := &goType{kind: kindNumber, name: "Number", attr: &model.Attribute{Type: model.TypeNumber}}
	return val{code: fmt.Sprintf("f.%s(%q, %s, %s)", verb, name, left.number(), right.number()), name: name, typ: t}, nil
}

func (v val) isInteger() bool {
	if v.literal.Exists() {
		_, whole := v.literal.Int()
		return whole
	}
	return !v.raw && v.typ.kind == kindInteger
}

func (fr *frame) moved(o expr.Operand, by time.Duration, like *model.Attribute) (val, error) {
	v, err := fr.operand(o, like)
	if err != nil {
		return v, err
	}
	return fr.timeVal(v.moment()+".Add("+durationCode(by)+")", like), nil
}

// durationCode is a duration in Go.
func durationCode(d time.Duration) string {
	for _, unit := range []struct {
		length time.Duration
		name   string
	}{{time.Hour, "time.Hour"}, {time.Minute, "time.Minute"}, {time.Second, "time.Second"}, {time.Millisecond, "time.Millisecond"}} {
		if d%unit.length == 0 {
			return fmt.Sprintf("%d*%s", d/unit.length, unit.name)
		}
	}
	return fmt.Sprintf("time.Duration(%d)", d)
}

// call is a template function of an operand, or if_not_exists.
func (fr *frame) call(o *expr.Call, like *model.Attribute) (val, error) {
	v, err := fr.operand(o.Args[0], like)
	if err != nil {
		return v, err
	}
	if o.Func.Name == expr.IfNotExists {
		otherwise, err := fr.operand(o.Args[1], like)
		return rawVal(fmt.Sprintf("first(%s, %s)", v.written(), otherwise.written()), v.name, v.attr()), err
	}
	if !o.Func.Name.IsTemplate() {
		return v, fault("%s can only be worked out by DynamoDB", expr.String(o))
	}
	return v.apply(o.Func, false), nil
}

// recipe is the attribute value of a key that a plan makes.
func (fr *frame) recipe(r plan.Recipe) (string, error) {
	if r.Kind != value.String && len(r.Parts) == 1 {
		return fr.typedKey(r)
	}
	text, err := fr.recipeText(r)
	return "str(" + text + ")", err
}

// typedKey is a key that is a number or binary attribute.
func (fr *frame) typedKey(r plan.Recipe) (string, error) {
	p := r.Parts[0]
	v, err := fr.part(p)
	if err != nil {
		return "", err
	}
	step := p.Neighbour
	switch {
	case r.Kind == value.Binary && step > 0:
		return "bin(bytesAfter(" + fr.bytes(v) + "))", nil
	case r.Kind == value.Binary && step < 0:
		return "bin(bytesBefore(" + fr.bytes(v) + "))", nil
	case r.Kind == value.Binary, step == 0:
		return v.written(), nil
	case p.Attribute == nil || p.Attribute.Type == model.TypeNumber:
		return fmt.Sprintf("num(string(f.next(%q, %s, %d)))", v.name, v.number(), step), nil
	}
	return fmt.Sprintf("num(string(f.plus(%q, %s, \"%d\")))", v.name, v.number(), step), nil
}

func (fr *frame) bytes(v val) string {
	if v.literal.Exists() {
		return fmt.Sprintf("[]byte(%q)", v.literal.Text())
	}
	return v.code
}

// recipeText is the text of a key that a plan makes.
func (fr *frame) recipeText(r plan.Recipe) (string, error) {
	var pieces phrase
	for i, p := range r.Parts {
		switch {
		case p.Max:
			pieces.code("maxText")
		case p.Source == nil && p.Fan == nil && p.Random == 0:
			pieces.literal(p.Literal)
		default:
			v, err := fr.part(p)
			if err != nil {
				return "", err
			}
			text := v.text()
			switch {
			case p.Neighbour > 0:
				text = "textAfter(" + text + ")"
			case p.Neighbour < 0:
				text = "textBefore(" + text + ")"
			case fr.mustBeThere(r, i):
				text = fmt.Sprintf("f.some(%q, %s)", v.name, text)
			}
			pieces.code(text)
		}
	}
	return pieces.String(), nil
}

// mustBeThere tells the parts whose emptiness is a mistake of the caller.
func (fr *frame) mustBeThere(r plan.Recipe, i int) bool {
	p := r.Parts[i]
	_, given := p.Source.(*expr.Param)
	return given && p.Attribute != nil && len(p.Funcs) == 0 && r.Kind == value.String && isTextual(p.Attribute) && neverEmpty(p.Attribute)
}

// isTextual tells the types whose values are texts of the caller's.
func isTextual(a *model.Attribute) bool {
	return a.Type.Kind() == value.String && !a.Type.IsTime() && a.Type != model.TypeEnum
}

// neverEmpty tells whether no value of an attribute is the empty text.
func neverEmpty(a *model.Attribute) bool {
	switch {
	case len(a.Domain.Values) > 0:
		return !slices.ContainsFunc(a.Domain.Values, func(c model.Choice) bool { return c.Value.Text() == "" })
	case a.Domain.Length != nil:
		return a.Domain.Length.Min > 0
	case a.Domain.Pattern != nil:
		return !a.Domain.Matches("")
	}
	least, _, _ := keytext.Of(a, nil).Lengths()
	return least > 0 || a.Type == model.TypeString
}

// part is the value of a part, before its neighbour is taken.
func (fr *frame) part(p plan.Part) (val, error) {
	var v val
	var err error
	switch {
	case p.Fan != nil:
		v = fr.fans[p.Fan]
	case p.Random > 0:
		return textVal(fmt.Sprintf("strconv.Itoa(t.draw(%d))", p.Random), "random", model.TypeInteger), nil
	default:
		v, err = fr.operand(p.Source, p.Attribute)
	}
	if err != nil {
		return v, err
	}
	if len(p.Into) > 0 {
		way, err := fr.way(p.Into)
		if err != nil {
			return v, err
		}
		v = rawVal(fmt.Sprintf("lookup(stored{\"\": %s}, \"\"%s)", v.written(), way), v.name+stepsText(p.Into), p.Attribute)
	}
	if v.raw && v.typ.attr == nil {
		v.typ.attr = p.Attribute
	}
	return v.through(p.Funcs, fr.seeking), nil
}

func stepsText(steps []expr.Step) string { return expr.Path{Rest: steps}.String() }

// keyItem is the key of an item as a composite literal.
func (fr *frame) keyItem(key []plan.KeyRecipe) (string, error) {
	var out []string
	for i, k := range key {
		code, err := fr.recipe(k.Value)
		if err != nil {
			return "", err
		}
		if k.Value.Kind == value.String {
			text, err := fr.recipeText(k.Value)
			if err != nil {
				return "", err
			}
			code = keyCode(k.Attribute.Name, text, limitName(i))
		}
		out = append(out, fmt.Sprintf("%q: %s", k.Attribute.Name, code))
	}
	return "stored{" + strings.Join(out, ", ") + "}", nil
}

// keyCode is the value of a key attribute that is a text, held against DynamoDB's
// limits unless it is the same always.
func keyCode(name, text, limit string) string {
	if _, err := strconv.Unquote(text); err == nil && text != `""` {
		return "str(" + text + ")"
	}
	return fmt.Sprintf("str(f.key(%q, %s, %s))", name, text, limit)
}

// limitName is the constant of the most bytes of the table's keys.
func limitName(position int) string {
	if position == 0 {
		return "maxPartitionKey"
	}
	return "maxSortKey"
}

// phrase is a text in the making: literals and Go expressions of texts.
type phrase struct {
	pieces []string
	open   string // a literal that may go on
}

func (p *phrase) literal(text string) { p.open += text }

func (p *phrase) code(code string) {
	p.close()
	p.pieces = append(p.pieces, code)
}

func (p *phrase) close() {
	if p.open != "" {
		p.pieces = append(p.pieces, strconv.Quote(p.open))
	}
	p.open = ""
}

// add adds another phrase.
func (p *phrase) add(q phrase) {
	for _, piece := range q.pieces {
		if text, err := strconv.Unquote(piece); err == nil {
			p.literal(text)
		} else {
			p.code(piece)
		}
	}
	p.literal(q.open)
}

// isEmpty tells whether there is nothing in it.
func (p *phrase) isEmpty() bool { return len(p.pieces) == 0 && p.open == "" }

// String is the Go expression.
func (p *phrase) String() string {
	p.close()
	if len(p.pieces) == 0 {
		return `""`
	}
	return strings.Join(p.pieces, " + ")
}
