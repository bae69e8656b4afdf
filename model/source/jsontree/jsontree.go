// Package jsontree reads JSON, and object literals of JavaScript, into the same
// positioned tree as YAML, so that every reader of another tool's format can
// say where in the file something is wrong.
//
// It is lenient where files in the field are: keys that stand twice are kept
// (readers judge them), and True, False and None of Python, comments and
// commas before a closing bracket are read and reported. What cannot be read is
// one *SyntaxError with its place. Size and depth are bounded.
package jsontree

import (
	"fmt"
	"strings"

	"github.com/dynmodel/dynmodel/model/source"
	"github.com/dynmodel/dynmodel/model/source/yamltree"
)

// The bounds of what is read. The largest design in the field is a tenth of MaxSize.
const (
	MaxSize  = 16 << 20 // bytes
	MaxDepth = 100      // values inside values; DynamoDB's own limit is 32
)

// SyntaxError says why a text could not be read at all.
type SyntaxError struct {
	At   source.Span
	Text string
}

// Error says it with its place.
func (e *SyntaxError) Error() string {
	from := e.At.From()
	return fmt.Sprintf("%s:%d:%d: %s", e.At.File.Name(), from.Line, from.Column, e.Text)
}

// Remark is something that is no JSON and was read all the same.
type Remark struct {
	At   source.Span
	Text string
}

// Parse reads a JSON document.
func Parse(file *source.File) (*yamltree.Node, []Remark, error) {
	p := &parser{file: file, text: file.Text()}
	if strings.HasPrefix(p.text, "\ufeff") {
		p.at = len("\ufeff")
	}
	return p.document()
}

// Script reads the object literal of JavaScript or TypeScript that begins at a
// byte offset of the file. Keys need no quotes, and an expression that is no
// literal is a plain scalar of its source text: `String`, `/^[a-z]+$/`,
// `() => ulid()`.
func Script(file *source.File, offset int) (*yamltree.Node, error) {
	p := &parser{file: file, text: file.Text(), at: offset, script: true}
	if err := p.bounded(); err != nil {
		return nil, err
	}
	node := p.value(0)
	if p.err != nil {
		return nil, p.err
	}
	return node, nil
}

type parser struct {
	file    *source.File
	text    string
	at      int
	script  bool
	remarks []Remark
	err     *SyntaxError
}

func (p *parser) document() (*yamltree.Node, []Remark, error) {
	if err := p.bounded(); err != nil {
		return nil, nil, err
	}
	node := p.value(0)
	p.space()
	if p.err == nil && p.at < len(p.text) {
		p.fail(p.at, p.at+1, "the document ends here, but more text follows")
	}
	if p.err != nil {
		return nil, p.remarks, p.err
	}
	return node, p.remarks, nil
}

func (p *parser) bounded() error {
	if len(p.text) > MaxSize {
		return &SyntaxError{At: p.span(0, 0), Text: fmt.Sprintf("larger than %d MB, which no model is", MaxSize>>20)}
	}
	return nil
}

func (p *parser) span(from, to int) source.Span {
	return source.Span{File: p.file, Start: min(from, len(p.text)), End: min(to, len(p.text))}
}

// fail keeps the first error; what is read after it counts for nothing.
func (p *parser) fail(from, to int, format string, args ...any) {
	if p.err == nil {
		p.err = &SyntaxError{At: p.span(from, to), Text: fmt.Sprintf(format, args...)}
	}
	p.at = len(p.text)
}

func (p *parser) remark(from, to int, text string) {
	if !p.script {
		p.remarks = append(p.remarks, Remark{At: p.span(from, to), Text: text})
	}
}

func (p *parser) rest() string { return p.text[p.at:] }

func (p *parser) peek() byte {
	if p.at < len(p.text) {
		return p.text[p.at]
	}
	return 0
}

// space passes over blanks and comments.
func (p *parser) space() {
	for p.at < len(p.text) {
		switch rest := p.rest(); {
		case strings.IndexByte(" \t\r\n", rest[0]) >= 0:
			p.at++
		case strings.HasPrefix(rest, "//"):
			p.comment("\n", "")
		case strings.HasPrefix(rest, "/*"):
			p.comment("*/", "the comment that begins here is not closed")
		default:
			return
		}
	}
}

