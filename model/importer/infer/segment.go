package infer

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
)

// segment is a stretch of a key: a delimiter, a text that attributes explain, or
// one that none does.
type segment struct {
	text       string
	delimiter  bool
	candidates []candidate
}

// delimiters separate the parts of a key, the ones most often chosen first. In
// one key, the first that occurs is the one that does.
var delimiters = []string{"#", "|", "::", ":", "/", "~", "^", "$", "&", ";", "!", "*", "+"}

// delimiterOf is the delimiter of a key; "" when it has none.
func delimiterOf(key string) string {
	for _, d := range delimiters {
		if strings.Contains(unitPattern.ReplaceAllString(key, ""), d) {
			return d
		}
	}
	return ""
}

// unitPattern is what holds delimiters and is one value all the same: times and addresses.
var unitPattern = regexp.MustCompile(`\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)?|https?://[^\s#|]+`)

// split takes the text of a key attribute apart. A value of an attribute is a segment where it stands
// between delimiters, the longest one that fits, whatever is in it.
func (s *subject) split(name, key string) []segment {
	d := delimiterOf(key)
	var out []segment
	for at := 0; at < len(key); {
		if d != "" && strings.HasPrefix(key[at:], d) {
			out = append(out, segment{text: d, delimiter: true})
			at += len(d)
			continue
		}
		if text := s.valueAt(name, key[at:], d); text != "" {
			out = append(out, segment{text: text, candidates: s.explain(text)})
			at += len(text)
			continue
		}
		token := tokenAt(key[at:], d)
		out = append(out, s.inside(token)...)
		at += len(token)
	}
	return out
}

// valueAt is the longest text of another attribute that a key begins with and
// that ends where the key or a part of it does.
func (s *subject) valueAt(name, key, delimiter string) string {
	for _, text := range s.longs {
		rest, ok := strings.CutPrefix(key, text)
		if ok && (rest == "" || delimiter != "" && strings.HasPrefix(rest, delimiter)) && s.othersMake(name, text) {
			return text
		}
	}
	return ""
}

// othersMake tells whether another attribute than the one named makes a text.
func (s *subject) othersMake(name, text string) bool {
	return slices.ContainsFunc(s.byText[text], func(c candidate) bool { return c.attribute != name })
}

// tokenAt is what a key begins with, up to the next delimiter; a time or an
// address counts as one.
func tokenAt(key, delimiter string) string {
	from := 0
	if at := unitPattern.FindStringIndex(key); at != nil && at[0] == 0 {
		from = at[1]
	}
	if delimiter == "" {
		return key
	}
	if i := strings.Index(key[from:], delimiter); i >= 0 {
		return key[:from+i]
	}
	return key
}

// inside looks for a value of an attribute at the end of a token after a
// constant: user_123, C0042.
func (s *subject) inside(token string) []segment {
	if found := s.explain(token); len(found) > 0 {
		return []segment{{text: token, candidates: found}}
	}
	for i := 1; i < len(token); i++ {
		weak := strings.IndexByte("_-.@ :/", token[i-1]) >= 0
		if !weak && !isBoundary(token, i) {
			continue
		}
		if found := s.explain(token[i:]); len(found) > 0 {
			return []segment{{text: token[:i]}, {text: token[i:], candidates: found}}
		}
	}
	return s.before(token)
}

// before looks for a word at the beginning of a token, before a constant in
// capitals: ISSUEREACTION.
func (s *subject) before(token string) []segment {
	for i := len(token) - 2; i >= 2; i-- {
		if !looksConstant(token[i:]) {
			continue
		}
		if found := s.explain(token[:i]); len(found) > 0 {
			return []segment{{text: token[:i], candidates: found}, {text: token[i:]}}
		}
	}
	return []segment{{text: token}}
}

// isBoundary tells a place between a letter and a digit.
func isBoundary(token string, i int) bool {
	return unicode.IsLetter(rune(token[i-1])) != unicode.IsLetter(rune(token[i]))
}

// constants are words that stand for themselves in a sort key.
var constants = map[string]bool{
	"meta": true, "metadata": true, "profile": true, "info": true, "detail": true, "details": true, "config": true,
	"settings": true, "root": true, "summary": true, "data": true, "all": true, "current": true, "latest": true, "header": true,
}

// looksConstant tells a word that is rather part of a template than a value:
// ORDER, META, v0.
func looksConstant(text string) bool {
	letters := strings.ContainsFunc(text, unicode.IsLetter)
	return letters && !strings.ContainsAny(text, "0123456789@") && strings.ToUpper(text) == text ||
		constants[strings.ToLower(text)] || version.MatchString(text)
}

var version = regexp.MustCompile(`^[vV]\d$`)

// looksVariable tells a text that is a value: it has digits, spaces or an @, or
// is longer than a word is.
func looksVariable(text string) bool {
	return !version.MatchString(text) && (strings.ContainsAny(text, "0123456789@ %") || len(text) > 40 || typeOfText(text) != "string")
}
