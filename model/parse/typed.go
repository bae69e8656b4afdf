package parse

import (
	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/diag"
	"github.com/dynmodel/dynmodel/model/expr"
	"github.com/dynmodel/dynmodel/model/source"
	"github.com/dynmodel/dynmodel/model/value"
)

// typed is what is known about an operand.
type typed struct {
	at   source.Span
	kind value.Kind // None: not known
	// attribute has the operand's domain, after funcs; nil when there is none.
	attribute *model.Attribute
	entity    *model.Entity
	funcs     []expr.Func
	isAttr    bool // it is an attribute, not only typed like one
	literal   value.Value
	now       bool
	duration  bool
	// open are the parameters whose value the operand is, still without a type.
	open   []*expr.Param
	member bool // it stands for the members of the list or set at its place
	// unknown: what it is was reported, or could not be read.
	unknown bool
	// list: the parameter is a list of such values.
	list bool
	// partial: the value is a part of what the other side is, as in begins_with.
	partial bool
	// qualified are the attributes in it that name their entity.
	qualified []*expr.Attr
}

// operand finds out what an operand is, and checks what it is made of.
func (s *scope) operand(o expr.Operand) typed {
	switch o := o.(type) {
	case *expr.Attr:
		return s.attr(o)
	case *expr.Param:
		if s.params == nil {
			s.errorf(o.At, "there are no parameters here: this is decided from the item alone")
			return typed{at: o.At}
		}
		return typed{at: o.At, open: []*expr.Param{o}}
	case *expr.Now:
		if s.use == useWhen || s.use == useDerive || s.use == useInvariant {
			s.errorf(o.At, "`$now` has no place here: this is decided from the item alone")
		}
		return typed{at: o.At, now: true}
	case *expr.Literal:
		return typed{at: o.At, kind: o.Value.Kind(), literal: o.Value}
	case *expr.Duration:
		return typed{at: o.At, duration: true}
	case *expr.Call:
		return s.call(o)
	case *expr.Arith:
		return s.arith(o)
	}
	return typed{}
}

// call types a function of operands.
func (s *scope) call(o *expr.Call) typed {
	args := make([]typed, len(o.Args))
	for i, a := range o.Args {
		args[i] = s.operand(a)
	}
	switch o.Func.Name {
	case expr.Size:
		return s.size(o, args[0])
	case expr.IfNotExists:
		s.compare(args[0], args[1], expr.Eq)
		t := args[0]
		t.at, t.isAttr = o.At, false
		return t
	case expr.ListAppend:
		for i, a := range args {
			if a.kind != value.None && a.kind != value.List {
				s.errorf(o.Args[i].Span(), "list_append joins lists, and this is %s", kindName(a.kind))
				return typed{at: o.At, unknown: true}
			}
		}
		s.compare(args[0], args[1], expr.Eq)
		t := args[0]
		if t.attribute == nil {
			t = args[1]
		}
		return typed{at: o.At, kind: value.List, attribute: t.attribute, entity: t.entity, open: append(args[0].open, args[1].open...)}
	}
	return s.templateCall(o, args[0])
}

func (s *scope) size(o *expr.Call, arg typed) typed {
	if k := arg.kind; k == value.Number || k == value.Bool || k == value.Null {
		s.errorf(o.At, "size has no meaning for %s", kindName(k))
	}
	if s.use == useChange {
		s.errorf(o.At, "DynamoDB takes no size in a change; let the caller give it, as in `SET length = $length`")
	}
	zero := value.OfInt(0)
	length := &model.Attribute{At: o.At, Type: model.TypeInteger, Domain: model.Domain{Min: zero}}
	return typed{at: o.At, kind: value.Number, attribute: length, qualified: arg.qualified}
}

