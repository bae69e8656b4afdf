package expr

import (
	"github.com/dynmodel/dynmodel/engine/attr"
)

// Condition parses a condition, filter or key condition expression.
func (c *Context) Condition(kind Kind, text string) (Condition, error) {
	p, err := c.newParser(kind, text)
	if err != nil {
		return nil, err
	}
	cond := p.condition(p.or(false))
	if err := p.finish(); err != nil {
		return nil, err
	}
	return cond, nil
}

// term is what a part of a condition turned out to be: a condition, or an
// operand that a comparator may follow. A function call names its function.
type term struct {
	condition Condition
	operand   Operand
	function  string
}

// condition returns the term as a condition.
func (p *parser) condition(t term) Condition {
	if t.function == "size" {
		p.misused(t.function)
	}
	return t.condition
}

// operandOf returns the term as an operand.
func (p *parser) operandOf(t term) Operand {
	if t.operand != nil {
		return t.operand
	}
	if t.function != "" {
		p.misused(t.function)
	}
	return Literal{}
}

// or reads conditions joined by OR. sole says that parentheses stand around
// them, so that a lone operand is fine: a comparator may follow the
// parentheses.
func (p *parser) or(sole bool) term {
	left := p.and(sole)
	for p.tok.kind == tokenOr {
		p.next()
		p.operator()
		right := p.and(false)
		left = term{condition: Or{p.condition(left), p.condition(right)}}
	}
	return left
}

func (p *parser) and(sole bool) term {
	left := p.not(sole)
	for p.tok.kind == tokenAnd {
		p.next()
		p.operator()
		right := p.not(false)
		left = term{condition: And{p.condition(left), p.condition(right)}}
	}
	return left
}

func (p *parser) not(sole bool) term {
	if !p.accept(tokenNot) {
		return p.primary(sole)
	}
	p.operator()
	return term{condition: Not{p.condition(p.not(false))}}
}

// primary reads a comparison, a function call or a group.
func (p *parser) primary(sole bool) term {
	var t term
	if p.tok.kind == tokenOpen {
		open := p.openGroup()
		t = p.or(true)
		p.closeGroup(open)
	} else {
		t = p.simpleTerm()
	}
	canCompare := t.operand != nil || t.function != ""
	switch {
	case canCompare && p.comparesNext():
		return p.comparison(t)
	case t.condition != nil || t.function != "":
	case sole && p.tok.kind == tokenClose:
	default:
		p.unexpected()
	}
	return t
}

func (p *parser) comparesNext() bool {
	return p.comparator() != "" || p.tok.kind == tokenBetween || p.tok.kind == tokenIn
}

func (p *parser) comparator() Comparator {
	switch p.tok.kind {
	case tokenEqual:
		return Equal
	case tokenNotEqual:
		return NotEqual
	case tokenLess:
		return Less
	case tokenLessEqual:
		return LessOrEqual
	case tokenGreater:
		return Greater
	case tokenGreaterEqual:
		return GreaterOrEqual
	}
	return ""
}

// comparison reads the operator and the operands that follow the first one.
func (p *parser) comparison(first term) term {
	left := p.operandOf(first)
	op := p.comparator()
	kind := p.tok.kind
	p.next()
	p.operator()
	switch kind {
	case tokenBetween:
		return term{condition: p.between(left)}
	case tokenIn:
		return term{condition: p.in(left)}
	}
	right := p.operand()
	if op != Equal && op != NotEqual {
		p.checkOrdered(string(op), left, right)
	}
	p.checkDistinct(string(op), left, right)
	return term{condition: Compare{op, left, right}}
}

func (p *parser) between(left Operand) Condition {
	low := p.operand()
	p.expect(tokenAnd)
	high := p.operand()
	p.checkOrdered("BETWEEN", left, low, high)
	p.checkDistinct("BETWEEN", left, low, high)
	p.checkBounds(low, high)
	return Between{left, low, high}
}

func (p *parser) in(left Operand) Condition {
	p.expect(tokenOpen)
	list := []Operand{p.operand()}
	for p.accept(tokenComma) {
		list = append(list, p.operand())
	}
	p.expect(tokenClose)
	if len(list) > MaxInOperands {
		p.fault(rankOperands, "The IN operator is provided with too many operands; number of operands: %d", len(list))
	}
	p.checkDistinct("IN", left, list...)
	return In{left, list}
}

// operand reads a path, a value, a function call or one of these in
// parentheses.
func (p *parser) operand() Operand {
	if p.tok.kind != tokenOpen {
		return p.operandOf(p.simpleTerm())
	}
	open := p.openGroup()
	o := p.operand()
	p.closeGroup(open)
	return o
}

// simpleTerm reads a path, a value or a function call.
func (p *parser) simpleTerm() term {
	switch t := p.tok; t.kind {
	case tokenName:
		p.next()
		if p.tok.kind == tokenOpen {
			return p.conditionCall(p.word(t))
		}
		return term{operand: p.restOfPath(Path{p.named(t)})}
	case tokenAlias:
		return term{operand: p.path()}
	case tokenValue:
		return term{operand: p.literal()}
	}
	p.unexpected()
	return term{operand: Literal{}}
}

// arguments reads a function's operands in their parentheses.
func (p *parser) arguments() []Operand {
	p.expect(tokenOpen)
	args := append(make([]Operand, 0, 2), p.operand())
	for p.accept(tokenComma) {
		args = append(args, p.operand())
	}
	p.expect(tokenClose)
	return args
}

