package partiql

import (
	"strconv"
	"strings"

	"github.com/dynmodel/dynmodel/engine/attr"
)

// operand is an expression with the token that messages about it point at: its
// operator, function or first word.
type operand struct {
	expr Expr
	tok  token
}

// absent is an operand of PartiQL that DynamoDB has no use for: the literal
// MISSING, which only IS may have on its right, or an aggregate function.
type absent struct{ refusal string }

func (absent) isExpr() {}

// where reads the condition of a WHERE clause.
func (p *parser) where() Expr {
	e := p.expression()
	if !isCondition(e.expr) {
		p.fault("WHERE clause must contain an expression that resolves to a boolean")
	}
	return e.expr
}

// isCondition reports whether an expression is true or false.
func isCondition(e Expr) bool {
	switch e := e.(type) {
	case *Binary:
		return e.Op != "+" && e.Op != "-"
	case *Not, *Between, *In, *Is:
		return true
	case *Call:
		return e.Function != "size"
	}
	return false
}

// expression reads operands joined by OR, which binds weakest.
func (p *parser) expression() operand {
	return p.joined("OR", func() operand { return p.joined("AND", p.negation) })
}

// joined reads what a logical operator joins.
func (p *parser) joined(op string, next func() operand) operand {
	left := next()
	for p.is(tokenKeyword, op) {
		at := p.tok
		p.next()
		right := next()
		if p.updating {
			p.unsupported(strings.ToLower(op))
		} else if !isCondition(left.expr) || !isCondition(right.expr) {
			p.fault("The arguments to AND/OR must be Expressions")
		}
		left = operand{&Binary{op, left.expr, right.expr}, at}
	}
	return left
}

func (p *parser) negation() operand {
	at := p.tok
	if !p.keyword("NOT") {
		return p.comparison()
	}
	e := p.negation()
	if p.updating {
		p.unsupported("not")
	} else if !isCondition(e.expr) {
		p.fault("The argument to NOT must be a Type or Expression")
	}
	return operand{&Not{e.expr}, at}
}

// unsupported refuses an operator that this kind of expression lacks.
func (p *parser) unsupported(op string) {
	kind := "Condition"
	if p.updating {
		kind = "Update"
	}
	p.fault("Unsupported operator in %s Expression. Operator: %s", kind, op)
}

// comparison reads an operand and the comparisons that follow it.
func (p *parser) comparison() operand {
	left := p.sum()
	for {
		at := p.tok
		negated := p.keyword("NOT")
		var e Expr
		switch {
		case negated && !p.is(tokenKeyword, "BETWEEN") && !p.is(tokenKeyword, "IN") && !p.is(tokenKeyword, "LIKE"):
			p.malformed()
			return left
		case p.keyword("BETWEEN"):
			low := p.sum()
			p.expect(p.keyword("AND"))
			e = &Between{left.expr, low.expr, p.sum().expr}
		case p.keyword("IN"):
			e = p.in(left)
		case p.keyword("LIKE"):
			p.sum()
			p.unsupported("like")
		case p.keyword("IS"):
			e = p.isType(left)
		default:
			op := p.comparator()
			if op == "" {
				return left
			}
			right := p.sum()
			p.checkPresent(left, right)
			e = &Binary{op, left.expr, right.expr}
		}
		if negated {
			e = &Not{e}
		}
		left = operand{e, at}
	}
}

// comparator reads a comparison operator.
func (p *parser) comparator() string {
	if p.tok.kind != tokenSymbol {
		return ""
	}
	op := p.tok.text
	switch op {
	case "!=":
		op = "<>"
	case "=", "<>", "<", "<=", ">", ">=":
	default:
		return ""
	}
	if p.updating {
		p.unsupported(op)
	}
	p.next()
	return op
}

// checkPresent refuses operands that are no operands of comparisons.
func (p *parser) checkPresent(operands ...operand) {
	for _, o := range operands {
		if a, ok := o.expr.(absent); ok {
			p.fault("%s", a.refusal)
		}
	}
}

