package expr

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/dynmodel/dynmodel/model/value"
)

// ParseOperand reads an operand, as in `derive` or on the right of `with`.
// Exactly one of the results is nil.
func ParseOperand(in Input) (Operand, *Problem) {
	p := newParser(in)
	o := p.operand()
	if problem := p.finish("+, - or the end"); problem != nil {
		return nil, problem
	}
	return o, nil
}

// operand reads a sum of terms.
func (p *parser) operand() Operand {
	start := p.peek().start
	left := p.term()
	for p.peek().is("+") || p.peek().is("-") {
		minus := p.take().text == "-"
		right := p.term()
		sum := &Arith{At: p.span(start), Minus: minus, Left: left, Right: right}
		if isDuration(left) && (minus || isDuration(right)) {
			p.failSpan(sum.At, "", "a duration is added to or taken from a time, such as $now - 5m")
		}
		left = sum
	}
	if d, ok := left.(*Duration); ok {
		p.failSpan(d.At, "", "a duration stands only beside + or -, such as $now - %s", durationText(d.Length))
	}
	return left
}

func isDuration(o Operand) bool {
	_, ok := o.(*Duration)
	return ok
}

// term reads an operand without a sum, except in brackets.
func (p *parser) term() Operand {
	defer p.leave()
	if !p.enter() {
		return nil
	}
	t := p.peek()
	switch {
	case t.kind == tokDuration:
		return p.duration()
	case t.kind == tokParam:
		p.take()
		if t.text == "now" {
			return &Now{At: p.span(t.start)}
		}
		return &Param{At: p.span(t.start), Name: t.text, Optional: t.optional}
	case p.takePunct("("):
		o := p.operand()
		p.expect(")", "after the operand in brackets")
		return o
	case t.kind == tokWord && p.peekAt(1).is("("):
		return p.call()
	case t.kind == tokWord && isSlipWord(t, p.peekAt(1)):
		p.unexpected("an operand")
		return nil
	case t.kind == tokWord || t.kind == tokQuoted:
		return p.attr()
	case startsLiteral(t):
		v := p.literal()
		return &Literal{At: p.span(t.start), Value: v}
	}
	p.unexpected("an attribute, a parameter or a value")
	return nil
}

// isSlipWord tells of two words side by side that begin with none of ours,
// such as `IS NOT`; a word alone is an attribute's name.
func isSlipWord(t, next token) bool {
	message, _ := wordSlip(strings.ToUpper(t.text))
	return message != "" && (next.kind == tokWord || next.kind == tokKeyword && (next.text == "NOT" || next.text == "NULL"))
}

// attr reads an attribute's name and the way into it, or Entity.attribute.
func (p *parser) attr() *Attr {
	start := p.peek().start
	path := p.path(false)
	a := &Attr{Path: path}
	if p.in.IsEntity != nil && len(path.Rest) > 0 && path.Rest[0].Name != "" && p.in.IsEntity(path.Name) {
		a.Entity, a.Path = path.Name, Path{Name: path.Rest[0].Name, Rest: path.Rest[1:]}
	}
	if len(a.Path.Rest) == 0 {
		a.Path.Rest = nil
	}
	a.At = p.span(start)
	return a
}

// path reads a name and its steps. Where nothing else can stand, as in a
// template, a keyword is a name too.
func (p *parser) path(keywords bool) Path {
	path := Path{Name: p.name(keywords)}
	for {
		switch {
		case p.takePunct("."):
			path.Rest = append(path.Rest, Step{Name: p.name(keywords)})
		case p.takePunct("["):
			path.Rest = append(path.Rest, p.member())
			p.expect("]", "after the position in a list")
		default:
			return path
		}
	}
}

func (p *parser) name(keywords bool) string {
	t := p.peek()
	switch {
	case t.kind == tokWord || t.kind == tokQuoted:
		return p.take().text
	case t.kind == tokKeyword && keywords:
		p.take()
		return p.in.Text[t.start:t.end]
	}
	p.unexpected("an attribute's name")
	return ""
}

// member reads what stands in square brackets: a position in a list, or the
// parameter that names a map's member.
func (p *parser) member() Step {
	t := p.peek()
	switch {
	case t.kind != tokParam:
		return Step{Index: p.index()}
	case t.text == "now" || t.optional:
		p.failAt(t, "", "in square brackets stands a position in a list, or a parameter that is always given")
	}
	p.take()
	return Step{Param: t.text}
}

// index reads a position in a list.
func (p *parser) index() int {
	t := p.peek()
	n, err := strconv.Atoi(t.text)
	if t.kind != tokNumber || err != nil {
		p.unexpected("a position in a list, such as tags[0]")
		return 0
	}
	p.take()
	return n
}