// conditionCall reads a call of one of the functions of conditions.
func (p *parser) conditionCall(function string) term {
	t := term{function: function}
	switch function {
	case "size", "attribute_exists", "attribute_not_exists", "attribute_type", "begins_with", "contains":
	case "if_not_exists", "list_append":
		p.fault(rankNames, "The function is not allowed in a condition expression; function: %s", function)
	default:
		p.fault(rankNames, "Invalid function name; function: %s", function)
	}
	args := p.arguments()
	switch function {
	case "size":
		t.operand = p.size(args)
	case "attribute_exists", "attribute_not_exists":
		t.condition = p.exists(function, args)
	case "attribute_type":
		t.condition = p.hasType(args)
	case "begins_with":
		t.condition = p.beginsWith(args)
	case "contains":
		t.condition = p.contains(args)
	}
	return t
}

func (p *parser) size(args []Operand) Operand {
	if !p.checkCount("size", len(args), 1) {
		return Literal{}
	}
	switch typ := staticType(args[0]); typ {
	case attr.N, attr.BOOL, attr.NULL:
		p.wrongType("size", typ.String())
	}
	return Size{args[0]}
}

func (p *parser) exists(function string, args []Operand) Condition {
	if !p.checkCount(function, len(args), 1) {
		return nil
	}
	path, ok := args[0].(Path)
	if !ok {
		p.needsPath(function)
	}
	return Exists{Path: path, Not: function == "attribute_not_exists"}
}

// anyType is how DynamoDB names the type of an operand that only an item can
// tell.
const anyType = "{DICT,HD,DECIMAL,L,INT,FS,SS,BS,NULL,M,N,NS,BOOL,S,B,HDS,DOUBLESET,DOUBLE,DECIMALSET,INTSET,FLOAT}"

func (p *parser) hasType(args []Operand) Condition {
	const function = "attribute_type"
	if !p.checkCount(function, len(args), 2) {
		return nil
	}
	name, ok := args[1].(Literal)
	value := attr.Value(name)
	switch {
	case !ok:
		p.wrongType(function, anyType)
	case !value.Exists():
	case value.Type() != attr.S:
		p.wrongType(function, value.Type().String())
	}
	typ, ok := attr.ParseType(value.Text())
	if !ok && value.Type() == attr.S {
		p.fault(rankOperands, "Invalid attribute type name found; type: %s, valid types: {B,NULL,SS,BOOL,L,BS,N,NS,S,M}", value.Text())
	}
	return HasType{args[0], typ}
}

func (p *parser) beginsWith(args []Operand) Condition {
	const function = "begins_with"
	if !p.checkCount(function, len(args), 2) {
		return nil
	}
	for _, arg := range args {
		if typ := staticType(arg); typ != 0 && typ != attr.S && typ != attr.B {
			p.wrongType(function, typ.String())
		}
	}
	p.checkDistinct(function, args[0], args[1])
	return BeginsWith{args[0], args[1]}
}

func (p *parser) contains(args []Operand) Condition {
	const function = "contains"
	if !p.checkCount(function, len(args), 2) {
		return nil
	}
	p.checkDistinct(function, args[0], args[1])
	return Contains{args[0], args[1]}
}

// staticType is the type an operand has for every item: a value's own, a
// number for a size, 0 for a path.
func staticType(o Operand) attr.Type {
	switch o := o.(type) {
	case Literal:
		return attr.Value(o).Type()
	case Size:
		return attr.N
	}
	return 0
}

// checkOrdered reports operands of types that have no order.
func (p *parser) checkOrdered(operator string, operands ...Operand) {
	for _, o := range operands {
		if typ := staticType(o); typ != 0 && !typ.IsKey() {
			p.wrongType(operator, typ.String())
		}
	}
}

// checkDistinct reports a path that is compared with itself.
func (p *parser) checkDistinct(operator string, first Operand, others ...Operand) {
	path, ok := first.(Path)
	if !ok {
		return
	}
	for _, o := range others {
		if other, ok := o.(Path); ok && comparePaths(path, other) == 0 {
			p.fault(rankOperands, "The first operand must be distinct from the remaining operands for this operator or function; operator: %s, first operand: %s", operator, path)
		}
	}
}

// checkBounds reports bounds of BETWEEN that no value can lie between.
func (p *parser) checkBounds(low, high Operand) {
	l, ok1 := low.(Literal)
	h, ok2 := high.(Literal)
	lower, upper := attr.Value(l), attr.Value(h)
	if !ok1 || !ok2 || !lower.Exists() || !upper.Exists() {
		return
	}
	problem := ""
	if order, ok := attr.Compare(lower, upper); !ok && lower.Type() != upper.Type() {
		problem = "same data type for lower and upper bounds"
	} else if order > 0 {
		problem = "upper bound to be greater than or equal to lower bound"
	} else {
		return
	}
	p.fault(rankOperands, "The BETWEEN operator requires %s; lower bound operand: AttributeValue: %s, upper bound operand: AttributeValue: %s",
		problem, describe(lower), describe(upper))
}

// describe writes a value as DynamoDB's messages about bounds do: {N:1}.
func describe(v attr.Value) string {
	text := v.Text()
	if v.Type() == attr.N {
		text = v.Number()
	}
	return "{" + v.Type().String() + ":" + text + "}"
}
