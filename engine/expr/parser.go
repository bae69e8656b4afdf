package expr

import (
	"strconv"

	"github.com/dynmodel/dynmodel/engine/attr"
)

// parser reads one expression.
type parser struct {
	*Context
	kind      Kind
	text      string
	prev, tok token
	count     int // tokens read, which numbers them

	syntax error
	faults [4]error // by rank

	operators int
	group     group // the last pair of parentheses that was closed
}

// group is a pair of parentheses, by the numbers of its tokens.
type group struct{ open, close int }

// The ranks of faults other than syntax: DynamoDB reports the first of the
// lowest rank.
const (
	rankParentheses = iota // redundant parentheses
	rankNames              // reserved words, functions that are not or not here
	rankSections           // a section of an update that is there twice
	rankOperands           // what aliases stand for, numbers and types of operands
)

// start reads the first token, after the checks that come before syntax.
func (p *parser) start() error {
	switch {
	case p.text == "":
		return p.refusal("The expression can not be empty;")
	case len(p.text) > MaxBytes:
		return p.refusal("Expression size has exceeded the maximum allowed size; expression size: %d", len(p.text))
	}
	p.tok = lex(p.text, 0)
	return nil
}

func (p *parser) refusal(format string, args ...any) error {
	return attr.Invalidf("Invalid "+string(p.kind)+": "+format, args...)
}

// fault records a fault of the given rank; only the first of each counts.
func (p *parser) fault(rank int, format string, args ...any) {
	if p.faults[rank] == nil {
		p.faults[rank] = p.refusal(format, args...)
	}
}

// finish checks that the text has ended and returns the error to report.
func (p *parser) finish() error {
	if p.tok.kind != tokenEOF {
		p.unexpected()
	}
	if p.syntax != nil {
		return p.syntax
	}
	for _, err := range p.faults {
		if err != nil {
			return err
		}
	}
	return nil
}

// unexpected reports the current token as a syntax error and ends the reading.
// DynamoDB shows the text from the token before to the one after.
func (p *parser) unexpected() {
	if p.syntax == nil {
		word := p.word(p.tok)
		if p.tok.kind == tokenEOF {
			word = "<EOF>"
		}
		next := lex(p.text, p.tok.end)
		p.syntax = p.refusal(`Syntax error; token: "%s", near: "%s"`, word, p.text[p.prev.start:next.end])
	}
	p.tok = token{kind: tokenEOF, start: len(p.text), end: len(p.text)}
}

func (p *parser) word(t token) string { return p.text[t.start:t.end] }

func (p *parser) next() {
	p.prev, p.tok = p.tok, lex(p.text, p.tok.end)
	p.count++
}

// accept reads a token of the given kind if it is next.
func (p *parser) accept(kind tokenKind) bool {
	if p.tok.kind != kind {
		return false
	}
	p.next()
	return true
}

func (p *parser) expect(kind tokenKind) {
	if !p.accept(kind) {
		p.unexpected()
	}
}

// openGroup reads an opening parenthesis and returns its number.
func (p *parser) openGroup() int {
	open := p.count
	p.expect(tokenOpen)
	return open
}

// closeGroup reads the closing parenthesis of a group. A group that holds
// nothing but another group is redundant.
func (p *parser) closeGroup(open int) {
	outer := group{open, p.count}
	p.expect(tokenClose)
	if p.group == (group{outer.open + 1, outer.close - 1}) {
		p.fault(rankParentheses, "The expression has redundant parentheses;")
	}
	p.group = outer
}

// operator counts an operator.
func (p *parser) operator() {
	p.operators++
	if p.operators == MaxOperators+1 {
		p.fault(rankNames, "The expression contains too many operators; operator count: %d", p.operators)
	}
}

// path reads a document path.
func (p *parser) path() Path {
	path := Path{p.element()}
	return p.restOfPath(path)
}

// restOfPath reads the steps that follow a path's first name.
func (p *parser) restOfPath(path Path) Path {
	for {
		switch {
		case p.accept(tokenDot):
			path = append(path, p.element())
		case p.accept(tokenOpenIndex):
			path = append(path, p.indexElement())
		default:
			if len(path) > MaxPathDepth {
				p.fault(rankNames, "The document path has too many nesting levels; nesting levels: %d", len(path))
			}
			return path
		}
	}
}

// element reads a name or an alias.
func (p *parser) element() Element {
	t := p.tok
	switch t.kind {
	case tokenName:
		p.next()
		return p.named(t)
	case tokenAlias:
		p.next()
		name, ok := p.name(p.word(t))
		if !ok {
			p.fault(rankOperands, "An expression attribute name used in the document path is not defined; attribute name: %s", p.word(t))
		}
		return Element{Name: name}
	}
	p.unexpected()
	return Element{}
}

// named returns the element of a bare name.
func (p *parser) named(t token) Element {
	name := p.word(t)
	if IsReserved(name) {
		p.fault(rankNames, "Attribute name is a reserved keyword; reserved keyword: %s", name)
	}
	return Element{Name: name}
}

func (p *parser) indexElement() Element {
	t := p.tok
	p.expect(tokenInt)
	p.expect(tokenCloseIndex)
	index, err := strconv.ParseInt(p.word(t), 10, 32)
	if err != nil {
		p.fault(rankNames, "List index is not within the allowable range; index: [%s]", p.word(t))
	}
	return Element{Index: int(index), IsIndex: true}
}

// literal reads a :value.
func (p *parser) literal() Literal {
	t := p.tok
	p.expect(tokenValue)
	v, ok := p.value(p.word(t))
	if !ok {
		p.fault(rankOperands, "An expression attribute value used in expression is not defined; attribute value: %s", p.word(t))
	}
	return Literal(v)
}

// wrong notes what is wrong with the operands of something.
func (p *parser) wrong(err error) {
	if err != nil {
		p.fault(rankOperands, "%s", err)
	}
}

// misused reports a function where its kind of result is of no use. What is
// wrong with a function counts before what is wrong with its operands; before
// is the fault there was in front of them.
func (p *parser) misused(function string, before error) {
	if before == nil {
		p.faults[rankNames] = p.refusal("The function is not allowed to be used this way in an expression; function: %s", function)
	}
}

// lastFault is the fault in the last part of a list that has one: DynamoDB
// goes through such lists from the end.
type lastFault struct {
	after int // the index of the part behind it
	err   error
}

// takeFault moves the fault in what was just read, part i of a list, to f.
func (p *parser) takeFault(f *lastFault, i int) {
	if err := p.faults[rankOperands]; err != nil {
		*f = lastFault{i + 1, err}
		p.faults[rankOperands] = nil
	}
}

// checkPaths returns the last fault in a path, or between two paths behind it.
func (p *parser) checkPaths(sorted, paths []Path, f lastFault) error {
	if f.err != nil {
		paths = paths[f.after:]
		sorted = project(paths).sorted
	}
	if err := checkClashes(sorted, paths); err != nil {
		return p.refusal("%s", err)
	}
	return f.err
}
