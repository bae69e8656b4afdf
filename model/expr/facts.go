package expr

import (
	"slices"
	"strings"

	"github.com/dynmodel/dynmodel/model/value"
)

// contradictory tells whether atoms (comparisons, IN over literals or a list
// parameter, functions, and NOT of these) cannot all hold for one item.
func contradictory(atoms []Cond, domains Domains) bool {
	s := facts{domains: domains, of: map[string]*fact{}}
	for _, c := range atoms {
		not, negated := c.(*Not)
		if negated && slices.ContainsFunc(atoms, func(other Cond) bool { return Equal(not.Term, other) }) {
			return true
		}
		if negated {
			s.add(not.Term, true)
		} else {
			s.add(c, false)
		}
	}
	return s.impossible || slices.ContainsFunc(s.list, (*fact).impossible)
}

// facts gathers what atoms say of each operand that is no literal.
type facts struct {
	domains    Domains
	of         map[string]*fact // by the operand's text
	list       []*fact
	impossible bool
}

// fact is what is known of one operand's value.
type fact struct {
	domain  Domain
	exists  bool
	missing bool
	kinds   []value.Kind // each of which it is said to be
	// beside are the relations to literals and to operands, by their text.
	beside []beside
	// oneOf are lists of which each holds the value.
	oneOf [][]value.Value
	tests []textTest
}

// beside is a relation to another operand. Literal is absent where that is none.
type beside struct {
	text    string
	literal value.Value
	is      relation
}

// textTest is begins_with or contains with a literal.
type textTest struct {
	name    TestName
	arg     value.Value
	negated bool
}

// fact is the fact of an operand.
func (s *facts) fact(o Operand) *fact {
	text := String(o)
	if f := s.of[text]; f != nil {
		return f
	}
	f := &fact{}
	if a, ok := o.(*Attr); ok && s.domains != nil {
		f.domain = s.domains(a)
		f.domain.Values = f.foldAll(f.domain.Values)
		f.exists = f.domain.Required
	}
	s.of[text] = f
	s.list = append(s.list, f)
	return f
}

// exists notes that an operand has a value: an attribute is there, and with it
// the maps and lists it is in; so are the arguments of a call.
func (s *facts) exists(o Operand) {
	switch o := o.(type) {
	case *Attr:
		for n := range len(o.Path.Rest) + 1 {
			s.fact(&Attr{Entity: o.Entity, Path: Path{Name: o.Path.Name, Rest: o.Path.Rest[:n]}}).exists = true
		}
	case *Call:
		s.fact(o).exists = true
		for _, arg := range o.Args {
			s.exists(arg)
		}
	}
}

// add notes an atom, or that it does not hold.
func (s *facts) add(c Cond, negated bool) {
	switch c := c.(type) {
	case *Compare:
		r := relationOf(c.Op)
		if negated {
			r = anyRelation &^ r
		}
		s.relate(c.Left, c.Right, r)
	case *In:
		if !negated {
			s.in(c)
		}
	case *Test:
		s.test(c, negated)
	}
}

func (s *facts) in(c *In) {
	s.exists(c.X)
	if c.FromList {
		return
	}
	f := s.fact(c.X)
	values := make([]value.Value, len(c.List))
	for i, o := range c.List {
		values[i] = o.(*Literal).Value
	}
	f.oneOf = append(f.oneOf, f.foldAll(values))
}

// relate notes how two operands stand to one another.
func (s *facts) relate(left, right Operand, r relation) {
	a, aIsLiteral := left.(*Literal)
	b, bIsLiteral := right.(*Literal)
	switch {
	case aIsLiteral && bIsLiteral:
		s.impossible = s.impossible || between(a.Value, b.Value)&r == 0
		return
	case aIsLiteral, !bIsLiteral && precedes(right, left):
		left, right, r = right, left, r.flip()
		b, bIsLiteral = a, aIsLiteral
	}
	if EqualOperands(left, right) {
		r &= equal | unordered
	}
	if r&apart == 0 {
		s.exists(left)
		s.exists(right)
	}
	f := s.fact(left)
	note := beside{text: String(right), is: r}
	if bIsLiteral {
		note.literal = f.fold(b.Value)
		note.text = String(&Literal{Value: note.literal})
		note.is = r.to(note.literal)
	}
	f.note(note)
}

// precedes tells which of two operands keeps what is known of the two: an
// attribute before anything else, then by text.
func precedes(a, b Operand) bool {
	_, aIsAttr := a.(*Attr)
	_, bIsAttr := b.(*Attr)
	if aIsAttr != bIsAttr {
		return aIsAttr
	}
	return String(a) < String(b)
}

// note joins a relation with what is known of the two already.
func (f *fact) note(n beside) {
	i := slices.IndexFunc(f.beside, func(b beside) bool { return b.text == n.text && b.literal.Kind() == n.literal.Kind() })
	if i < 0 {
		f.beside = append(f.beside, n)
	} else {
		f.beside[i].is &= n.is
	}
}

func (s *facts) test(t *Test, negated bool) {
	switch t.Name {
	case AttributeExists:
		s.existence(t.X, !negated)
		return
	case AttributeNotExists:
		s.existence(t.X, negated)
		return
	}
	if !negated {
		s.exists(t.X)
	}
	lit, ok := t.Arg.(*Literal)
	if !ok {
		return
	}
	f := s.fact(t.X)
	if t.Name != AttributeType {
		f.tests = append(f.tests, textTest{name: t.Name, arg: f.fold(lit.Value), negated: negated})
	}
	if t.Name == BeginsWith && !negated {
		f.kinds = append(f.kinds, lit.Value.Kind())
	}
}

func (s *facts) existence(o Operand, there bool) {
	if there {
		s.exists(o)
	} else {
		s.fact(o).missing = true
	}
}

// fold is a literal as the attribute beside it would be stored.
func (f *fact) fold(v value.Value) value.Value {
	switch {
	case v.Kind() != value.String:
		return v
	case f.domain.Stored == Lower:
		return value.OfString(strings.ToLower(v.Text()))
	case f.domain.Stored == Upper:
		return value.OfString(strings.ToUpper(v.Text()))
	}
	return v
}

// foldAll is fold of every value; nil stays nil.
func (f *fact) foldAll(list []value.Value) []value.Value {
	var out []value.Value
	for _, v := range list {
		out = append(out, f.fold(v))
	}
	return out
}