// duration reads a number with a unit of time.
func (p *parser) duration() Operand {
	t := p.take()
	last := len(t.text) - 1
	unit := unitOfTime(t.text[last])
	n, err := strconv.ParseInt(t.text[:last], 10, 64)
	if err != nil || n > math.MaxInt64/int64(unit) {
		p.failAt(t, "", "%s is no duration: it is a whole number and s, m, h or d, up to about 290 years", clip(t.text))
	}
	return &Duration{At: p.span(t.start), Length: time.Duration(n) * unit}
}

// unitOfTime is the length of s, m, h or d.
func unitOfTime(letter byte) time.Duration {
	switch letter {
	case 's':
		return time.Second
	case 'm':
		return time.Minute
	case 'h':
		return time.Hour
	}
	return 24 * time.Hour
}

// durationText writes a duration in the largest unit that fits it.
func durationText(d time.Duration) string {
	switch {
	case d != 0 && d%(24*time.Hour) == 0:
		return fmt.Sprintf("%dd", d/(24*time.Hour))
	case d != 0 && d%time.Hour == 0:
		return fmt.Sprintf("%dh", d/time.Hour)
	case d != 0 && d%time.Minute == 0:
		return fmt.Sprintf("%dm", d/time.Minute)
	}
	return fmt.Sprintf("%ds", d/time.Second)
}

func startsLiteral(t token) bool {
	switch t.kind {
	case tokString, tokNumber:
		return true
	case tokKeyword:
		return t.text == "TRUE" || t.text == "FALSE" || t.text == "NULL"
	case tokPunct:
		return t.text == "-" || t.text == "[" || t.text == "{" || t.text == "<<"
	}
	return false
}

// literal reads a value written in place.
func (p *parser) literal() value.Value {
	defer p.leave()
	if !p.enter() {
		return value.Value{}
	}
	t := p.peek()
	switch {
	case t.kind == tokString:
		return value.OfString(p.take().text)
	case t.kind == tokNumber || t.is("-"):
		return p.numberLiteral()
	case p.takeKeyword("TRUE"):
		return value.OfBool(true)
	case p.takeKeyword("FALSE"):
		return value.OfBool(false)
	case p.takeKeyword("NULL"):
		return value.OfNull()
	case p.takePunct("["):
		return value.OfList(p.members("]")...)
	case p.takePunct("<<"):
		return p.setLiteral(t)
	case p.takePunct("{"):
		return p.mapLiteral()
	}
	p.unexpected("a value")
	return value.Value{}
}

func (p *parser) numberLiteral() value.Value {
	start := p.peek()
	minus := p.takePunct("-")
	t := p.peek()
	if t.kind != tokNumber {
		p.unexpected("a number after -")
		return value.Value{}
	}
	p.take()
	text := t.text
	if minus {
		text = "-" + text
	}
	v, err := value.OfNumber(text)
	if err != nil {
		p.failSpan(p.span(start.start), "", "%s is %s", clip(text), err)
	}
	return v
}

// members reads literals with commas between them up to the closing bracket.
func (p *parser) members(closing string) []value.Value {
	var list []value.Value
	if p.takePunct(closing) {
		return list
	}
	for {
		list = append(list, p.literal())
		if !p.takePunct(",") {
			break
		}
	}
	p.expect(closing, "after the values")
	return list
}

// setLiteral reads the rest of <<'a', 'b'>>: strings or numbers of one type.
func (p *parser) setLiteral(open token) value.Value {
	members := p.members(">>")
	if p.problem != nil {
		return value.Value{}
	}
	kinds := map[value.Kind]value.Kind{value.String: value.StringSet, value.Number: value.NumberSet}
	var kind value.Kind
	for _, m := range members {
		kind = kinds[m.Kind()]
		if kind == value.None || m.Kind() != members[0].Kind() {
			kind = value.None
			break
		}
	}
	if kind == value.None {
		p.failSpan(p.span(open.start), "", "a set holds one or more strings, or one or more numbers")
		return value.Value{}
	}
	return value.OfSet(kind, members...)
}

// mapLiteral reads the rest of {name: value, …}.
func (p *parser) mapLiteral() value.Value {
	var fields []value.Field
	if p.takePunct("}") {
		return value.OfMap()
	}
	for {
		f := value.Field{Name: p.name(true)}
		if t := p.peek(); t.is("}") && len(fields) == 0 {
			p.failAt(t, "a parameter is written $"+f.Name+", an attribute "+f.Name, "braces stand around attributes in templates only")
		}
		p.expect(":", "after the member's name")
		f.Value = p.literal()
		fields = append(fields, f)
		if !p.takePunct(",") {
			break
		}
	}
	p.expect("}", "after the members")
	return value.OfMap(fields...)
}
