package partiql

import (
	"strings"
)

type tokenKind uint8

const (
	tokenEOF        tokenKind = iota
	tokenKeyword              // text in upper case
	tokenIdentifier           // text without quotes
	tokenString               // text without quotes
	tokenNumber
	tokenIon // between backquotes
	tokenParameter
	tokenSymbol
	tokenInvalid
)

// token is a piece of a statement: its kind, what it stands for, and where it
// begins and ends in the statement.
type token struct {
	kind       tokenKind
	text       string
	start, end int
}

// lex returns the token at or after offset pos.
func lex(s string, pos int) token {
	pos, ok := skipSpace(s, pos)
	switch {
	case !ok:
		return token{kind: tokenInvalid, start: pos, end: len(s)}
	case pos == len(s):
		return token{kind: tokenEOF, start: pos, end: pos}
	}
	switch c := s[pos]; {
	case isLetter(c):
		return lexWord(s, pos)
	case isDigit(c) || c == '.' && pos+1 < len(s) && isDigit(s[pos+1]):
		return lexNumber(s, pos)
	case c == '"':
		return lexQuoted(s, pos, tokenIdentifier)
	case c == '\'':
		return lexQuoted(s, pos, tokenString)
	case c == '`':
		return lexQuoted(s, pos, tokenIon)
	case c == '?':
		return token{kind: tokenParameter, text: "?", start: pos, end: pos + 1}
	}
	for _, symbol := range [...]string{"<<", ">>", "<=", ">=", "<>", "!=", "||"} {
		if strings.HasPrefix(s[pos:], symbol) {
			return token{kind: tokenSymbol, text: symbol, start: pos, end: pos + 2}
		}
	}
	if strings.IndexByte("()[]{},.:;=<>+-*/%", s[pos]) >= 0 {
		return token{kind: tokenSymbol, text: s[pos : pos+1], start: pos, end: pos + 1}
	}
	return token{kind: tokenInvalid, start: pos, end: len(s)}
}

// skipSpace skips space and comments; ok is false for a comment without end.
func skipSpace(s string, pos int) (next int, ok bool) {
	for pos < len(s) {
		rest := s[pos:]
		switch {
		case strings.IndexByte(" \t\n\r", s[pos]) >= 0:
			pos++
		case strings.HasPrefix(rest, "--"):
			line := strings.IndexByte(rest, '\n')
			if line < 0 {
				return len(s), true
			}
			pos += line
		case strings.HasPrefix(rest, "/*"):
			end := strings.Index(rest[2:], "*/")
			if end < 0 {
				return pos, false
			}
			pos += end + 4
		default:
			return pos, true
		}
	}
	return pos, true
}

func isLetter(c byte) bool {
	return 'a' <= c|0x20 && c|0x20 <= 'z' || c == '_' || c == '$'
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func lexWord(s string, pos int) token {
	end := pos + 1
	for end < len(s) && (isLetter(s[end]) || isDigit(s[end])) {
		end++
	}
	t := token{kind: tokenIdentifier, text: s[pos:end], start: pos, end: end}
	if upper := strings.ToUpper(t.text); keywords()[upper] {
		t.kind, t.text = tokenKeyword, upper
	}
	return t
}

func lexNumber(s string, pos int) token {
	digits := func(i int) int {
		for i < len(s) && isDigit(s[i]) {
			i++
		}
		return i
	}
	end := digits(pos)
	if end < len(s) && s[end] == '.' {
		end = digits(end + 1)
	}
	if end < len(s) && s[end]|0x20 == 'e' {
		end++
		if end < len(s) && (s[end] == '+' || s[end] == '-') {
			end++
		}
		end = digits(end)
	}
	t := token{kind: tokenNumber, text: s[pos:end], start: pos, end: end}
	if last := s[end-1]; !isDigit(last) && last != '.' || end < len(s) && isLetter(s[end]) {
		t.kind = tokenInvalid
	}
	return t
}

// lexQuoted reads text between quotes; two quotes stand for one.
func lexQuoted(s string, pos int, kind tokenKind) token {
	quote := s[pos]
	var text strings.Builder
	for i := pos + 1; i < len(s); i++ {
		if s[i] != quote {
			text.WriteByte(s[i])
			continue
		}
		if i+1 == len(s) || s[i+1] != quote {
			return token{kind: kind, text: text.String(), start: pos, end: i + 1}
		}
		text.WriteByte(quote)
		i++
	}
	return token{kind: tokenInvalid, start: pos, end: len(s)}
}