// isType reads what follows IS.
func (p *parser) isType(left operand) Expr {
	negated := p.keyword("NOT")
	is := &Is{Operand: left.expr, Missing: p.is(tokenKeyword, "MISSING")}
	p.expect(p.keyword("MISSING") || p.keyword("NULL"))
	switch left.expr.(type) {
	case Path, Literal:
	default:
		p.fault("The left hand side argument to IS must be a Variable Reference, Literal, or Path")
	}
	if negated {
		return &Not{is}
	}
	return is
}

// in reads the list that follows IN, in any of the three brackets.
func (p *parser) in(left operand) Expr {
	in := &In{Operand: left.expr}
	for _, bracket := range [...][2]string{{"(", ")"}, {"[", "]"}, {"<<", ">>"}} {
		if p.symbol(bracket[0]) {
			p.elements(bracket[1], func() { in.List = append(in.List, p.expression().expr) })
			if len(in.List) == 0 {
				break
			}
			return in
		}
	}
	if len(in.List) == 0 && p.tok.kind != tokenEOF && !p.is(tokenSymbol, ")") {
		p.sum()
	}
	p.fault("IN operator must have a left hand argument of type Variable Reference and right hand argument of type Seq with at least one member")
	return in
}

// elements reads what commas separate up to the closing symbol.
func (p *parser) elements(closing string, element func()) {
	if p.symbol(closing) {
		return
	}
	element()
	for p.symbol(",") {
		element()
	}
	p.expect(p.symbol(closing))
}

// sum reads operands joined by arithmetic operators. Updates have + and -.
func (p *parser) sum() operand {
	left := p.product()
	for p.is(tokenSymbol, "+") || p.is(tokenSymbol, "-") {
		at := p.tok
		p.next()
		right := p.product()
		if !p.updating {
			p.unsupported(at.text)
		}
		p.checkPresent(left, right)
		left = operand{&Binary{at.text, left.expr, right.expr}, at}
	}
	return left
}

func (p *parser) product() operand {
	left := p.signed()
	for p.tok.kind == tokenSymbol && (p.tok.text == "*" || p.tok.text == "/" || p.tok.text == "%" || p.tok.text == "||") {
		at := p.tok
		p.next()
		right := p.signed()
		p.unsupported(at.text)
		left = operand{&Binary{at.text, left.expr, right.expr}, at}
	}
	return left
}

// signed reads an operand with signs before it, which only a number may have.
func (p *parser) signed() operand {
	at := p.tok
	if !p.symbol("-") && !p.symbol("+") {
		return p.operand()
	}
	o := p.signed()
	l, ok := o.expr.(Literal)
	switch {
	case ok && l.Value.Type() == attr.N:
		if at.text == "-" {
			zero := attr.Int(0)
			negative, err := attr.Sub(zero, l.Value)
			p.check(err)
			l.Value = negative
		}
		return operand{l, o.tok}
	case p.updating:
		p.fault("Incorrect number of operands for operator or function; operator or function: %s, number of operands: 1", at.text)
	default:
		p.unsupported(at.text)
	}
	return o
}

// check records an error of the value layer.
func (p *parser) check(err error) {
	if p.err == nil {
		p.err = err
	}
}

// operand reads a value, a path, a function call or a group, and the steps
// into a group that holds a path.
func (p *parser) operand() operand {
	switch t := p.tok; t.kind {
	case tokenIdentifier:
		return p.reference()
	case tokenString:
		p.next()
		return operand{Literal{attr.String(t.text)}, t}
	case tokenNumber:
		p.next()
		v, err := attr.ParseNumber(t.text)
		p.check(err)
		return operand{Literal{v}, t}
	case tokenParameter:
		p.next()
		p.used++
		if p.used <= len(p.parameters) {
			return operand{Literal{p.parameters[p.used-1]}, t}
		}
		return operand{Literal{}, t}
	case tokenIon:
		p.next()
		p.fault("Ion Literals are not supported: %s under key root %s", ionType(t.text), p.at(t))
		return operand{Literal{}, t}
	case tokenSymbol:
		return p.bracketed()
	case tokenKeyword:
		return p.word()
	}
	t := p.tok
	p.malformed()
	return operand{Literal{}, t}
}

