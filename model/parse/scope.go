package parse

import (
	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/expr"
	"github.com/dynmodel/dynmodel/model/source/yamltree"
	"github.com/dynmodel/dynmodel/model/value"
)

// use tells what an expression is for, which decides what may stand in it.
type use int

const (
	useWhere use = iota
	useIf        // a condition or filter that DynamoDB evaluates
	useChange
	useWhen
	useDerive
	useWith
	useInvariant
)

// scope is what the names in an expression mean.
type scope struct {
	*builder
	use    use
	drafts []*draft // the entities whose attributes can be named
	params *params  // nil: parameters have no place here
}

// condition reads a condition; nil when it is broken.
func (b *builder) condition(n *yamltree.Node, s *scope) *model.Condition {
	if _, ok := b.text(n); !ok {
		return nil
	}
	cond, problem := expr.ParseCond(b.input(n))
	if problem != nil {
		b.problem(n, problem)
		return nil
	}
	if !b.whole(func() { s.cond(cond, true) }) {
		return nil
	}
	return &model.Condition{At: n.At, Text: n.Text, Cond: cond}
}

// cond checks a condition; top tells that it is one of those joined by AND at
// the top, which are read per entity.
func (s *scope) cond(c expr.Cond, top bool) {
	switch c := c.(type) {
	case *expr.And:
		for _, t := range c.Terms {
			s.cond(t, top)
		}
	case *expr.Or:
		for _, t := range c.Terms {
			s.cond(t, false)
		}
	case *expr.Not:
		s.cond(c.Term, false)
	case *expr.Compare:
		l, r := s.operand(c.Left), s.operand(c.Right)
		s.perEntity(top, l, r)
		s.compare(l, r, c.Op)
	case *expr.Between:
		x, low, high := s.operand(c.X), s.operand(c.Low), s.operand(c.High)
		s.perEntity(top, x, low, high)
		s.compare(x, low, expr.Ge)
		s.compare(x, high, expr.Le)
	case *expr.In:
		s.in(c, top)
	case *expr.Test:
		s.test(c, top)
	}
}

func (s *scope) in(c *expr.In, top bool) {
	x := s.operand(c.X)
	for _, o := range c.List {
		m := s.operand(o)
		s.perEntity(top, x, m)
		m.list = c.FromList
		s.compare(x, m, expr.Eq)
	}
}

// perEntity checks conditions of patterns over several entities: one that names
// an entity counts for that entity alone, which only makes sense at the top.
func (s *scope) perEntity(top bool, operands ...typed) {
	if len(s.drafts) < 2 {
		return
	}
	var named *expr.Attr
	for _, t := range operands {
		for _, a := range t.qualified {
			switch {
			case !top:
				s.errorf(a.At, "under OR or NOT a condition cannot name one of several entities; name the attribute alone, or split the pattern")
				return
			case named != nil && named.Entity != a.Entity:
				s.errorf(a.At, "a condition compares attributes of one item, and this one names %s and %s", named.Entity, a.Entity)
				return
			}
			named = a
		}
	}
}

// test checks a condition function.
func (s *scope) test(c *expr.Test, top bool) {
	x := s.operand(c.X)
	var arg typed
	if c.Arg != nil {
		arg = s.operand(c.Arg)
	}
	s.perEntity(top, x, arg)
	switch c.Name {
	case expr.AttributeExists, expr.AttributeNotExists:
		if _, ok := c.X.(*expr.Attr); !ok {
			s.errorf(c.X.Span(), "%s takes an attribute", c.Name)
		}
	case expr.AttributeType:
		s.typeArgument(c.Arg, arg)
	case expr.BeginsWith:
		if k := x.kind; k != value.None && k != value.String && k != value.Binary {
			s.errorf(c.X.Span(), "begins_with applies to text, and this is %s", kindName(k))
			return
		}
		arg.partial = true
		s.compare(x, arg, expr.Ge)
	case expr.Contains:
		s.contains(c, x, arg)
	}
}

func (s *scope) typeArgument(o expr.Operand, arg typed) {
	switch {
	case len(arg.open) > 0:
		kinds := &model.Attribute{Type: model.TypeEnum}
		for k := value.String; k <= value.BinarySet; k++ {
			kinds.Domain.Values = append(kinds.Domain.Values, model.Choice{Value: value.OfString(k.String())})
		}
		s.bind(arg, typed{attribute: kinds, kind: value.String})
	case arg.literal.Kind() != value.String || !isDescriptor(arg.literal.Text()):
		s.errorf(o.Span(), "attribute_type takes one of 'S', 'N', 'B', 'BOOL', 'NULL', 'L', 'M', 'SS', 'NS' and 'BS'")
	}
}

