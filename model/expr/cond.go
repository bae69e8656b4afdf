package expr

import "github.com/dynmodel/dynmodel/model/source"

// ParseCond reads a condition, as in `where`, `if`, `filter` and `when`.
// Exactly one of the results is nil.
func ParseCond(in Input) (Cond, *Problem) {
	p := newParser(in)
	c := p.or()
	if problem := p.finish("AND, OR or the end of the condition"); problem != nil {
		return nil, problem
	}
	return c, nil
}

func (p *parser) or() Cond {
	start := p.peek().start
	terms := []Cond{p.and()}
	for p.takeKeyword("OR") {
		terms = append(terms, p.and())
	}
	return orOf(p.span(start), terms)
}

func (p *parser) and() Cond {
	start := p.peek().start
	terms := []Cond{p.not()}
	for p.takeKeyword("AND") {
		terms = append(terms, p.not())
	}
	return andOf(p.span(start), terms)
}

// andOf joins terms, of which there is at least one, into one level.
func andOf(at source.Span, terms []Cond) Cond {
	var flat []Cond
	for _, t := range terms {
		if and, ok := t.(*And); ok {
			flat = append(flat, and.Terms...)
		} else {
			flat = append(flat, t)
		}
	}
	if len(flat) == 1 {
		return flat[0]
	}
	return &And{At: at, Terms: flat}
}

// orOf joins terms, of which there is at least one, into one level.
func orOf(at source.Span, terms []Cond) Cond {
	var flat []Cond
	for _, t := range terms {
		if or, ok := t.(*Or); ok {
			flat = append(flat, or.Terms...)
		} else {
			flat = append(flat, t)
		}
	}
	if len(flat) == 1 {
		return flat[0]
	}
	return &Or{At: at, Terms: flat}
}

// not reads a condition without AND and OR, except in brackets.
func (p *parser) not() Cond {
	defer p.leave()
	if !p.enter() {
		return nil
	}
	start := p.peek().start
	switch {
	case p.takeKeyword("NOT"):
		term := p.not()
		return &Not{At: p.span(start), Term: term}
	case p.peek().is("(") && !p.groupIsOperand():
		p.take()
		c := p.or()
		p.expect(")", "after the condition in brackets")
		return c
	case p.peekAt(1).is("(") && isTest(p.peek()):
		return p.test()
	}
	return p.comparison()
}

// groupIsOperand tells whether the bracket that comes next holds an operand:
// after its closing bracket stands what follows an operand.
func (p *parser) groupIsOperand() bool {
	open := 0
	for i := 0; ; i++ {
		switch t := p.peekAt(i); {
		case t.kind == tokEnd:
			return false
		case t.is("("):
			open++
		case t.is(")"):
			open--
			if open == 0 {
				after := p.peekAt(i + 1)
				return isComparison(after) || after.is("+") || after.is("-") || after.isKeyword("IN") || after.isKeyword("BETWEEN")
			}
		}
	}
}

func isComparison(t token) bool {
	if t.kind != tokPunct {
		return false
	}
	switch Op(t.text) {
	case Eq, Ne, Lt, Le, Gt, Ge:
		return true
	}
	return false
}

// comparison reads a comparison, BETWEEN or IN.
func (p *parser) comparison() Cond {
	start := p.peek().start
	x := p.operand()
	switch t := p.peek(); {
	case isComparison(t):
		p.take()
		right := p.operand()
		if again := p.peek(); isComparison(again) {
			p.failAt(again, "join two comparisons with AND", "a comparison has two sides")
		}
		c := &Compare{At: p.span(start), Op: Op(t.text), Left: x, Right: right}
		p.checkCompare(c)
		return c
	case p.takeKeyword("BETWEEN"):
		low := p.operand()
		if !p.takeKeyword("AND") {
			p.unexpected("AND between the two ends of BETWEEN")
		}
		high := p.operand()
		return &Between{At: p.span(start), X: x, Low: low, High: high}
	case p.takeKeyword("IN"):
		list, fromList := p.inList()
		return &In{At: p.span(start), X: x, List: list, FromList: fromList}
	}
	if attr, ok := x.(*Attr); ok && (p.peek().kind == tokEnd || p.peek().kind == tokKeyword || p.peek().is(")")) && !p.peek().isKeyword("NOT") {
		p.failSpan(attr.At, "a boolean is compared too: "+attr.Path.String()+" = true", "%s alone is no condition", attr.Path)
	}
	p.unexpected("a comparison (=, <>, <, <=, >, >=, BETWEEN or IN)")
	return nil
}

// checkCompare refuses an attribute beside itself, which is a parameter without its $.
func (p *parser) checkCompare(c *Compare) {
	if a, ok := c.Left.(*Attr); ok && p.problem == nil && EqualOperands(a, c.Right) {
		p.failSpan(c.At, "a parameter is written $"+a.Path.Name, "%s is compared with itself", String(a))
	}
}

// inList reads what follows IN: `$list`, or operands in brackets.
func (p *parser) inList() (list []Operand, fromList bool) {
	if t := p.peek(); t.kind == tokParam && t.text != "now" {
		return []Operand{p.term()}, true
	}
	if !p.takePunct("(") {
		p.unexpected("a list parameter or values in brackets after IN")
		return nil, false
	}
	return p.operands("the list of IN"), false
}

// operands reads one or more operands up to the closing bracket.
func (p *parser) operands(of string) []Operand {
	list := []Operand{p.operand()}
	for p.takePunct(",") {
		list = append(list, p.operand())
	}
	p.expect(")", "at the end of "+of)
	return list
}

func isTest(t token) bool {
	if t.kind != tokWord {
		return false
	}
	switch TestName(t.text) {
	case AttributeExists, AttributeNotExists, AttributeType, BeginsWith, Contains:
		return true
	}
	return false
}

// test reads a condition function.
func (p *parser) test() Cond {
	name := p.take()
	p.take() // the bracket
	args := p.operands(name.text + "(…)")
	test := &Test{At: p.span(name.start), Name: TestName(name.text), X: args[0]}
	wanted := 2
	if test.Name == AttributeExists || test.Name == AttributeNotExists {
		wanted = 1
	}
	if len(args) != wanted {
		p.failSpan(test.At, "", "%s takes %s, not %d", name.text, countOf(wanted, "operand"), len(args))
		return nil
	}
	if wanted == 2 {
		test.Arg = args[1]
	}
	p.checkTest(test)
	return test
}

// checkTest checks what DynamoDB demands of a condition function's operands.
func (p *parser) checkTest(t *Test) {
	if p.problem != nil {
		return
	}
	if _, ok := t.X.(*Attr); !ok && t.Name != BeginsWith && t.Name != Contains {
		p.failSpan(t.X.Span(), "", "%s asks about an attribute", t.Name)
	}
	if lit, ok := t.Arg.(*Literal); ok && t.Name == AttributeType && !isDescriptor(lit.Value.Text()) {
		p.failSpan(lit.At, "use one of 'S', 'N', 'B', 'BOOL', 'NULL', 'L', 'M', 'SS', 'NS', 'BS'", "attribute_type compares with one of DynamoDB's types")
	}
}

func isDescriptor(s string) bool {
	switch s {
	case "S", "N", "B", "BOOL", "NULL", "L", "M", "SS", "NS", "BS":
		return true
	}
	return false
}