// templateCall types a template function, which the tool computes: of what the
// caller gives, or, in `where`, of what a key holds.
func (s *scope) templateCall(o *expr.Call, t typed) typed {
	t.at = o.At
	if t.isAttr && (s.use == useIf || s.use == useChange) && !(t.attribute != nil && t.attribute.Stored == o.Func.Name) {
		s.errorf(o.At, "DynamoDB cannot compute %s of an attribute; keep the result in an attribute, or declare `stored: lower`", o.Func.Name)
	}
	if t.attribute != nil {
		from := *t.attribute
		if len(t.funcs) > 0 {
			from.Type = model.TypeString
		}
		if _, complaint := apply(o.Func, from); complaint != "" {
			s.errorf(o.At, "%s", complaint)
		}
	}
	if t.literal.Exists() {
		t.literal = value.Value{}
	}
	t.now = false
	t.funcs = append(t.funcs[:len(t.funcs):len(t.funcs)], o.Func)
	t.kind = value.String
	return t
}

// arith types a sum or difference.
func (s *scope) arith(o *expr.Arith) typed {
	l, r := s.operand(o.Left), s.operand(o.Right)
	if l.duration || r.duration {
		return s.shifted(o, l, r)
	}
	if (l.isAttr || r.isAttr) && s.use != useChange && s.use != useDerive && s.use != useInvariant {
		s.errorf(o.At, "DynamoDB computes nothing in a condition; move the sum to the side of the parameter, or keep it in an attribute")
	}
	number := &model.Attribute{At: o.At, Type: model.TypeNumber}
	for _, t := range []typed{l, r} {
		switch {
		case t.now:
			s.errorf(o.At, "to a time a length of time is added, such as 5m or 7d")
			return typed{at: o.At, unknown: true}
		case t.kind != value.None && t.kind != value.Number:
			s.errorf(t.at, "sums are made of numbers, and %s is %s", quoteAt(t.at), kindName(t.kind))
			return typed{at: o.At, unknown: true}
		}
		if t.attribute != nil && t.attribute.Type == model.TypeInteger {
			number.Type = model.TypeInteger
		}
	}
	sum := typed{at: o.At, unknown: l.unknown || r.unknown, kind: value.Number, attribute: number, qualified: append(l.qualified, r.qualified...)}
	s.bind(l, sum)
	s.bind(r, sum)
	return sum
}

// shifted types a time plus or minus a length of time.
func (s *scope) shifted(o *expr.Arith, l, r typed) typed {
	t := l
	if l.duration {
		t = r
	}
	switch {
	case t.isAttr && s.use == useChange:
		s.errorf(o.At, "DynamoDB adds numbers only; a time moved by a length of time is the caller's to give, or derived: `derive: %s`", o.At.Text())
		return typed{at: o.At, unknown: true}
	case t.isAttr && s.use != useDerive && s.use != useInvariant:
		s.errorf(o.At, "DynamoDB computes nothing in a condition; move the length of time to the side of the parameter or `$now`")
	case t.attribute != nil && !isMoment(t.attribute.Type):
		s.errorf(t.at, "a length of time is added to a time, and `%s` is %s", t.attribute.Name.Text, typeName(t.attribute.Type))
	case t.literal.Exists():
		s.errorf(t.at, "a length of time is added to a time, not to a value in place")
	}
	t.at = o.At
	t.isAttr = false
	return t
}

// isMoment tells the times that a length of time can be added to.
func isMoment(t model.Type) bool { return t.IsTime() }

// compare relates two operands: parameters take the type of the other side, and
// what cannot be compared is reported.
func (s *scope) compare(l, r typed, op expr.Op) {
	if l.attribute == nil && r.attribute != nil {
		l, r, op = r, l, op.Flip()
	}
	s.bind(r, l)
	s.bind(l, r)
	switch {
	case l.kind != value.None && r.kind != value.None && l.kind != r.kind:
		s.errorf(r.at, "%s is %s, and %s is %s; they are never equal", l.subject(), kindName(l.kind), r.subject(), kindName(r.kind))
	case ordering(op) && unordered(l.kind):
		s.errorf(l.at, "%s has no order; `%s` compares text, numbers and binary", quoteAt(l.at), op)
	case r.now && l.attribute != nil && !l.attribute.Type.IsTime() && l.attribute.Type != model.TypeAny:
		s.errorf(r.at, "`$now` is a time, and %s is %s", quoteAt(l.at), typeName(l.attribute.Type))
	case r.literal.Exists() && l.attribute != nil && len(l.funcs) == 0 && !r.partial:
		s.literal(l.attribute, r, op)
	}
}