func isDescriptor(text string) bool {
	for k := value.String; k <= value.BinarySet; k++ {
		if k.String() == text {
			return true
		}
	}
	return false
}

// contains checks contains(x, part): part of a text, or member of a list or set.
func (s *scope) contains(c *expr.Test, x, arg typed) {
	member := typed{member: true}
	switch x.kind {
	case value.None:
		s.bind(arg, x)
		return
	case value.String, value.Binary:
		arg.partial = true
		s.compare(x, arg, expr.Ge)
		return
	case value.List:
		member.attribute = &model.Attribute{At: x.at, Type: model.TypeAny}
		if x.attribute != nil && x.attribute.Domain.Items != nil {
			member.attribute = x.attribute.Domain.Items
		}
	case value.StringSet, value.NumberSet, value.BinarySet:
		member.attribute = &model.Attribute{Type: setMember(x.kind)}
		if x.attribute != nil && x.attribute.Domain.Items != nil {
			member.attribute = x.attribute.Domain.Items
		}
	default:
		s.errorf(c.X.Span(), "contains applies to text, lists and sets, and this is %s", kindName(x.kind))
		return
	}
	member.kind, member.entity, member.at = member.attribute.Type.Kind(), x.entity, x.at
	s.compare(member, arg, expr.Eq)
}

// attr looks up an attribute in the entities that it can be of.
func (s *scope) attr(o *expr.Attr) typed {
	t := typed{at: o.At, isAttr: true}
	if o.Entity != "" {
		t.qualified = []*expr.Attr{o}
	}
	var first *draft
	for _, d := range s.drafts {
		if o.Entity != "" && o.Entity != d.entity.Name.Text {
			continue
		}
		leaf := s.attributeIn(d, o)
		switch {
		case leaf == nil:
			t.unknown = true
			return t
		case first == nil:
			first, t.attribute, t.entity, t.kind = d, leaf, d.entity, leaf.Type.Kind()
		case leaf.Type != t.attribute.Type:
			s.errorf(o.At, "`%s` is %s in %s and %s in %s; name one of them, as in `%s.%s`", o.Path, typeName(t.attribute.Type), first.entity.Name.Text, typeName(leaf.Type), d.entity.Name.Text, first.entity.Name.Text, o.Path)
			return t
		}
	}
	if len(s.drafts) == 0 {
		s.errorf(o.At, "there are no attributes here; a parameter is written `$%s`", o.Path.Name)
		return typed{at: o.At, unknown: true}
	}
	if first == nil {
		t.unknown = true
		if other := s.lookup(o.Entity, o.At); other != nil {
			s.errorf(o.At, "the pattern is not about %s", o.Entity)
		}
	}
	return t
}

func (s *scope) attributeIn(d *draft, o *expr.Attr) *model.Attribute {
	name := o.Path.Name
	if d.attributes[name] == nil && s.isKey(name) {
		s.errorf(o.At, "`%s` is a key that a template makes; say it with the attributes in the template", name)
		return nil
	}
	if len(s.drafts) > 1 && d.attributes[name] == nil && !d.incomplete && s.elsewhere(name) {
		s.unknownf(o.At, "%s has no attribute `%s`; name the entity that has, as in `%s.%s`", d.entity.Name.Text, name, s.holder(name), name)
		return nil
	}
	a := s.member(d, name, o.At)
	if a == nil {
		return nil
	}
	leaf := s.walk(a, o.Path, o.At)
	if leaf == nil {
		s.broken()
		return nil
	}
	for i, step := range o.Path.Rest {
		if step.Param != "" {
			s.mapKey(s.walk(a, expr.Path{Name: name, Rest: o.Path.Rest[:i]}, o.At), step.Param, o)
		}
	}
	return leaf
}

func (s *scope) elsewhere(name string) bool { return s.holder(name) != "" }

// holder is the first of the entities that has an attribute.
func (s *scope) holder(name string) string {
	for _, d := range s.drafts {
		if d.attributes[name] != nil {
			return d.entity.Name.Text
		}
	}
	return ""
}

// isKey tells whether a name is that of a key attribute.
func (b *builder) isKey(name string) bool {
	t := b.model.Table
	if t == nil {
		return false
	}
	for _, k := range t.Keys() {
		if k.Name == name {
			return true
		}
	}
	for _, x := range t.Indexes {
		for _, k := range x.Keys() {
			if k.Name == name {
				return true
			}
		}
	}
	return false
}