// word reads an operand that begins with a keyword.
func (p *parser) word() operand {
	t := p.tok
	p.next()
	switch t.text {
	case "TRUE", "FALSE":
		return operand{Literal{attr.Bool(t.text == "TRUE")}, t}
	case "NULL":
		return operand{Literal{attr.Null()}, t}
	case "MISSING":
		return operand{absent{"MISSING must be compared using IS operator"}, t}
	case "SIZE":
		if p.is(tokenSymbol, "(") {
			return p.call(t)
		}
	case "SELECT":
		p.selection()
		p.fault("Unsupported token in expression: SELECT %s", p.at(t))
		return operand{Literal{}, t}
	case "EXISTS", "SUBSTRING", "UPPER", "LOWER", "CHAR_LENGTH", "CHARACTER_LENGTH", "COALESCE", "NULLIF":
		if p.is(tokenSymbol, "(") {
			return p.call(t)
		}
	case "AVG", "COUNT", "MAX", "MIN", "SUM":
		p.expect(p.symbol("("))
		if !p.symbol("*") {
			p.expression()
		}
		p.expect(p.symbol(")"))
		return operand{absent{"Unsupported token in expression: " + p.text[t.start:t.end] + " " + p.at(t)}, t}
	}
	p.malformed()
	return operand{Literal{}, t}
}

// reference reads a path or a function call.
func (p *parser) reference() operand {
	t := p.tok
	p.next()
	quoted := p.text[t.start] == '"'
	if p.is(tokenSymbol, "(") && !quoted {
		return p.call(t)
	}
	return operand{p.steps(Path{p.named(t)}), t}
}

func (p *parser) named(t token) Element {
	if t.text == "" {
		p.fault("Path component cannot be an empty string")
	}
	return Element{Name: t.text}
}

// path reads a path.
func (p *parser) path() Path {
	t := p.tok
	if t.kind != tokenIdentifier {
		p.malformed()
		return nil
	}
	p.next()
	return p.steps(Path{p.named(t)})
}

// steps reads the steps that follow the beginning of a path. A star behind a
// dot is left for the caller.
func (p *parser) steps(path Path) Path {
	for {
		switch {
		case p.is(tokenSymbol, ".") && lex(p.text, p.tok.end).text == "*":
			return path
		case p.symbol("."):
			t := p.tok
			p.expect(t.kind == tokenIdentifier)
			p.next()
			path = append(path, p.named(t))
		case p.symbol("["):
			path = append(path, p.index())
			p.expect(p.symbol("]"))
		default:
			return path
		}
	}
}

// index reads what stands in the brackets of a path: the position in a list,
// or a name in a map.
func (p *parser) index() Element {
	sign := ""
	if p.is(tokenSymbol, "-") {
		sign = "-"
		p.next()
	}
	t := p.tok
	o := p.value()
	literal, _ := o.expr.(Literal)
	path, _ := o.expr.(Path)
	switch {
	case sign == "" && len(path) == 1:
		return path[0]
	case sign == "" && t.kind == tokenString && literal.Value.Type() == attr.S:
		return p.named(t)
	case t.kind != tokenNumber || o.tok != t || strings.ContainsAny(t.text, ".eE"):
		p.fault("Unexpected path component %s", p.at(o.tok))
		return Element{}
	}
	index, err := strconv.ParseInt(sign+t.text, 10, 32)
	if err != nil || index < 0 {
		p.fault("List index is not within the allowable range; index: [%s%s] %s", sign, t.text, p.at(t))
	}
	return Element{Index: int(index), IsIndex: true}
}
