package expr

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// tokenKind tells what a token is.
type tokenKind uint8

const (
	tokEnd      tokenKind = iota
	tokWord               // a plain word that is no keyword
	tokQuoted             // a name in backquotes
	tokKeyword            // text is in upper case
	tokString             // 'text'
	tokNumber             // digits, point, exponent
	tokDuration           // 5m
	tokParam              // $name or $name?
	tokPunct              // everything else: text is the characters themselves
	tokBroken             // text says what is wrong with it
)

// token is a piece of an expression. Start and end are byte offsets of the text.
type token struct {
	kind       tokenKind
	text       string // decoded: without quotes, $ and ?
	optional   bool   // of a parameter
	start, end int
}

// is tells whether the token is the given punctuation.
func (t token) is(punct string) bool { return t.kind == tokPunct && t.text == punct }

// isKeyword tells whether the token is the given keyword, in upper case.
func (t token) isKeyword(word string) bool { return t.kind == tokKeyword && t.text == word }

// isKeyword tells whether a word in upper case is one of the language's own,
// which as a name stands in backquotes.
func isKeyword(upper string) bool {
	switch upper {
	case "AND", "OR", "NOT", "IN", "BETWEEN", "SET", "REMOVE", "ADD", "DELETE", "TRUE", "FALSE", "NULL":
		return true
	}
	return false
}

// longPuncts are the operators of more than one character, and the ones that
// people bring from other languages, which are told apart only to be refused.
var longPuncts = [...]string{"<=", ">=", "<>", "<<", ">>", "==", "!=", "&&", "||", "+=", "-="}

// lexer cuts a text into tokens.
type lexer struct {
	text string
	pos  int
}

// next is the next token; tokEnd at the end, again and again.
func (l *lexer) next() token {
	for l.pos < len(l.text) && strings.IndexByte(" \t\r\n", l.text[l.pos]) >= 0 {
		l.pos++
	}
	start := l.pos
	t := l.scan()
	t.start, t.end = start, l.pos
	return t
}

// scan reads one token at pos, which is no blank, and moves behind it.
func (l *lexer) scan() token {
	if l.pos == len(l.text) {
		return token{kind: tokEnd}
	}
	switch c := l.text[l.pos]; {
	case c == '\'':
		return l.quoted(tokString, '\'')
	case c == '`':
		return l.quoted(tokQuoted, '`')
	case c == '"':
		return l.doubleQuoted()
	case c == '$':
		return l.param()
	case '0' <= c && c <= '9':
		return l.number()
	}
	if w := l.word(); w != "" {
		if upper := strings.ToUpper(w); isKeyword(upper) {
			return token{kind: tokKeyword, text: upper}
		}
		return token{kind: tokWord, text: w}
	}
	for _, p := range longPuncts {
		if strings.HasPrefix(l.text[l.pos:], p) {
			l.pos += len(p)
			return token{kind: tokPunct, text: p}
		}
	}
	_, size := utf8.DecodeRuneInString(l.text[l.pos:])
	l.pos += size
	return token{kind: tokPunct, text: l.text[l.pos-size : l.pos]}
}

// word reads letters, digits and underscores that begin with no digit; "" when
// there is none.
func (l *lexer) word() string {
	start := l.pos
	for l.pos < len(l.text) {
		r, size := utf8.DecodeRuneInString(l.text[l.pos:])
		if !isWordRune(r, l.pos == start) || r == utf8.RuneError {
			break
		}
		l.pos += size
	}
	return l.text[start:l.pos]
}

func isWordRune(r rune, first bool) bool {
	return r == '_' || unicode.IsLetter(r) || !first && unicode.IsDigit(r)
}

// isPlainWord tells whether a name needs no backquotes.
func isPlainWord(name string) bool {
	l := lexer{text: name}
	return l.word() == name && name != "" && !isKeyword(strings.ToUpper(name))
}

// quoted reads up to the closing quote; a doubled quote is one inside.
func (l *lexer) quoted(kind tokenKind, quote byte) token {
	var b strings.Builder
	for l.pos++; l.pos < len(l.text); l.pos++ {
		if l.text[l.pos] != quote {
			b.WriteByte(l.text[l.pos])
			continue
		}
		if l.pos+1 == len(l.text) || l.text[l.pos+1] != quote {
			l.pos++
			if kind == tokQuoted && b.Len() == 0 {
				return token{kind: tokBroken, text: "a name in backquotes is empty"}
			}
			return token{kind: kind, text: b.String()}
		}
		b.WriteByte(quote)
		l.pos++
	}
	if kind == tokQuoted {
		return token{kind: tokBroken, text: "a name in backquotes has no closing backquote"}
	}
	return token{kind: tokBroken, text: "a string has no closing quote (a quote inside a string is written twice: 'it''s')"}
}

func (l *lexer) doubleQuoted() token {
	content, _, closed := strings.Cut(l.text[l.pos+1:], `"`)
	l.pos += 1 + len(content)
	if closed {
		l.pos++
	}
	return token{kind: tokBroken, text: "strings stand in single quotes: '" + strings.ReplaceAll(clip(content), "'", "''") + "'"}
}

func (l *lexer) param() token {
	l.pos++
	name := l.word()
	if name == "" {
		return token{kind: tokBroken, text: "a parameter is $ and a name, such as $customerId"}
	}
	t := token{kind: tokParam, text: name}
	if l.pos < len(l.text) && l.text[l.pos] == '?' {
		l.pos++
		t.optional = true
	}
	if t.optional && name == "now" {
		return token{kind: tokBroken, text: "$now is always there: write it without the question mark"}
	}
	return t
}

// number reads digits with a point and an exponent, or a number with a unit of time.
func (l *lexer) number() token {
	start := l.pos
	l.digits()
	if rest := l.text[l.pos:]; len(rest) > 1 && rest[0] == '.' && isDigit(rest[1]) {
		l.pos++
		l.digits()
	}
	if n := exponent(l.text[l.pos:]); n > 0 {
		l.pos += n
		l.digits()
	}
	numberEnd := l.pos
	for l.pos < len(l.text) {
		r, size := utf8.DecodeRuneInString(l.text[l.pos:])
		if !isWordRune(r, false) || r == utf8.RuneError {
			break
		}
		l.pos += size
	}
	whole := l.text[start:l.pos]
	switch l.text[numberEnd:l.pos] {
	case "":
		return token{kind: tokNumber, text: whole}
	case "s", "m", "h", "d":
		return token{kind: tokDuration, text: whole}
	}
	return token{kind: tokBroken, text: clip(whole) + " is neither a number nor a duration such as 30s, 5m, 2h or 7d"}
}

func (l *lexer) digits() {
	for l.pos < len(l.text) && isDigit(l.text[l.pos]) {
		l.pos++
	}
}

// exponent is the length of an `e` with its sign before a digit; 0 when there is none.
func exponent(s string) int {
	if s == "" || s[0] != 'e' && s[0] != 'E' {
		return 0
	}
	n := 1
	if len(s) > n && (s[n] == '+' || s[n] == '-') {
		n++
	}
	if len(s) > n && isDigit(s[n]) {
		return n
	}
	return 0
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }
