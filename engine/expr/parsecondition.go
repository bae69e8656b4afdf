package expr

// Condition parses a condition, filter or key condition expression.
func (c *Context) Condition(kind Kind, text string) (Condition, error) {
	p := parser{Context: c, kind: kind, text: text}
	if err := p.start(); err != nil {
		return nil, err
	}
	cond := p.condition(p.or(false))
	if err := p.finish(); err != nil {
		return nil, err
	}
	return cond, nil
}

// term is what a part of a condition turned out to be: a condition, or an
// operand that a comparator may follow. A function call names its function and
// keeps the fault there was before its operands.
type term struct {
	condition Condition
	operand   Operand
	function  string
	before    error
}

// condition returns the term as a condition.
func (p *parser) condition(t term) Condition {
	if t.function == "size" {
		p.misused(t.function, t.before)
	}
	return t.condition
}

// operandOf returns the term as an operand.
func (p *parser) operandOf(t term) Operand {
	if t.operand != nil {
		return t.operand
	}
	if t.function != "" {
		p.misused(t.function, t.before)
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
		return p.between(left)
	case tokenIn:
		return p.in(left)
	}
	return p.built(NewCompare(op, left, p.operand()))
}

// built returns a condition and notes what is wrong with its operands.
func (p *parser) built(c Condition, err error) term {
	p.wrong(err)
	return term{condition: c}
}

func (p *parser) between(left Operand) term {
	low := p.operand()
	p.expect(tokenAnd)
	return p.built(NewBetween(left, low, p.operand()))
}

func (p *parser) in(left Operand) term {
	p.expect(tokenOpen)
	list := []Operand{p.operand()}
	for p.accept(tokenComma) {
		list = append(list, p.operand())
	}
	p.expect(tokenClose)
	return p.built(NewIn(left, list))
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
	known := false
	switch function {
	case "size", "attribute_exists", "attribute_not_exists", "attribute_type", "begins_with", "contains":
		known = true
	case "if_not_exists", "list_append":
		p.fault(rankNames, "The function is not allowed in a condition expression; function: %s", function)
	default:
		p.fault(rankNames, "Invalid function name; function: %s", function)
	}
	t := term{function: function, before: p.faults[rankNames]}
	args := p.arguments()
	if known {
		var err error
		t.condition, t.operand, err = NewCall(function, args)
		p.wrong(err)
	}
	return t
}
