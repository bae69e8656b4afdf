package expr

import (
	"strings"

	"github.com/dynmodel/dynmodel/model/source"
)

// TemplatePart is a piece of a template: exactly one of Literal, Path (its
// Name), Param and Random is set. Adjacent literals are one.
type TemplatePart struct {
	At      source.Span
	Literal string
	// Path is an attribute: {status}, {address.city}. In a template over
	// parameters it stands for the parameter of that name.
	Path Path
	// Param is the name of {$name}, in a template over parameters only; "now" is
	// the current time.
	Param string
	// Funcs are applied in order.
	Funcs []Func
	// Random is the n of {random(n)}, in a template over attributes only.
	Random int
}

// ParseTemplate reads a template over attributes, as under `keys`. On a problem
// the parts are nil; an empty text has no parts.
func ParseTemplate(in Input) ([]TemplatePart, *Problem) { return parseTemplate(in, false) }

// ParseParamTemplate reads a template over parameters, as in a pinned request:
// {name} is the parameter of that attribute's name, {$name} any parameter. On a
// problem the parts are nil; an empty text has no parts.
func ParseParamTemplate(in Input) ([]TemplatePart, *Problem) { return parseTemplate(in, true) }

func parseTemplate(in Input, overParams bool) ([]TemplatePart, *Problem) {
	if problem := in.refuse(); problem != nil {
		return nil, problem
	}
	t := templateParser{in: in, overParams: overParams}
	for t.pos < len(in.Text) {
		if problem := t.step(); problem != nil {
			return nil, problem
		}
	}
	t.endLiteral()
	return t.parts, nil
}

// templateParser reads a template from left to right.
type templateParser struct {
	in           Input
	overParams   bool
	pos          int
	literal      strings.Builder
	literalStart int
	parts        []TemplatePart
}

// step reads a character of literal text, or a whole {placeholder}.
func (t *templateParser) step() *Problem {
	rest := t.in.Text[t.pos:]
	switch {
	case strings.HasPrefix(rest, "{{"), strings.HasPrefix(rest, "}}"):
		t.addLiteral(rest[0], 2)
	case rest[0] == '}':
		return &Problem{At: t.in.span(t.pos, t.pos+1), Message: "a closing brace without an opening one", Fix: "a brace in the text is written twice: }}"}
	case strings.HasPrefix(rest, "${") && !strings.HasPrefix(rest, "${{"):
		return &Problem{At: t.in.span(t.pos, t.pos+2), Message: "$ before { is another library's habit", Fix: "write {name} without the $"}
	case rest[0] == '{':
		t.endLiteral()
		return t.placeholder()
	default:
		t.addLiteral(rest[0], 1)
	}
	return nil
}

// addLiteral adds a byte that was written with size bytes.
func (t *templateParser) addLiteral(c byte, size int) {
	if t.literal.Len() == 0 {
		t.literalStart = t.pos
	}
	t.literal.WriteByte(c)
	t.pos += size
}

func (t *templateParser) endLiteral() {
	if t.literal.Len() > 0 {
		t.parts = append(t.parts, TemplatePart{At: t.in.span(t.literalStart, t.pos), Literal: t.literal.String()})
		t.literal.Reset()
	}
}

// placeholder reads {…}.
func (t *templateParser) placeholder() *Problem {
	start := t.pos
	p := &parser{in: t.in, lastEnd: start}
	lex := lexer{text: t.in.Text, pos: start + 1}
	for {
		tok := lex.next()
		if tok.kind == tokEnd {
			return &Problem{At: t.in.span(start, start+1), Message: "a brace is not closed", Fix: "a brace in the text is written twice: {{"}
		}
		if tok.is("}") {
			p.tokens = append(p.tokens, token{kind: tokEnd, start: tok.start, end: tok.start})
			break
		}
		p.tokens = append(p.tokens, tok)
	}
	part := p.templatePart(t.overParams)
	if problem := p.finish("| and a function, or }"); problem != nil {
		return problem
	}
	t.pos = lex.pos
	part.At = t.in.span(start, t.pos)
	t.parts = append(t.parts, part)
	return nil
}

// templatePart reads what stands between braces.
func (p *parser) templatePart(overParams bool) TemplatePart {
	var part TemplatePart
	t := p.peek()
	switch {
	case t.kind == tokWord && t.text == "random" && p.peekAt(1).is("("):
		p.take()
		p.take()
		part.Random = p.numberUpTo("random", maxShards)
		p.expect(")", "after the number of shards")
		if overParams {
			p.failAt(t, "a request names one shard: take it as a parameter", "random(n) is drawn on writing, not in a request")
		}
		return part
	case t.kind == tokWord && p.peekAt(1).is("("):
		p.failAt(t, "write {name|"+t.text+"}", "a function stands after the attribute")
		return part
	case t.kind == tokParam && t.optional:
		p.failAt(t, "", "a parameter in a key cannot be left out")
	case t.kind == tokParam && !overParams:
		p.failAt(t, "write {"+t.text+"}", "a key is made of attributes, not parameters")
	case t.kind == tokParam:
		part.Param = p.take().text
	case t.kind == tokEnd:
		p.failAt(t, "", "the braces are empty; they hold an attribute's name")
	default:
		part.Path = p.path(true)
		if next := p.peek(); next.kind == tokWord && !next.is("|") {
			name := p.in.Text[t.start:p.tokens[len(p.tokens)-1].start]
			p.failAt(next, "write {`"+name+"`}", "a name that is no plain word stands in backquotes")
		}
	}
	for p.takePunct("|") {
		part.Funcs = append(part.Funcs, p.templateFunc())
	}
	return part
}

// templateFunc reads a function after a bar: lower, pad(3).
func (p *parser) templateFunc() Func {
	t := p.peek()
	f := Func{Name: FuncName(t.text)}
	if t.kind != tokWord || !f.Name.IsTemplate() {
		if t.kind == tokWord {
			p.failAt(t, "use lower, upper, pad(n), invert(n), year, month, week, day, hour, minute, bucket(15m), prefix(n) or shard(n)", "there is no template function %s", clip(t.text))
		}
		p.unexpected("a template function")
		return f
	}
	p.take()
	switch {
	case f.Name.TakesNumber():
		p.expect("(", "and "+f.Name.numberWanted()+t.text+"("+f.Name.sample()+")")
		f.N = p.funcNumber(f.Name)
		p.expect(")", "after the number")
	case p.peek().is("("):
		p.failAt(p.peek(), "", "%s takes no number", t.text)
	}
	return f
}
