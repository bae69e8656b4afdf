package expr

import (
	"slices"
	"strings"

	"github.com/dynmodel/dynmodel/engine/attr"
)

// Update parses an update expression.
func (c *Context) Update(text string) (*Update, error) {
	p := updateParser{parser: parser{Context: c, kind: UpdateExpression, text: text}}
	if err := p.start(); err != nil {
		return nil, err
	}
	p.sections()
	return p.update()
}

// updateParser collects the actions of an update.
type updateParser struct {
	parser
	seen              []Verb
	actions           []Action
	inPaths, inValues lastFault
}

// update returns what was read. DynamoDB looks first at all paths, then at all
// values, both times from the last action to the first.
func (p *updateParser) update() (*Update, error) {
	if err := p.finish(); err != nil {
		return nil, err
	}
	u := newUpdate(p.actions)
	if err := p.checkPaths(u.touched.sorted, u.touched.paths, p.inPaths); err != nil {
		return nil, err
	}
	if p.inValues.err != nil {
		return nil, p.inValues.err
	}
	return u, nil
}

// sections reads the sections, each a verb and its actions.
func (p *updateParser) sections() {
	for first := true; first || p.tok.kind != tokenEOF; first = false {
		verb := p.verb()
		if verb == "" {
			p.unexpected()
			return
		}
		p.next()
		p.action(verb)
		for p.accept(tokenComma) {
			p.action(verb)
		}
	}
}

// verb returns the verb of the section that begins here.
func (p *updateParser) verb() Verb {
	if p.tok.kind != tokenSection {
		return ""
	}
	verb := verbOf(p.word(p.tok))
	if slices.Contains(p.seen, verb) {
		p.fault(rankSections, `The "%s" section can only be used once in an update expression;`, verb)
	}
	p.seen = append(p.seen, verb)
	return verb
}

// verbOf returns the verb that word is, in any letter case.
func verbOf(word string) Verb {
	for _, verb := range [...]Verb{Set, Remove, Add, Delete} {
		if strings.EqualFold(word, string(verb)) {
			return verb
		}
	}
	return ""
}

func (p *updateParser) action(verb Verb) {
	a := Action{Verb: verb, Path: p.path()}
	p.takeFault(&p.inPaths, len(p.actions))
	switch verb {
	case Set:
		p.expect(tokenEqual)
		a.Value = p.setValue()
	case Add, Delete:
		l := p.literal()
		p.checkAddend(verb, attr.Value(l))
		a.Value = l
	}
	p.takeFault(&p.inValues, len(p.actions))
	p.actions = append(p.actions, a)
}

// checkAddend reports a value that ADD or DELETE does not take.
func (p *updateParser) checkAddend(verb Verb, v attr.Value) {
	if !v.Exists() || v.Type().IsSet() || verb == Add && v.Type() == attr.N {
		return
	}
	names := map[attr.Type]string{
		attr.S: "STRING", attr.N: "NUMBER", attr.B: "BINARY", attr.BOOL: "BOOLEAN", attr.NULL: "NULL", attr.L: "LIST", attr.M: "MAP",
	}
	p.fault(rankOperands, "Incorrect operand type for operator or function; operator: %s, operand type: %s, typeSet: ALLOWED_FOR_%s_OPERAND", verb, names[v.Type()], verb)
}

// setValue reads the right-hand side of SET: an operand, or two with + or -
// between them, or that in parentheses.
func (p *updateParser) setValue() Expression {
	before := p.faults[rankNames]
	left := p.setTerm()
	if p.tok.kind != tokenPlus && p.tok.kind != tokenMinus {
		return left
	}
	if _, sum := left.(Arithmetic); sum {
		p.unexpected()
		return left
	}
	minus := p.tok.kind == tokenMinus
	p.next()
	p.operator()
	p.checkInner(left, before)
	e, err := NewArithmetic(left, p.innerOperand(), minus)
	p.wrong(err)
	return e
}

func (p *updateParser) setTerm() Expression {
	if p.tok.kind != tokenOpen {
		return p.operand()
	}
	open := p.openGroup()
	e := p.setValue()
	p.closeGroup(open)
	return e
}

// operand reads a path, a value, a function call, or one of these in
// parentheses.
func (p *updateParser) operand() Expression {
	switch t := p.tok; t.kind {
	case tokenOpen:
		open := p.openGroup()
		e := p.operand()
		p.closeGroup(open)
		return e
	case tokenName:
		p.next()
		if p.tok.kind == tokenOpen {
			return p.call(p.word(t))
		}
		return p.restOfPath(Path{p.named(t)})
	case tokenAlias:
		return p.path()
	case tokenValue:
		return p.literal()
	}
	p.unexpected()
	return Literal{}
}

func (p *updateParser) call(function string) Expression {
	known := false
	switch function {
	case "if_not_exists", "list_append":
		known = true
	case "size", "attribute_exists", "attribute_not_exists", "attribute_type", "begins_with", "contains":
		p.fault(rankNames, "The function is not allowed in an update expression; function: %s", function)
	default:
		p.fault(rankNames, "Invalid function name; function: %s", function)
	}
	args := p.arguments()
	if !known {
		return Literal{}
	}
	e, err := NewUpdateCall(function, args)
	p.wrong(err)
	return e
}

// innerOperand reads an operand of something else.
func (p *updateParser) innerOperand() Expression {
	before := p.faults[rankNames]
	e := p.operand()
	p.checkInner(e, before)
	return e
}

// checkInner reports list_append as an operand of something else.
func (p *updateParser) checkInner(e Expression, before error) {
	if _, ok := e.(ListAppend); ok {
		p.misused("list_append", before)
	}
}

func (p *updateParser) arguments() []Expression {
	p.expect(tokenOpen)
	args := []Expression{p.innerOperand()}
	for p.accept(tokenComma) {
		args = append(args, p.innerOperand())
	}
	p.expect(tokenClose)
	return args
}
