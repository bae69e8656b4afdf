package expr

import (
	"fmt"
	"strings"

	"github.com/dynmodel/dynmodel/model/source"
)

// parser reads tokens into trees. The first problem ends the text: from then on
// every peek is tokEnd, so that all loops end and the half-made tree is dropped.
type parser struct {
	in      Input
	tokens  []token // ends with a tokEnd
	at      int     // index into tokens
	lastEnd int     // where the last token taken ends
	depth   int
	inSet   bool // the operand is the value of a SET action
	problem *Problem
}

// newParser cuts the whole text into tokens.
func newParser(in Input) *parser {
	p := &parser{in: in, problem: in.refuse()}
	if p.problem != nil {
		p.tokens = []token{{kind: tokEnd}}
		return p
	}
	lex := lexer{text: in.Text}
	for {
		t := lex.next()
		p.tokens = append(p.tokens, t)
		if t.kind == tokEnd {
			return p
		}
	}
}

// peek is the next token, not yet taken.
func (p *parser) peek() token { return p.peekAt(0) }

// peekAt is the token i places ahead.
func (p *parser) peekAt(i int) token {
	if p.problem != nil {
		return token{kind: tokEnd}
	}
	return p.tokens[min(p.at+i, len(p.tokens)-1)]
}

// take takes the next token.
func (p *parser) take() token {
	t := p.peek()
	if t.kind != tokEnd {
		p.at++
		p.lastEnd = t.end
	}
	return t
}

// takePunct takes the next token if it is the given punctuation.
func (p *parser) takePunct(punct string) bool {
	if !p.peek().is(punct) {
		return false
	}
	p.take()
	return true
}

// takeKeyword takes the next token if it is the given keyword.
func (p *parser) takeKeyword(word string) bool {
	if !p.peek().isKeyword(word) {
		return false
	}
	p.take()
	return true
}

// expect takes the given punctuation, which must come next.
func (p *parser) expect(punct, where string) {
	if !p.takePunct(punct) {
		p.unexpected(punct + " " + where)
	}
}

// span is the place from a token's start to the end of the last token taken.
func (p *parser) span(start int) source.Span { return p.in.span(start, max(start, p.lastEnd)) }

// enter goes one level deeper; false, with a problem, when that is too deep.
func (p *parser) enter() bool {
	p.depth++
	if p.depth > maxDepth {
		p.failAt(p.peek(), "", "this is nested more than %d levels deep", maxDepth)
	}
	return p.problem == nil
}

func (p *parser) leave() { p.depth-- }

// failAt records a problem at a token, unless there is one already.
func (p *parser) failAt(t token, fix, format string, args ...any) {
	p.failSpan(p.in.span(t.start, t.end), fix, format, args...)
}

func (p *parser) failSpan(at source.Span, fix, format string, args ...any) {
	if p.problem == nil {
		p.problem = &Problem{At: at, Message: fmt.Sprintf(format, args...), Fix: fix}
	}
}

// unexpected says that the next token is not what was wanted.
func (p *parser) unexpected(wanted string) {
	t := p.peek()
	if t.kind == tokBroken {
		p.failAt(t, "", "%s", t.text)
		return
	}
	if s, ok := p.slip(); ok {
		p.failSpan(p.in.span(t.start, s.end), s.fix, "%s", s.message)
		return
	}
	if t.kind == tokEnd {
		p.failAt(t, "", "expected %s, but the text ends", wanted)
		return
	}
	p.failAt(t, "", "expected %s, found %s", wanted, clip(p.in.Text[t.start:t.end]))
}

// clip is a piece of the text as messages show it: on one line, and not too long.
func clip(s string) string {
	const most = 40
	s = strings.Join(strings.Fields(s), " ")
	if runes := []rune(s); len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return s
}

// finish is the problem, if any, once everything should have been read.
func (p *parser) finish(wanted string) *Problem {
	if p.peek().kind != tokEnd {
		p.unexpected(wanted)
	}
	return p.problem
}
