package jsontree

import (
	"regexp"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/dynmodel/dynmodel/model/source/yamltree"
)

var number = regexp.MustCompile(`^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?$`)

// pythonWords are the literals of Python, which some tools write into JSON.
func pythonWord(word string) (string, bool) {
	switch word {
	case "True":
		return "true", true
	case "False":
		return "false", true
	case "None":
		return "null", true
	}
	return "", false
}

// word reads a number, true, false or null.
func (p *parser) word() *yamltree.Node {
	start := p.at
	for p.at < len(p.text) && (isNameByte(p.text[p.at]) || strings.IndexByte("+-.", p.text[p.at]) >= 0) {
		p.at++
	}
	text := p.text[start:p.at]
	n := &yamltree.Node{Kind: yamltree.Scalar, At: p.span(start, p.at), Text: text}
	if json, ok := pythonWord(text); ok {
		p.remark(start, p.at, "`"+text+"` is Python; JSON has `"+json+"`")
		n.Text, text = json, json
	}
	switch {
	case text == "null":
		n.Kind = yamltree.Null
	case text == "true" || text == "false" || number.MatchString(text):
	case text == "":
		p.fail(start, start+1, "this is no JSON value; text needs double quotes")
	default:
		p.fail(start, p.at, "`%s` is no JSON value; text needs double quotes", clip(text))
	}
	return n
}

// clip shortens a text for messages.
func clip(text string) string {
	const most = 40
	if len(text) <= most {
		return text
	}
	cut := most
	for cut > 0 && !utf8.RuneStart(text[cut]) {
		cut--
	}
	return text[:cut] + "…"
}

// quoted reads a text in quotes.
func (p *parser) quoted(quote byte) string {
	start := p.at
	var b strings.Builder
	for p.at++; p.at < len(p.text); {
		switch c := p.text[p.at]; {
		case c == quote:
			p.at++
			return b.String()
		case c == '\\':
			p.escape(&b, start)
		case c == '\n' && quote != '`':
			p.fail(start, p.at, "the text that begins here is not closed by the end of the line")
			return ""
		case c < 0x20 && !p.script:
			p.fail(p.at, p.at+1, "a control character stands inside a text; JSON writes \\u%04x", c)
			return ""
		default:
			b.WriteByte(c)
			p.at++
		}
	}
	p.fail(start, start+1, "the text that begins here is not closed")
	return ""
}

// escape reads one escape sequence.
func (p *parser) escape(b *strings.Builder, start int) {
	at := p.at
	if at+1 >= len(p.text) {
		p.fail(start, start+1, "the text that begins here is not closed")
		return
	}
	p.at += 2
	switch c := p.text[at+1]; c {
	case 'b':
		b.WriteByte('\b')
	case 'f':
		b.WriteByte('\f')
	case 'n':
		b.WriteByte('\n')
	case 'r':
		b.WriteByte('\r')
	case 't':
		b.WriteByte('\t')
	case '"', '\\', '/':
		b.WriteByte(c)
	case 'u':
		b.WriteRune(p.unicode(at))
	default:
		if !p.script {
			p.fail(at, at+2, "JSON has no escape `\\%c`", c)
			return
		}
		b.WriteByte(c)
	}
}

// unicode reads the four digits of \uXXXX, and the second half of a pair.
func (p *parser) unicode(at int) rune {
	first, ok := p.hex4()
	if !ok {
		p.fail(at, at+2, "four hexadecimal digits should follow `\\u`")
		return 0
	}
	if !utf16.IsSurrogate(first) {
		return first
	}
	before := p.at
	if strings.HasPrefix(p.rest(), `\u`) {
		p.at += 2
		if second, ok := p.hex4(); ok {
			if r := utf16.DecodeRune(first, second); r != utf8.RuneError {
				return r
			}
		}
	}
	p.at = before
	return utf8.RuneError
}

func (p *parser) hex4() (rune, bool) {
	if p.at+4 > len(p.text) {
		return 0, false
	}
	n, err := strconv.ParseUint(p.text[p.at:p.at+4], 16, 16)
	if err != nil {
		return 0, false
	}
	p.at += 4
	return rune(n), true
}

// expression reads a value of JavaScript that is neither object nor list. What
// follows a literal (`as const`, a method call) makes it an expression.
func (p *parser) expression() *yamltree.Node {
	start := p.at
	c := p.peek()
	if c != '"' && c != '\'' && c != '`' {
		return p.opaque()
	}
	text := p.quoted(c)
	end := p.at
	p.space()
	if p.err == nil && !p.atEnd() && !strings.HasPrefix(p.rest(), "as ") {
		p.at = start
		return p.opaque()
	}
	n := &yamltree.Node{Kind: yamltree.Scalar, Style: yamltree.DoubleQuoted, At: p.span(start, end), Text: text}
	p.opaque()
	return n
}

func (p *parser) atEnd() bool {
	return p.at >= len(p.text) || strings.IndexByte(",}]", p.text[p.at]) >= 0
}

// opaque passes over an expression up to the comma or bracket that ends it.
func (p *parser) opaque() *yamltree.Node {
	start := p.at
	open := 0
	for p.at < len(p.text) && (open > 0 || !p.atEnd()) {
		switch c := p.text[p.at]; {
		case c == '"' || c == '\'' || c == '`':
			p.quoted(c)
		case c == '/' && p.regexp(start):
		case strings.HasPrefix(p.rest(), "//"), strings.HasPrefix(p.rest(), "/*"):
			p.space()
		case strings.IndexByte("([{", c) >= 0:
			open++
			p.at++
		case strings.IndexByte(")]}", c) >= 0:
			open--
			p.at++
		case c == ':' && open == 0 && p.text[start] == '[':
			return &yamltree.Node{Kind: yamltree.Scalar, At: p.span(start, p.at), Text: p.text[start:p.at]}
		default:
			p.at++
		}
	}
	text := strings.TrimRight(p.text[start:p.at], " \t\r\n")
	return &yamltree.Node{Kind: yamltree.Scalar, At: p.span(start, start+len(text)), Text: text}
}

// regexp passes over a regular expression, which stands only where an
// expression begins; false when there is none.
func (p *parser) regexp(start int) bool {
	before := strings.TrimRight(p.text[start:p.at], " \t\r\n")
	if before != "" && strings.IndexByte("(,=:[!&|?{};", before[len(before)-1]) < 0 || strings.HasPrefix(p.rest(), "//") || strings.HasPrefix(p.rest(), "/*") {
		return false
	}
	class := false
	for i := p.at + 1; i < len(p.text) && p.text[i] != '\n'; i++ {
		switch p.text[i] {
		case '\\':
			i++
		case '[':
			class = true
		case ']':
			class = false
		case '/':
			if !class {
				p.at = i + 1
				return true
			}
		}
	}
	return false
}
