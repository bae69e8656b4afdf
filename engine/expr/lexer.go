package expr

import (
	"strings"
	"unicode/utf8"
)

type tokenKind uint8

const (
	tokenEOF tokenKind = iota
	tokenName
	tokenAlias // #name
	tokenValue // :value
	tokenInt
	tokenAnd
	tokenOr
	tokenNot
	tokenBetween
	tokenIn
	tokenSection // SET, REMOVE, ADD, DELETE
	tokenEqual
	tokenNotEqual
	tokenLess
	tokenLessEqual
	tokenGreater
	tokenGreaterEqual
	tokenPlus
	tokenMinus
	tokenOpen
	tokenClose
	tokenOpenIndex
	tokenCloseIndex
	tokenDot
	tokenComma
	tokenUnknown
)

// token is a piece of an expression's text, by its offsets.
type token struct {
	kind       tokenKind
	start, end int
}

// lex returns the token at or after offset pos.
func lex(text string, pos int) token {
	for pos < len(text) && strings.IndexByte(" \t\n\r", text[pos]) >= 0 {
		pos++
	}
	if pos == len(text) {
		return token{kind: tokenEOF, start: pos, end: pos}
	}
	one := func(kind tokenKind) token { return token{kind: kind, start: pos, end: pos + 1} }
	follows := func(c byte) bool { return pos+1 < len(text) && text[pos+1] == c }
	switch c := text[pos]; {
	case isLetter(c):
		end := wordEnd(text, pos)
		return token{kind: wordKind(text[pos:end]), start: pos, end: end}
	case isDigit(c):
		end := pos + 1
		for c != '0' && end < len(text) && isDigit(text[end]) {
			end++
		}
		return token{kind: tokenInt, start: pos, end: end}
	case c == '#' || c == ':':
		end := wordEnd(text, pos+1)
		switch {
		case end == pos+1:
			return one(tokenUnknown)
		case c == '#':
			return token{kind: tokenAlias, start: pos, end: end}
		}
		return token{kind: tokenValue, start: pos, end: end}
	case c == '<' && follows('>'):
		return token{kind: tokenNotEqual, start: pos, end: pos + 2}
	case c == '<' && follows('='):
		return token{kind: tokenLessEqual, start: pos, end: pos + 2}
	case c == '>' && follows('='):
		return token{kind: tokenGreaterEqual, start: pos, end: pos + 2}
	default:
		if kind := punctuation(c); kind != tokenUnknown {
			return one(kind)
		}
		_, size := utf8.DecodeRuneInString(text[pos:])
		return token{kind: tokenUnknown, start: pos, end: pos + size}
	}
}

func punctuation(c byte) tokenKind {
	switch c {
	case '=':
		return tokenEqual
	case '<':
		return tokenLess
	case '>':
		return tokenGreater
	case '+':
		return tokenPlus
	case '-':
		return tokenMinus
	case '(':
		return tokenOpen
	case ')':
		return tokenClose
	case '[':
		return tokenOpenIndex
	case ']':
		return tokenCloseIndex
	case '.':
		return tokenDot
	case ',':
		return tokenComma
	}
	return tokenUnknown
}

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }
func isDigit(c byte) bool  { return '0' <= c && c <= '9' }

// wordEnd returns the end of the letters, digits and underscores at pos.
func wordEnd(text string, pos int) int {
	for pos < len(text) && (isLetter(text[pos]) || isDigit(text[pos]) || text[pos] == '_') {
		pos++
	}
	return pos
}

// wordKind tells the keywords, which have any letter case, from names.
func wordKind(word string) tokenKind {
	switch {
	case len(word) > len("BETWEEN"):
	case strings.EqualFold(word, "AND"):
		return tokenAnd
	case strings.EqualFold(word, "OR"):
		return tokenOr
	case strings.EqualFold(word, "NOT"):
		return tokenNot
	case strings.EqualFold(word, "BETWEEN"):
		return tokenBetween
	case strings.EqualFold(word, "IN"):
		return tokenIn
	case verbOf(word) != "":
		return tokenSection
	}
	return tokenName
}