// subject names an operand in messages.
func (t typed) subject() string {
	if t.member {
		return "a member of " + quoteAt(t.at)
	}
	return quoteAt(t.at)
}

func quoteAt(at source.Span) string { return "`" + clip(at.Text()) + "`" }

func ordering(op expr.Op) bool { return op != expr.Eq && op != expr.Ne }

// unordered tells the kinds that DynamoDB does not compare by order.
func unordered(k value.Kind) bool { return k != value.None && !k.IsKey() }

// literal checks a value written in place against what it is compared with: an
// equality with a word or a time that cannot occur is a slip.
func (s *scope) literal(a *model.Attribute, r typed, op expr.Op) {
	if ordering(op) {
		return
	}
	plain := &model.Attribute{Name: a.Name, Type: a.Type, Domain: model.Domain{
		Values: a.Domain.Values, Precision: a.Domain.Precision, AnyZone: a.Domain.AnyZone, NoZone: a.Domain.NoZone}}
	if a.Type.Kind() != value.String && len(a.Domain.Values) == 0 {
		return
	}
	if err := plain.Check(r.literal); err != nil {
		s.errorf(r.at, "%s%s %v%s", quoteAt(r.at), of(a), err, meantValue(a, r.literal))
	}
}

// meantValue suggests the nearest value of an enumeration.
func meantValue(a *model.Attribute, v value.Value) string {
	var words []string
	for _, c := range a.Domain.Values {
		words = append(words, c.Value.Text())
	}
	if near := diag.Nearest(v.Text(), words); near != "" {
		return "; did you mean `" + near + "`?"
	}
	return ""
}

// assignable checks that a value can be stored in an attribute.
func (s *scope) assignable(a *model.Attribute, t typed, o expr.Operand) {
	target := typed{at: a.Name.At, kind: a.Type.Kind(), attribute: a}
	if len(s.drafts) > 0 {
		target.entity = s.drafts[0].entity
	}
	s.bind(t, target)
	_, moved := o.(*expr.Arith)
	switch {
	case t.literal.Kind() == value.Null && a.Type == model.TypeAny:
		s.errorf(t.at, "NULL is never stored, as what is null is left out; write REMOVE to leave `%s` without a value", a.Name.Text)
	case t.duration:
		s.errorf(t.at, "a length of time is not a value; write `$now + %s`", clip(t.at.Text()))
	case t.now && !a.Type.IsTime() && a.Type != model.TypeAny:
		s.errorf(t.at, "`$now` is a time, and `%s` is %s", a.Name.Text, typeName(a.Type))
	case moved && t.attribute != nil && t.attribute.Type.IsTime() && a.Type.IsTime():
		// a time in another form is converted
	case t.kind != value.None && target.kind != value.None && t.kind != target.kind:
		s.errorf(t.at, "%s is %s, and `%s` is %s", quoteAt(t.at), kindName(t.kind), a.Name.Text, kindName(target.kind))
	case t.literal.Exists():
		if err := a.Check(t.literal); err != nil {
			s.errorf(t.at, "%s%s %v%s", quoteAt(t.at), of(a), err, meantValue(a, t.literal))
		}
	}
}

// bind gives the open parameters of t the type of the other side.
func (s *scope) bind(t, other typed) {
	if s.params == nil {
		return
	}
	funcs := other.funcs
	if len(t.funcs) > 0 {
		funcs = nil
	}
	for _, p := range t.open {
		u := usage{at: p.At, optional: p.Optional, list: t.list, attribute: other.attribute, entity: other.entity, funcs: funcs, unknown: other.unknown}
		if u.attribute == nil && other.kind != value.None {
			u.attribute = &model.Attribute{At: p.At, Type: typeOfKind(other.kind)}
		}
		s.params.use(p.Name, u)
	}
}

// typeOfKind is the plain type of a DynamoDB type.
func typeOfKind(k value.Kind) model.Type {
	for _, t := range model.Types() {
		if t.Kind() == k {
			return t
		}
	}
	return model.TypeAny
}