// comment passes over a comment up to its end; a comment that may not run to
// the end of the file says so in unclosed.
func (p *parser) comment(end, unclosed string) {
	start := p.at
	n := strings.Index(p.text[start+2:], end)
	switch {
	case n >= 0:
		p.at = start + 2 + n + len(end)
	case unclosed != "":
		p.fail(start, start+2, "%s", unclosed)
		return
	default:
		p.at = len(p.text)
	}
	p.remark(start, p.at, "JSON has no comments")
}

func (p *parser) value(depth int) *yamltree.Node {
	p.space()
	if depth > MaxDepth {
		p.fail(p.at, p.at+1, "more than %d levels of lists and objects", MaxDepth)
		return nil
	}
	switch c := p.peek(); {
	case p.at >= len(p.text):
		p.fail(p.at, p.at, "the text ends where a value should stand")
		return nil
	case c == '{':
		n := p.object(depth)
		p.suffix(depth)
		return n
	case c == '[':
		n := p.list(depth)
		p.suffix(depth)
		return n
	case p.script:
		return p.expression()
	case c == '"':
		start := p.at
		text := p.quoted('"')
		return &yamltree.Node{Kind: yamltree.Scalar, Style: yamltree.DoubleQuoted, At: p.span(start, p.at), Text: text}
	}
	return p.word()
}

// suffix passes over what TypeScript has behind an inner object: `as const`.
func (p *parser) suffix(depth int) {
	if p.script && depth > 0 && p.err == nil {
		p.opaque()
	}
}

func (p *parser) object(depth int) *yamltree.Node {
	start := p.at
	n := &yamltree.Node{Kind: yamltree.Mapping, Flow: true}
	p.members('}', start, func() {
		key := p.key()
		if p.err != nil {
			return
		}
		p.space()
		if p.script && (p.peek() == ',' || p.peek() == '}') {
			n.Entries = append(n.Entries, &yamltree.Entry{Key: key, Value: key}) // {name} of JavaScript
			return
		}
		if p.script && p.peek() == '(' {
			n.Entries = append(n.Entries, &yamltree.Entry{Key: key, Value: p.opaque()}) // a method
			return
		}
		if p.peek() != ':' {
			p.fail(key.At.Start, key.At.End, "a colon and a value should follow this key")
			return
		}
		p.at++
		value := p.value(depth + 1)
		n.Entries = append(n.Entries, &yamltree.Entry{Key: key, Value: value})
	})
	n.At = p.span(start, p.at)
	return n
}

func (p *parser) list(depth int) *yamltree.Node {
	start := p.at
	n := &yamltree.Node{Kind: yamltree.Sequence, Flow: true}
	p.members(']', start, func() {
		n.Items = append(n.Items, p.value(depth+1))
	})
	n.At = p.span(start, p.at)
	return n
}

// members reads what stands between brackets, with commas between.
func (p *parser) members(closing byte, start int, member func()) {
	p.at++
	for comma := -1; ; {
		p.space()
		switch {
		case p.err != nil:
			return
		case p.at >= len(p.text):
			p.fail(start, start+1, "the `%c` here is not closed by a `%c`", p.text[start], closing)
			return
		case p.peek() == closing:
			if comma >= 0 {
				p.remark(comma, comma+1, fmt.Sprintf("JSON has no comma before `%c`", closing))
			}
			p.at++
			return
		}
		member()
		p.space()
		switch {
		case p.err != nil:
			return
		case p.peek() == ',':
			comma = p.at
			p.at++
		case p.peek() == closing:
			comma = -1
		case p.at < len(p.text):
			p.fail(p.at, p.at+1, "a comma or `%c` should stand here", closing)
		}
	}
}

func (p *parser) key() *yamltree.Node {
	start := p.at
	c := p.peek()
	switch {
	case c == '"', p.script && (c == '\'' || c == '`'):
		text := p.quoted(c)
		return &yamltree.Node{Kind: yamltree.Scalar, Style: yamltree.DoubleQuoted, At: p.span(start, p.at), Text: text}
	case p.script && c == '[':
		return p.opaque()
	case p.script && strings.HasPrefix(p.rest(), "..."):
		return p.opaque()
	case p.script:
		if name := p.name(); name != "" {
			return &yamltree.Node{Kind: yamltree.Scalar, At: p.span(start, p.at), Text: name}
		}
	}
	p.fail(start, start+1, "a key in double quotes should stand here")
	return nil
}

// name reads an identifier, or a number as a key.
func (p *parser) name() string {
	start := p.at
	for p.at < len(p.text) {
		c := p.text[p.at]
		if c < 0x80 && !isNameByte(c) {
			break
		}
		p.at++
	}
	return p.text[start:p.at]
}

func isNameByte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == '$'
}
